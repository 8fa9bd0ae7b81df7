// SPDX-License-Identifier: MIT
#include "router/gateway/planning.h"

#include "router/policy/callable.h"
#include "router/policy/names.h"
#include "router/policy/smart/sizes.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

namespace smart = policy::smart;

/// What is measured and known of each candidate of one group.
class Signals {
public:
    explicit Signals(const PlanQuestion& question) : m_question(question) {}

    void read(std::size_t index, std::span<smart::CandidateSignals> out) {
        const Serving& serving = m_question.serving;
        serving.endpoints->group(index).read(m_question.now, out);
        const smart::Group& group = serving.snapshot->smart.groups()[index];
        const bool limited = m_question.limits.hasHardBudget();
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i].credentialReady = serving.callable[index][i];
            if (!limited)
                continue;
            const smart::GroupCandidate& candidate = group.candidates[i];
            out[i].policyAllows = affords(candidate);
            overBudget = overBudget || !out[i].policyAllows;
        }
    }

    bool isCooling(const std::string& endpointId) const {
        const std::string_view provider = std::string_view(endpointId).substr(0, endpointId.find(':'));
        return m_question.serving.endpoints->of(provider, endpointId).circuit()->isCooling(m_question.now);
    }

    bool overBudget = false;

private:
    /// Of a pool one endpoint is enough; its router asks again before every attempt.
    bool affords(const smart::GroupCandidate& candidate) const {
        const auto can = [this](const std::string& provider, const std::string& model) {
            return m_question.limits.affords(
                m_question.limits.estimateUsd(provider, model, m_question.features));
        };
        if (!candidate.isPool())
            return can(candidate.provider, candidate.model);
        return std::any_of(candidate.pool.begin(), candidate.pool.end(),
                           [&](const smart::PoolEndpoint& one) { return can(one.provider, one.model); });
    }

    const PlanQuestion& m_question;
};

} // namespace

namespace {

bool asksPool(const policy::RoutePlan& plan) {
    return std::any_of(plan.targets.begin(), plan.targets.end(),
                       [](const policy::RouteTarget& target) { return target.isPool(); });
}

/// Only read when a router needs them: sizes and hashes cost more than a plan by the table.
PoolInputs poolInputs(const PlanQuestion& question, const policy::RequestContext& context) {
    smart::Sizes sizes = context.sizes;
    std::optional<smart::HexDigest> session = context.assignment.sessionHash;
    if (!context.readSignals) {
        sizes = smart::chatSizes(question.body).sizes;
        session = smart::assign(question.caller.id, question.wishes.session, question.requestId).sessionHash;
    }
    PoolInputs out;
    out.needs = smart::needsOf(question.features, sizes);
    out.promptTokens = question.features.inputTokens;
    if (session)
        out.session = std::string(session->view());
    return out;
}

} // namespace

PlanAnswer planSafely(const policy::RequestContext& context, const Resolver& resolver) {
    PlanAnswer answer;
    try {
        answer.plan = resolver(context, answer.refused);
        return answer;
    } catch (const std::exception&) {
        answer.degraded = true;
    }
    policy::RequestContext bare;
    bare.pin = context.pin;
    bare.principal = context.principal;
    answer.refused.reset();
    answer.plan = resolver(bare, answer.refused);
    return answer;
}

bool needsOperator(const PlanAnswer& answer) {
    if (answer.plan || answer.plan.error().kind != ErrorKind::unavailable)
        return false;
    return !answer.refused || answer.refused->refusal.error == policy::smart::PlanError::noCredentialReady;
}

PlanAnswer askPolicy(const PlanQuestion& question) {
    const policy::PolicySnapshot& snapshot = *question.serving.snapshot;
    Signals signals(question);
    policy::RequestContext context;
    context.pin = question.wishes.pin;
    context.principal = question.limits.principal();
    // Reading sizes and hashing a session cost more than a plan without a group, so they wait for this.
    if (!context.pin && policy::leadsToGroup(snapshot, question.features.model)) {
        context.profile = question.wishes.profile;
        context.assignment = smart::assign(question.caller.id, question.wishes.session, question.requestId);
        context.sizes = smart::chatSizes(question.body).sizes;
        context.readSignals = [&signals](std::size_t index, std::span<smart::CandidateSignals> out) {
            signals.read(index, out);
        };
        context.isCooling = [&signals](const std::string& endpointId) { return signals.isCooling(endpointId); };
    }
    PlanAnswer answer = planSafely(
        context, [&](const policy::RequestContext& with, std::optional<policy::GroupRefusal>& refused) {
            return policy::resolve(snapshot, question.features, with, &refused);
        });
    answer.overBudget = signals.overBudget;
    const policy::CallableQuestion called{snapshot, question.features, question.limits.principal(),
                                          *question.serving.callableProviders};
    if (answer.plan)
        policy::passOverUncallable(called, *answer.plan);
    else if (!context.pin) {
        if (auto other = policy::planWithoutUncallable(called, answer.plan.error())) {
            answer.plan = std::move(other->plan);
            answer.passedOver = std::move(other->passedOver);
        }
    }
    if (answer.plan && asksPool(*answer.plan))
        answer.pool = poolInputs(question, context);
    return answer;
}

} // namespace signalbox::gateway
