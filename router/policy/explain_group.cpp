// SPDX-License-Identifier: MIT
#include "router/policy/explain_parts.h"

#include "router/policy/carrying.h"
#include "router/policy/phrases.h"
#include "router/policy/smart/what_if.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace signalbox::policy {

namespace {

using smart::CandidateTerms;
using smart::Group;
using smart::Term;

constexpr std::array kTerms{Term::quality, Term::cost, Term::latency, Term::reliability, Term::affinity};

std::string fixed(double value, int digits) {
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
    return {buffer.data(), end.ptr};
}

std::string lacks(const smart::CapabilitySet& missing) {
    std::string out;
    for (const smart::Capability capability : smart::kCapabilities)
        if (missing.contains(capability)) out += (out.empty() ? "lacks " : " and ") + std::string(toString(capability));
    const std::string lost = cannotCarry(missing.uncarried());
    return out + (out.empty() || lost.empty() ? "" : " and ") + lost;
}

std::string modeSentence(const smart::Plan& plan, const smart::Settings& settings, const smart::Assignment& assignment) {
    const std::string bucket = "bucket " + std::to_string(assignment.bucket) + ", active below " +
                               std::to_string(settings.activationPercent);
    switch (plan.facts.mode) {
        case smart::ServedMode::offStatic: return "Mode off: the configured order serves.";
        case smart::ServedMode::shadow: return "Mode shadow: the configured order serves, the scores only recommend.";
        case smart::ServedMode::canaryControl: return "Mode active, control (" + bucket + "): the configured order serves.";
        case smart::ServedMode::active: return "Mode active (" + bucket + "): the order of the scores serves.";
        case smart::ServedMode::explicitStatic: break;
    }
    return {};
}

std::string weightsSentence(const smart::Plan& plan) {
    const smart::Weights& w = plan.weights;
    return "Profile " + std::string(toString(plan.profile)) + " of policy " + inQuotes(plan.facts.policyVersion) +
           ": quality " + fixed(w.quality, 2) + ", cost " + fixed(w.cost, 2) + ", latency " + fixed(w.latency, 2) +
           ", reliability " + fixed(w.reliability, 2) + ".";
}

std::string scoreSentence(const CandidateTerms& terms, const smart::Weights& weights, std::uint64_t calls) {
    const auto parts = contributions(terms, weights);
    std::string line = "score " + fixed(terms.score, 4) + " =";
    for (std::size_t i = 0; i < kTerms.size(); ++i)
        line += (i == 0 ? " " : " + ") + std::string(toString(kTerms[i])) + ' ' + fixed(parts[i], 4);
    return line + ". Estimates: " + fixed(terms.costUsd, 6) + " USD, " + fixed(terms.latencyMs, 0) + " ms (" +
           std::to_string(calls) + (calls == 1 ? " call)." : " calls).");
}

std::string cutSentence(const CandidateTerms& terms, const smart::CapabilitySet& missing) {
    std::string line = "cut: " + std::string(toString(terms.cut));
    if (terms.cut == smart::Cut::capability && !missing.empty()) line += " (" + lacks(missing) + ")";
    return line + ".";
}

std::string tableSentence(const TableDecision& decision) {
    if (!decision.presetKey) return "the table names no preset of its provider.";
    return "the table, among the presets of its provider, answers " + inQuotes(*decision.presetKey) + " by " +
           (decision.ruleIndex ? "rule " + std::to_string(*decision.ruleIndex + 1) : "default") + ".";
}

std::string candidateLabel(const Group& group, std::size_t i) {
    return "  Candidate " + std::to_string(i + 1) + ' ' + inQuotes(group.candidates[i].endpointId) + ": ";
}

std::string affinitySentence(const smart::Plan& plan, const Group& group) {
    if (!plan.affinityFavourite) return "No session, so nothing leans to a candidate.";
    const std::string favourite = inQuotes(group.candidates[*plan.affinityFavourite].endpointId);
    switch (affinityResult(plan)) {
        case smart::AffinityResult::followed: return "The session leans to " + favourite + ", which is tried first.";
        case smart::AffinityResult::notSelected: return "The session leans to " + favourite + ", but not enough.";
        case smart::AffinityResult::favouriteCut: return "The session leans to " + favourite + ", which was left out.";
        case smart::AffinityResult::noSession: break;
    }
    return {};
}

std::string recommendedSentence(const smart::Plan& plan, const Group& group) {
    const std::string best = inQuotes(group.candidates[plan.recommended].endpointId);
    if (plan.selected == plan.recommended) return "The scores recommend " + best + ", which is tried first.";
    const Term term = decidingTerm(plan.candidates[plan.recommended], plan.candidates[plan.selected], plan.weights);
    return "The scores recommend " + best + " instead of " + inQuotes(group.candidates[plan.selected].endpointId) +
           "; what decides is " + std::string(toString(term)) + ".";
}

std::string otherProfilesSentence(const smart::Plan& plan, const Group& group, const smart::WeightTable& weights) {
    std::string line;
    for (const smart::Profile profile : smart::kProfiles) {
        if (profile == plan.profile) continue;
        const std::uint16_t choice = choiceUnder(plan, weightsOf(weights, profile));
        line += (line.empty() ? "Other profiles would recommend: " : ", ") + std::string(toString(profile)) + ' ' +
                inQuotes(group.candidates[choice].endpointId);
    }
    return line + ".";
}

OrderedJson weightsJson(const smart::Weights& weights) {
    return {{"quality", weights.quality}, {"cost", weights.cost}, {"latency", weights.latency}, {"reliability", weights.reliability}};
}

OrderedJson cutJson(const Group& group, std::size_t i, const CandidateTerms& terms, const smart::CapabilitySet& missing) {
    OrderedJson lacking = OrderedJson::array();
    for (const std::string& word : missing.words()) lacking.push_back(word);
    return {{"endpoint", group.candidates[i].endpointId},
            {"cut", terms.eligible() ? OrderedJson(nullptr) : OrderedJson(toString(terms.cut))},
            {"missing", std::move(lacking)}};
}

OrderedJson candidateJson(const Group& group, std::size_t i, const GroupDecision& decision) {
    const CandidateTerms& terms = decision.plan.candidates[i];
    OrderedJson out = cutJson(group, i, terms, decision.missing[i]);
    if (terms.eligible()) {
        OrderedJson parts = OrderedJson::object();
        const auto values = contributions(terms, decision.plan.weights);
        for (std::size_t t = 0; t < kTerms.size(); ++t) parts[std::string(toString(kTerms[t]))] = values[t];
        out["quality"] = terms.quality;
        out["cost_usd"] = terms.costUsd;
        out["latency_ms"] = terms.latencyMs;
        out["reliability"] = terms.reliability;
        out["calls"] = decision.signals[i].attempts;
        out["terms"] = std::move(parts);
        out["score"] = terms.score;
    }
    out["affinity"] = terms.affinity;
    const auto& table = decision.tableDecisions[i];
    out["table"] = table ? decisionJson(*table) : OrderedJson(nullptr);
    return out;
}

OrderedJson otherProfilesJson(const smart::Plan& plan, const Group& group, const smart::WeightTable& weights) {
    OrderedJson out = OrderedJson::object();
    for (const smart::Profile profile : smart::kProfiles)
        out[std::string(toString(profile))] = group.candidates[choiceUnder(plan, weightsOf(weights, profile))].endpointId;
    return out;
}

}  // namespace

void addGroup(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const GroupDecision& decision) {
    const Group& group = snapshot.smart.groups()[decision.group];
    const smart::Plan& plan = decision.plan;
    lines.push_back("Group: " + inQuotes(group.id) + ". " + modeSentence(plan, snapshot.smart.settings(), decision.assignment));
    lines.push_back(weightsSentence(plan));
    lines.push_back("Planned for " + std::to_string(decision.sizes.inputTokens) + " input and " +
                    std::to_string(decision.sizes.outputTokens) + " output tokens (estimates).");
    for (std::size_t i = 0; i < group.candidates.size(); ++i) {
        const CandidateTerms& terms = plan.candidates[i];
        lines.push_back(candidateLabel(group, i) + (terms.eligible()
                                                        ? scoreSentence(terms, plan.weights, decision.signals[i].attempts)
                                                        : cutSentence(terms, decision.missing[i])));
        if (decision.tableDecisions[i]) lines.push_back("    Then " + tableSentence(*decision.tableDecisions[i]));
    }
    if (plan.facts.reasons.contains(smart::Reason::allCandidatesCooling))
        lines.push_back("All candidates are cooling, so they are tried as a last resort.");
    lines.push_back(affinitySentence(plan, group));
    lines.push_back(recommendedSentence(plan, group));
    lines.push_back(otherProfilesSentence(plan, group, snapshot.smart.settings().weights));
}

void addRefusedGroup(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const GroupRefusal& refused) {
    const Group& group = snapshot.smart.groups()[refused.group];
    lines.push_back("Group: " + inQuotes(group.id) + " has no candidate for this request.");
    for (std::size_t i = 0; i < group.candidates.size(); ++i)
        lines.push_back(candidateLabel(group, i) + cutSentence(refused.refusal.candidates[i], refused.missing[i]));
}

OrderedJson groupJson(const PolicySnapshot& snapshot, const GroupDecision& decision) {
    const Group& group = snapshot.smart.groups()[decision.group];
    const smart::Plan& plan = decision.plan;
    const smart::Settings& settings = snapshot.smart.settings();
    const auto endpoint = [&](std::uint16_t i) { return group.candidates[i].endpointId; };
    OrderedJson candidates = OrderedJson::array(), order = OrderedJson::array(), reasons = OrderedJson::array();
    for (std::size_t i = 0; i < group.candidates.size(); ++i) candidates.push_back(candidateJson(group, i, decision));
    for (const std::uint16_t i : plan.attemptOrder) order.push_back(endpoint(i));
    for (const smart::Reason reason : plan.facts.reasons) reasons.push_back(toString(reason));
    const bool differs = plan.selected != plan.recommended;
    const auto term = [&] {
        return toString(decidingTerm(plan.candidates[plan.recommended], plan.candidates[plan.selected], plan.weights));
    };
    return {{"id", group.id},
            {"mode", toString(plan.facts.mode)},
            {"profile", toString(plan.profile)},
            {"policy_version", plan.facts.policyVersion},
            {"activation_percent", settings.activationPercent},
            {"bucket", decision.assignment.bucket},
            {"weights", weightsJson(plan.weights)},
            {"input_tokens", decision.sizes.inputTokens},
            {"output_tokens", decision.sizes.outputTokens},
            {"candidate_count", plan.facts.candidateCount},
            {"selected", endpoint(plan.selected)},
            {"recommended", endpoint(plan.recommended)},
            {"selected_score", plan.facts.selectedScore},
            {"recommended_score", plan.facts.recommendedScore},
            {"shadow_disagreement", plan.facts.shadowDisagreement},
            {"deciding_term", differs ? OrderedJson(term()) : OrderedJson(nullptr)},
            {"reasons", std::move(reasons)},
            {"affinity", toString(affinityResult(plan))},
            {"affinity_favourite", plan.affinityFavourite ? OrderedJson(endpoint(*plan.affinityFavourite)) : OrderedJson(nullptr)},
            {"attempt_order", std::move(order)},
            {"candidates", std::move(candidates)},
            {"recommended_by_profile", otherProfilesJson(plan, group, settings.weights)},
            {"refused", nullptr}};
}

OrderedJson refusedGroupJson(const PolicySnapshot& snapshot, const GroupRefusal& refused) {
    const Group& group = snapshot.smart.groups()[refused.group];
    OrderedJson candidates = OrderedJson::array();
    for (std::size_t i = 0; i < group.candidates.size(); ++i)
        candidates.push_back(cutJson(group, i, refused.refusal.candidates[i], refused.missing[i]));
    return {{"id", group.id}, {"candidates", std::move(candidates)}, {"refused", toString(refused.refusal.error)}};
}

}  // namespace signalbox::policy
