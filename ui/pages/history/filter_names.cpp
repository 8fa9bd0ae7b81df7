// SPDX-License-Identifier: MIT
#include "ui/pages/history/filter_names.h"

#include "router/policy/names.h"

#include <algorithm>
#include <map>
#include <set>

namespace signalbox::ui {

namespace {

/// A client may ask for any text, and somebody may try thousands.
constexpr std::size_t kMostAsked = 24;

const policy::PolicySnapshot* policyOf(const WorkspacePtr& workspace) { return workspace ? workspace->snapshot.get() : nullptr; }

std::vector<std::string> sortedNames(std::set<std::string> names) {
    names.erase(std::string());
    return {names.begin(), names.end()};
}

std::vector<std::string> endpointNames(const WorkspacePtr& workspace, const std::vector<RecordPtr>& records) {
    std::set<std::string> known;
    if (const auto* policy = policyOf(workspace)) {
        const config::GatewayConfig& config = *policy->config;
        for (const auto& provider : config.providers)
            for (const auto& model : provider.models) known.insert(provider.id + ":" + model);
        for (const auto& model : config.models)
            for (const auto& route : model.routes) known.insert(route.endpointId());
        for (const auto& group : config.routing.groups)
            for (const auto& candidate : group.candidates)
                if (!candidate.pool) known.insert(candidate.provider + ":" + candidate.model);
    }
    for (const RecordPtr& record : records) {
        known.insert(record->endpointId);
        for (const auto& attempt : record->attempts) known.insert(attempt.endpointId);
    }
    return sortedNames(std::move(known));
}

std::vector<std::string> askedModels(const std::vector<RecordPtr>& records) {
    std::map<std::string, std::size_t> counts;
    for (const RecordPtr& record : records)
        if (!record->requestedModel.empty()) ++counts[record->requestedModel];
    std::vector<std::pair<std::string, std::size_t>> ranked(counts.begin(), counts.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (ranked.size() > kMostAsked) ranked.resize(kMostAsked);
    std::vector<std::string> names;
    for (auto& [name, count] : ranked) names.push_back(std::move(name));
    return names;
}

std::vector<std::string> modelsOfPolicy(const WorkspacePtr& workspace) {
    const auto* policy = policyOf(workspace);
    if (policy == nullptr) return {};
    std::set<std::string> names;
    for (auto& name : policy::knownNames(*policy)) names.insert(std::move(name));
    // They work with smart routing off, too.
    for (const auto& group : policy->config->routing.groups) names.insert(group.aliases.begin(), group.aliases.end());
    return sortedNames(std::move(names));
}

}  // namespace

std::vector<std::string> teamNames(const WorkspacePtr& workspace, const std::vector<RecordPtr>& records) {
    std::set<std::string> teams;
    if (const auto* policy = policyOf(workspace))
        for (const auto& principal : policy->config->principals) teams.insert(principal.team);
    for (const RecordPtr& record : records) teams.insert(record->team);
    return sortedNames(std::move(teams));
}

FilterNames filterNames(const WorkspacePtr& workspace, const std::vector<RecordPtr>& records) {
    FilterNames names{endpointNames(workspace, records), teamNames(workspace, records), askedModels(records), modelsOfPolicy(workspace)};
    const std::set<std::string> asked(names.askedModels.begin(), names.askedModels.end());
    std::erase_if(names.otherModels, [&](const std::string& name) { return asked.contains(name); });
    return names;
}

}  // namespace signalbox::ui
