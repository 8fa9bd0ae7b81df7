// SPDX-License-Identifier: MIT
#include "router/capacity/circuit.h"
#include "router/strategy/admission/types.h"
#include "router/strategy/routewise/effective_cost.h"
#include "router/strategy/routewise/mix.h"
#include "ui/models/attempt_words.h"
#include "ui/models/pool_words.h"

#include <QTest>

#include <array>
#include <numeric>

using namespace signalbox;
using namespace signalbox::ui;

static QString text(std::string_view word) { return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())); }

class PoolWordsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A word of the router that has no sentence here would be shown as it is.
    void everyWordOfTheRouterHasASentence() {
        using namespace strategy::routewise;
        for (const MixStatus status : {MixStatus::optimal, MixStatus::singleProvider, MixStatus::cheapestFallback, MixStatus::noFeasibleCandidates})
            QVERIFY2(words::mixStatus(toString(status)) != text(toString(status)), qPrintable(text(toString(status))));
        for (const Exclusion why : {Exclusion::circuitOpen, Exclusion::envelopeUncalibrated, Exclusion::quotaNotReady, Exclusion::quotaExhausted, Exclusion::noFreeSlot})
            QVERIFY2(words::excluded(toString(why)) != text(toString(why)), qPrintable(text(toString(why))));
        using strategy::admission::Reason;
        for (const Reason reason : {Reason::concurrencyCapacity, Reason::tokenCapacity, Reason::workCapacity, Reason::ttftDeadline, Reason::tpotCapacity, Reason::notArrived, Reason::baselineAllApi,
                                    Reason::baselineAllLocal, Reason::baselineConcurrency, Reason::admitted})
            QVERIFY2(words::admission(toString(reason)) != text(toString(reason)), qPrintable(text(toString(reason))));
        using capacity::OpenCause;
        for (const OpenCause cause : {OpenCause::consecutiveFailures, OpenCause::availability, OpenCause::rateLimited, OpenCause::probeFailed, OpenCause::byHand})
            QVERIFY2(words::openCause(toString(cause)) != text(toString(cause)), qPrintable(text(toString(cause))));
        for (const char* hedge : {"disabled", "answered", "not_acceptable", "no_backup", "spend_cap", "refused", "lost", "won", "failed"})
            QVERIFY2(words::hedge(hedge) != QLatin1String(hedge), hedge);
        for (const char* router : {"fixed", "routewise", "greedy", "hybrid"}) QVERIFY2(!words::routerHelp(router).isEmpty() && words::routerHelp(router) != QLatin1String(router), router);
    }

    void whyAnAttemptEndedHasASentence() {
        for (const char* reason : {"hedge_lost", "client_gone", "gateway_stopped", "request_budget", "connect_refused", "connect_unreachable", "connect_dns", "connect_tls", "connect_failed", "timeout_connect",
                                   "timeout_first_byte", "timeout_stream_idle", "timeout_total", "disconnected", "unusable_encoding", "corrupt_encoding", "circuit_open", "endpoint_drained", "no_free_slot",
                                   "quota_exhausted", "endpoint_not_allowed", "last_resort"})
            QVERIFY2(words::attemptReason(reason) != QLatin1String(reason), reason);
        QCOMPARE(words::attemptReason("of_a_newer_version"), QStringLiteral("of_a_newer_version"));
    }

    void targetsThatArePoolsAreNamedByTheirRouter() {
        policy::RouteTarget target;
        target.providerId = "lab_a";
        target.model = "m";
        QCOMPARE(words::target(target), QStringLiteral("lab_a:m"));
        QCOMPARE(words::target({{}, "assistant", {}, "assistant"}), QStringLiteral("the router of assistant"));
    }

    void newerWordsComeBackAsTheyAre() {
        QCOMPARE(words::excluded("moon_phase"), QStringLiteral("moon_phase"));
        QCOMPARE(words::hedge("moon_phase"), QStringLiteral("moon_phase"));
    }

    void composedWordsAreTakenApart() {
        QCOMPARE(words::excluded("capability:vision"), QStringLiteral("lacks vision"));
        QCOMPARE(words::poolAffinity("dropped:circuit_open"), QStringLiteral("the session left its endpoint: its circuit is open"));
        QCOMPARE(words::excluded("ttft_deadline"), words::admission("ttft_deadline"));
    }

    void percentsTotalAHundred_data() {
        QTest::addColumn<QList<double>>("shares");
        QTest::addColumn<QList<int>>("expected");
        QTest::newRow("thirds") << QList<double>{1.0 / 3, 1.0 / 3, 1.0 / 3} << QList<int>{34, 33, 33};
        QTest::newRow("largest remainder") << QList<double>{0.006, 0.496, 0.498} << QList<int>{0, 50, 50};
        QTest::newRow("weights, not shares") << QList<double>{3, 1} << QList<int>{75, 25};
        QTest::newRow("one") << QList<double>{1} << QList<int>{100};
        QTest::newRow("none has any") << QList<double>{0, 0} << QList<int>{0, 0};
        QTest::newRow("empty") << QList<double>{} << QList<int>{};
    }
    void percentsTotalAHundred() {
        QFETCH(QList<double>, shares);
        QFETCH(QList<int>, expected);
        const auto percents = words::percents({shares.begin(), shares.end()});
        QCOMPARE(QList<int>(percents.begin(), percents.end()), expected);
    }

    void dollarsHaveDigitsEnough() {
        QCOMPARE(words::usd(0.000412), QStringLiteral("0.000412"));
        QCOMPARE(words::usd(12.5), QStringLiteral("12.50"));
        QCOMPARE(words::usd(std::nullopt), QStringLiteral("–"));
    }
};

QTEST_MAIN(PoolWordsTest)
#include "tst_pool_words.moc"
