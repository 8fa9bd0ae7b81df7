// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/routed_answer.h"
#include "router/strategy/routewise/pool.h"
#include "router/strategy/waiter.h"

#include <mutex>
#include <set>

namespace signalbox::strategy::routewise {

/// Which members of a pool are probed, and how. Thread safe.
class Probes {
public:
    explicit Probes(std::shared_ptr<const Pool> pool);

    /// Positions of the members that are due: those without a sample for the idle threshold (all, unless only idle ones are
    /// asked), an interval after their last probe, behind a closed circuit; no more at once than configured.
    [[nodiscard]] std::vector<std::size_t> takeDue(Steady now);
    [[nodiscard]] dispatch::asio::awaitable<std::optional<dispatch::UpstreamFailure>>
    send(std::size_t member, Waiter& waiter, const dispatch::RequestRun& run);

private:
    [[nodiscard]] bool isDue(std::size_t member, Steady now) const;
    void ended(std::size_t member);

    std::shared_ptr<const Pool> m_pool;
    std::mutex m_mutex;
    std::vector<std::optional<Steady>> m_last;  // probe of each member
    std::set<std::size_t> m_underWay;
};

}  // namespace signalbox::strategy::routewise
