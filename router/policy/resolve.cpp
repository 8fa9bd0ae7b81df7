// SPDX-License-Identifier: MIT
#include "router/policy/resolve.h"

#include "router/base/text.h"
#include "router/policy/names.h"
#include "router/policy/natural.h"
#include "router/policy/targets.h"

#include <algorithm>
#include <utility>

namespace signalbox::policy {

namespace {

using classify::RequestFeatures;

constexpr std::size_t kShownNameBytes = 200;
constexpr std::size_t kNearNames = 3;

std::string inQuotes(std::string_view name) {
    std::string shown = elided(name, kShownNameBytes);
    std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return '"' + shown + '"';
}

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
    std::string question;
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (i > 0) question += i + 1 == near.size() ? " or " : ", ";
        question += inQuotes(near[i]);
    }
    return question.empty() ? question : "Did you mean " + question + "? ";
}

tl::unexpected<Error> unknownModel(const PolicySnapshot& snapshot, std::string_view model) {
    const std::vector<std::string> near = nearNames(model.substr(0, kShownNameBytes), knownNames(snapshot), kNearNames);
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
                    {}, didYouMean(nearNames(std::string_view(pin.id).substr(0, kShownNameBytes), keys, kNearNames)) + "Name a preset of the routing table");
    }
    if (const auto endpoint = parseEndpoint(*snapshot.config, pin.id))
        return exactly(ResolvedBy::pin, targetOfEndpoint(*endpoint));
    return fail(ErrorKind::notFound, "the request is pinned to the endpoint " + inQuotes(pin.id) + ", which does not exist", {},
                "Name it as endpoint/PROVIDER:MODEL with a provider of gateway.toml");
}

std::string reasonOf(const TableDecision& decision) {
    if (decision.ruleIndex) return "chosen by rule " + std::to_string(*decision.ruleIndex + 1);
    return "default of family " + decision.family.value_or("");
}

Result<RoutePlan> resolveByTable(const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell) {
    const TableDecision& decision = snapshot.index.decide(model, cell);
    RoutePlan plan;
    plan.tableDecision = decision;
    if (decision.presetKey) {
        auto target = targetOfPreset(snapshot, *decision.presetKey, reasonOf(decision));
        if (!target) return tl::unexpected(std::move(target.error()));
        plan.targets.push_back(std::move(*target));
        plan.coverage = decision.ruleIndex ? CoverageMark::rule : CoverageMark::familyDefault;
        return plan;
    }
    auto natural = naturalAnswer(snapshot, model);
    if (!natural) return tl::unexpected(std::move(natural.error()));
    plan.naturalBy = natural->by;
    plan.targets.push_back(std::move(natural->target));
    plan.gapIndex = snapshot.index.gapFor(model, cell);
    plan.coverage = plan.gapIndex ? CoverageMark::gap : CoverageMark::none;
    return plan;
}

bool isGovernedByTable(const PolicySnapshot& snapshot, std::string_view model) {
    const auto& cause = snapshot.index.familyOf(model).cause;
    const bool isListed = cause != NullCause::modelNotListed && cause != NullCause::tableNotApplicable;
    return isListed || snapshot.config->naturalPresets.contains(std::string(model));
}

// A candidate whose provider serves presets goes on to the table, among the presets bound to that provider.
std::optional<TableDecision> decideForCandidate(const PolicySnapshot& snapshot, const config::Candidate& candidate,
                                                const table::Cell& cell) {
    std::vector<std::string> bound;
    for (const config::PresetBinding& binding : snapshot.config->presetBindings)
        if (binding.provider == candidate.provider) bound.push_back(binding.presetKey);
    if (bound.empty()) return std::nullopt;
    return snapshot.index.decideAmong(candidate.model, cell, bound);
}

RouteTarget targetOfCandidate(const PolicySnapshot& snapshot, const config::Candidate& candidate,
                              const std::optional<TableDecision>& decision) {
    if (decision && decision->presetKey)
        if (auto target = targetOfPreset(snapshot, *decision->presetKey, reasonOf(*decision))) return std::move(*target);
    return {candidate.provider, candidate.model, std::nullopt};
}

// Mode off: the enabled candidates in configured order.
Result<RoutePlan> resolveGroup(const PolicySnapshot& snapshot, const config::SmartGroup& group, const table::Cell& cell) {
    RoutePlan plan;
    plan.resolvedBy = ResolvedBy::smartAlias;
    for (const config::Candidate& candidate : group.candidates) {
        const config::Provider* provider = snapshot.config->findProvider(candidate.provider);
        if (!candidate.enabled || provider == nullptr || !provider->isCallable()) continue;
        std::optional<TableDecision> decision = decideForCandidate(snapshot, candidate, cell);
        plan.targets.push_back(targetOfCandidate(snapshot, candidate, decision));
        if (plan.targets.size() > 1 || !decision) continue;
        plan.coverage = decision->ruleIndex   ? CoverageMark::rule
                        : decision->presetKey ? CoverageMark::familyDefault
                                              : CoverageMark::none;
        plan.tableDecision = std::move(decision);
    }
    if (!plan.targets.empty()) return plan;
    return fail(ErrorKind::unavailable, "no candidate of the smart group " + inQuotes(group.id) + " is enabled and callable",
                "routing.groups." + group.id, "Enable one in gateway.toml, or set the base_url of its provider");
}

Result<RoutePlan> resolveName(const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell) {
    const config::GatewayConfig& config = *snapshot.config;
    if (const auto endpoint = parseEndpoint(config, model))
        return exactly(ResolvedBy::explicitEndpoint, targetOfEndpoint(*endpoint));
    if (const config::SmartGroup* group = config.findGroupByAlias(model)) return resolveGroup(snapshot, *group, cell);
    if (isGovernedByTable(snapshot, model)) return resolveByTable(snapshot, model, cell);

    auto found = targetInInventory(config, model);
    if (!found) return unknownModel(snapshot, model);
    if (!*found) return tl::unexpected(std::move(found->error()));
    RoutePlan plan = planOf(ResolvedBy::inventory, std::move(**found));
    plan.tableDecision = snapshot.index.decide(model, cell);
    if (!snapshot.table->isApplicable()) plan.naturalBy = NaturalBy::inventory;
    return plan;
}

// What a static alias stands for; null where a stronger reading of the name comes first.
const std::string* meaningOfAlias(const config::GatewayConfig& config, const std::string& name) {
    const auto alias = config.aliases.find(name);
    const bool isAlias = alias != config.aliases.end() && !parseEndpoint(config, name) && config.findGroupByAlias(name) == nullptr;
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

Result<RoutePlan> resolve(const PolicySnapshot& snapshot, const RequestFeatures& features, const RequestContext& context) {
    if (context.pin) return resolvePin(snapshot, *context.pin);
    if (features.model.empty())
        return fail(ErrorKind::badInput, "the request names no model", "/model",
                    "Send \"model\" as text; GET /v1/models lists the names that work");
    std::vector<std::string> steps;
    std::string model = features.model;
    while (const std::string* meaning = meaningOfAlias(*snapshot.config, model)) {
        if (std::find(steps.begin(), steps.end(), model) != steps.end()) return aliasLoop(steps);
        steps.push_back(std::exchange(model, *meaning));
    }
    auto plan = resolveName(snapshot, model, features.cell);
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
