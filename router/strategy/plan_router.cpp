// SPDX-License-Identifier: MIT
#include "router/strategy/plan_router.h"

#include "router/dispatch/tree_backend.h"

#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

PlanRouter::PlanRouter(std::shared_ptr<const MemberSource> members, const Clock& clock, PoolRouters pools)
    : m_members(std::move(members)), m_clock(clock), m_pools(std::move(pools)) {}

dispatch::asio::awaitable<AnswerResult> PlanRouter::route(RouteCall call) {
    const std::vector<policy::RouteTarget>& targets = call.plan->targets;
    if (targets.empty()) co_return tl::unexpected(dispatch::compositionFailure("empty_plan", "The route plan names no target"));
    Course course(*call.plan, call.whyNoFallback);
    if (call.blame == nullptr) call.blame = std::make_shared<capacity::RequestBlame>();
    while (const std::optional<Course::Step> step = course.next()) {
        if (targets[step->target].isPool()) {
            AnswerResult answer = co_await delegate(targets[step->target], call);
            if (answer) co_return answer;
            course.failed(std::move(answer.error()));
            continue;
        }
        AttemptTerms terms;
        terms.role = step->target == 0 ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
        terms.anyway = step->anyway;
        terms.entry = step->entry;
        auto ready = admitAttempt(m_members->of(*call.plan, step->target), call, m_clock, std::move(terms));
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
    const dispatch::TreeBackend pool(found->second);
    dispatch::PoolCall handed{dispatch::DelegatePool{target.model, {}}, {}, target.presetKey, call.plan->fallbackAllowed};
    co_return co_await pool.execute(std::move(handed), call);
}

}  // namespace signalbox::strategy
