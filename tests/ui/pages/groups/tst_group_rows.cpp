// SPDX-License-Identifier: MIT
#include "tests/ui/pages/groups/group_samples.h"
#include "ui/pages/groups/candidates_model.h"
#include "ui/pages/groups/full_number.h"
#include "ui/pages/groups/group_words.h"
#include "ui/pages/groups/new_groups.h"

#include <QAbstractItemModelTester>
#include <QDoubleSpinBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

#include <numeric>

using namespace signalbox;
using namespace signalbox::ui;

static evidence::ShadowReport reportOf(const std::string& endpoint, double median, std::uint64_t calls) {
    evidence::ShadowReport report;
    evidence::ShadowReport::Candidate candidate;
    candidate.endpointId = endpoint;
    candidate.attempts = candidate.served = candidate.timedCalls = calls;
    candidate.totalP50Ms = median;
    report.candidates = {candidate};
    return report;
}

static engine::EndpointHealth healthOf(const std::string& endpoint, double average, std::uint64_t calls) {
    engine::EndpointHealth health;
    health.endpointId = endpoint;
    health.signals.attempts = calls;
    health.signals.latencyEwmaMs = average;
    return health;
}

class GroupRowsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void priorIsHeldAgainstEnoughRealCallsOnly_data() {
        QTest::addColumn<double>("median");
        QTest::addColumn<int>("calls");
        QTest::addColumn<int>("verdict");
        QTest::addRow("nothing measured") << 0.0 << 0 << int(PriorVerdict::unmeasured);
        QTest::addRow("too few") << 3900.0 << 19 << int(PriorVerdict::tooFewCalls);
        QTest::addRow("on the upper border") << 1800.0 << 20 << int(PriorVerdict::holds);
        QTest::addRow("slower") << 1801.0 << 20 << int(PriorVerdict::slower);
        QTest::addRow("on the lower border") << 600.0 << 20 << int(PriorVerdict::holds);
        QTest::addRow("faster") << 599.0 << 20 << int(PriorVerdict::faster);
    }
    void priorIsHeldAgainstEnoughRealCallsOnly() {
        QFETCH(double, median);
        QFETCH(int, calls);
        QFETCH(int, verdict);
        const auto rows = rowsOf({}, calls > 0 ? std::optional(reportOf("lab:small", median, std::uint64_t(calls))) : std::nullopt);
        QCOMPARE(int(rows[0].verdict()), verdict);
        QCOMPARE(int(rows[1].verdict()), int(PriorVerdict::unmeasured));
    }

    void medianOfTheRangeGoesBeforeTheRunningAverage() {
        const std::vector<engine::EndpointHealth> health{healthOf("lab:small", 2000, 400)};
        auto row = rowsOf(health, reportOf("lab:small", 3900, 25))[0];
        QCOMPARE(row.measured()->milliseconds, 3900.0);
        row = rowsOf(health, reportOf("lab:small", 3900, 5))[0];
        QCOMPARE(row.measured()->milliseconds, 2000.0);
        QVERIFY(!row.measured()->isMedian);
        QVERIFY(verdictText(row).contains(QStringLiteral("400")));
    }

    void useMeasuredRoundsToTwoDigitsWithinTheLimits() {
        QCOMPARE(roundedHint(3912), std::uint32_t{3900});
        QCOMPARE(roundedHint(847.4), std::uint32_t{850});
        QCOMPARE(roundedHint(94.7), std::uint32_t{95});
        QCOMPARE(roundedHint(7.4), std::uint32_t{7});
        QCOMPARE(roundedHint(0.02), std::uint32_t{1});
        QCOMPARE(roundedHint(9e9), std::uint32_t{600'000});
        auto rows = rowsOf({}, reportOf("lab:small", 1210, 100));
        QVERIFY(!rows[0].measuredHint());  // 1,200 stands there
        rows = rowsOf({}, reportOf("lab:small", 3912, 100));
        QCOMPARE(rows[0].measuredHint().value(), std::uint32_t{3900});
    }

    void f66SharesAlwaysTotalAHundred() {
        FastRandom random(66);
        for (int i = 0; i < 2000; ++i) {
            const auto any = [&random] { return double(random.next() % 1000) / 7.0; };
            const policy::smart::Weights weights{any(), any(), any(), any() + 0.01};
            const auto shares = percentShares(weights);
            QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), 100);
        }
        QCOMPARE((percentShares({1, 1, 1, 0})), (std::array<int, 4>{34, 33, 33, 0}));
        QCOMPARE((percentShares({0.45, 0.2, 0.2, 0.15})), (std::array<int, 4>{45, 20, 20, 15}));
        QCOMPARE((percentShares({})), (std::array<int, 4>{0, 0, 0, 0}));
    }

    void f82NumberIsShownInFullOrNotAtAll() {
        QDoubleSpinBox box;
        box.setRange(0, 1);
        QVERIFY(showInFull(&box, 0.7234567, 3));
        QCOMPARE(box.value(), 0.7234567);
        QCOMPARE(box.text(), QStringLiteral("0.7234567"));
        QVERIFY(showInFull(&box, 0.8, 3));
        QCOMPARE(box.text(), QStringLiteral("0.800"));
        QVERIFY(!showInFull(&box, 1.0 / 3, 3));
        QVERIFY(!box.isEnabled());
    }

    void f58StateSaysWhoCoolsWhyAndHowLong() {
        engine::EndpointHealth health = healthOf("lab:small", 100, 1);
        health.circuit = "open";
        health.cause = "status_429";
        health.coolsFor = std::chrono::milliseconds(23'400);
        auto row = rowsOf({health}, {})[0];
        QCOMPARE(stateOf(row).text, QStringLiteral("cooling 24 s"));
        QVERIFY(stateOf(row).why.contains(QStringLiteral("status_429")));
        QVERIFY(stateOf(row).tone == Tone::caution);
        row.candidate.enabled = false;
        QCOMPARE(stateOf(row).text, QStringLiteral("disabled"));
        QCOMPARE(stateOf(rowsOf({}, {})[0]).text, QStringLiteral("not running"));
        health = healthOf("lab:small", 100, 1);
        health.credentialReady = false;
        QVERIFY(stateOf(rowsOf({health}, {})[0]).tone == Tone::danger);
        QCOMPARE(stateOf(rowsOf({health}, {})[0]).text, QStringLiteral("no credential"));
        health.lacks = "base_url";
        QCOMPARE(stateOf(rowsOf({health}, {})[0]).text, QStringLiteral("not callable"));
    }

    void healthThatIsLeftOutIsNoStoppedGateway() {
        auto row = rowsOf({}, {})[0];
        row.whyNoHealth = QStringLiteral("prod-a does not run what is open here.");
        QCOMPARE(stateOf(row).text, QStringLiteral("not known"));
        QCOMPARE(stateOf(row).why, row.whyNoHealth);
        row.candidate.enabled = false;
        QCOMPARE(stateOf(row).text, QStringLiteral("disabled"));
    }

    void toolCallsAreCountedWithoutThoseThatNobodyCanCheck_data() {
        QTest::addColumn<int>("fit");
        QTest::addColumn<int>("violating");
        QTest::addColumn<int>("unchecked");
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("inFull");
        QTest::addRow("none") << 0 << 0 << 0 << QStringLiteral("–") << QStringLiteral("No tool was called in the range.");
        QTest::addRow("none that could be checked") << 0 << 0 << 7 << QStringLiteral("–") << QStringLiteral("None of 7 tool call(s) could be checked.");
        QTest::addRow("all fit") << 40 << 0 << 0 << QStringLiteral("100.0 %") << QStringLiteral("The arguments of 40 of 40 tool calls fit the schema that the client offered.");
        QTest::addRow("none fits") << 0 << 3 << 0 << QStringLiteral("0.0 %") << QStringLiteral("The arguments of 0 of 3 tool calls fit the schema that the client offered.");
        QTest::addRow("some") << 1989 << 11 << 1500 << QStringLiteral("99.5 %")
                              << QStringLiteral("The arguments of 1,989 of 2,000 tool calls fit the schema that the client offered. 1,500 more could not be checked.");
    }
    void toolCallsAreCountedWithoutThoseThatNobodyCanCheck() {
        QFETCH(int, fit);
        QFETCH(int, violating);
        QFETCH(int, unchecked);
        QFETCH(QString, cell);
        QFETCH(QString, inFull);
        auto rows = rowsOf({}, {});
        rows[0].toolCalls = {std::uint64_t(fit), std::uint64_t(violating), std::uint64_t(unchecked)};
        CandidatesModel model;
        model.set(rows, {}, false);
        QCOMPARE(model.index(0, CandidatesModel::ToolsValid).data().toString(), cell);
        QCOMPARE(toolCallsText(rows[0].toolCalls), inFull);
    }

    void pricesSayWhereTheyComeFromAndHowOldTheyAre() {
        const auto rows = rowsOf({}, {});
        QVERIFY(rows[0].priceOrigin == PriceOrigin::assumed);
        QCOMPARE(priceText(rows[0]), QStringLiteral("1.00 / 4.00"));
        QVERIFY(priceSource(rows[0], {}).startsWith(QStringLiteral("assumed")));
        QVERIFY(rows[1].priceOrigin == PriceOrigin::model);
        const QString source = priceSource(rows[1], QDate(2026, 11, 29));
        QVERIFY2(source.contains(QStringLiteral("price list")) && source.contains(QStringLiteral("28")), qPrintable(source));
    }

    void modelShowsPriorBesideMeasured() {
        CandidatesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set(rowsOf({}, reportOf("lab:small", 3912, 100)), [](std::size_t, const std::string& key) { return QStringLiteral("gateway.toml, ") + QString::fromStdString(key); }, true);
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) cells << model.index(0, column).data().toString();
        QCOMPARE(cells.join(QLatin1Char('|')), QStringLiteral("1|lab:small|0.72|1,200|3,912|100|1.00 / 4.00 assumed|100.0 %|–|not running"));
        QCOMPARE(model.index(0, CandidatesModel::Measured).data(ToneRole).toInt(), int(Tone::caution));
        QVERIFY(!model.index(1, CandidatesModel::Measured).data(ToneRole).isValid());
        // F83: hovering tells where the value comes from.
        QVERIFY(model.index(0, CandidatesModel::Hint).data(Qt::ToolTipRole).toString().contains(QStringLiteral("gateway.toml, latency_hint_ms")));
    }

    void droppingARowOnlyAsksForTheMove_data() {
        QTest::addColumn<int>("dragged");
        QTest::addColumn<int>("dropped");
        QTest::addColumn<int>("to");
        QTest::addRow("first below the last") << 0 << -1 << 1;
        QTest::addRow("second above the first") << 1 << 0 << 0;
        QTest::addRow("first onto its own place") << 0 << 1 << -1;
    }
    void droppingARowOnlyAsksForTheMove() {
        QFETCH(int, dragged);
        QFETCH(int, dropped);
        QFETCH(int, to);
        CandidatesModel model;
        model.set(rowsOf({}, {}), {}, true);
        QSignalSpy spy(&model, &CandidatesModel::moveAsked);
        const std::unique_ptr<QMimeData> data(model.mimeData({model.index(dragged, 0)}));
        QVERIFY(!model.dropMimeData(data.get(), Qt::MoveAction, dropped, 0, {}));
        QCOMPARE(spy.count(), to < 0 ? 0 : 1);
        if (to >= 0) QCOMPARE(spy.first().at(1).toInt(), to);
        QCOMPARE(model.at(0)->endpointId, std::string("lab:small"));  // the policy moves it
    }

    // An edit undone, or a file read again, while it is dragged.
    void aRowThatBecameAnotherIsNotMoved() {
        CandidatesModel model;
        auto rows = rowsOf({}, {});
        model.set(rows, {}, true);
        QSignalSpy spy(&model, &CandidatesModel::moveAsked);
        const std::unique_ptr<QMimeData> data(model.mimeData({model.index(0, 0)}));
        std::swap(rows[0], rows[1]);
        model.set(rows, {}, true);
        QVERIFY(!model.dropMimeData(data.get(), Qt::MoveAction, -1, 0, {}));
        QCOMPARE(spy.count(), 0);
    }

    void newGroupIsValidAndTakesNoName() {
        const auto config = test::groupConfig();
        const auto group = newGroup(*config);
        QVERIFY(group.has_value());
        QCOMPARE(group->id, std::string("auto-2"));
        QCOMPARE(group->aliases, std::vector<std::string>{"auto-2"});
        QCOMPARE(group->candidates.size(), std::size_t{2});
        QCOMPARE(group->candidates[1].provider, std::string("cloud"));
        QCOMPARE(freeAlias(*config, "fast"), std::string("fast-2"));
        QCOMPARE(freeAlias(*config, "large"), std::string("large-2"));
        QVERIFY(!newGroup(*test::groupConfig("[providers.silent]\nmodels = [\"mute\"]\n")).has_value());
        const auto copy = duplicateOf(*config, config->routing.groups.front());
        QCOMPARE(copy.id, std::string("auto-copy"));
        QCOMPARE(copy.aliases, std::vector<std::string>{"auto-copy"});
    }

    void unusedCandidatePrefersWhatCanBeCalled() {
        const auto config = test::groupConfig();
        auto group = config->routing.groups.front();
        QCOMPARE(unusedCandidate(*config, group)->model, std::string("large"));
        config::Candidate large;
        large.provider = "lab";
        large.model = "large";
        group.candidates.push_back(large);
        QCOMPARE(unusedCandidate(*config, group)->provider, std::string("silent"));
    }

    void sentenceNamesTheWorstPrior() {
        const QString sentence = priorsSentence(rowsOf({}, reportOf("lab:small", 3912, 120)), std::chrono::hours(24), {});
        QVERIFY2(sentence.contains(QStringLiteral("lab:small")) && sentence.contains(QStringLiteral("3.91 s")) && sentence.contains(QStringLiteral("120")), qPrintable(sentence));
        const QString nothing = priorsSentence(rowsOf({}, {}), std::chrono::hours(24), QStringLiteral("the database is away"));
        QVERIFY2(nothing.contains(QStringLiteral("20")) && nothing.contains(QStringLiteral("database")), qPrintable(nothing));
    }

private:
    static std::vector<CandidateRow> rowsOf(const std::vector<engine::EndpointHealth>& health, const std::optional<evidence::ShadowReport>& report) {
        static const auto config = test::groupConfig();
        return candidateRows(*config, config->routing.groups.front(), health, report);
    }
};

QTEST_MAIN(GroupRowsTest)
#include "tst_group_rows.moc"
