// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/simulation.h"

#include <algorithm>

namespace signalbox::ui {

namespace smart = policy::smart;
using policy::PolicySnapshot;

bool WhatIf::changesPolicy() const {
    return mode || percent || weights ||
           std::any_of(candidates.begin(), candidates.end(), [](const auto& entry) { return entry.second.latencyHintMs.has_value(); });
}

static void supposeWeights(config::Routing& routing, const config::WrittenWeights& weights, std::optional<smart::Profile> profile) {
    // The built-in version is read-only, so the supposition is a version of its own that begins as the present one.
    config::NamedPolicy supposed{"what-if", {}};
    const smart::WeightTable present = smart::weightsOfVersion(routing, routing.policyVersion);
    for (const smart::Profile each : smart::kProfiles) {
        const smart::Weights& own = weightsOf(present, each);
        const bool isSupposed = !profile || *profile == each;
        supposed.profiles[std::string(toString(each))] =
            isSupposed ? weights : config::WrittenWeights{own.quality, own.cost, own.latency, own.reliability};
    }
    std::erase_if(routing.policies, [&](const config::NamedPolicy& policy) { return policy.name == supposed.name; });
    routing.policies.push_back(std::move(supposed));
    routing.policyVersion = "what-if";
}

std::shared_ptr<const PolicySnapshot> suppose(std::shared_ptr<const PolicySnapshot> policy, const WhatIf& whatIf,
                                              std::optional<smart::Profile> profile) {
    if (!whatIf.changesPolicy()) return policy;
    auto config = std::make_shared<config::GatewayConfig>(*policy->config);
    if (whatIf.mode) config->routing.mode = *whatIf.mode;
    if (whatIf.percent) config->routing.activationPercent = *whatIf.percent;
    if (whatIf.weights) supposeWeights(config->routing, *whatIf.weights, profile);
    for (config::SmartGroup& group : config->routing.groups)
        for (config::Candidate& candidate : group.candidates)
            if (const auto found = whatIf.candidates.find(smart::endpointIdOf(candidate));
                found != whatIf.candidates.end() && found->second.latencyHintMs)
                candidate.latencyHintMs = static_cast<std::uint32_t>(*found->second.latencyHintMs);
    auto supposed = std::make_shared<PolicySnapshot>(*policy);
    supposed->smart = smart::SmartPolicy(*config);
    supposed->config = std::move(config);
    return supposed;
}

static smart::CandidateSignals signalsOf(const Question& question, const std::string& endpointId) {
    smart::CandidateSignals now;
    if (const auto known = question.measured.find(endpointId); known != question.measured.end()) now = known->second;
    now.capable = now.policyAllows = true;  // resolve judges both for this request
    const auto found = question.whatIf.candidates.find(endpointId);
    if (found == question.whatIf.candidates.end()) return now;
    const CandidateWhatIf& supposed = found->second;
    if (supposed.cooling) now.cooling = *supposed.cooling;
    if (supposed.attempts) now.attempts = now.providerAttempts = *supposed.attempts;
    if (supposed.successes) now.providerSuccesses = *supposed.successes;
    now.providerSuccesses = std::min(now.providerSuccesses, now.providerAttempts);
    if (supposed.latencyEwmaMs) now.latencyEwmaMs = *supposed.latencyEwmaMs;
    return now;
}

static const config::Principal* principalOf(const PolicySnapshot& policy, const std::string& id) {
    for (const config::Principal& principal : policy.config->principals)
        if (principal.id == id) return &principal;
    return nullptr;
}

using Cooling = std::map<std::string, bool>;

static policy::RequestContext contextOf(const PolicySnapshot& policy, const Question& question) {
    policy::RequestContext context;
    context.principal = principalOf(policy, question.principal);
    context.profile = question.profile;
    context.assignment = smart::assign(question.principal, question.session, question.requestId);
    if (question.bucket && !question.session) context.assignment.bucket = *question.bucket;
    context.sizes = question.asked.sizes;
    context.readSignals = [&policy, &question](std::size_t index, std::span<smart::CandidateSignals> out) {
        const auto& candidates = policy.smart.groups()[index].candidates;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = signalsOf(question, candidates[i].endpointId);
    };
    return context;
}

// One supposes that a candidate cools; what cools is the endpoint that the table sends it to for this request.
static Cooling supposedCooling(const PolicySnapshot& policy, const Question& question) {
    Cooling supposed;
    const auto& candidates = question.whatIf.candidates;
    if (std::none_of(candidates.begin(), candidates.end(), [](const auto& entry) { return entry.second.cooling.has_value(); })) return supposed;
    Question warm = question;
    for (auto& [endpoint, now] : warm.measured) now.cooling = false;
    for (auto& [endpoint, what] : warm.whatIf.candidates) what.cooling.reset();
    const auto plan = policy::resolve(policy, warm.asked.features, contextOf(policy, warm));
    if (!plan || !plan->group) return supposed;
    const auto& group = policy.smart.groups()[plan->group->group];
    for (std::size_t i = 0; i < plan->targets.size(); ++i) {
        const auto found = candidates.find(group.candidates[plan->group->candidateOf[i]].endpointId);
        if (found != candidates.end() && found->second.cooling) supposed[plan->targets[i].endpointId()] = *found->second.cooling;
    }
    return supposed;
}

static std::vector<WhyNot> losersOf(const smart::Plan& plan) {
    std::vector<WhyNot> out;
    const smart::CandidateTerms& best = plan.candidates[plan.recommended];
    for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
        if (i == plan.recommended) continue;
        WhyNot why{i, plan.candidates[i].cut};
        if (plan.candidates[i].eligible()) {
            why.term = decidingTerm(best, plan.candidates[i], plan.weights);
            why.behind = best.score - plan.candidates[i].score;
        }
        out.push_back(why);
    }
    std::stable_sort(out.begin(), out.end(), [](const WhyNot& a, const WhyNot& b) {
        const bool aCut = a.cut != smart::Cut::none, bCut = b.cut != smart::Cut::none;
        return aCut != bCut ? bCut : !aCut && a.behind < b.behind;
    });
    return out;
}

static void searchFlips(Simulated& answer, const smart::Plan& plan) {
    std::size_t searched = 0;
    for (WhyNot& why : answer.whyNot) {
        if (why.cut != smart::Cut::none || searched++ == kMostFlips) break;
        const auto flips = flipsFor(plan, static_cast<std::uint16_t>(why.candidate));
        if (flips.empty()) continue;
        why.flip = flips.front();
        if (!answer.nearest || why.flip->effort < answer.nearest->flip->effort) answer.nearest = why;
    }
}

Simulated simulate(std::shared_ptr<const PolicySnapshot> policy, const Question& question, bool supposePolicy) {
    Simulated answer;
    answer.isBucketKnown = question.session || question.bucket || !question.requestId.empty();
    // Without a profile of its own the request uses the group's or the policy's: all of them are then supposed.
    answer.policy = supposePolicy ? suppose(std::move(policy), question.whatIf, question.profile) : std::move(policy);
    policy::RequestContext context = contextOf(*answer.policy, question);
    context.isCooling = [&question, supposed = supposedCooling(*answer.policy, question)](const std::string& endpointId) {
        const auto found = supposed.find(endpointId);
        return found != supposed.end() ? found->second : signalsOf(question, endpointId).cooling;
    };
    answer.plan = policy::resolve(*answer.policy, question.asked.features, context, &answer.refused);
    if (answer.plan && answer.plan->group) {
        answer.whyNot = losersOf(answer.plan->group->plan);
        searchFlips(answer, answer.plan->group->plan);
    } else if (answer.refused) {
        const auto& candidates = answer.refused->refusal.candidates;
        for (std::size_t i = 0; i < candidates.size(); ++i) answer.whyNot.push_back({i, candidates[i].cut});
    }
    return answer;
}

}  // namespace signalbox::ui
