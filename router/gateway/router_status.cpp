// SPDX-License-Identifier: MIT
#include "router/gateway/router_status.h"

#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

OrderedJson groupsOf(const policy::PolicySnapshot& snapshot) {
    OrderedJson out = OrderedJson::array();
    for (const config::SmartGroup& group : snapshot.config->routing.groups) {
        out.push_back({{"id", group.id},
                       {"aliases", group.aliases},
                       {"defaultProfile", group.defaultProfile ? OrderedJson(*group.defaultProfile) : OrderedJson()},
                       {"candidateCount", group.candidates.size()}});
    }
    return out;
}

OrderedJson countsOf(const std::map<std::string, std::uint64_t, std::less<>>& counts) {
    OrderedJson out = OrderedJson::object();
    for (const auto& [name, count] : counts)
        out[name] = count;
    return out;
}

OrderedJson outcomesOf(const capacity::OutcomeTable& outcomes) {
    OrderedJson out = OrderedJson::array();
    for (const auto& [candidate, view] : outcomes.views()) {
        out.push_back({{"candidate", candidate},
                       {"attempts", view.attempts},
                       {"successes", view.successes},
                       {"successRate", view.successRate()},
                       {"latencyEwmaMs", view.latencyEwmaMs}});
    }
    return out;
}

} // namespace

std::string routerStatusJson(const RunningPolicy& running) {
    const config::Routing& routing = running.snapshot->config->routing;
    const capacity::RoutingRuntime& runtime = *running.endpoints->runtime();
    const capacity::DecisionTotals totals = runtime.decisions.totals();
    const OrderedJson out{{"mode", config::toString(routing.mode)},
                          {"defaultProfile", routing.defaultProfile},
                          {"policyVersion", routing.policyVersion},
                          {"activationPercent", routing.activationPercent},
                          {"groups", groupsOf(*running.snapshot)},
                          {"decisionsTotal", totals.decisions},
                          {"activeDecisionsTotal", totals.active},
                          {"shadowDecisionsTotal", totals.shadow},
                          {"staticDecisionsTotal", totals.fixed},
                          {"shadowDisagreementsTotal", totals.shadowDisagreements},
                          {"selectedByCandidate", countsOf(totals.selectedByCandidate)},
                          {"recommendedByCandidate", countsOf(totals.recommendedByCandidate)},
                          {"outcomes", outcomesOf(runtime.outcomes)}};
    return out.dump();
}

} // namespace signalbox::gateway
