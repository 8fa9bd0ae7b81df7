// SPDX-License-Identifier: MIT
#include "tests/ui/pages/history/records.h"
#include "ui/models/record_words.h"
#include "ui/pages/history/history_query.h"
#include "ui/pages/history/history_words.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using Field = HistoryQuery::Field;

static HistoryQuery everything() {
    HistoryQuery query;
    query.slice = evidence::TimeRange{Timestamp(std::chrono::seconds(100)), Timestamp(std::chrono::seconds(200))};
    query.preset = "p1";
    query.rule = 3;
    query.family = "gemma";
    query.cells = {2, 4};
    query.coverage = "gap";
    query.outcome = evidence::Outcome::failed;
    query.endpoint = "lab_a:m";
    query.attempted = "lab_b:m";
    query.team = "support";
    query.model = "auto";
    query.group = "auto";
    query.profile = "balanced";
    query.mode = "shadow";
    query.selected = "lab_a:m";
    query.recommended = "lab_b:m";
    query.decidingTerm = "cost";
    query.disagreement = true;
    query.marginSlot = 20;
    return query;
}

class HistoryQueryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void argumentsRoundTrip() {
        QCOMPARE(HistoryQuery::fromArguments(everything().toArguments(), nullptr), everything());
        QVERIFY(HistoryQuery::fromArguments({{QStringLiteral("back"), true}}, nullptr).isUnfiltered());
    }

    void everyConditionIsMappedShownAndRemovable() {
        const evidence::TimeRange range{Timestamp(std::chrono::seconds(0)), Timestamp(std::chrono::seconds(900))};
        HistoryQuery query = everything();
        const auto table = query.tableFilter(range), chart = query.chartFilter(range);
        QCOMPARE(table.range, *query.slice);
        QCOMPARE(chart.range, range);
        QVERIFY(table.presetKey == "p1" && !chart.presetKey);
        QVERIFY(table.ruleIndex == 3U && table.family == "gemma" && table.coverage == "gap" && table.endpointId == "lab_a:m");
        QVERIFY(table.outcome == evidence::Outcome::failed && table.cells.size() == 2);
        QVERIFY(table.attempted == "lab_b:m" && table.group == "auto" && table.profile == "balanced" && table.mode == "shadow");
        QVERIFY(table.selected == "lab_a:m" && table.recommended == "lab_b:m" && table.decidingTerm == "cost");
        QVERIFY(table.disagreement == true && table.marginSlot == 20U && chart.marginSlot == 20U);
        QVERIFY(table.team == "support" && table.requestedModel == "auto" && chart.team == "support" && chart.requestedModel == "auto");
        QCOMPARE(chipText(query, Field::team), QStringLiteral("Team: support"));
        QCOMPARE(chipText(query, Field::model), QStringLiteral("Model asked for: auto"));
        QCOMPARE(chipText(query, Field::marginSlot), QStringLiteral("Score margin: 0.20 or more"));
        QCOMPARE(chipText(query, Field::decidingTerm), QStringLiteral("Because: cheaper"));
        QCOMPARE(chipText(query, Field::disagreement), QStringLiteral("Recommendation differs"));
        for (const Field field : kHistoryFields) {
            QVERIFY(query.has(field) && !chipText(query, field).isEmpty());
            query = query.without(field);
            QVERIFY(!query.has(field));
        }
        QVERIFY(query.isUnfiltered());
    }

    void noTeamIsAConditionToo() {
        const auto query = HistoryQuery::fromArguments({{QStringLiteral("team"), QString()}}, nullptr);
        QVERIFY(query.has(Field::team) && query.team->empty());
        QCOMPARE(chipText(query, Field::team), QStringLiteral("Team: none"));
        QCOMPARE(HistoryQuery::fromArguments(query.toArguments(), nullptr), query);
    }

    void aModelThatAClientMadeUpStaysOneShortLine() {
        HistoryQuery query;
        query.model = "first\nsecond " + std::string(500, 'x');
        const QString chip = chipText(query, Field::model);
        QVERIFY2(chip.startsWith(QStringLiteral("Model asked for: first second xxx")) && chip.size() < 120, qPrintable(chip));
        QCOMPARE(HistoryQuery::fromArguments(query.toArguments(), nullptr), query);
    }

    void gapBecomesItsCells() {
        table::RoutingTable table;
        table.gaps.push_back({"gemma", "workload_class=code_gen/tool_call AND expected_output_length=long", "p1", "bench it"});
        table.gaps.push_back({"all", "prose that names no cell", "p1", "talk"});
        const auto query = HistoryQuery::fromArguments({{QStringLiteral("gap"), 0}}, &table);
        QVERIFY(query.coverage == "gap" && query.family == "gemma");
        QCOMPARE(query.cells.size(), 4U);  // 2 workloads x 1 length x 2 modes
        const auto prose = HistoryQuery::fromArguments({{QStringLiteral("gap"), 1}}, &table);
        QVERIFY(prose.coverage == "gap" && !prose.family && prose.cells.empty());
        QVERIFY(HistoryQuery::fromArguments({{QStringLiteral("cell"), 30}}, &table).cells.empty());
    }

    void liveRecordsMatchAsTheDatabaseWould() {
        test::CountingRandom random;
        const Timestamp at(std::chrono::seconds(150));
        const auto record = test::record(at, random);
        evidence::HistoryFilter filter;
        filter.range = {at, at + std::chrono::seconds(1)};
        QVERIFY(matches(filter, record));
        const auto refuses = [&](auto change) {
            auto other = filter;
            change(other);
            return !matches(other, record);
        };
        QVERIFY(refuses([&](auto& f) { f.range.to = at; }));
        QVERIFY(refuses([](auto& f) { f.presetKey = ""; }));
        QVERIFY(refuses([](auto& f) { f.ruleIndex = 1; }));
        QVERIFY(refuses([](auto& f) { f.family = "qwen"; }));
        QVERIFY(refuses([](auto& f) { f.coverage = "gap"; }));
        QVERIFY(refuses([](auto& f) { f.outcome = evidence::Outcome::failed; }));
        QVERIFY(refuses([](auto& f) { f.endpointId = "x:y"; }));
        QVERIFY(refuses([](auto& f) { f.team = "support"; }));
        QVERIFY(refuses([](auto& f) { f.requestedModel = "auto"; }));
        QVERIFY(!refuses([](auto& f) { f.team = "", f.requestedModel = "gemma-4-26b"; }));
        QVERIFY(refuses([](auto& f) { f.cells = {0}; }));
        auto simulated = record;
        simulated.origin = evidence::Origin::simulation;
        QVERIFY(!matches(filter, simulated));
    }

    void liveGroupDecisionsMatchAsTheDatabaseWould() {
        test::CountingRandom random;
        const Timestamp at(std::chrono::seconds(150));
        auto record = test::record(at, random);
        record.mode = "shadow";
        record.attempts = {{"lab_b:m", evidence::AttemptRole::primary, evidence::AttemptOutcome::failed, 503, "status_503", 1, std::nullopt, 40}};
        evidence::RecordedGroup group;
        group.groupId = "auto";
        group.profile = "economy";
        group.selected = "lab_a:m";
        group.recommended = "lab_b:m";
        group.decidingTerm = "cost";
        group.shadowDisagreement = true;
        group.selectedScore = 0.60;
        group.recommendedScore = 0.634;
        record.group = group;
        evidence::HistoryFilter filter;
        filter.range = {at, at + std::chrono::seconds(1)};
        filter.group = "auto", filter.profile = "economy", filter.mode = "shadow", filter.selected = "lab_a:m", filter.recommended = "lab_b:m";
        filter.decidingTerm = "cost", filter.disagreement = true, filter.marginSlot = 3, filter.attempted = "lab_b:m";
        QVERIFY(matches(filter, record));
        const auto refuses = [&](auto change) {
            auto other = filter;
            change(other);
            return !matches(other, record);
        };
        QVERIFY(refuses([](auto& f) { f.group = "auto-extract"; }));
        QVERIFY(refuses([](auto& f) { f.profile = "quality"; }));
        QVERIFY(refuses([](auto& f) { f.mode = "active"; }));
        QVERIFY(refuses([](auto& f) { f.selected = "lab_b:m"; }));
        QVERIFY(refuses([](auto& f) { f.recommended = "lab_a:m"; }));
        QVERIFY(refuses([](auto& f) { f.decidingTerm = "latency"; }));
        QVERIFY(refuses([](auto& f) { f.disagreement = false; }));
        QVERIFY(refuses([](auto& f) { f.marginSlot = 2; }));
        QVERIFY(refuses([](auto& f) { f.attempted = "lab_c:m"; }));
        record.group.reset();
        QVERIFY(!matches(filter, record));
    }

    void coverageSaysWhetherATableWasAsked() {
        evidence::DecisionRecord record;
        record.coverage = "none";
        QCOMPARE(words::coverage(record), QStringLiteral("table not used"));  // a pin, an explicit endpoint
        record.reason = "unknown_family";
        QCOMPARE(words::coverage(record), QStringLiteral("not in table"));
        record.family = "qwen36_35b";
        QCOMPARE(words::coverage(record), QStringLiteral("not covered"));
        record.coverage = "rule";
        QCOMPARE(words::coverage(record), QStringLiteral("rule"));
    }

    void countsAboveTenThousandAreNotCountedOut() {  // F91
        QCOMPARE(boundedCount(10'000), QStringLiteral("10,000"));
        QCOMPARE(boundedCount(10'001), QStringLiteral("10,000+"));
    }

    void sentenceSaysTheNumbers() {
        evidence::HistorySummary summary;
        summary.requests = 58'412;
        summary.byRule = 20'000;
        summary.byDefault = 15'631;
        summary.gapHits = 1'940;
        summary.uncovered = 20'841;
        summary.outsideTable = 18'412;
        summary.firstContentP95Ms = 1300;
        QCOMPARE(summarySentence(summary, QStringLiteral("the last 7 d")),
                 QStringLiteral("58,412 requests in the last 7 d, 40,000 of them for the table: 89 % by a rule or default, 1,940 hit a declared gap, first content p95 1.30 s."));
    }

    // The gateway page is then of another one: what is sent there never comes here.
    void whileAnotherGatewayIsLookedAtItsPagesAreNoWayOut() {
        engine::TargetStatus status;
        status.state = engine::GatewayState::running;
        QVERIFY(nothingFound(status, false).explanation.contains(QStringLiteral("from the gateway page")));
        const QString elsewhere = nothingFound(status, false, true).explanation;
        QVERIFY2(!elsewhere.contains(QStringLiteral("gateway page")) && elsewhere.contains(QStringLiteral("look at that gateway")), qPrintable(elsewhere));
        QCOMPARE(nothingFound(status, true, true).title, nothingFound(status, true).title);
    }

    void whereAnotherProcessRecordsNothingIsSaidOfThisConsolesGateway() {
        engine::TargetStatus status;
        status.evidence.state = evidence::StoreState::off;
        status.evidence.lastError = "another gateway records here: pid 7";
        status.evidence.where = "journal of another process in /state/journal";
        for (const bool elsewhere : {false, true}) {
            const QString words = nothingFound(status, false, elsewhere).explanation;
            QVERIFY2(words.contains(QStringLiteral("another process")) && !words.contains(QStringLiteral("start it")) && !words.contains(QStringLiteral("own gateway")), qPrintable(words));
        }
    }

    void saysWhyNothingCanBeRead() {
        evidence::EvidenceStatus status;
        status.state = evidence::StoreState::off;
        QVERIFY(unreadable(status, {}).explanation.contains(QStringLiteral("enabled = true")));
        status.lastError = "another gateway records here: pid 7";
        status.where = "journal of another process in /state/journal";
        const auto observed = unreadable(status, {ErrorKind::unavailable, "the server does not answer", {}, "Start it."});
        QVERIFY2(observed.explanation.contains(QStringLiteral("does not answer")) && observed.explanation.contains(QStringLiteral("pid 7")), qPrintable(observed.explanation));
        QVERIFY2(!observed.explanation.contains(QStringLiteral("enabled = true")) && !observed.explanation.contains(QStringLiteral("keeps no request")), qPrintable(observed.explanation));
        status = {};
        status.state = evidence::StoreState::unavailable;
        status.lastError = "could not connect";
        const auto away = unreadable(status, {ErrorKind::unavailable, "no answer", {}, "Start it."});
        QVERIFY(away.explanation.contains(QStringLiteral("could not connect")) && away.explanation.contains(QStringLiteral("keeps no request")));
    }
};

QTEST_GUILESS_MAIN(HistoryQueryTest)
#include "tst_history_query.moc"
