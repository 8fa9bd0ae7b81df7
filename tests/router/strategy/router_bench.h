// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/fallback.h"
#include "router/strategy/plan_router.h"
#include "tests/support/fakes.h"
#include "tests/support/run_coroutine.h"

namespace signalbox::test {

using namespace std::chrono_literals;
using dispatch::Chunk;
using dispatch::UpstreamFailure;

[[nodiscard]] UpstreamFailure failure(UpstreamFailure::Kind kind, std::string code, int status = 0);
[[nodiscard]] UpstreamFailure status(int code);

/// What a fake endpoint does: fail at once, or deliver chunks and then end, fail or hang.
struct Act {
    std::optional<UpstreamFailure> atCall;
    std::vector<Chunk> chunks;
    std::optional<UpstreamFailure> atEnd;
    bool hangs = false;
};

inline Chunk metadata() { return {Chunk::Kind::metadata, "m"}; }
inline Chunk content() { return {Chunk::Kind::content, "c"}; }
inline Chunk usageChunk() { return {Chunk::Kind::usage, "u"}; }
inline Chunk done() { return {Chunk::Kind::done, "d"}; }
inline std::vector<Chunk> wholeStream() { return {metadata(), content(), content(), metadata(), usageChunk(), done()}; }

inline Act serves() { return {std::nullopt, wholeStream(), std::nullopt}; }
inline Act failsAtCall(UpstreamFailure with) { return {std::move(with), {}, std::nullopt}; }
inline Act breaksAfter(std::vector<Chunk> chunks, UpstreamFailure with) {
    return {std::nullopt, std::move(chunks), std::move(with)};
}

/// Takes 10 ms for a call and 1 ms for each chunk, on the test's clock.
class FakeEndpoint final : public dispatch::Adapter {
public:
    FakeEndpoint(std::string provider, ManualClock& clock, Act does)
        : act(std::move(does)), m_provider(std::move(provider)), m_clock(clock) {}
    std::string_view providerId() const override { return m_provider; }
    dispatch::asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

    Act act;
    std::vector<std::string> bodies;
    int alive = 0;

private:
    std::string m_provider;
    ManualClock& m_clock;
};

/// A router over fake endpoints `p0:m`, `p1:m`, …, one per act, which are also the candidates of one group.
struct Bench {
    explicit Bench(std::vector<Act> acts);

    [[nodiscard]] strategy::RouteCall call();
    /// What it learns stays from run to run.
    [[nodiscard]] strategy::PlanRouter router() const;

    struct Outcome {
        std::optional<UpstreamFailure> atRoute, later;
        std::string bytes, endpoint;
        bool lastResort = false;
    };
    [[nodiscard]] Outcome run();
    /// The same `times` times; the attempts are those of the last.
    Outcome runAgain(int times = 1);
    /// From here on the plan is that of the group, with this reason or none.
    void planAsGroup(std::optional<policy::smart::Reason> reason = std::nullopt);
    [[nodiscard]] capacity::CircuitView circuit(std::size_t endpoint) const;
    [[nodiscard]] capacity::OutcomeView outcome(std::size_t endpoint) const;

    ManualClock clock;
    std::vector<std::shared_ptr<FakeEndpoint>> adapters;
    strategy::NotCallable missing;
    config::GatewayConfig config;  ///< its resources and the providers that take them
    policy::RoutePlan plan;
    std::vector<evidence::Attempt> attempts;
    std::string whyNoFallback;
    std::function<std::optional<UpstreamFailure>(const policy::RouteTarget&)> mayTry;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    std::shared_ptr<capacity::RoutingRuntime> runtime;
    dispatch::asio::io_context context;

private:
    dispatch::asio::awaitable<Outcome> runToEnd(strategy::PlanRouter& over);
    std::vector<policy::smart::Group> m_groups;
};

}  // namespace signalbox::test
