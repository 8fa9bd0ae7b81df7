// SPDX-License-Identifier: MIT
#include "tests/router/strategy/routewise_fixture.h"

#include <QTest>

using namespace signalbox;
using test::Reply;
using test::RouteWiseFixture;
using test::upstreamStatus;
using namespace std::chrono_literals;
namespace asio = dispatch::asio;

namespace {

struct Probed : RouteWiseFixture {
    explicit Probed(std::string more = {}, std::size_t count = 2) : RouteWiseFixture(count) {
        for (std::size_t i = 0; i < count; ++i) priced(i, 1 + double(i), 1 + double(i));
        parameters("{\"budget_alpha\": 0, \"routewise_probe_enabled\": true" + more + "}");
        build();
    }
    std::string due() {
        std::string out;
        for (const std::string& id : router->takeDueProbes(clock.steady())) out += id + " ";
        return out;
    }
    asio::awaitable<std::string> sent(std::string endpoint) {
        dispatch::RequestRun request;
        request.attempts = &attempts;
        request.admittedAt = clock.steady();
        const auto failure = co_await router->probe(std::move(endpoint), request);
        co_return failure ? failure->code : std::string("served");
    }
    std::string probe(std::size_t endpoint) {
        attempts.clear();
        return time.run(*context, sent("p" + std::to_string(endpoint) + ":m"));
    }
    dispatch::PoolView view() const { return router->view(clock.steady()); }
};

}  // namespace

/// Idle probes, in virtual time.
class TestRoutewiseProbes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void offByDefault() {
        RouteWiseFixture bench(2);
        bench.build();
        QVERIFY(!bench.router->wantsProbes());
        QVERIFY(bench.router->takeDueProbes(bench.clock.steady()).empty());
    }

    void oneAtATimeAndOnlyTheIdle() {
        Probed bench;
        QCOMPARE(bench.due(), std::string("p0:m "));
        QCOMPARE(bench.due(), std::string());  // one is under way
        QCOMPARE(bench.probe(0), std::string("served"));
        QCOMPARE(bench.due(), std::string("p1:m "));
        QCOMPARE(bench.probe(1), std::string("served"));
        QCOMPARE(bench.due(), std::string());
        // 900 s without a sample make an endpoint idle again; traffic counts as much as a probe.
        bench.clock.advance(899s);
        QCOMPARE(bench.serve().endpoint, std::string("p0:m"));
        QCOMPARE(bench.due(), std::string());
        bench.clock.advance(1s);
        QCOMPARE(bench.due(), std::string("p1:m "));
    }

    void moreAtATimeWhereConfigured() {
        Probed bench(", \"routewise_probe_max_concurrency\": 2", 3);
        QCOMPARE(bench.due(), std::string("p0:m p1:m "));
        QCOMPARE(bench.probe(1), std::string("served"));
        QCOMPARE(bench.due(), std::string("p2:m "));
    }

    void everyIntervalWhenNotOnlyTheIdle() {
        Probed bench(", \"routewise_probe_idle_only\": false", 1);
        QCOMPARE(bench.due(), std::string("p0:m "));
        (void)bench.probe(0);
        bench.clock.advance(299s);
        QCOMPARE(bench.due(), std::string());
        bench.clock.advance(1s);
        QCOMPARE(bench.due(), std::string("p0:m "));
    }

    void restingEndpointsAreLeftAlone() {
        Probed bench;
        bench.process->circuits.of("p0:m")->coolByHand(60s);
        bench.process->circuits.of("p1:m")->setDrained(true);
        QCOMPARE(bench.due(), std::string());
        bench.clock.advance(60s);
        QCOMPARE(bench.due(), std::string("p0:m "));
        QCOMPARE(bench.probe(0), std::string("served"));
        QVERIFY(bench.circuit(0).state == capacity::CircuitState::closed);
    }

    void F74_teachesTimesAndNothingElse() {
        Probed bench;
        bench.endpoints[0]->reply = [](std::size_t) { return Reply{70ms}; };
        (void)bench.due();
        QCOMPARE(bench.probe(0), std::string("served"));
        QCOMPARE(bench.story(), std::string("p0 probe served"));
        QCOMPARE(bench.endpoints[0]->whole, std::size_t{1});
        const dispatch::PoolView view = bench.view();
        QCOMPARE(view.members[0].meanTtftMs, std::optional<double>(70));
        QCOMPARE(view.requests, std::uint64_t{0});
        QCOMPARE(view.mix->predictionSource, std::string("default"));
        QCOMPARE(view.mix->envelopeSamples, std::uint64_t{0});
        QVERIFY(!bench.pool);
    }

    void asksForOneToken() {
        Probed bench;
        (void)bench.due();
        (void)bench.probe(0);
        QCOMPARE(bench.endpoints[0]->last.path, std::string("/chat/completions"));
        QVERIFY(bench.endpoints[0]->last.stream);
        QCOMPARE(bench.endpoints[0]->last.body,
                 std::string("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"ping\"}],\"max_tokens\":1,\"stream\":true}"));
        bench.config.providers[0].maxTokensField = config::TokensField::maxCompletionTokens;
        bench.build();
        (void)bench.probe(0);
        QVERIFY(bench.endpoints[0]->last.body.find("\"max_completion_tokens\":1") != std::string::npos);
        QVERIFY(bench.endpoints[0]->last.body.find("\"max_tokens\"") == std::string::npos);
    }

    void failureCounts() {
        Probed bench;
        bench.endpoints[0]->reply = [](std::size_t) { return Reply{10ms, upstreamStatus(500)}; };
        (void)bench.due();
        QCOMPARE(bench.probe(0), std::string("status_500"));
        QCOMPARE(bench.story(), std::string("p0 probe failed status_500"));
        QCOMPARE(bench.circuit(0).consecutiveFailures, 1U);
        QCOMPARE(bench.view().members[0].meanTtftMs, std::optional<double>(60000));
    }

    void givenUpAfterItsTime() {
        Probed bench;
        bench.endpoints[0]->reply = [](std::size_t) { return Reply{1h}; };
        (void)bench.due();
        const Steady began = bench.clock.steady();
        QCOMPARE(bench.probe(0), std::string("probe_timeout"));
        QVERIFY(bench.clock.steady() - began == 30s);
        QCOMPARE(bench.story(), std::string("p0 probe failed probe_timeout"));
        QCOMPARE(bench.alive(), 0);
        QCOMPARE(bench.view().members[0].meanTtftMs, std::optional<double>(60000));
        QCOMPARE(bench.due(), std::string("p1:m "));
    }

    void takesCapacityAsEveryAttemptDoes() {
        RouteWiseFixture setup(1);
        setup.billed(0, config::Billing::concurrency, 1);
        setup.parameters("{\"routewise_probe_enabled\": true}");
        setup.build();
        const auto taken = std::get<std::shared_ptr<capacity::Slots>>(setup.resource(0))->tryTake();
        QCOMPARE(setup.router->takeDueProbes(setup.clock.steady()).size(), std::size_t{1});
        const auto send = [&]() -> asio::awaitable<std::string> {
            dispatch::RequestRun request;
            request.attempts = &setup.attempts;
            request.admittedAt = setup.clock.steady();
            const auto failure = co_await setup.router->probe("p0:m", request);
            co_return failure ? failure->code : std::string("served");
        };
        QCOMPARE(setup.time.run(*setup.context, send()), std::string("no_free_slot"));
        QCOMPARE(setup.story(), std::string("p0 probe refused no_free_slot"));
        QCOMPARE(setup.endpoints[0]->calls, std::size_t{0});
        QCOMPARE(setup.slotsInUse(0), 1U);
    }
};

QTEST_APPLESS_MAIN(TestRoutewiseProbes)
#include "tst_routewise_probes.moc"
