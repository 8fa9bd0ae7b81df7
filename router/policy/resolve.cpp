// SPDX-License-Identifier: MIT
#include "router/policy/resolve.h"

#include "router/base/text.h"
#include "router/policy/carrying.h"
#include "router/policy/group_route.h"
#include "router/policy/names.h"
#include "router/policy/natural.h"
#include "router/policy/phrases.h"
#include "router/policy/targets.h"

#include <algorithm>
#include <utility>

namespace signalbox::policy {

namespace {

using classify::RequestFeatures;

constexpr std::size_t kComparedNameBytes = 200;
constexpr std::size_t kNearNames = 3;

RoutePlan planOf(ResolvedBy by, RouteTarget target) {
    RoutePlan plan;
    plan.resolvedBy = by;
    plan.targets.push_back(std::move(target));
    return plan;
}

Result<RoutePlan> exactly(ResolvedBy by, Result<RouteTarget> target) {
    if (!target) return tl::unexpected(std::move(target.error()));
    RoutePlan plan = planOf(by, std::move(*target));
    plan.fallbackAllowed = false;
    return plan;
}

// `Did you mean "a", "b" or "c"? `, or nothing.
std::string didYouMean(const std::vector<std::string>& near) {
    return near.empty() ? std::string() : "Did you mean " + oneOf(near, kNearNames) + "? ";
}

tl::unexpected<Error> unknownModel(const PolicySnapshot& snapshot, std::string_view model) {
    const std::vector<std::string> near = nearNames(model.substr(0, kComparedNameBytes), knownNames(snapshot), kNearNames);
    return fail(ErrorKind::notFound, "there is no model " + inQuotes(model) + " here", {},
                didYouMean(near) + "GET /v1/models lists the names that work");
}

Result<RoutePlan> resolvePin(const PolicySnapshot& snapshot, const Pin& pin) {
    if (pin.kind == PinKind::preset) {
        const bool isKnown = snapshot.index.findPreset(pin.id) != nullptr || snapshot.config->findBinding(pin.id) != nullptr;
        if (isKnown) return exactly(ResolvedBy::pin, targetOfPreset(snapshot, pin.id, "pinned by the request"));
        std::vector<std::string> keys;
        for (const table::Preset& preset : snapshot.table->presets) keys.push_back(preset.presetKey);
        return fail(ErrorKind::notFound, "the request is pinned to the preset " + inQuotes(pin.id) + ", which does not exist",
                    {}, didYouMean(nearNames(std::string_view(pin.id).substr(0, kComparedNameBytes), keys, kNearNames)) + "Name a preset of the routing table");
    }
    if (const auto endpoint = parseEndpoint(*snapshot.config, pin.id))
        return exactly(ResolvedBy::pin, targetOfEndpoint(*endpoint));
    return fail(ErrorKind::notFound, "the request is pinned to the endpoint " + inQuotes(pin.id) + ", which does not exist", {},
                "Name it as endpoint/PROVIDER:MODEL with a provider of gateway.toml");
}

Result<RoutePlan> resolveByTable(const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell) {
    const TableDecision& decision = snapshot.index.decide(model, cell);
    RoutePlan plan;
    plan.tableDecision = decision;
    if (decision.presetKey) {
        auto target = targetOfPreset(snapshot, *decision.presetKey, [&] { return reasonOf(decision); });
        if (!target) return tl::unexpected(std::move(target.error()));
        plan.targets.push_back(std::move(*target));
        markCoverage(plan, snapshot, model, cell);
        return plan;
    }
    auto natural = naturalAnswer(snapshot, model);
    if (!natural) return tl::unexpected(std::move(natural.error()));
    plan.naturalBy = natural->by;
    plan.targets.push_back(std::move(natural->target));
    markCoverage(plan, snapshot, model, cell);
    return plan;
}

Result<RoutePlan> resolveByRouter(const PolicySnapshot& snapshot, const config::Model& model, const table::Cell& cell) {
    auto target = targetOfPool(*snapshot.config, model);
    if (!target) return tl::unexpected(std::move(target.error()));
    RoutePlan plan = planOf(ResolvedBy::modelRouter, std::move(*target));
    plan.tableDecision = snapshot.index.decide(model.id, cell);
    return plan;
}

/// One request by name, from the second way on.
struct Asking {
    const PolicySnapshot& snapshot;
    const RequestFeatures& features;
    const RequestContext& context;
    const Permissions& permissions;
    std::optional<GroupRefusal>* refused;
};

// Every way but the smart groups, which judge their own candidates.
Result<RoutePlan> ifPossible(const PolicySnapshot& snapshot, const RequestFeatures& features, const Permissions& permissions,
                             Result<RoutePlan> plan) {
    if (!plan) return plan;
    const RouteTarget& target = plan->targets.front();
    if (auto refusal = permissions.refusalOf(snapshot, target)) return tl::unexpected(std::move(*refusal));
    if (auto refusal = refusalOfCarrying(*snapshot.config, target, features)) return tl::unexpected(std::move(*refusal));
    return plan;
}

Result<RoutePlan> resolveOutsideGroups(const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell) {
    const config::GatewayConfig& config = *snapshot.config;
    if (const auto endpoint = parseEndpoint(config, model))
        return exactly(ResolvedBy::explicitEndpoint, targetOfEndpoint(*endpoint));
    if (isGovernedByTable(snapshot, model)) return resolveByTable(snapshot, model, cell);
    if (const config::Model* pool = config.findModel(model)) return resolveByRouter(snapshot, *pool, cell);

    auto found = targetInInventory(config, model);
    if (!found) return unknownModel(snapshot, model);
    if (!*found) return tl::unexpected(std::move(found->error()));
    RoutePlan plan = planOf(ResolvedBy::inventory, std::move(**found));
    plan.tableDecision = snapshot.index.decide(model, cell);
    if (!snapshot.table->isApplicable()) plan.naturalBy = NaturalBy::inventory;
    return plan;
}

Result<RoutePlan> resolveName(const Asking& asking, std::string_view model) {
    const PolicySnapshot& snapshot = asking.snapshot;
    const smart::Group* group = snapshot.smart.findByAlias(model);
    if (group != nullptr && !parseEndpoint(*snapshot.config, model))
        return routeThroughGroup(snapshot, static_cast<std::size_t>(group - snapshot.smart.groups().data()), asking.features,
                                 asking.context, asking.permissions, asking.refused);
    return ifPossible(snapshot, asking.features, asking.permissions,
                      resolveOutsideGroups(snapshot, model, asking.features.cell));
}

// What a static alias stands for; null where a stronger reading of the name comes first.
const std::string* meaningOfAlias(const PolicySnapshot& snapshot, const std::string& name) {
    const config::GatewayConfig& config = *snapshot.config;
    const auto alias = config.aliases.find(name);
    const bool isAlias =
        alias != config.aliases.end() && !parseEndpoint(config, name) && snapshot.smart.findByAlias(name) == nullptr;
    return isAlias ? &alias->second : nullptr;
}

tl::unexpected<Error> aliasLoop(const std::vector<std::string>& steps) {
    std::string path;
    for (const std::string& step : steps) path += inQuotes(step) + " -> ";
    return fail(ErrorKind::badInput, "the static aliases lead in a circle: " + path + inQuotes(steps.front()),
                "aliases." + steps.back(), "Let one of them stand for a model or provider:model");
}

}  // namespace

std::string_view toString(ResolvedBy by) {
    switch (by) {
        case ResolvedBy::pin: return "pin";
        case ResolvedBy::explicitEndpoint: return "explicit_endpoint";
        case ResolvedBy::smartAlias: return "smart_alias";
        case ResolvedBy::staticAlias: return "static_alias";
        case ResolvedBy::table: return "table";
        case ResolvedBy::modelRouter: return "model_router";
        case ResolvedBy::inventory: return "inventory";
    }
    return "table";
}

std::string_view toString(CoverageMark mark) {
    switch (mark) {
        case CoverageMark::rule: return "rule";
        case CoverageMark::familyDefault: return "default";
        case CoverageMark::gap: return "gap";
        case CoverageMark::none: return "none";
    }
    return "none";
}

std::string_view toString(NaturalBy by) {
    switch (by) {
        case NaturalBy::configured: return "configured";
        case NaturalBy::onlyPreset: return "only_preset";
        case NaturalBy::gapFallback: return "gap_fallback";
        case NaturalBy::inventory: return "inventory";
    }
    return "inventory";
}

Result<Pin> parsePin(std::string_view header) {
    const std::string_view text = trimmed(header);
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos && slash + 1 < text.size()) {
        const std::string_view kind = text.substr(0, slash);
        const std::string id(text.substr(slash + 1));
        if (kind == "preset") return Pin{PinKind::preset, id};
        if (kind == "endpoint") return Pin{PinKind::endpoint, id};
    }
    return fail(ErrorKind::badInput, "the pin " + inQuotes(text) + " names neither a preset nor an endpoint", "X-Signalbox-Pin",
                "Send preset/KEY or endpoint/PROVIDER:MODEL");
}

Result<RoutePlan> resolve(const PolicySnapshot& snapshot, const RequestFeatures& features, const RequestContext& context,
                          std::optional<GroupRefusal>* refused) {
    if (refused != nullptr) refused->reset();
    Permissions permissions(context.principal);
    if (context.pin) return ifPossible(snapshot, features, permissions, resolvePin(snapshot, *context.pin));
    if (features.model.empty())
        return fail(ErrorKind::badInput, "the request names no model", "/model",
                    "Send \"model\" as text; GET /v1/models lists the names that work");
    std::vector<std::string> steps;
    std::string model = features.model;
    while (const std::string* meaning = meaningOfAlias(snapshot, model)) {
        if (std::find(steps.begin(), steps.end(), model) != steps.end()) return aliasLoop(steps);
        steps.push_back(std::exchange(model, *meaning));
    }
    permissions.addName(features.model);
    if (!steps.empty()) permissions.addName(model);
    auto plan = resolveName({snapshot, features, context, permissions, refused}, model);
    if (steps.empty()) return plan;
    if (!plan) {
        plan.error().message += " (reached through the alias " + inQuotes(steps.front()) + ")";
        return plan;
    }
    plan->resolvedBy = ResolvedBy::staticAlias;
    plan->steps = std::move(steps);
    return plan;
}

}  // namespace signalbox::policy
