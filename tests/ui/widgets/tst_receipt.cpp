// SPDX-License-Identifier: MIT
#include "tests/support/found_by_rows.h"
#include "tests/ui/pages/history/records.h"
#include "tests/ui/widgets/terms/groups.h"
#include "ui/theme/theme.h"
#include "ui/widgets/receipt/attempt_timeline.h"
#include "ui/widgets/receipt/receipt_parts.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/section.h"
#include "ui/widgets/terms/term_chart.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static evidence::DecisionRecord fullRecord() {
    test::CountingRandom random;
    auto record = test::record(Timestamp(std::chrono::seconds(1'795'867'200)), random, "p-struct");
    record.features.cell = {table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};
    record.features.outputCap = 200;
    record.features.inFlight = 6;
    record.rules = {{0, "p-struct", "matched"}, {1, "p-long", "length_differs"}};
    record.tableSha256 = "abc";
    record.attempts = {{"lab_a:m", evidence::AttemptRole::primary, evidence::AttemptOutcome::failed, 503, "status_503", 1, std::nullopt, 40},
                       {"lab_b:m", evidence::AttemptRole::retry, evidence::AttemptOutcome::served, 200, "", 41, 420.0, 2400}};
    return record;
}

static evidence::DecisionRecord groupRecord() {
    auto record = fullRecord();
    record.requestedModel = "auto";
    record.group = test::recordedGroup();
    record.mode = "shadow";
    record.policyVersion = "builtin-v1";
    record.resolvedBy = "smart_alias";
    return record;
}

class ReceiptTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void readsAloudInTheOrderOfDeciding() {
        const QString text = receiptText(fullRecord(), nullptr);
        qsizetype at = 0;
        for (const char* part : {"gemma-4-26b went to lab_a:gemma-4-26b by rule 1", "What came in", "structured answer", "200 tokens", "6, this one included: many at once",
                                 "How the name resolved", "governed by the routing table", "What the table said", "Rule 1: for p-struct: matched",
                                 "Rule 2: for p-long: another output length", "What was sent where", "Attempt 1: lab_a:m · failed", "HTTP 503",
                                 "Attempt 2: lab_b:m · answered", "What it cost", "577", "Who decided", "rtd_"}) {
            const qsizetype found = text.indexOf(QString::fromUtf8(part), at);
            QVERIFY2(found >= 0, qPrintable(QString::fromUtf8(part) + QStringLiteral(" is missing or too early in\n") + text));
            at = found;
        }
    }

    void whatAnUpstreamWasNotToldIsSaid() {
        auto record = fullRecord();
        QVERIFY(!receiptText(record, nullptr).contains(QStringLiteral("sent without")));
        record.attempts[1].leftOut = "strict";
        const QString text = receiptText(record, nullptr);
        QVERIFY2(text.contains(QStringLiteral("Attempt 2: lab_b:m · answered · HTTP 200 · sent without strict")), qPrintable(text));
    }

    void sentenceSaysWhatCovered_data() {
        QTest::addColumn<QString>("coverage");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<QString>("end");
        QTest::newRow("default") << QStringLiteral("default") << true << QStringLiteral("by the family's default");
        QTest::newRow("gap") << QStringLiteral("gap") << true << QStringLiteral("in a declared gap of the table");
        QTest::newRow("none") << QStringLiteral("none") << true << QStringLiteral("; nothing in the table covers it");
        QTest::newRow("not asked") << QStringLiteral("none") << false << QStringLiteral("; the routing table was not used");
    }
    void sentenceSaysWhatCovered() {
        QFETCH(QString, coverage);
        QFETCH(bool, asked);
        QFETCH(QString, end);
        auto record = fullRecord();
        record.ruleIndex.reset();
        record.coverage = coverage.toStdString();
        if (!asked) record.reason.clear();
        QVERIFY2(receiptSentence(record).endsWith(end), qPrintable(receiptSentence(record)));
    }

    void explainsRulesOnlyByTheTableThatDecided() {
        auto table = std::make_shared<table::RoutingTable>();
        table->rules.push_back({"gemma", {}, "p-struct", "bench of May", "measured"});
        policy::LoadedWorkspace workspace;
        workspace.table.table = table;
        workspace.table.sha256 = "abc";
        QVERIFY(receiptText(fullRecord(), &workspace).contains(QStringLiteral("bench of May")));
        workspace.table.sha256 = "another";
        QVERIFY(!receiptText(fullRecord(), &workspace).contains(QStringLiteral("bench of May")));
    }

    void groupIsReadAloudWithItsReasons() {
        const QString text = receiptText(groupRecord(), nullptr);
        for (const char* part : {"auto in shadow would rather have tried local:qwen3-9b", "What the group said", "Mode: shadow: every candidate is scored",
                                 "Bucket: 41 of 100, outside of the 0 % that are active", "Tried first: deepseek:flash, score 0.6485",
                                 "Difference: the recommended one is cheaper; 0.2210 ahead", "Deciding term: cost", "Cut: openrouter:mid: cooling down",
                                 "Candidate: local:qwen3-9b, score 0.8695: quality 0.2520", "Weights: quality 35.0 %", "estimate",
                                 "Session: not selected; it leans to lab_b:gemma-4-26b-instruct-long-name", "shadow changes no route",
                                 "Group and table: the group said deepseek:flash; the table", "preset p-struct"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(QString::fromUtf8(part) + QStringLiteral(" is missing in\n") + text));
        QVERIFY(text.indexOf(QStringLiteral("What the group said")) < text.indexOf(QStringLiteral("What the table said")));
    }

    void itSaysWhereAFeatureComesFrom_data() { test::foundByRows(); }
    void itSaysWhereAFeatureComesFrom() {
        QFETCH(int, by);
        QFETCH(QString, words);
        auto record = fullRecord();
        record.features.workloadFoundBy = static_cast<classify::FoundBy>(by);
        const QString text = receiptText(record, nullptr);
        QVERIFY2(text.contains(QStringLiteral(" · ") + words + QLatin1Char('\n')), qPrintable(text));
    }

    void aTableWithoutAPartInItSaysSo() {
        auto record = fullRecord();
        record.reason.clear();
        const QString text = receiptText(record, nullptr);
        QVERIFY2(text.contains(QStringLiteral("not used: the requested name does not lead to it")) && !text.contains(QStringLiteral("asked: ")), qPrintable(text));
    }

    void otherProfilesAreDecidedAgainFromWhatWasRecorded() {
        auto record = groupRecord();
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("Under latency: deepseek:flash instead")));
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("Under economy: the same: local:qwen3-9b")));
        QVERIFY(!receiptText(record, nullptr).contains(QStringLiteral("Under balanced")));
        record.policyVersion = "ours-v3";
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("the weights of ours-v3 are not known here")));
        record.policyVersion = "builtin-v1";
        record.group->candidatesTotal = 20;
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("cannot be told: not every candidate was recorded")));
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("16 of the group's 20 candidates")));
    }

    void refusedGroupSaysWhoWasCut() {
        auto record = groupRecord();
        record.endpointId.clear();
        record.attempts.clear();
        record.outcome = evidence::Outcome::refused;
        record.group->selected.clear();
        record.group->recommended.clear();
        record.group->decidingTerm.clear();
        for (auto& candidate : record.group->candidates) candidate.cut = "credential";
        const QString text = receiptText(record, nullptr);
        QVERIFY2(text.contains(QStringLiteral("refused: no candidate could serve")) && text.count(QStringLiteral("no API key")) == 4, qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("Under ")));
    }

    // An answer in one piece has its first content with its last, whatever was asked for.
    void saysTheSpeedOfAStreamOnly_data() {
        QTest::addColumn<bool>("stream");
        QTest::addColumn<double>("first");
        QTest::addColumn<QString>("speed");
        QTest::newRow("streamed") << true << 400.0 << QStringLiteral("Speed: 250.0 tokens/s\n");
        QTest::newRow("asked for in one piece") << false << 2399.9998 << QString();
        QTest::newRow("asked for in one piece, held up") << false << 400.0 << QString();
        QTest::newRow("a stream that came in one piece") << true << 2399.9998 << QString();
    }
    void saysTheSpeedOfAStreamOnly() {
        QFETCH(bool, stream);
        QFETCH(double, first);
        QFETCH(QString, speed);
        auto record = fullRecord();
        record.features.stream = stream;
        record.firstContentMs = first;
        const QString text = receiptText(record, nullptr);
        QVERIFY2(speed.isEmpty() ? !text.contains(QStringLiteral("tokens/s")) : text.contains(speed), qPrintable(text));
    }

    void saysWhatToolsWereOffered_data() {
        QTest::addColumn<unsigned>("tools");
        QTest::addColumn<unsigned>("functions");
        QTest::addColumn<QString>("line");
        QTest::newRow("none") << 0U << 0U << QString();
        QTest::newRow("tools") << 2U << 0U << QStringLiteral("Tools offered: 2\n");
        QTest::newRow("functions") << 0U << 1U << QStringLiteral("Tools offered: 1 · as functions (the older tools): 1\n");
        QTest::newRow("both") << 2U << 1U << QStringLiteral("Tools offered: 3 · as functions (the older tools): 1\n");
    }
    void saysWhatToolsWereOffered() {
        QFETCH(unsigned, tools);
        QFETCH(unsigned, functions);
        QFETCH(QString, line);
        auto record = fullRecord();
        record.features.toolsOffered = tools;
        record.features.functionsOffered = functions;
        const QString text = receiptText(record, nullptr);
        QCOMPARE(text.contains(QStringLiteral("Tools offered")), !line.isEmpty());
        QVERIFY2(text.contains(line), qPrintable(text));
    }

    void saysWhetherToolCallsFit() {
        auto record = fullRecord();
        QVERIFY(!receiptText(record, nullptr).contains(QStringLiteral("Tool calls")));
        record.toolsCalled = 4;
        record.toolsValidJson = 3;
        record.toolsFitSchema = 1;
        record.toolsUnchecked = 1;
        QVERIFY2(receiptText(record, nullptr).contains(QStringLiteral(
                     "Tool calls: 4 · arguments fit the offered schema: 1 · do not fit: 2 · could not be checked: 1")),
                 qPrintable(receiptText(record, nullptr)));
        record.toolsUnchecked = 0;
        record.toolsFitSchema = 4;
        QVERIFY(!receiptText(record, nullptr).contains(QStringLiteral("do not fit")));
    }

    void saysWhyNoFallbackWasTried_F50() {
        auto record = fullRecord();
        record.whyNoFallback = "not_for_this_failure";
        const QString text = receiptText(record, nullptr);
        QVERIFY(text.contains(QStringLiteral("No fallback: this kind of failure falls back nowhere")));
        record.whyNoFallback = "a_word_of_tomorrow";
        QVERIFY(receiptText(record, nullptr).contains(QStringLiteral("No fallback: a_word_of_tomorrow")));
    }

    void poolSaysWhoWasDrawnAndWhyNotTheOthers() {
        auto record = fullRecord();
        record.requestedModel = "assistant";
        record.resolvedBy = "model_router";
        record.reason.clear();
        evidence::RecordedPool pool;
        pool.poolId = "assistant";
        pool.router = "routewise";
        pool.drawn = "lab_a:m";
        pool.affinity = "dropped:circuit_open";
        pool.candidates = {{"lab_a:m", "", 0.000412, 560, 0.667}, {"lab_b:m", "", 0.0009, 175, 0.333}, {"north:large", "capability:vision", std::nullopt, std::nullopt, 0}};
        pool.candidatesTotal = 20;
        pool.mixStatus = "optimal";
        pool.budgetUsd = 0.0006;
        pool.hedge = "won";
        pool.hedgeAtMs = 900;
        record.pool = pool;
        record.attempts[1].role = evidence::AttemptRole::hedge;
        record.attempts[1].outputTokens = 48;
        record.attempts[1].costUsd = 0.00021;
        const QString text = receiptText(record, nullptr);
        qsizetype at = 0;
        for (const char* part : {"chosen by its router (RouteWise)", "What the table said", "What the model's router chose", "Drawn: lab_a:m", "Session: the session left its endpoint: its circuit is open",
                                 "Candidate: lab_a:m: share 67 % · 0.000412 USD (estimate) · first token after 560 ms on average", "Candidate: lab_b:m: share 33 %", "Candidate: north:large: left out: lacks vision",
                                 "3 of 20 were recorded", "Mix: the fastest mix within the budget", "Backup request: sent, and it answered first, 900 ms after the first try", "What was sent where",
                                 "Attempt 2: lab_b:m · backup · answered", "– tokens in, 48 out", "0.000210 USD (estimate)"}) {
            const qsizetype found = text.indexOf(QString::fromUtf8(part), at);
            QVERIFY2(found >= 0, qPrintable(QString::fromUtf8(part) + QStringLiteral(" is missing or too early in\n") + text));
            at = found;
        }
    }

    void localServersAdmissionIsSaid() {
        auto record = fullRecord();
        evidence::RecordedPool pool;
        pool.router = "hybrid";
        pool.admission = "ttft_deadline";
        pool.predictedTtftMs = 4'200;
        record.pool = pool;
        const QString text = receiptText(record, nullptr);
        QVERIFY(text.contains(QStringLiteral("hybrid, experimental.")));
        QVERIFY(text.contains(QStringLiteral("Local server: its first token would come after the deadline")));
        QVERIFY(text.contains(QStringLiteral("Local first token: 4.20 s (estimate)")));
        QVERIFY(text.contains(QStringLiteral("none: no endpoint could take it")));
    }

    void whatACandidateLackedStandsBesideItsCut() {
        auto record = groupRecord();
        auto& candidate = record.group->candidates.back();
        candidate.cut = "capability";
        candidate.missing = {"vision", "tools"};
        QVERIFY2(receiptText(record, nullptr).contains(QStringLiteral("it lacks vision and tools")), qPrintable(receiptText(record, nullptr)));
    }

    void groupIsDrawnAsBars() {
        ReceiptView view;
        view.setRecord(std::make_shared<const evidence::DecisionRecord>(groupRecord()), nullptr);
        QCOMPARE(view.findChildren<Section*>().size(), 7);
        const auto* terms = view.findChild<TermChart*>();
        QVERIFY(terms != nullptr);
        QCOMPARE(terms->decision().rows.size(), std::size_t{4});
    }

    void viewShowsEveryPartAndCopies() {
        for (const auto columns : {ReceiptView::Columns::one, ReceiptView::Columns::two}) {
            ReceiptView view(columns);
            view.setRecord(std::make_shared<const evidence::DecisionRecord>(fullRecord()), nullptr);
            QCOMPARE(view.findChildren<Section*>().size(), 6);
            const auto* timeline = view.findChild<AttemptTimeline*>();
            QVERIFY(timeline != nullptr && timeline->accessibleDescription().contains(QStringLiteral("lab_b:m")));
            const auto buttons = view.findChildren<QPushButton*>();
            QCOMPARE(buttons.size(), 2);
            buttons.at(0)->click();
            QCOMPARE(QGuiApplication::clipboard()->text(), receiptText(fullRecord(), nullptr));
            buttons.at(1)->click();
            const auto decoded = evidence::decodeRecord(QGuiApplication::clipboard()->text().toStdString());
            QVERIFY(decoded && decoded->attempts == fullRecord().attempts);
        }
    }

    // Whatever wraps has room for all of its lines, however narrow the inspector is, and keeps none that it does not need.
    void textsThatWrapAreWhole_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<ReceiptView::Columns>("columns");
        for (const int width : {280, 300, 320, 400}) QTest::addRow("%d", width) << width << ReceiptView::Columns::one;
        QTest::newRow("two columns") << 900 << ReceiptView::Columns::two;
    }
    void textsThatWrapAreWhole() {
        QFETCH(int, width);
        QFETCH(ReceiptView::Columns, columns);
        for (const auto& record : {fullRecord(), groupRecord()}) {
            ReceiptView view(columns);
            view.setRecord(std::make_shared<const evidence::DecisionRecord>(record), nullptr);
            view.resize(width, view.heightForWidth(width) + 100);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            for (const auto* label : view.findChildren<QLabel*>())
                if (label->wordWrap() && label->isVisible())
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            for (const auto* section : view.findChildren<Section*>())
                QVERIFY2(section->height() <= section->heightForWidth(section->width()) + 2, qPrintable(section->accessibleName()));
        }
    }
};

QTEST_MAIN(ReceiptTest)
#include "tst_receipt.moc"
