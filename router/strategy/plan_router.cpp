// SPDX-License-Identifier: MIT
#include "router/strategy/plan_router.h"

#include "router/dispatch/tree_backend.h"
#include "router/strategy/pool_outcome.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

namespace {

bool hasFailedAt(const RouteCall& call, std::string_view endpointId) {
    return std::any_of(call.attempts->begin(), call.attempts->end(), [&](const evidence::Attempt& one) {
        return one.outcome == evidence::AttemptOutcome::failed && one.endpointId == endpointId;
    });
}

/// What the request may still try in a pool; unrestricted while it has failed nowhere there.
dispatch::EndpointScope untriedOf(const RouteCall& call, const dispatch::PoolGrant& grant) {
    if (call.attempts->empty()) return {};
    const bool any = std::any_of(grant.endpoints.begin(), grant.endpoints.end(),
                                 [&](const std::string& endpoint) { return hasFailedAt(call, endpoint); });
    if (!any) return {};
    dispatch::EndpointScope::Ids untried = grant.endpoints;
    std::erase_if(untried, [&](const std::string& endpoint) { return hasFailedAt(call, endpoint); });
    return dispatch::EndpointScope::only(std::move(untried));
}

/// What a pool tries first is no first try where the plan tried something before it. However routing ends.
class LaterRoles {
public:
    LaterRoles(std::vector<evidence::Attempt>& attempts, bool later) : m_attempts(attempts), m_begunAt(attempts.size()), m_later(later) {}
    ~LaterRoles() {
        for (std::size_t i = m_begunAt; m_later && i < m_attempts.size(); ++i)
            if (m_attempts[i].role == evidence::AttemptRole::primary) m_attempts[i].role = evidence::AttemptRole::retry;
    }
    LaterRoles(const LaterRoles&) = delete;
    LaterRoles& operator=(const LaterRoles&) = delete;

private:
    std::vector<evidence::Attempt>& m_attempts;
    const std::size_t m_begunAt;
    const bool m_later;
};

/// Whether all of the plan that comes before the target could not be called. A pool that could not serve was asked.
bool isFirstTarget(const RouteCall& call, std::size_t target) {
    return call.attempts->size() == target && isFirstTry(*call.attempts);
}

/// Nothing is sent where the request has failed before.
UpstreamFailure nothingUntried(const policy::RouteTarget& target) {
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::refused;
    out.code = "already_tried";
    out.message = target.endpointId() + " offers nothing that was not tried before";
    return out;
}

}  // namespace

PlanRouter::PlanRouter(std::shared_ptr<const MemberSource> members, const Clock& clock, PoolRouters pools)
    : m_members(std::move(members)), m_clock(clock), m_pools(std::move(pools)) {}

dispatch::asio::awaitable<AnswerResult> PlanRouter::route(RouteCall call) {
    const std::vector<policy::RouteTarget>& targets = call.plan->targets;
    if (targets.empty()) co_return tl::unexpected(dispatch::compositionFailure("empty_plan", "The route plan names no target"));
    Course course(*call.plan, call.whyNoFallback);
    if (call.blame == nullptr) call.blame = std::make_shared<capacity::RequestBlame>();
    while (const std::optional<Course::Step> step = course.next()) {
        if (targets[step->target].isPool()) {
            const LaterRoles roles(*call.attempts, !isFirstTarget(call, step->target));
            AnswerResult answer = co_await delegate(targets[step->target], call);
            if (answer) co_return answer;
            course.failed(std::move(answer.error()));
            continue;
        }
        // A pool before it may have come to the same endpoint (F62, F70).
        if (!step->entry && !call.attempts->empty() && hasFailedAt(call, targets[step->target].endpointId())) {
            course.failed(nothingUntried(targets[step->target]));
            continue;
        }
        AttemptTerms terms;
        terms.role = isFirstTarget(call, step->target) ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
        terms.anyway = step->anyway;
        terms.entry = step->entry;
        if (targets[step->target].presetKey) terms.presetKey = targets[step->target].presetKey;
        const Member* const known = m_members->known(*call.plan, step->target);
        auto ready = known != nullptr ? admitAttempt(*known, call, m_clock, std::move(terms))
                                      : admitAttempt(m_members->of(*call.plan, step->target), call, m_clock, std::move(terms));
        if (!ready) {
            AttemptRefusal& refused = ready.error();
            if (refused.isCooling) course.passedOver(*step, refused.entry, std::move(refused.failure));
            else course.failed(std::move(refused.failure));
            continue;
        }
        AnswerResult answer = co_await sendAttempt(std::move(*ready), call);
        if (answer) co_return answer;
        course.failed(std::move(answer.error()));
    }
    co_return tl::unexpected(course.failure());
}

dispatch::asio::awaitable<AnswerResult> PlanRouter::delegate(const policy::RouteTarget& target, const RouteCall& call) {
    const auto found = m_pools.find(target.model);
    if (found == m_pools.end())
        co_return tl::unexpected(dispatch::compositionFailure(
            "unknown_pool", "The running policy has no router for the pool " + target.model));
    dispatch::EndpointScope scope = untriedOf(call, found->second->grant());
    if (scope.isEmpty()) co_return tl::unexpected(nothingUntried(target));
    const dispatch::TreeBackend pool(found->second);
    dispatch::PoolCall handed{dispatch::DelegatePool{target.model, {}}, std::move(scope), target.presetKey, call.plan->fallbackAllowed};
    PoolOutcome outcome(m_members->endpoints(), target.model, m_clock);
    AnswerResult answer = co_await pool.execute(std::move(handed), call);
    if (answer) co_return outcome.watch(std::move(*answer));
    outcome.failed(answer.error());
    co_return answer;
}

}  // namespace signalbox::strategy
