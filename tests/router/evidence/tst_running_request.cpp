// SPDX-License-Identifier: MIT
// What an unfinished record tells of its request.
#include "router/evidence/running_request.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

Attempt under(const char* endpoint, std::optional<double> firstContentMs = {}) {
    Attempt attempt;
    attempt.endpointId = endpoint;
    attempt.firstContentMs = firstContentMs;
    return attempt;
}

Attempt ended(const char* endpoint, AttemptOutcome outcome, const char* reason, std::optional<double> firstContentMs = {}) {
    Attempt attempt = under(endpoint, firstContentMs);
    attempt.outcome = outcome;
    attempt.reason = reason;
    attempt.endedMs = 40;
    return attempt;
}

} // namespace

Q_DECLARE_METATYPE(std::vector<Attempt>)

class RunningRequestTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stages_data() {
        QTest::addColumn<std::vector<Attempt>>("attempts");
        QTest::addColumn<bool>("hasContent");
        QTest::addColumn<QByteArray>("stage");
        QTest::addColumn<QByteArray>("endpoint");
        const auto row = [](const char* tag, std::vector<Attempt> attempts, bool hasContent, const char* stage, const char* endpoint) {
            QTest::newRow(tag) << std::move(attempts) << hasContent << QByteArray(stage) << QByteArray(endpoint);
        };
        row("decided", {}, false, "queued", "");
        row("sent", {under("a:m")}, false, "waiting", "a:m");
        row("content", {under("a:m", 12)}, true, "streaming", "a:m");
        row("the last bytes are on their way", {ended("a:m", AttemptOutcome::served, "", 12)}, true, "streaming", "a:m");
        row("as the last resort", {ended("a:m", AttemptOutcome::served, "last_resort", 12)}, true, "streaming", "a:m");
        row("between two attempts", {ended("a:m", AttemptOutcome::failed, "status_500")}, false, "queued", "");
        row("fallback", {ended("a:m", AttemptOutcome::failed, "status_500"), under("b:m")}, false, "waiting", "b:m");
        row("nobody was asked yet", {ended("a:m", AttemptOutcome::refused, "circuit_open"), under("b:m")}, false, "waiting", "b:m");
        row("hedged", {under("a:m"), under("b:m")}, false, "waiting", "b:m");
        row("the first leg won", {under("a:m", 30), ended("b:m", AttemptOutcome::cancelled, "hedge_lost")}, true, "streaming", "a:m");
        row("the backup won", {ended("a:m", AttemptOutcome::cancelled, "hedge_lost"), under("b:m", 30)}, true, "streaming", "b:m");
    }
    void stages() {
        QFETCH(const std::vector<Attempt>, attempts);
        QFETCH(const bool, hasContent);
        QFETCH(const QByteArray, stage);
        QFETCH(const QByteArray, endpoint);
        DecisionRecord record;
        record.attempts = attempts;
        if (hasContent) record.firstContentMs = 12;
        const RunningRequest request = runningRequest(record, Steady(5s));
        QCOMPARE(QByteArray::fromStdString(std::string(toString(request.stage))), stage);
        QCOMPARE(QByteArray::fromStdString(request.endpointId), endpoint);
        QCOMPARE(request.attempts, static_cast<std::uint32_t>(attempts.size()));
        QVERIFY(request.admittedAt == Steady(5s));
        QVERIFY(parseStage(toString(request.stage)) == request.stage);
    }

    // A client chooses it, up to the limit of a body.
    void aModelsNameIsBounded() {
        DecisionRecord record;
        record.requestedModel = std::string(100'000, 'm');
        QVERIFY(runningRequest(record, {}).requestedModel.size() < 300);
    }

    void theOldestOfSeveralThreads() {
        const auto list = [](std::initializer_list<int> ages, std::uint64_t leftOut) {
            RunningRequests out;
            for (const int at : ages) out.rows.emplace_back().admittedAt = Steady(std::chrono::seconds(at));
            out.leftOut = leftOut;
            return out;
        };
        const RunningRequests all = oldestOf({list({1, 4, 9}, 5), list({}, 0), list({2, 3}, 0)}, 4);
        QCOMPARE(all.rows.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) QVERIFY(all.rows[static_cast<std::size_t>(i)].admittedAt == Steady(std::chrono::seconds(i + 1)));
        QCOMPARE(all.leftOut, std::uint64_t{6});
    }
};

QTEST_APPLESS_MAIN(RunningRequestTest)
#include "tst_running_request.moc"
