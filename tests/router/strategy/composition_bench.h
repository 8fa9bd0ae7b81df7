// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/tree_backend.h"
#include "router/strategy/pool_spec.h"
#include "tests/router/strategy/router_bench.h"

namespace signalbox::test {

/// One endpoint `PROVIDER:m` of the bench's model.
struct PoolEndpoint {
    std::string provider;
    config::RouteKind kind = config::RouteKind::local;
    Act act = serves();
};

/// The pool `m` over fake endpoints, for routers that are composed of others. Change `config`, then make the router.
class CompositionBench {
public:
    explicit CompositionBench(std::vector<PoolEndpoint> endpoints);

    using Make = strategy::PoolResult (*)(const strategy::PoolSpec&, const strategy::RouterContext&);
    /// Over the whole model, or over its routes of one kind; throws with the first finding.
    [[nodiscard]] std::shared_ptr<dispatch::PoolRouter> make(Make with, std::optional<config::RouteKind> part = std::nullopt) const;
    [[nodiscard]] Findings findingsOf(Make with) const;

    [[nodiscard]] config::Model& model() { return config.models.front(); }
    [[nodiscard]] FakeEndpoint& at(const std::string& provider) const { return *endpoints.at(provider); }
    /// Bound to the running adapter, or to another one.
    [[nodiscard]] dispatch::EndpointBinding binding(const std::string& provider, const std::string& ofPool = "m",
                                                    std::shared_ptr<dispatch::Adapter> adapter = nullptr) const;
    [[nodiscard]] dispatch::RequestRun run();
    [[nodiscard]] capacity::CircuitView circuit(const std::string& provider) const;
    /// `provider role outcome reason; …` of the last request.
    [[nodiscard]] std::string story() const;
    /// Providers that were called since the last `forget`, in the order of the bench, as often as they were.
    [[nodiscard]] std::vector<std::string> called() const;
    void forget();

    struct Outcome {
        std::optional<UpstreamFailure> failure;
        std::string endpoint, bytes;
    };
    /// `over` has `execute` or `route`; reads the answer to its end. What was recorded is that of this request.
    template <class Over>
    [[nodiscard]] Outcome serve(const Over& over, dispatch::PoolCall call) {
        begin();
        return runCoroutine(*context, toEnd(over, std::move(call)));
    }
    [[nodiscard]] Outcome serve(const std::shared_ptr<dispatch::PoolRouter>& router, std::string preferred = {});

    ManualClock clock;
    config::GatewayConfig config;
    std::vector<std::string> order;  ///< of the endpoints
    std::map<std::string, std::shared_ptr<FakeEndpoint>> endpoints;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    bool streams = true;
    std::function<void(dispatch::RequestRun&)> adjust;  ///< of the next requests
    std::vector<evidence::Attempt> attempts;
    std::string whyNoFallback;
    std::optional<evidence::RecordedPool> pool;
    std::unique_ptr<dispatch::asio::io_context> context = std::make_unique<dispatch::asio::io_context>();

    void begin();
    dispatch::asio::awaitable<dispatch::AnswerResult> hand(const dispatch::TreeBackend& to, dispatch::PoolCall call,
                                                           const dispatch::RequestRun& run) {
        return to.execute(std::move(call), run);
    }
    dispatch::asio::awaitable<dispatch::AnswerResult> hand(const std::shared_ptr<dispatch::PoolRouter>& to,
                                                           dispatch::PoolCall call, const dispatch::RequestRun& run) {
        return to->route(std::move(call), run);
    }

private:
    template <class Over>
    dispatch::asio::awaitable<Outcome> toEnd(const Over& over, dispatch::PoolCall call) {
        const dispatch::RequestRun request = run();
        auto routing = hand(over, std::move(call), request);
        dispatch::AnswerResult answer = co_await std::move(routing);
        auto reading = read(std::move(answer));
        Outcome out = co_await std::move(reading);
        co_return out;
    }
    static dispatch::asio::awaitable<Outcome> read(dispatch::AnswerResult answer);
    [[nodiscard]] strategy::RouterContext routerContext() const;
};

[[nodiscard]] dispatch::PoolCall delegated(std::string preferred = {}, std::string pool = "m");

}  // namespace signalbox::test
