// SPDX-License-Identifier: MIT
#include "router/policy/permissions.h"

#include "router/policy/phrases.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

constexpr std::size_t kNamesShown = 5;

bool holds(const std::vector<std::string>& list, std::string_view name) {
    return !name.empty() && std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool Permissions::allowsProvider(std::string_view id) const {
    return m_principal == nullptr || !m_principal->allowedProviders || holds(*m_principal->allowedProviders, id);
}

bool Permissions::allowsModel(std::initializer_list<std::string_view> names) const {
    if (m_principal == nullptr || !m_principal->allowedModels) return true;
    const auto isAllowed = [&](std::string_view name) { return holds(*m_principal->allowedModels, name); };
    return std::any_of(names.begin(), names.end(), isAllowed) || std::any_of(m_names.begin(), m_names.end(), isAllowed);
}

bool Permissions::allowsCandidate(const smart::GroupCandidate& candidate) const {
    const bool provider = !candidate.isPool() ? allowsProvider(candidate.provider)
                                              : std::any_of(candidate.pool.begin(), candidate.pool.end(), [&](const auto& one) {
                                                    return allowsProvider(one.provider);
                                                });
    return provider && allowsModel({candidate.model, candidate.endpointId});
}

Error Permissions::denied(const std::string& what, std::string_view name, const char* list, const List& allowed) const {
    std::string hint = allowed->empty() ? "It is allowed none at all. " : "It may use " + oneOf(*allowed, kNamesShown) + ". ";
    hint += "Ask for that, or have " + inQuotes(name) + " added to " + list + " of [principals." + m_principal->id +
            "] in gateway.toml";
    return {ErrorKind::denied, "principal " + inQuotes(m_principal->id) + " may not use " + what, "model", std::move(hint)};
}

std::optional<Error> Permissions::refusalOfGroup(std::string_view id) const {
    if (m_principal == nullptr || !m_principal->allowedGroups || holds(*m_principal->allowedGroups, id)) return std::nullopt;
    return denied("the smart group " + inQuotes(id), id, "allowed_groups", m_principal->allowedGroups);
}

std::optional<Error> Permissions::refusalOfProviders(const PolicySnapshot& snapshot, const RouteTarget& target) const {
    const auto deniedProvider = [&](const std::string& id) {
        return denied("the provider " + inQuotes(id) + ", which serves this", id, "allowed_providers", m_principal->allowedProviders);
    };
    if (!target.isPool())
        return allowsProvider(target.providerId) ? std::nullopt : std::optional(deniedProvider(target.providerId));
    const config::Model* pool = snapshot.config->findModel(target.model);
    if (pool == nullptr || pool->routes.empty()) return std::nullopt;
    const bool any = std::any_of(pool->routes.begin(), pool->routes.end(),
                                 [&](const config::Route& route) { return allowsProvider(route.provider); });
    return any ? std::nullopt : std::optional(deniedProvider(pool->routes.front().provider));
}

std::optional<Error> Permissions::refusalOf(const PolicySnapshot& snapshot, const RouteTarget& target) const {
    if (m_principal == nullptr) return std::nullopt;
    const std::string endpoint = target.endpointId();
    if (auto refused = refusalOfProviders(snapshot, target)) return refused;
    const std::string_view key = target.presetKey ? std::string_view(*target.presetKey) : std::string_view();
    const table::Preset* preset = key.empty() ? nullptr : snapshot.index.findPreset(key);
    const std::string_view model = preset != nullptr ? std::string_view(preset->model) : std::string_view();
    const std::string_view served =
        preset != nullptr && preset->servedModelName ? std::string_view(*preset->servedModelName) : std::string_view();
    if (allowsModel({target.model, endpoint, key, model, served})) return std::nullopt;
    const std::string_view name = m_names.empty() ? std::string_view(endpoint) : m_names.front();
    return denied("the model " + inQuotes(name), name, "allowed_models", m_principal->allowedModels);
}

}  // namespace signalbox::policy
