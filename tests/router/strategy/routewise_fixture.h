// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/routewise/router.h"
#include "tests/router/strategy/virtual_time.h"

#include <boost/asio/cancellation_signal.hpp>
#include <deque>
#include <functional>

namespace signalbox::test {

using namespace std::chrono_literals;
using dispatch::UpstreamFailure;

[[nodiscard]] UpstreamFailure upstreamStatus(int code);

/// What a timed endpoint answers one call with.
struct Reply {
    std::chrono::microseconds after{10ms};   ///< from the call to the first content, or to the failure
    std::optional<UpstreamFailure> failure;  ///< instead of content
    bool inCall = false;                     ///< the wait is for the head and not for the first frame
    std::uint64_t outputTokens = 100;
    std::chrono::microseconds rest{0};       ///< of a stream, between its content and its end
    bool connecting = false;                 ///< the wait is for a connection: given up meanwhile, nothing was sent
};

/// An endpoint in virtual time. Like any adapter it waits no longer than the request's budget.
class TimedEndpoint final : public dispatch::Adapter {
public:
    TimedEndpoint(std::string provider, const Clock& clock, VirtualTime& time)
        : m_provider(std::move(provider)), m_clock(clock), m_time(time) {}
    std::string_view providerId() const override { return m_provider; }
    dispatch::asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

    std::function<Reply(std::size_t call)> reply = [](std::size_t) { return Reply{}; };
    std::size_t calls = 0;
    dispatch::UpstreamRequest last;
    int alive = 0;         ///< calls and streams that have not been destroyed
    std::size_t whole = 0; ///< streams that were read to their end

private:
    /// True when given up meanwhile.
    dispatch::asio::awaitable<bool> connect(Steady due);

    std::string m_provider;
    const Clock& m_clock;
    VirtualTime& m_time;
};

struct Served {
    std::string endpoint;  ///< empty when it failed
    std::string bytes;
    std::optional<UpstreamFailure> failure;
};

/// A RouteWise pool `m` over endpoints `p0:m`, `p1:m`, … in virtual time. Fill in `config`, then `build`.
class RouteWiseFixture {
public:
    explicit RouteWiseFixture(std::size_t endpoints);

    /// Prices of an endpoint paid per token, USD per million.
    void priced(std::size_t endpoint, double in, double out);
    /// Paid by a resource of its own named `rN`.
    void billed(std::size_t endpoint, config::Billing billing, std::uint64_t limit);
    void parameters(std::string json) { config.models[0].parametersJson = std::move(json); }
    void build();

    [[nodiscard]] dispatch::RequestRun run();
    [[nodiscard]] dispatch::PoolCall delegated(std::string preferred = {}) const;
    [[nodiscard]] dispatch::PoolCall exactly(std::size_t endpoint, std::shared_ptr<dispatch::Adapter> adapter = nullptr) const;

    /// Routes and reads to the end; attempts, record and verdict are then those of this request.
    Served serve(dispatch::PoolCall call);
    Served serve() { return serve(delegated()); }
    /// The same `times` times at one endpoint.
    void teach(std::size_t endpoint, std::size_t times, Reply with);
    /// `endpoint role outcome reason` of each attempt, separated by `; `.
    [[nodiscard]] std::string story() const;
    [[nodiscard]] capacity::CircuitView circuit(std::size_t endpoint) const;
    [[nodiscard]] capacity::ResourceRegistry::Entry resource(std::size_t endpoint) const;
    [[nodiscard]] std::uint32_t slotsInUse(std::size_t endpoint) const;
    [[nodiscard]] dispatch::HedgeView hedges() const { return *router->view(clock.steady()).hedge; }
    [[nodiscard]] int alive() const;

    ManualClock clock;
    VirtualTime time{clock};
    std::vector<std::shared_ptr<TimedEndpoint>> endpoints;
    config::GatewayConfig config;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    std::shared_ptr<strategy::routewise::RouteWiseRouter> router;

    bool streams = true;
    std::optional<FastRandom> random;
    std::vector<evidence::Attempt> attempts;
    std::string whyNoFallback;
    std::optional<evidence::RecordedPool> pool;
    std::function<void(dispatch::RequestRun&)> adjust;  ///< of the next requests
    std::unique_ptr<dispatch::asio::io_context> context = std::make_unique<dispatch::asio::io_context>();

private:
    dispatch::asio::awaitable<Served> toEnd(dispatch::PoolCall call);
    strategy::AdapterMap adapters() const;
};

}  // namespace signalbox::test
