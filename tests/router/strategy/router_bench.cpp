// SPDX-License-Identifier: MIT
#include "tests/router/strategy/router_bench.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::test {

namespace asio = dispatch::asio;

UpstreamFailure failure(UpstreamFailure::Kind kind, std::string code, int status) {
    UpstreamFailure out;
    out.kind = kind;
    out.code = std::move(code);
    out.status = status;
    return out;
}

UpstreamFailure status(int code) {
    return failure(UpstreamFailure::Kind::status, "status_" + std::to_string(code), code);
}

namespace {

class FakeStream final : public dispatch::ResponseStream {
public:
    FakeStream(Act act, ManualClock& clock, int& alive) : m_act(std::move(act)), m_clock(clock), m_alive(alive) { ++m_alive; }
    ~FakeStream() override { --m_alive; }
    const dispatch::ResponseHead& head() const override { return m_head; }
    asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        m_clock.advance(1ms);
        if (m_at < m_act.chunks.size()) co_return m_act.chunks[m_at++];
        if (m_act.hangs) {
            asio::steady_timer forever(co_await asio::this_coro::executor, Steady::max());
            co_await forever.async_wait(asio::use_awaitable);
        }
        if (m_act.atEnd) co_return tl::unexpected(*m_act.atEnd);
        co_return std::optional<Chunk>();
    }
    dispatch::Usage usage() const override { return {1, 2, 3}; }
    std::uint32_t toolCalls() const override { return 4; }

private:
    Act m_act;
    ManualClock& m_clock;
    int& m_alive;
    std::size_t m_at = 0;
    dispatch::ResponseHead m_head;
};

std::vector<std::string> idsOf(const policy::smart::Group& group) {
    std::vector<std::string> out;
    for (const auto& candidate : group.candidates) out.push_back(candidate.endpointId);
    return out;
}

}  // namespace

asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
FakeEndpoint::call(dispatch::UpstreamRequest request) {
    bodies.push_back(request.body);
    m_clock.advance(10ms);
    if (act.atCall) co_return tl::unexpected(*act.atCall);
    co_return std::make_unique<FakeStream>(act, m_clock, alive);
}

Bench::Bench(std::vector<Act> acts) {
    policy::smart::Group group;
    group.id = "g";
    for (std::size_t i = 0; i < acts.size(); ++i) {
        const std::string provider = "p" + std::to_string(i);
        adapters.push_back(std::make_shared<FakeEndpoint>(provider, clock, std::move(acts[i])));
        plan.targets.push_back({provider, "m", std::nullopt});
        group.candidates.push_back(policy::smart::makeCandidate(provider, "m"));
    }
    runtime = process->runtimes.configure("v", idsOf(group));
    m_groups.push_back(std::move(group));
}

strategy::RouteCall Bench::call() {
    strategy::RouteCall out;
    out.plan = &plan;
    out.makeRequest = [](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request;
        request.model = target.model;
        request.body = "for " + target.endpointId();
        request.stream = true;
        return request;
    };
    out.mayTry = mayTry;
    out.attempts = &attempts;
    out.whyNoFallback = &whyNoFallback;
    out.admittedAt = clock.steady();
    return out;
}

strategy::PlanRouter Bench::router() const {
    strategy::AdapterMap map;
    for (const auto& adapter : adapters)
        if (!missing.contains(std::string(adapter->providerId()))) map.emplace(adapter->providerId(), adapter);
    auto book = std::make_shared<const capacity::EndpointBook>(m_groups, capacity::EndpointBook::Known{}, process, runtime);
    auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
    return strategy::PlanRouter(std::make_shared<const strategy::MemberSource>(std::move(map), missing, std::move(book),
                                                                               std::move(capacity)),
                                clock);
}

asio::awaitable<Bench::Outcome> Bench::runToEnd(strategy::PlanRouter& over) {
    Outcome outcome;
    auto answer = co_await over.route(call());
    if (!answer) {
        outcome.atRoute = std::move(answer.error());
        co_return outcome;
    }
    outcome.endpoint = (*answer)->endpointId();
    outcome.lastResort = (*answer)->isLastResort();
    while (true) {
        auto chunk = co_await (*answer)->next();
        if (!chunk) outcome.later = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        outcome.bytes += (*chunk)->bytes;
    }
    co_return outcome;
}

Bench::Outcome Bench::run() {
    strategy::PlanRouter over = router();
    return runCoroutine(context, runToEnd(over));
}

Bench::Outcome Bench::runAgain(int times) {
    Outcome outcome;
    for (int i = 0; i < times; ++i) {
        attempts.clear();
        outcome = run();
    }
    return outcome;
}

void Bench::planAsGroup(std::optional<policy::smart::Reason> reason) {
    policy::GroupDecision decision;
    if (reason) decision.plan.facts.reasons.add(*reason);
    for (std::size_t i = 0; i < plan.targets.size(); ++i) decision.candidateOf.push_back(static_cast<std::uint16_t>(i));
    plan.group = std::move(decision);
}

capacity::CircuitView Bench::circuit(std::size_t endpoint) const {
    return process->circuits.of("p" + std::to_string(endpoint) + ":m")->view();
}

capacity::OutcomeView Bench::outcome(std::size_t endpoint) const {
    return runtime->outcomes.find("p" + std::to_string(endpoint) + ":m")->view();
}

}  // namespace signalbox::test
