// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/shadow_answer.h"
#include "ui/pages/shadow/shadow_words.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using evidence::ShadowReport;

static ShadowReport report() {
    ShadowReport made;
    made.bucket = std::chrono::hours(1);
    const Timestamp first(std::chrono::seconds(1'795'867'200));
    for (int i = 0; i < 4; ++i) made.starts.push_back(first + made.bucket * i);
    made.lines = {{"auto", "balanced", {100, 100, 100, 100}, {10, 20, 10, 20}}, {"auto", "latency", {50, 50, 0, 0}, {25, 25, 0, 0}}};
    made.decisions = 500;
    made.disagreements = 110;
    made.pairs = {{"auto", "lab:a", "lab:a", "", 390, {0.39, 390'000}, {0.39, 390'000}},
                  {"auto", "lab:a", "deep:b", "latency", 60, {0.06, 60'000}, {0.12, 30'000}},
                  {"auto", "lab:a", "deep:b", "quality", 50, {0.05, 50'000}, {0.10, 25'000}}};
    ShadowReport::Margin margin{"auto", "balanced", {}};
    margin.counts[3] = 100;
    margin.counts[20] = 10;
    made.margins = {margin};
    ShadowReport::Candidate lab{"lab:a", 500, 480, 20, 0, 0, 5, 0, 480, 0.96, 480, 3900.0, 900.0};
    ShadowReport::Candidate deep{"deep:b", 40, 40, 0, 0, 0, 0, 7, 0, 0, 40, 1100.0, 300.0};
    made.candidates = {lab, deep};
    made.served = {{"shadow", "openai", 400}, {"shadow", "anthropic", 100}};
    made.affinity = {{"no_session", 100}, {"followed", 300}, {"not_selected", 100}};
    return made;
}

class ShadowAnswerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sentenceHasItsNumberSampleAndUncertainty() {
        const ShadowAnswer answer = toShadowAnswer(report(), report(), 500, 100);
        QCOMPARE(shadowSentence(answer, QStringLiteral("the last 4 h")), QStringLiteral("22.0 % of 500 shadow decisions in the last 4 h differ (±3.6)."));
        QVERIFY(shadowSentence({}, QStringLiteral("the last 4 h")).startsWith(QStringLiteral("No smart group decided")));
        ShadowAnswer active;
        active.groupDecisions = 12;
        QVERIFY(shadowSentence(active, QStringLiteral("x")).contains(QStringLiteral("None of the 12 decisions")));
    }

    void linesAreNamedByWhatTellsThemApart() {
        ShadowReport two = report();
        QCOMPARE(toShadowAnswer(two, two, 1, 100).rates.lines[0].label, QStringLiteral("balanced"));
        two.lines[1].group = "auto-extract";
        const ShadowAnswer answer = toShadowAnswer(two, two, 1, 100);
        QCOMPARE(answer.rates.lines[0].label, QStringLiteral("auto · balanced"));
        QVERIFY((answer.lineKeys.value(answer.rates.lines[1].entity) == std::pair<std::string, std::string>("auto-extract", "latency")));
    }

    void termsAndMarginsCountDisagreementsOnly() {
        const ShadowAnswer answer = toShadowAnswer(report(), report(), 500, 100);
        QVERIFY((answer.byTerm == std::vector<std::uint64_t>{50, 0, 60, 0, 0}));
        QCOMPARE(answer.byMargin[3], std::uint64_t{100});
        const Bars terms = termBars(answer), margins = marginBars(answer);
        QStringList names;
        for (const auto& bar : terms.bars) names << bar.name;
        QCOMPARE(names, (QStringList{QStringLiteral("better prior"), QStringLiteral("cheaper"), QStringLiteral("faster by the hint"), QStringLiteral("more reliable"), QStringLiteral("session")}));
        QCOMPARE(margins.bars[3].meaning, QStringLiteral("Margin 0.03 to 0.04"));
        QCOMPARE(margins.bars[20].meaning, QStringLiteral("Margin 0.20 or more"));
    }

    void gridKeepsTheMostFrequentAndJoinsTheRest() {
        const HeatGrid small = pairGrid(report(), 7);
        QCOMPARE(small.rows, QStringList{QStringLiteral("lab:a")});
        QCOMPARE(small.at(0, 0), std::uint64_t{390});
        QCOMPARE(small.at(0, 1), std::uint64_t{110});
        ShadowReport many;
        for (int i = 0; i < 20; ++i) many.pairs.push_back({"auto", "p:" + std::to_string(i), "p:" + std::to_string(19 - i), "cost", static_cast<std::uint64_t>(100 - i), {}, {}});
        const HeatGrid joined = pairGrid(many, 5);
        QCOMPARE(joined.rows.size(), 5);
        QVERIFY(joined.restRow && joined.rows.last() == QStringLiteral("16 others"));
        std::uint64_t total = 0;
        for (const auto& pair : many.pairs) total += pair.decisions;
        QCOMPARE(joined.total(), total);
    }

    void bothSidesAreComparedWithWhatRealCallsMeasured() {
        const ShadowAnswer answer = toShadowAnswer(report(), report(), 500, 100);
        QVERIFY(std::abs(answer.chosen.costUsd - 0.001) < 1e-12);
        QVERIFY(std::abs(answer.recommended.costUsd - 0.61 / 500) < 1e-12);
        QVERIFY(std::abs(answer.recommended.latencyMs - 890.0) < 1e-9);
        QVERIFY(answer.chosen.measuredCostUsd && std::abs(*answer.chosen.measuredCostUsd - 0.002) < 1e-12);
        QVERIFY(answer.recommended.measuredLatencyMs && std::abs(*answer.recommended.measuredLatencyMs - (390 * 3900.0 + 110 * 1100.0) / 500) < 1e-9);
        QCOMPARE(answer.recommended.timedCalls, std::uint64_t{520});
        QCOMPARE(answer.candidates[0].endpointId, std::string("lab:a"));
        QVERIFY(!answer.candidates[1].measuredCostUsd());
        QVERIFY(answer.candidates[1].costUsd && std::abs(*answer.candidates[1].costUsd - 0.002) < 1e-12);
    }

    void anHourWithTrafficAndNoShadowIsAWarningPerEdge_F72() {
        ShadowReport hour;
        hour.served = {{"shadow", "openai", 30}};
        // Anthropic had shadow decisions before; now requests come and none is compared there.
        auto silent = silentEdges(report(), hour, 40);
        QCOMPARE(silent.size(), std::size_t{1});
        QCOMPARE(silent[0].edge, std::string("anthropic"));
        QVERIFY(silenceText(silent).contains(QStringLiteral("at the anthropic edge")));
        QVERIFY(silentEdges(report(), hour, 0).empty());  // no traffic at all is no news
        hour.served = {{"shadow", "openai", 30}, {"off_static", "anthropic", 320}};
        silent = silentEdges(report(), hour, 350);
        QVERIFY(silent.size() == 1 && silenceText(silent).contains(QStringLiteral("decided 320 requests otherwise")));
        hour.served = {{"shadow", "openai", 30}, {"canary_control", "anthropic", 1}};
        QVERIFY(silentEdges(report(), hour, 350).empty());
    }

    void aSessionHeaderThatNeverHitsIsVisible_F65() {
        ShadowAnswer answer = toShadowAnswer(report(), report(), 500, 100);
        QVERIFY(sessionWords(answer).tone == Tone::clear);
        QVERIFY(sessionWords(answer).text.startsWith(QStringLiteral("300 of 400 decisions with a session went to its favourite")));
        answer.affinity = {{"not_selected", 90}, {"favourite_cut", 10}};
        QVERIFY(sessionWords(answer).tone == Tone::caution);
        QVERIFY(sessionWords(answer).text.startsWith(QStringLiteral("A session header never hits")));
        answer.affinity = {{"no_session", 10}};
        QVERIFY(sessionWords(answer).tone == Tone::idle);
    }

    void onlyOneModeNarrowsTheWayToAgreements() {
        ShadowReport both = report();
        QVERIFY(toShadowAnswer(both, both, 1, 9).onlyMode() == "shadow");
        both.served.push_back({"canary_control", "openai", 5});
        QVERIFY(!toShadowAnswer(both, both, 1, 9).onlyMode());
    }

    void emptyTeachesTheOneStepThatHelps() {
        engine::TargetStatus status;
        QCOMPARE(nothingCompared(status, nullptr).page, QStringLiteral("groups"));
        policy::PolicySnapshot draft = withGroup();
        QCOMPARE(nothingCompared(status, &draft).page, QStringLiteral("gateway"));
        status.state = engine::GatewayState::running;
        QCOMPARE(nothingCompared(status, &draft).title, QStringLiteral("Smart routing is off"));
        status.killed = true;
        QVERIFY(nothingCompared(status, &draft).explanation.contains(QStringLiteral("kill switch")));
        status.mode = "shadow";
        QVERIFY(nothingCompared(status, &draft).explanation.contains(QStringLiteral("model is auto")));
        QCOMPARE(nothingCompared(status, &draft).arguments, (QVariantMap{{QStringLiteral("try"), QStringLiteral("auto")}}));
        status.mode = "active";
        status.activationPercent = 100;
        QVERIFY(nothingCompared(status, &draft).title.contains(QStringLiteral("served as recommended")));
    }

private:
    static policy::PolicySnapshot withGroup() {
        config::GatewayConfig config;
        config::SmartGroup group;
        group.id = "auto";
        config.routing.groups.push_back(group);
        return {nullptr, nullptr, policy::TableIndex(std::make_shared<const table::RoutingTable>()), policy::smart::SmartPolicy(config), {}, {}, {}};
    }
};

QTEST_MAIN(ShadowAnswerTest)
#include "tst_shadow_answer.moc"
