// SPDX-License-Identifier: MIT
#include "router/policy/smart/reasons.h"

#include <algorithm>
#include <utility>

namespace signalbox::policy::smart {
namespace {

constexpr std::size_t kMaxFiltered = 3;

constexpr std::array<std::pair<Cut, Reason>, 6> kFiltered{{
    {Cut::capability, Reason::filteredCapability},
    {Cut::credential, Reason::filteredCredential},
    {Cut::disabled, Reason::filteredDisabled},
    {Cut::missingProvider, Reason::filteredMissingProvider},
    {Cut::policy, Reason::filteredPolicy},
    {Cut::cooldown, Reason::filteredProviderCooldown},
}};

}  // namespace

std::string_view toString(Reason reason) {
    switch (reason) {
    case Reason::profileQuality: return "profile_quality";
    case Reason::profileBalanced: return "profile_balanced";
    case Reason::profileEconomy: return "profile_economy";
    case Reason::profileLatency: return "profile_latency";
    case Reason::qualityPrior: return "quality_prior";
    case Reason::expectedCost: return "expected_cost";
    case Reason::latencyHint: return "latency_hint";
    case Reason::runtimeReliability: return "runtime_reliability";
    case Reason::sessionAffinity: return "session_affinity";
    case Reason::allCandidatesCooling: return "all_candidates_cooling";
    case Reason::providerCooldownFiltered: return "provider_cooldown_filtered";
    case Reason::smartRoutingOff: return "smart_routing_off";
    case Reason::shadowNoRouteChange: return "shadow_no_route_change";
    case Reason::canaryControlNoRouteChange: return "canary_control_no_route_change";
    case Reason::filteredCapability: return "filtered_capability";
    case Reason::filteredCredential: return "filtered_credential";
    case Reason::filteredDisabled: return "filtered_disabled";
    case Reason::filteredMissingProvider: return "filtered_missing_provider";
    case Reason::filteredPolicy: return "filtered_policy";
    case Reason::filteredProviderCooldown: return "filtered_provider_cooldown";
    case Reason::explicitProviderModel: return "explicit_provider_model";
    }
    return {};
}

bool ReasonList::contains(Reason reason) const { return std::find(begin(), end(), reason) != end(); }

void addFiltered(const CutCounts& counts, ReasonList& reasons) {
    std::size_t added = 0;
    for (const auto& [cut, reason] : kFiltered) {
        if (added == kMaxFiltered) return;
        if (countOf(counts, cut) == 0) continue;
        reasons.add(reason);
        ++added;
    }
}

}  // namespace signalbox::policy::smart
