// SPDX-License-Identifier: MIT
#include "router/strategy/fallback.h"
#include "router/strategy/fixed_router.h"
#include "tests/support/fakes.h"
#include "tests/support/run_coroutine.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy;
using namespace dispatch;
using namespace std::chrono_literals;
using evidence::AttemptOutcome;
using evidence::AttemptRole;

namespace {

UpstreamFailure failure(UpstreamFailure::Kind kind, std::string code, int status = 0) {
    UpstreamFailure out;
    out.kind = kind;
    out.code = std::move(code);
    out.status = status;
    return out;
}

UpstreamFailure status(int code) {
    return failure(UpstreamFailure::Kind::status, "status_" + std::to_string(code), code);
}

/// What a fake endpoint does: fail at once, or deliver chunks and then end, fail or hang.
struct Act {
    std::optional<UpstreamFailure> atCall;
    std::vector<Chunk> chunks;
    std::optional<UpstreamFailure> atEnd;
    bool hangs = false;
};

Chunk metadata() { return {Chunk::Kind::metadata, "m"}; }
Chunk content() { return {Chunk::Kind::content, "c"}; }
Chunk usageChunk() { return {Chunk::Kind::usage, "u"}; }
Chunk done() { return {Chunk::Kind::done, "d"}; }

std::vector<Chunk> wholeStream() { return {metadata(), content(), content(), metadata(), usageChunk(), done()}; }

class FakeStream final : public ResponseStream {
public:
    FakeStream(Act act, test::ManualClock& clock, int& alive) : m_act(std::move(act)), m_clock(clock), m_alive(alive) { ++m_alive; }
    ~FakeStream() override { --m_alive; }
    const ResponseHead& head() const override { return m_head; }
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
    Usage usage() const override { return {1, 2, 3}; }
    std::uint32_t toolCalls() const override { return 4; }

private:
    Act m_act;
    test::ManualClock& m_clock;
    int& m_alive;
    std::size_t m_at = 0;
    ResponseHead m_head;
};

class FakeAdapter final : public Adapter {
public:
    FakeAdapter(std::string provider, test::ManualClock& clock, Act act)
        : m_provider(std::move(provider)), m_clock(clock), m_act(std::move(act)) {}
    std::string_view providerId() const override { return m_provider; }
    asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>> call(UpstreamRequest request) override {
        bodies.push_back(request.body);
        m_clock.advance(10ms);
        if (m_act.atCall) co_return tl::unexpected(*m_act.atCall);
        co_return std::make_unique<FakeStream>(m_act, m_clock, alive);
    }
    std::vector<std::string> bodies;
    int alive = 0;

private:
    std::string m_provider;
    test::ManualClock& m_clock;
    Act m_act;
};

/// A router over fake endpoints `p0:m`, `p1:m`, …, one per act.
struct Bench {
    explicit Bench(std::vector<Act> acts) {
        for (std::size_t i = 0; i < acts.size(); ++i) {
            const std::string provider = "p" + std::to_string(i);
            adapters.push_back(std::make_shared<FakeAdapter>(provider, clock, std::move(acts[i])));
            plan.targets.push_back({provider, "m", std::nullopt});
        }
    }

    RouteCall call() {
        RouteCall out;
        out.plan = &plan;
        out.makeRequest = [](const policy::RouteTarget& target) {
            UpstreamRequest request;
            request.model = target.model;
            request.body = "for " + target.endpointId();
            request.stream = true;
            return request;
        };
        out.attempts = &attempts;
        out.admittedAt = clock.steady();
        return out;
    }

    FixedRouter router() {
        AdapterMap map;
        for (const auto& adapter : adapters)
            if (!missing.contains(std::string(adapter->providerId()))) map.emplace(adapter->providerId(), adapter);
        return FixedRouter(std::move(map), clock, missing);
    }

    struct Outcome {
        std::optional<UpstreamFailure> atRoute, later;
        std::string bytes, endpoint;
    };

    asio::awaitable<Outcome> runToEnd(FixedRouter& over) {
        Outcome outcome;
        auto answer = co_await over.route(call());
        if (!answer) {
            outcome.atRoute = std::move(answer.error());
            co_return outcome;
        }
        outcome.endpoint = (*answer)->endpointId();
        while (true) {
            auto chunk = co_await (*answer)->next();
            if (!chunk) outcome.later = std::move(chunk.error());
            if (!chunk || !*chunk) break;
            outcome.bytes += (*chunk)->bytes;
        }
        co_return outcome;
    }

    Outcome run() {
        FixedRouter over = router();
        return test::runCoroutine(context, runToEnd(over));
    }

    test::ManualClock clock;
    std::vector<std::shared_ptr<FakeAdapter>> adapters;
    NotCallable missing;
    policy::RoutePlan plan;
    std::vector<evidence::Attempt> attempts;
    asio::io_context context;
};

Act serves() { return {std::nullopt, wholeStream(), std::nullopt}; }
Act failsAtCall(UpstreamFailure with) { return {std::move(with), {}, std::nullopt}; }
Act breaksAfter(std::vector<Chunk> chunks, UpstreamFailure with) { return {std::nullopt, std::move(chunks), std::move(with)}; }

}  // namespace

class TestFixedRouter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void servesFromTheFirstTarget();
    void bodyIsOneChunk();
    void F50_fallbackTable_data();
    void F50_fallbackTable();
    void F50_verdictSaysWhyNot();
    void F1_allFailBeforeContent();
    void F2_failureAfterMetadataFallsBack();
    void F6_F7_failureAfterContentEndsTheAnswer();
    void F4_brokenGenerationIsNoEmptySuccess();
    void emptyAnswerOfTheUpstreamsOwnPasses();
    void F70_faultSweepOverTargets();
    void faultSweepOverChunks();
    void pinsAndExplicitEndpointsDoNotFallBack();
    void missingAdapterIsARefusedAttempt();
    void allRefusedIsARefusalWithRetryAfter();
    void failedAttemptsDecideOverRefusedOnes();
    void compositionErrorsDoNotFallBack();
    void endlessMetadataIsRefused();
    void F45_droppedAnswerIsCancelled();
    void F45_cancelledWhileWaitingForContent();
    void droppedAfterDoneIsServed();
    void emptyPlan();
};

void TestFixedRouter::servesFromTheFirstTarget() {
    Bench bench({serves(), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(outcome.bytes, std::string("mccmud"));
    QCOMPARE(outcome.endpoint, std::string("p0:m"));
    QCOMPARE(bench.adapters[0]->bodies, std::vector<std::string>{"for p0:m"});
    QVERIFY(bench.adapters[1]->bodies.empty());
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    const evidence::Attempt& attempt = bench.attempts[0];
    QCOMPARE(attempt.endpointId, std::string("p0:m"));
    QVERIFY(attempt.role == AttemptRole::primary && attempt.outcome == AttemptOutcome::served);
    QCOMPARE(attempt.status, 200);
    QVERIFY(attempt.reason.empty());
    QCOMPARE(attempt.startedMs, 0.0);
    QCOMPARE(*attempt.firstContentMs, 12.0);  // 10 for the call, 1 for each of two frames
    QCOMPARE(attempt.endedMs, 16.0);
}

void TestFixedRouter::bodyIsOneChunk() {
    Bench bench({breaksAfter({{Chunk::Kind::body, "json"}}, status(500))});
    const auto outcome = bench.run();
    QCOMPARE(outcome.bytes, std::string("json"));
    QVERIFY(bench.attempts[0].firstContentMs.has_value());
}

void TestFixedRouter::F50_fallbackTable_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("fallsBack");
    using Kind = UpstreamFailure::Kind;
    const auto row = [](const char* name, Kind kind, int code, bool fallsBack) {
        QTest::newRow(name) << static_cast<int>(kind) << code << fallsBack;
    };
    row("refused", Kind::refused, 0, true);
    row("connect", Kind::connect, 0, true);
    row("timeout", Kind::timeout, 0, true);
    row("disconnected", Kind::disconnected, 0, true);
    row("protocol", Kind::protocol, 0, true);
    for (const int code : {408, 425, 429, 500, 502, 503, 504, 529})
        row(qPrintable(QStringLiteral("status %1").arg(code)), Kind::status, code, true);
    for (const int code : {301, 400, 401, 403, 404, 409, 413, 422, 499})
        row(qPrintable(QStringLiteral("status %1").arg(code)), Kind::status, code, false);
    row("F3 error frame 400", Kind::errorFrame, 400, false);
    row("F3 error frame 429", Kind::errorFrame, 429, true);
    row("F3 error frame 500", Kind::errorFrame, 500, true);
    row("F3 error frame without status", Kind::errorFrame, 0, true);
    row("cancelled", Kind::cancelled, 0, false);
    row("composition", Kind::composition, 0, false);
}

void TestFixedRouter::F50_fallbackTable() {
    QFETCH(int, kind);
    QFETCH(int, code);
    QFETCH(bool, fallsBack);
    const UpstreamFailure with = failure(static_cast<UpstreamFailure::Kind>(kind), "x", code);
    Bench bench({failsAtCall(with), serves()});
    const auto outcome = bench.run();
    QCOMPARE(bench.attempts.size(), fallsBack ? std::size_t{2} : std::size_t{1});
    QCOMPARE(!outcome.atRoute, fallsBack);
    QVERIFY(bench.attempts[0].outcome != AttemptOutcome::served);
    QCOMPARE(bench.attempts[0].status, code);
    if (!fallsBack) return;
    QVERIFY(bench.attempts[1].role == AttemptRole::retry && bench.attempts[1].outcome == AttemptOutcome::served);
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
}

void TestFixedRouter::F50_verdictSaysWhyNot() {
    QVERIFY(fallbackVerdict(status(500), true, 1) == FallbackVerdict::next);
    QVERIFY(fallbackVerdict(status(500), true, 0) == FallbackVerdict::lastTarget);
    QVERIFY(fallbackVerdict(status(500), false, 1) == FallbackVerdict::notAllowed);
    QVERIFY(fallbackVerdict(status(400), true, 1) == FallbackVerdict::notForThisFailure);
}

void TestFixedRouter::F1_allFailBeforeContent() {
    Bench bench({failsAtCall(status(503)), breaksAfter({metadata()}, failure(UpstreamFailure::Kind::disconnected, "disconnected"))});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.bytes.empty());
    QCOMPARE(outcome.atRoute->status, 503);  // the first planned attempt that reached an upstream
    QCOMPARE(bench.attempts.size(), std::size_t{2});
    QCOMPARE(bench.attempts[1].reason, std::string("disconnected"));
}

void TestFixedRouter::F2_failureAfterMetadataFallsBack() {
    Bench bench({breaksAfter({metadata(), metadata(), usageChunk()}, status(500)), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(outcome.bytes, std::string("mccmud"));  // nothing of the first upstream
    QVERIFY(!bench.attempts[0].firstContentMs);
    QCOMPARE(bench.attempts[0].status, 500);
    QCOMPARE(bench.adapters[0]->alive, 0);
}

void TestFixedRouter::F6_F7_failureAfterContentEndsTheAnswer() {
    Bench bench({breaksAfter({metadata(), content()}, failure(UpstreamFailure::Kind::errorFrame, "error_frame_429", 429)), serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QVERIFY(outcome.later);
    QCOMPARE(outcome.later->status, 429);
    QCOMPARE(outcome.bytes, std::string("mc"));
    QVERIFY(bench.adapters[1]->bodies.empty());
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::failed);
    QCOMPARE(bench.attempts[0].status, 429);
    QCOMPARE(bench.attempts[0].reason, std::string("error_frame_429"));
}

void TestFixedRouter::F4_brokenGenerationIsNoEmptySuccess() {
    Bench bench({breaksAfter({metadata()}, failure(UpstreamFailure::Kind::disconnected, "ended_early"))});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(outcome.atRoute->code, std::string("ended_early"));
}

void TestFixedRouter::emptyAnswerOfTheUpstreamsOwnPasses() {
    Bench bench({Act{std::nullopt, {metadata(), done()}, std::nullopt}});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute && !outcome.later);
    QCOMPARE(outcome.bytes, std::string("md"));
    QVERIFY(!bench.attempts[0].firstContentMs);
}

void TestFixedRouter::F70_faultSweepOverTargets() {
    // Fail the first N of four targets until none is left: each failure moves on to another endpoint.
    for (std::size_t failing = 0; failing <= 4; ++failing) {
        std::vector<Act> acts;
        for (std::size_t i = 0; i < 4; ++i) acts.push_back(i < failing ? failsAtCall(status(500 + static_cast<int>(i))) : serves());
        Bench bench(std::move(acts));
        const auto outcome = bench.run();
        QCOMPARE(outcome.atRoute.has_value(), failing == 4);
        QCOMPARE(bench.attempts.size(), std::min<std::size_t>(failing + 1, 4));
        for (std::size_t i = 0; i < bench.attempts.size(); ++i)
            QCOMPARE(bench.attempts[i].endpointId, "p" + std::to_string(i) + ":m");
        if (failing == 4) QCOMPARE(outcome.atRoute->status, 500);
    }
}

void TestFixedRouter::faultSweepOverChunks() {
    // Break the first upstream's stream after N chunks: before content the client sees only the second one's bytes,
    // from content on only the first one's.
    const std::vector<Chunk> all = wholeStream();
    for (std::size_t after = 0; after < all.size(); ++after) {
        const std::vector<Chunk> sent(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(after));
        Bench bench({breaksAfter(sent, failure(UpstreamFailure::Kind::disconnected, "disconnected")), serves()});
        const auto outcome = bench.run();
        const bool committed = after >= 2;
        QVERIFY(!outcome.atRoute);
        QCOMPARE(outcome.later.has_value(), committed);
        QCOMPARE(outcome.bytes, committed ? std::string("mccmud").substr(0, after) : std::string("mccmud"));
        QCOMPARE(bench.adapters[1]->bodies.size(), committed ? std::size_t{0} : std::size_t{1});
        QCOMPARE(bench.adapters[0]->alive + bench.adapters[1]->alive, 0);
    }
}

void TestFixedRouter::pinsAndExplicitEndpointsDoNotFallBack() {
    Bench bench({failsAtCall(status(500)), serves()});
    bench.plan.fallbackAllowed = false;
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
}

void TestFixedRouter::missingAdapterIsARefusedAttempt() {
    Bench bench({serves(), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}};
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::refused);
    QCOMPARE(bench.attempts[0].reason, std::string("provider_not_callable"));
    QVERIFY(bench.adapters[0]->bodies.empty());
}

void TestFixedRouter::allRefusedIsARefusalWithRetryAfter() {
    Bench bench({serves(), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}, {"p1", "another"}};
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::refused);
    QVERIFY(!outcome.atRoute->sent());
    QVERIFY(outcome.atRoute->retryAfter.has_value());
    QCOMPARE(outcome.atRoute->message, std::string("Provider p0 has no base URL"));
}

void TestFixedRouter::failedAttemptsDecideOverRefusedOnes() {
    Bench bench({serves(), failsAtCall(status(502)), failsAtCall(status(504))});
    bench.missing = {{"p0", "Provider p0 has no base URL"}};
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(outcome.atRoute->status, 502);
    QCOMPARE(bench.attempts.size(), std::size_t{3});
}

void TestFixedRouter::compositionErrorsDoNotFallBack() {
    Bench bench({serves(), serves()});
    bench.plan.targets[0].model.clear();
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::composition);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
}

void TestFixedRouter::endlessMetadataIsRefused() {
    std::vector<Chunk> flood(40, Chunk{Chunk::Kind::metadata, std::string(64 * 1024, 'x')});
    Bench bench({Act{std::nullopt, flood, std::nullopt}, serves()});
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts[0].reason, std::string("metadata_overflow"));
}

void TestFixedRouter::F45_droppedAnswerIsCancelled() {
    Bench bench({serves()});
    FixedRouter over = bench.router();
    auto answer = test::runCoroutine(bench.context, over.route(bench.call()));
    QVERIFY(answer);
    QCOMPARE(bench.adapters[0]->alive, 1);
    answer->reset();
    QCOMPARE(bench.adapters[0]->alive, 0);
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::cancelled);
    QCOMPARE(bench.attempts[0].reason, std::string("client_gone"));
    QCOMPARE(bench.attempts[0].status, 200);
}

void TestFixedRouter::F45_cancelledWhileWaitingForContent() {
    Bench bench({Act{std::nullopt, {metadata()}, std::nullopt, true}, serves()});
    FixedRouter over = bench.router();
    asio::cancellation_signal leave;
    bool ended = false;
    asio::co_spawn(bench.context, over.route(bench.call()),
                   asio::bind_cancellation_slot(leave.slot(), [&](std::exception_ptr, const auto&) { ended = true; }));
    asio::post(bench.context, [&] { leave.emit(asio::cancellation_type::terminal); });
    bench.context.run();
    QVERIFY(ended);
    QCOMPARE(bench.adapters[0]->alive, 0);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::cancelled);
    QVERIFY(bench.adapters[1]->bodies.empty());
}

void TestFixedRouter::droppedAfterDoneIsServed() {
    Bench bench({serves()});
    FixedRouter over = bench.router();
    auto answer = test::runCoroutine(bench.context, over.route(bench.call()));
    for (int i = 0; i < 6; ++i) QVERIFY(test::runCoroutine(bench.context, (*answer)->next()));
    answer->reset();
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::served);
}

void TestFixedRouter::emptyPlan() {
    Bench bench({});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::composition);
}

QTEST_APPLESS_MAIN(TestFixedRouter)
#include "tst_fixed_router.moc"
