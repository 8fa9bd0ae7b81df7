// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"
#include "router/strategy/fixed/weighted_draw.h"
#include "router/strategy/prober.h"
#include "router/strategy/routewise/pool.h"
#include "router/strategy/routewise/probes.h"
#include "router/strategy/waiter.h"

#include <atomic>
#include <memory>

namespace signalbox::strategy::routewise {

class PoolRequest;

/// The strategy itself; `makeRouteWisePool` builds it. Thread safe, each call staying on its own thread.
class RouteWiseRouter final : public dispatch::PoolRouter, public Prober {
public:
    /// `waiter` tells hedging when its moments have come; it must stand on the pool's clock.
    RouteWiseRouter(std::shared_ptr<const Pool> pool, std::shared_ptr<Waiter> waiter);

    [[nodiscard]] const dispatch::PoolGrant& grant() const override { return m_grant; }
    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> route(dispatch::PoolCall call,
                                                                          const dispatch::RequestRun& run) override;
    [[nodiscard]] dispatch::PoolView view(Steady now) const override;
    [[nodiscard]] dispatch::PoolForecast forecast(const dispatch::PoolQuestion& question, Steady now) const override;

    [[nodiscard]] bool wantsProbes() const override { return m_pool->parameters().probe.enabled; }
    [[nodiscard]] const std::string& probedPool() const override { return m_grant.poolId; }
    [[nodiscard]] std::vector<std::string> takeDueProbes(Steady now) override;
    [[nodiscard]] dispatch::asio::awaitable<std::optional<dispatch::UpstreamFailure>>
    probe(std::string endpointId, const dispatch::RequestRun& run) override;

private:
    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> exactly(const dispatch::ExecuteEndpoint& exact,
                                                                            PoolRequest& request);
    [[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> select(PoolRequest& request);
    /// Null when it did not deliver, which the request's verdict then knows.
    [[nodiscard]] dispatch::asio::awaitable<std::unique_ptr<dispatch::RoutedAnswer>> send(PoolRequest& request,
                                                                                         std::size_t member, bool hedged);
    [[nodiscard]] double draw(const PoolRequest& request);

    std::shared_ptr<const Pool> m_pool;
    std::shared_ptr<Waiter> m_waiter;
    dispatch::PoolGrant m_grant;
    DrawSource m_draw;
    Probes m_probes;
    std::atomic<std::uint64_t> m_requests{0};
};

}  // namespace signalbox::strategy::routewise
