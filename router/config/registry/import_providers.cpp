// SPDX-License-Identifier: MIT
#include "router/config/registry/import_providers.h"

#include "router/config/read_parts.h"
#include "router/config/registry/import_names.h"
#include "router/config/section.h"

#include <algorithm>

namespace signalbox::config {
namespace {

std::optional<std::string> withoutSlashes(std::optional<std::string> url) {
    while (url && url->ends_with('/')) url->pop_back();
    return url;
}

bool isSamePlace(const Provider& a, const Provider& b) {
    return a.protocol == b.protocol && withoutSlashes(a.baseUrl) == withoutSlashes(b.baseUrl) && a.baseUrlEnv == b.baseUrlEnv;
}

bool sameRates(const Pricing& a, const Pricing& b) {
    return a.inputPerMillion == b.inputPerMillion && a.outputPerMillion == b.outputPerMillion &&
           a.cacheReadPerMillion == b.cacheReadPerMillion && a.cacheWritePerMillion == b.cacheWritePerMillion;
}

template <class T>
bool says(const std::optional<T>& wanted, const std::optional<T>& there) {
    return !wanted || wanted == there;
}

/// Everything that `wanted` knows is known there.
bool saysAll(const Capabilities& wanted, const Capabilities& there) {
    return says(wanted.tools, there.tools) && says(wanted.structuredOutput, there.structuredOutput) && says(wanted.vision, there.vision) &&
           says(wanted.contextTokens, there.contextTokens) && says(wanted.maxOutputTokens, there.maxOutputTokens);
}

Provider asProvider(const RegistryRoute& route) {
    Provider out;
    out.protocol = route.protocol;
    out.baseUrl = route.baseUrl;
    out.baseUrlEnv = route.baseUrlEnv;
    out.domain = route.kind;
    out.displayName = route.displayName;
    return out;
}

}  // namespace

ProviderPlanner::ProviderPlanner(const std::vector<RegistryModel>& models, const GatewayConfig& existing, RegistryContext& context)
    : m_existing(existing), m_report(context.report) {
    for (const RegistryModel& model : models)
        for (const RegistryRoute& route : model.routes)
            for (const RegistryKey& key : route.keys)
                if (key.variable) m_variables.insert(*key.variable);
}

PlannedProvider& ProviderPlanner::of(const RegistryRoute& route, const RegistryKey* key) {
    Provider like = asProvider(route);
    if (key != nullptr && key->variable) like.apiKeyEnv = key->variable;
    const std::string literal = key == nullptr || key->variable ? std::string() : key->literal;
    for (PlannedProvider& planned : m_planned) {
        const bool sameKey = literal.empty() ? planned.literal.empty() && planned.made.apiKeyEnv == like.apiKeyEnv : planned.literal == literal;
        if (sameKey && isSamePlace(planned.made, like)) return planned;
    }
    const std::string name = providerName(route);
    if (!literal.empty()) like.apiKeyEnv = variableFor(name, like);
    PlannedProvider planned;
    planned.existing = findExisting(like);
    planned.literal = literal;
    planned.place = key == nullptr ? route.place : key->place;
    like.id = planned.existing != nullptr ? planned.existing->id : freeName(name, "-", [&](const std::string& id) { return isTaken(id); });
    planned.made = std::move(like);
    return m_planned.emplace_back(std::move(planned));
}

void ProviderPlanner::use(PlannedProvider& provider, const RegistryRoute& route) {
    provider.needed = true;
    const bool listed = provider.existing != nullptr && provider.existing->accepts(route.model);
    std::vector<std::string>& models = provider.existing != nullptr ? provider.newModels : provider.made.models;
    if (!listed && std::find(models.begin(), models.end(), route.model) == models.end()) models.push_back(route.model);
    const std::string endpoint = provider.made.id + ":" + route.model;
    if (route.pricing) {
        const auto [known, isNew] = provider.pricing.emplace(route.model, *route.pricing);
        if (!isNew && !sameRates(known->second.rates, route.pricing->rates))
            m_report.add(ImportOutcome::notCarried, "second_price", route.pricing->place,
                         inQuotes(endpoint) + " has one price, and another was given above", "Write the same prices in both places.");
    }
    if (route.capabilities == Capabilities()) return;
    const auto [known, isNew] = provider.capabilities.emplace(route.model, std::pair(route.capabilities, route.place));
    if (!isNew && !saysAll(route.capabilities, known->second.first))
        m_report.add(ImportOutcome::notCarried, "second_capabilities", route.place,
                     "what " + inQuotes(endpoint) + " can and holds was given otherwise above", "Write the same in both places.");
}

std::deque<PlannedProvider> ProviderPlanner::take() {
    for (PlannedProvider& planned : m_planned)
        if (planned.needed) settle(planned);
    return std::move(m_planned);
}

/// Says what becomes of it, and drops what gateway.toml says already.
void ProviderPlanner::settle(PlannedProvider& planned) {
    const std::string path = joinPath("providers", planned.made.id);
    if (!planned.literal.empty())
        m_report.add(ImportOutcome::changed, "key_spelled_out", planned.place,
                     "a key stood here; it was not copied, " + path + " reads it from " + *planned.made.apiKeyEnv,
                     "Set " + *planned.made.apiKeyEnv + " to it where the gateway runs, and take the key out of the registry.");
    if (planned.existing == nullptr) {
        m_report.add(ImportOutcome::carried, "provider", planned.place, "[" + path + "]");
        return;
    }
    std::string added;
    for (const std::string& model : planned.newModels) added += (added.empty() ? "" : ", ") + inQuotes(model);
    if (!added.empty()) m_report.add(ImportOutcome::changed, "provider_extended", planned.place, "[" + path + "] stood there already and now lists " + added + " too");
    const auto stays = [&](const RegistryPlace& place, std::string_view what, const std::string& model) {
        m_report.add(ImportOutcome::conflict, "differs", place,
                     "gateway.toml gives " + inQuotes(planned.made.id + ":" + model) + " " + std::string(what) + ", which stay", "Change one of them.");
    };
    std::erase_if(planned.pricing, [&](const auto& each) {
        const auto& [model, wanted] = each;
        const auto there = planned.existing->pricingOf(model);
        if (there && sameRates(*there, wanted.rates)) return true;
        if (!planned.existing->modelPricing.contains(model)) return false;
        stays(wanted.place, "other prices", model);
        return true;
    });
    std::erase_if(planned.capabilities, [&](const auto& each) {
        const auto& [model, wanted] = each;
        if (saysAll(wanted.first, planned.existing->capabilitiesOf(model))) return true;
        if (!m_existing.isInFile(joinPath(path + ".model_capabilities", model))) return false;
        stays(wanted.second, "other capabilities", model);
        return true;
    });
}

const Provider* ProviderPlanner::findExisting(const Provider& like) const {
    const auto found = std::find_if(m_existing.providers.begin(), m_existing.providers.end(),
                                    [&](const Provider& there) { return isSamePlace(there, like) && there.apiKeyEnv == like.apiKeyEnv; });
    return found == m_existing.providers.end() ? nullptr : &*found;
}

/// A variable for a key that was spelled out: none that another key has, but the one an earlier import gave to it.
std::string ProviderPlanner::variableFor(const std::string& name, const Provider& like) const {
    return freeName(keyVariable(name), "_", [&](const std::string& variable) {
        const auto hasIt = [&](const Provider& there) { return there.apiKeyEnv == variable; };
        if (m_variables.contains(variable)) return true;
        if (std::any_of(m_planned.begin(), m_planned.end(), [&](const PlannedProvider& planned) { return hasIt(planned.made); })) return true;
        const bool used = std::any_of(m_existing.providers.begin(), m_existing.providers.end(), hasIt);
        const bool here = std::any_of(m_existing.providers.begin(), m_existing.providers.end(),
                                      [&](const Provider& there) { return hasIt(there) && isSamePlace(there, like); });
        return used && !here;
    });
}

bool ProviderPlanner::isTaken(const std::string& id) const {
    return id == kPoolWord || m_existing.findProvider(id) != nullptr ||
           std::any_of(m_planned.begin(), m_planned.end(), [&](const PlannedProvider& planned) { return planned.made.id == id; });
}

}  // namespace signalbox::config
