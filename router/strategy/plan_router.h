// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"
#include "router/strategy/attempt.h"
#include "router/strategy/course.h"
#include "router/strategy/router.h"

#include <map>
#include <memory>
#include <string>

namespace signalbox::strategy {

/// Pool id -> its router.
using PoolRouters = std::map<std::string, std::shared_ptr<dispatch::PoolRouter>, std::less<>>;

/// Tries the plan's targets in the order of a `Course` until one delivers content: an endpoint through a leaf of its own
/// and with the permission of its circuit, a pool through its router, which then decides for itself (F51).
///
/// While nothing was delivered a failure moves on to the next target as `kFallbackTable` says (F50). When all fail, the
/// first attempt that reached an upstream decides the error; when none did, the error is a refusal with Retry-After.
/// Stateless but for what it was built with: any I/O thread may route, each call staying on its own.
class PlanRouter final : public Router {
public:
    /// `members` knows the groups that plans speak of.
    PlanRouter(std::shared_ptr<const MemberSource> members, const Clock& clock, PoolRouters pools = {});

    /// What `call` points to must live until the answer is destroyed.
    [[nodiscard]] dispatch::asio::awaitable<AnswerResult> route(RouteCall call) override;

private:
    [[nodiscard]] dispatch::asio::awaitable<AnswerResult> delegate(const policy::RouteTarget& target, const RouteCall& call);

    std::shared_ptr<const MemberSource> m_members;
    const Clock& m_clock;
    PoolRouters m_pools;
};

}  // namespace signalbox::strategy
