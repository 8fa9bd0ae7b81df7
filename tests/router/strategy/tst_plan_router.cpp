// SPDX-License-Identifier: MIT
#include "tests/router/strategy/router_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::strategy;
using namespace signalbox::test;
using namespace dispatch;
using evidence::AttemptOutcome;
using evidence::AttemptRole;

class TestPlanRouter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void servesFromTheFirstTarget();
    void F50_fallbackTable_data();
    void F50_fallbackTable();
    void F50_verdictSaysWhyNot();
    void F1_allFailBeforeContent();
    void F70_faultSweepOverTargets();
    void pinsAndExplicitEndpointsDoNotFallBack();
    void missingAdapterIsARefusedAttempt();
    void missingAdapterIsNoTry();
    void missingAdapterCostsNothing();
    void allRefusedIsARefusalWithRetryAfter();
    void failedAttemptsDecideOverRefusedOnes();
    void compositionErrorsDoNotFallBack();
    void emptyPlan();
};

void TestPlanRouter::servesFromTheFirstTarget() {
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

void TestPlanRouter::F50_fallbackTable_data() {
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

void TestPlanRouter::F50_fallbackTable() {
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

void TestPlanRouter::F50_verdictSaysWhyNot() {
    QVERIFY(fallbackVerdict(status(500), true, 1) == FallbackVerdict::next);
    QVERIFY(fallbackVerdict(status(500), true, 0) == FallbackVerdict::lastTarget);
    QVERIFY(fallbackVerdict(status(500), false, 1) == FallbackVerdict::notAllowed);
    QVERIFY(fallbackVerdict(status(400), true, 1) == FallbackVerdict::notForThisFailure);
}

void TestPlanRouter::F1_allFailBeforeContent() {
    Bench bench({failsAtCall(status(503)), breaksAfter({metadata()}, failure(UpstreamFailure::Kind::disconnected, "disconnected"))});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.bytes.empty());
    QCOMPARE(outcome.atRoute->status, 503);  // the first planned attempt that reached an upstream
    QCOMPARE(bench.attempts.size(), std::size_t{2});
    QCOMPARE(bench.attempts[1].reason, std::string("disconnected"));
}

void TestPlanRouter::F70_faultSweepOverTargets() {
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

void TestPlanRouter::pinsAndExplicitEndpointsDoNotFallBack() {
    Bench bench({failsAtCall(status(500)), serves()});
    bench.plan.fallbackAllowed = false;
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
}

void TestPlanRouter::missingAdapterIsARefusedAttempt() {
    Bench bench({serves(), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}};
    const auto outcome = bench.run();
    QVERIFY(!outcome.atRoute);
    QCOMPARE(outcome.endpoint, std::string("p1:m"));
    QVERIFY(bench.attempts[0].outcome == AttemptOutcome::refused);
    QCOMPARE(bench.attempts[0].reason, std::string("provider_not_callable"));
    QVERIFY(bench.adapters[0]->bodies.empty());
}

// What comes behind those that cannot be called is the first try, and not a second one; what comes behind that is one.
void TestPlanRouter::missingAdapterIsNoTry() {
    Bench bench({serves(), serves(), failsAtCall(status(500)), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}, {"p1", "another"}};
    QCOMPARE(bench.run().endpoint, std::string("p3:m"));
    QCOMPARE(bench.attempts.size(), std::size_t{4});
    for (const std::size_t i : {0U, 1U, 2U}) QVERIFY(bench.attempts[i].role == AttemptRole::primary);
    QVERIFY(bench.attempts[3].role == AttemptRole::retry);
}

// Who cannot be called is not asked for in the budget's name, and the budget is what the client is told.
void TestPlanRouter::missingAdapterCostsNothing() {
    Bench bench({serves(), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}};
    std::string asked;
    bench.mayTry = [&](const policy::RouteTarget& target) -> std::optional<UpstreamFailure> {
        asked += target.providerId + " ";
        return failure(UpstreamFailure::Kind::refused, "budget_exhausted", 429);
    };
    const auto outcome = bench.run();
    QCOMPARE(asked, std::string("p1 "));
    QCOMPARE(bench.attempts[0].reason, std::string("provider_not_callable"));
    QVERIFY(outcome.atRoute);
    QCOMPARE(outcome.atRoute->code, std::string("budget_exhausted"));
}

void TestPlanRouter::allRefusedIsARefusalWithRetryAfter() {
    Bench bench({serves(), serves()});
    bench.missing = {{"p0", "Provider p0 has no base URL"}, {"p1", "another"}};
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::refused);
    QVERIFY(!outcome.atRoute->sent());
    QVERIFY(outcome.atRoute->retryAfter.has_value());
    QCOMPARE(outcome.atRoute->message, std::string("Provider p0 has no base URL"));
}

void TestPlanRouter::failedAttemptsDecideOverRefusedOnes() {
    Bench bench({serves(), failsAtCall(status(502)), failsAtCall(status(504))});
    bench.missing = {{"p0", "Provider p0 has no base URL"}};
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QCOMPARE(outcome.atRoute->status, 502);
    QCOMPARE(bench.attempts.size(), std::size_t{3});
}

void TestPlanRouter::compositionErrorsDoNotFallBack() {
    Bench bench({serves(), serves()});
    bench.plan.targets[0].model.clear();
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::composition);
    QCOMPARE(bench.attempts.size(), std::size_t{1});
}

void TestPlanRouter::emptyPlan() {
    Bench bench({});
    const auto outcome = bench.run();
    QVERIFY(outcome.atRoute);
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::composition);
}

QTEST_APPLESS_MAIN(TestPlanRouter)
#include "tst_plan_router.moc"
