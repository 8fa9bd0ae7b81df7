// SPDX-License-Identifier: MIT
#include "router/policy/smart/plan.h"

#include "router/policy/smart/rank.h"
#include "router/policy/smart/score.h"

#include <algorithm>
#include <cassert>

namespace signalbox::policy::smart {
namespace {

ServedMode servedMode(const Settings& settings, const Assignment& assignment) {
    switch (settings.mode) {
    case config::RoutingMode::off: return ServedMode::offStatic;
    case config::RoutingMode::shadow: return ServedMode::shadow;
    case config::RoutingMode::active: break;
    }
    return assignment.isActive(settings.activationPercent) ? ServedMode::active : ServedMode::canaryControl;
}

/// Goes through a group once for each step and keeps the terms of every candidate.
class Planner {
public:
    explicit Planner(const PlanInput& input) : m_input(input), m_terms(input.group.candidates.size()) {}

    tl::expected<Plan, Refusal> run() {
        judge(Cooldown::cuts);
        m_lastResort = countOf(m_cuts, Cut::none) == 0 && countOf(m_cuts, Cut::cooldown) > 0;
        if (m_lastResort) judge(Cooldown::ignored);
        lean();
        if (countOf(m_cuts, Cut::none) == 0)
            return tl::unexpected(Refusal{errorFor(m_cuts, m_terms.size()), m_cuts, std::move(m_terms)});
        m_plan.profile = m_input.profile.value_or(
            m_input.group.defaultProfile.value_or(m_input.settings.defaultProfile));
        m_plan.weights = weightsOf(m_input.settings.weights, m_plan.profile);
        measure();
        m_plan.extremes = extremesOf(m_terms);
        scoreAll(m_terms, m_plan.extremes, m_plan.weights);
        order();
        describe();
        m_plan.cuts = m_cuts;
        m_plan.candidates = std::move(m_terms);
        return std::move(m_plan);
    }

private:
    void judge(Cooldown cooldown) {
        m_cuts = {};
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            const GroupCandidate& candidate = m_input.group.candidates[i];
            m_terms[i].cut = firstCut(candidate.enabled, candidate.providerKnown, m_input.signals[i], cooldown);
            ++m_cuts[static_cast<std::size_t>(m_terms[i].cut)];
        }
    }

    void lean() {
        if (!m_input.assignment.sessionHash) return;
        const Affinity affinity(*m_input.assignment.sessionHash);
        double most = -1;
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            m_terms[i].affinity = affinity.of(m_input.group.candidates[i].affinitySuffix) * kAffinityWeight;
            if (m_terms[i].affinity <= most) continue;
            most = m_terms[i].affinity;
            m_plan.affinityFavourite = static_cast<std::uint16_t>(i);
        }
    }

    void measure() {
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            CandidateTerms& terms = m_terms[i];
            if (!terms.eligible()) continue;
            const GroupCandidate& candidate = m_input.group.candidates[i];
            const CandidateSignals& signals = m_input.signals[i];
            terms.quality = candidate.quality;
            terms.reliability = reliability(signals.providerAttempts, signals.providerSuccesses);
            terms.latencyMs = blendedLatencyMs(candidate.latencyHintMs, signals.attempts, signals.latencyEwmaMs);
            terms.costUsd = estimatedCostUsd(m_input.sizes, candidate.pricing);
        }
    }

    void order() {
        auto& order = m_plan.attemptOrder;
        order.reserve(countOf(m_cuts, Cut::none));
        for (std::size_t i = 0; i < m_terms.size(); ++i)
            if (m_terms[i].eligible()) order.push_back(static_cast<std::uint16_t>(i));
        m_plan.facts.mode = servedMode(m_input.settings, m_input.assignment);
        if (m_plan.facts.mode == ServedMode::active) rankByScore(m_terms, order);
        m_plan.recommended = *recommendedOf(m_terms);
        m_plan.selected = order.front();
    }

    void describe() {
        Facts& facts = m_plan.facts;
        facts.profile = toString(m_plan.profile);
        facts.policyVersion = m_input.settings.policyVersion;
        facts.candidateCount = m_plan.attemptOrder.size();
        facts.selectedScore = fourDecimals(m_terms[m_plan.selected].score);
        facts.recommendedScore = fourDecimals(m_terms[m_plan.recommended].score);
        facts.sessionAffinity = m_input.assignment.sessionHash.has_value();
        facts.shadowDisagreement = mayDisagree(facts.mode) && m_plan.selected != m_plan.recommended;
        addReasons(facts.reasons);
    }

    // The order of the codes is part of the format.
    void addReasons(ReasonList& reasons) const {
        reasons.add(profileReason(m_plan.profile));
        for (const Reason always : {Reason::qualityPrior, Reason::expectedCost, Reason::latencyHint, Reason::runtimeReliability})
            reasons.add(always);
        if (m_plan.facts.sessionAffinity) reasons.add(Reason::sessionAffinity);
        if (m_lastResort) reasons.add(Reason::allCandidatesCooling);
        else if (countOf(m_cuts, Cut::cooldown) > 0) reasons.add(Reason::providerCooldownFiltered);
        switch (m_plan.facts.mode) {
        case ServedMode::offStatic: reasons.add(Reason::smartRoutingOff); break;
        case ServedMode::shadow: reasons.add(Reason::shadowNoRouteChange); break;
        case ServedMode::canaryControl: reasons.add(Reason::canaryControlNoRouteChange); break;
        case ServedMode::active:
        case ServedMode::explicitStatic: break;
        }
        addFiltered(m_cuts, reasons);
    }

    const PlanInput& m_input;
    std::vector<CandidateTerms> m_terms;
    CutCounts m_cuts{};
    bool m_lastResort = false;
    Plan m_plan;
};

}  // namespace

tl::expected<Plan, Refusal> plan(const PlanInput& input) {
    assert(input.signals.size() == input.group.candidates.size());
    assert(input.group.candidates.size() <= kMaxPlanCandidates);
    return Planner(input).run();
}

std::string_view toString(AffinityResult result) {
    switch (result) {
    case AffinityResult::noSession: return "no_session";
    case AffinityResult::followed: return "followed";
    case AffinityResult::notSelected: return "not_selected";
    case AffinityResult::favouriteCut: return "favourite_cut";
    }
    return {};
}

AffinityResult affinityResult(const Plan& plan) {
    if (!plan.affinityFavourite) return AffinityResult::noSession;
    if (!plan.candidates[*plan.affinityFavourite].eligible()) return AffinityResult::favouriteCut;
    return *plan.affinityFavourite == plan.selected ? AffinityResult::followed : AffinityResult::notSelected;
}

Error toError(const Refusal& refusal, const Group& group) {
    std::string cuts;
    for (std::size_t i = 1; i < kCutCount; ++i)
        if (refusal.cuts[i] > 0)
            cuts += (cuts.empty() ? "" : ", ") + std::string(toString(static_cast<Cut>(i))) + ' ' +
                    std::to_string(refusal.cuts[i]);
    const std::string of = " of the group \"" + group.id + "\" can serve this request (" +
                           (cuts.empty() ? std::string("it has none") : cuts) + ")";
    const std::size_t incapable = countOf(refusal.cuts, Cut::capability);
    if (incapable > 0 && incapable + countOf(refusal.cuts, Cut::disabled) == refusal.candidates.size())
        return {ErrorKind::badInput, "no candidate" + of, "model",
                "Leave out what they lack, or call a model that has it"};
    switch (refusal.error) {
    case PlanError::policyRefused:
        return {ErrorKind::denied, "no candidate" + of, "model",
                "Ask for access or budget, or call a model that this caller is allowed to use"};
    case PlanError::noCredentialReady:
        return {ErrorKind::unavailable, "no candidate" + of, "model",
                "Set the API keys that the group's providers name in gateway.toml"};
    case PlanError::noEligibleCandidate:
        return {ErrorKind::unavailable, "no candidate" + of, "model",
                "Retry later, change what the request needs, or add a candidate to the group"};
    }
    return {};
}

}  // namespace signalbox::policy::smart
