// SPDX-License-Identifier: MIT
#include "ui/pages/groups/redecide.h"

#include "router/policy/smart/score.h"

#include <algorithm>
#include <map>
#include <set>

namespace signalbox::ui {

namespace smart = policy::smart;

namespace {

const evidence::RecordedCandidate* recordedOf(const evidence::RecordedGroup& group, const std::string& id) {
    const auto found = std::find_if(group.candidates.begin(), group.candidates.end(), [&](const auto& c) { return c.endpointId == id; });
    return found == group.candidates.end() ? nullptr : &*found;
}

const engine::EndpointHealth* healthOf(const DraftGroup& draft, const std::string& id) {
    const auto found = std::find_if(draft.health.begin(), draft.health.end(), [&](const auto& h) { return h.endpointId == id; });
    return found == draft.health.end() ? nullptr : &*found;
}

smart::Cut parseCut(const std::string& word) {
    for (std::size_t i = 1; i < smart::kCutCount; ++i)
        if (word == toString(static_cast<smart::Cut>(i))) return static_cast<smart::Cut>(i);
    return smart::Cut::none;
}

/// The share of a blended latency that still is the prior's.
double priorShare(const engine::EndpointHealth* health) {
    const double n = health == nullptr ? 0 : static_cast<double>(std::min<std::uint64_t>(health->signals.attempts, 1000));
    return 10 / (n + 10);
}

class Again {
public:
    Again(const DraftGroup& draft, const evidence::RecordedGroup& recorded, std::uint32_t bucket)
        : m_draft(draft), m_recorded(recorded), m_bucket(bucket) {}

    std::optional<smart::Plan> run() {
        judge(false);
        if (std::none_of(m_terms.begin(), m_terms.end(), [](const auto& t) { return t.eligible(); })) judge(true);
        const auto best = smart::recommendedOf(m_terms);
        if (!best) return std::nullopt;
        smart::Plan plan;
        plan.profile = profile();
        plan.weights = weightsOf(m_draft.settings.weights, plan.profile);
        plan.extremes = smart::extremesOf(m_terms);
        smart::scoreAll(m_terms, plan.extremes, plan.weights);
        plan.recommended = *smart::recommendedOf(m_terms);
        for (std::size_t i = 0; i < m_terms.size(); ++i)
            if (m_terms[i].eligible()) plan.attemptOrder.push_back(static_cast<std::uint16_t>(i));
        if (m_draft.settings.mode == config::RoutingMode::active && m_bucket < m_draft.settings.activationPercent)
            std::sort(plan.attemptOrder.begin(), plan.attemptOrder.end(), [this](auto a, auto b) { return smart::isBetter(m_terms, a, b); });
        plan.selected = plan.attemptOrder.front();
        plan.candidates = std::move(m_terms);
        return plan;
    }

private:
    // A profile that differs from the group's default then was asked for by the request and stays.
    smart::Profile profile() const {
        const auto wanted = smart::parseProfile(m_recorded.profile);
        const std::string before = m_draft.before != nullptr && m_draft.before->defaultProfile ? *m_draft.before->defaultProfile : m_draft.defaultProfileBefore;
        if (wanted && m_recorded.profile != before) return *wanted;
        return m_draft.group.defaultProfile.value_or(m_draft.settings.defaultProfile);
    }

    void judge(bool coolingCounts) {
        m_terms.clear();
        for (const smart::GroupCandidate& candidate : m_draft.group.candidates) m_terms.push_back(termsOf(candidate, coolingCounts));
    }

    smart::CandidateTerms termsOf(const smart::GroupCandidate& candidate, bool coolingCounts) const {
        const evidence::RecordedCandidate* recorded = recordedOf(m_recorded, candidate.endpointId);
        smart::CandidateTerms terms;
        if (recorded != nullptr) terms.affinity = recorded->affinity;
        const smart::Cut then = recorded == nullptr ? smart::Cut::none : parseCut(recorded->cut);
        if (!candidate.enabled) terms.cut = smart::Cut::disabled;
        else if (!candidate.providerKnown) terms.cut = smart::Cut::missingProvider;
        // What only the configuration had cut is the draft's to decide.
        else if (then != smart::Cut::disabled && then != smart::Cut::missingProvider && !(coolingCounts && then == smart::Cut::cooldown)) terms.cut = then;
        if (!terms.eligible()) return terms;
        terms.quality = candidate.quality;
        const smart::Sizes sizes{m_recorded.inputTokens, m_recorded.outputTokens};
        const bool sized = sizes.inputTokens + sizes.outputTokens > 0;
        const bool measured = recorded != nullptr && recorded->cut.empty();
        terms.costUsd = sized || !measured ? smart::estimatedCostUsd(sizes, candidate.pricing) : recorded->costUsd;
        const engine::EndpointHealth* health = healthOf(m_draft, candidate.endpointId);
        if (measured) {
            terms.reliability = recorded->reliability;
            terms.latencyMs = std::max(1.0, recorded->latencyMs + hintChange(candidate) * priorShare(health));
            return terms;
        }
        const smart::CandidateSignals none;
        const smart::CandidateSignals& now = health == nullptr ? none : health->signals;
        terms.reliability = smart::reliability(now.providerAttempts, now.providerSuccesses);
        terms.latencyMs = smart::blendedLatencyMs(candidate.latencyHintMs, now.attempts, now.latencyEwmaMs);
        return terms;
    }

    double hintChange(const smart::GroupCandidate& candidate) const {
        if (m_draft.before == nullptr) return 0;
        for (const config::Candidate& then : m_draft.before->candidates)
            if (smart::endpointIdOf(then) == candidate.endpointId) return candidate.latencyHintMs - then.latencyHintMs;
        return 0;
    }

    const DraftGroup& m_draft;
    const evidence::RecordedGroup& m_recorded;
    std::uint32_t m_bucket;
    std::vector<smart::CandidateTerms> m_terms;
};

}  // namespace

std::optional<smart::Plan> planUnder(const DraftGroup& draft, const evidence::DecisionRecord& record) {
    if (!record.group || record.group->candidates.empty()) return std::nullopt;
    if (record.group->candidatesTotal > record.group->candidates.size()) return std::nullopt;
    return Again(draft, *record.group, record.group->bucket).run();
}

std::optional<smart::Plan> planOfSample(const DraftGroup& draft, smart::Sizes sizes) {
    if (draft.group.candidates.empty()) return std::nullopt;
    std::vector<smart::CandidateSignals> now;
    for (const smart::GroupCandidate& candidate : draft.group.candidates) {
        const engine::EndpointHealth* health = healthOf(draft, candidate.endpointId);
        now.push_back(health == nullptr ? smart::CandidateSignals{} : health->signals);
    }
    const smart::Assignment assignment;
    auto plan = smart::plan({draft.settings, draft.group, now, assignment, std::nullopt, sizes});
    return plan ? std::optional(std::move(*plan)) : std::nullopt;
}

Redecided redecide(const DraftGroup& draft, std::span<const RecordPtr> records) {
    Redecided out;
    std::map<std::pair<std::string, std::string>, std::size_t> moves;
    for (const RecordPtr& record : records) {
        const auto plan = planUnder(draft, *record);
        if (!plan) {
            ++out.nothingLeft;
            continue;
        }
        ++out.decided;
        const std::string& recommended = draft.group.candidates[plan->recommended].endpointId;
        if (recommended != record->group->recommended) {
            ++out.recommended;
            ++moves[{record->group->recommended, recommended}];
        }
        out.servedFirst += draft.group.candidates[plan->selected].endpointId != record->group->selected;
    }
    for (const auto& [ends, count] : moves) out.moves.push_back({ends.first, ends.second, count});
    std::stable_sort(out.moves.begin(), out.moves.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    return out;
}

std::vector<RecordPtr> decisionsOf(const std::string& group, std::span<const RecordPtr> recent, std::span<const RecordPtr> history, std::size_t most) {
    std::vector<RecordPtr> all;
    std::set<std::string> seen;
    const auto take = [&](const RecordPtr& record) {
        const bool counts = record->origin == evidence::Origin::traffic || record->origin == evidence::Origin::demo;
        if (counts && record->group && record->group->groupId == group && seen.insert(record->id.text()).second) all.push_back(record);
    };
    std::for_each(recent.rbegin(), recent.rend(), take);
    std::for_each(history.begin(), history.end(), take);
    std::stable_sort(all.begin(), all.end(), [](const RecordPtr& a, const RecordPtr& b) { return a->createdAt > b->createdAt; });
    if (all.size() > most) all.resize(most);
    return all;
}

}  // namespace signalbox::ui
