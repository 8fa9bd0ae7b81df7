// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"
#include "router/strategy/attempt.h"
#include "router/strategy/routewise/pool.h"
#include "router/strategy/routewise/pool_verdict.h"

#include <memory>
#include <string_view>
#include <vector>

namespace signalbox::strategy::routewise {

/// One request on its way through the pool: what its coroutines share. It lives in the frame of the outermost of them.
class PoolRequest {
public:
    PoolRequest(std::shared_ptr<const Pool> pool, dispatch::PoolCall call, const dispatch::RequestRun& run);

    [[nodiscard]] const Pool& pool() const { return *m_pool; }
    [[nodiscard]] const dispatch::PoolCall& call() const { return m_call; }
    [[nodiscard]] const dispatch::RequestRun& run() const { return m_run; }
    [[nodiscard]] Steady now() const { return m_pool->clock().steady(); }
    /// Known once a body was made for an endpoint.
    [[nodiscard]] bool streams() const { return *m_streams; }
    [[nodiscard]] PoolVerdict& verdict() { return m_verdict; }

    /// Weighs the members that were not asked yet, as they are now.
    [[nodiscard]] Choice choose(double u) const;
    /// Weighs those that the last weighing left out because their circuit is open, and only them (F57).
    [[nodiscard]] Choice chooseLastResort(const Choice& last, double u);

    /// As `admitAttempt`; a refusal is told to the verdict, and the member is not weighed again.
    [[nodiscard]] std::optional<ReadyAttempt> admit(std::size_t member, evidence::AttemptRole role);
    /// An attempt at the member was sent and did not deliver.
    void failed(std::size_t member, dispatch::UpstreamFailure failure);

    /// What the client gets when nobody delivered. `last` was the last weighing.
    [[nodiscard]] dispatch::UpstreamFailure failure(const Choice& last);

private:
    std::shared_ptr<const Pool> m_pool;
    dispatch::PoolCall m_call;
    dispatch::RequestRun m_run;  // notes whether the request streams
    std::shared_ptr<bool> m_streams = std::make_shared<bool>(false);
    Question m_question;
    std::vector<std::string> m_barred;                 // one for each member: why it is not weighed
    std::vector<std::optional<std::size_t>> m_entries; // likewise: where it was passed over while cooling
    bool m_isLastResort = false;
    PoolVerdict m_verdict;
};

}  // namespace signalbox::strategy::routewise
