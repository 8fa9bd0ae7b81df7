// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/tree_backend.h"
#include "router/strategy/registry.h"
#include "tests/router/strategy/router_bench.h"

#include <map>

namespace signalbox::test {

/// One model over fake endpoints `p0:m`, `p1:m`, …, one per act, behind the router that the registry builds for it.
/// `toml` is the model's part of gateway.toml: `[models.pool]` with its routes, resources, and further keys of the
/// providers (`@` stands for the number of each); the providers themselves are written before it.
struct PoolBench {
    explicit PoolBench(std::vector<Act> acts, const std::string& toml, const std::string& perProvider = {});

    /// A policy applied by restart: routers are built anew, what the process learned stays.
    void rebuild();
    [[nodiscard]] dispatch::RequestRun run();
    [[nodiscard]] dispatch::PoolRouter& router() { return *routers.at("pool"); }
    /// Delegates the pool, without a preference and with no scope.
    [[nodiscard]] static dispatch::PoolCall delegated();
    /// Exactly the endpoint of this position, bound to the adapter that the pool has.
    [[nodiscard]] dispatch::PoolCall exactly(std::size_t endpoint);

    struct Outcome {
        std::optional<UpstreamFailure> atRoute, later;
        std::string bytes, endpoint;
        std::optional<std::string> preset;
    };
    /// Through a TreeBackend to the end of the answer. Attempts, record and verdict are those of this request alone.
    Outcome send(dispatch::PoolCall call = delegated());
    /// To the first content only; the answer stays open.
    tl::expected<std::unique_ptr<dispatch::RoutedAnswer>, UpstreamFailure> begin(dispatch::PoolCall call = delegated());
    [[nodiscard]] capacity::CircuitView circuit(std::size_t endpoint) const;
    /// Endpoints in the order in which they were tried, refused ones included.
    [[nodiscard]] std::vector<std::string> tried() const;
    /// Calls that reached each adapter since the start.
    [[nodiscard]] std::vector<std::size_t> calls() const;
    [[nodiscard]] std::uint32_t slotsInUse(const std::string& resource) const;

    ManualClock clock;
    FastRandom random{7};
    std::vector<std::shared_ptr<FakeEndpoint>> adapters;
    config::GatewayConfig config;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    std::shared_ptr<const strategy::MemberSource> members;
    strategy::PoolRouters routers;
    std::vector<evidence::Attempt> attempts;
    std::optional<evidence::RecordedPool> record;
    std::string whyNoFallback;
    std::optional<std::string> session;
    policy::smart::Needs needs;
    std::uint64_t promptTokens = 100;
    std::optional<std::uint64_t> maxTokens;
    std::function<bool(const policy::RouteTarget&)> mayUse;
    dispatch::asio::io_context context;

private:
    dispatch::RequestRun m_run;
};

}  // namespace signalbox::test
