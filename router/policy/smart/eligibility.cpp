// SPDX-License-Identifier: MIT
#include "router/policy/smart/eligibility.h"

namespace signalbox::policy::smart {

std::string_view toString(Cut cut) {
    switch (cut) {
    case Cut::none: return "";
    case Cut::disabled: return "disabled";
    case Cut::missingProvider: return "missing_provider";
    case Cut::credential: return "credential";
    case Cut::cooldown: return "provider_cooldown";
    case Cut::capability: return "capability";
    case Cut::policy: return "policy";
    }
    return {};
}

Cut firstCut(bool enabled, bool providerKnown, const CandidateSignals& signals, Cooldown cooldown) {
    if (!enabled) return Cut::disabled;
    if (!providerKnown) return Cut::missingProvider;
    if (!signals.credentialReady) return Cut::credential;
    if (signals.cooling && cooldown == Cooldown::cuts) return Cut::cooldown;
    if (!signals.capable) return Cut::capability;
    if (!signals.policyAllows) return Cut::policy;
    return Cut::none;
}

std::string_view toString(PlanError error) {
    switch (error) {
    case PlanError::policyRefused: return "policy_refused";
    case PlanError::noCredentialReady: return "no_credential_ready";
    case PlanError::noEligibleCandidate: return "no_eligible_candidate";
    }
    return {};
}

PlanError errorFor(const CutCounts& counts, std::size_t candidates) {
    if (countOf(counts, Cut::policy) > 0) return PlanError::policyRefused;
    const std::size_t credential = countOf(counts, Cut::credential);
    if (credential > 0 && credential + countOf(counts, Cut::disabled) == candidates) return PlanError::noCredentialReady;
    return PlanError::noEligibleCandidate;
}

}  // namespace signalbox::policy::smart
