// SPDX-License-Identifier: MIT
#include "tests/ui/pages/groups/group_samples.h"
#include "ui/pages/groups/redecide.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
namespace smart = signalbox::policy::smart;

class RedecideTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_config = std::make_shared<config::GatewayConfig>(*test::groupConfig());
        m_before = m_config->routing.groups.front();
    }

    void sameDraftGivesTheRecordedAnswer() {
        const Redecided again = redecide(draft(), records(20));
        QCOMPARE(again.decided, std::size_t{20});
        QCOMPARE(again.recommended, std::size_t{0});
        QCOMPARE(again.servedFirst, std::size_t{0});
        QVERIFY(again.moves.empty());
        const auto plan = planUnder(draft(), test::groupDecision(1));
        QCOMPARE(plan->recommended, std::uint16_t{1});
        QCOMPARE(plan->selected, std::uint16_t{0});
        // The recorded raw inputs, not the priors.
        QCOMPARE(plan->candidates[0].latencyMs, 3000.0);
    }

    void anotherQualityMovesTheRecommendationAndSaysWhichWay() {
        group().candidates[0].quality = 1.0;
        group().candidates[1].quality = 0.0;
        const Redecided again = redecide(draft(), records(20));
        QCOMPARE(again.recommended, std::size_t{20});
        QCOMPARE(again.moves, (std::vector<Redecided::Move>{{"cloud:flash", "lab:small", 20}}));
    }

    void hintMovesOnlyThePartThatThePriorStillHas() {
        group().candidates[0].latencyHintMs = 2200;  // 1,000 more
        QCOMPARE(planUnder(draft(), test::groupDecision(1))->candidates[0].latencyMs, 4000.0);
        engine::EndpointHealth health;
        health.endpointId = "lab:small";
        health.signals.attempts = 90;
        m_health = {health};
        QCOMPARE(planUnder(draft(), test::groupDecision(1))->candidates[0].latencyMs, 3100.0);
        m_health.clear();
    }

    void disabledCandidateIsOutAndOrderDecidesWhatIsTriedFirst() {
        group().candidates[0].enabled = false;
        auto plan = planUnder(draft(), test::groupDecision(1));
        QVERIFY(plan->candidates[0].cut == smart::Cut::disabled);
        QCOMPARE(plan->selected, std::uint16_t{1});
        QCOMPARE(redecide(draft(), records(5)).servedFirst, std::size_t{5});
        group().candidates[0].enabled = true;
        std::swap(group().candidates[0], group().candidates[1]);
        QCOMPARE(redecide(draft(), records(5)).servedFirst, std::size_t{5});
        QCOMPARE(redecide(draft(), records(5)).recommended, std::size_t{0});
    }

    void activeServesTheBestToItsShareOfTheBuckets() {
        m_config->routing.mode = config::RoutingMode::active;
        m_config->routing.activationPercent = 40;  // bucket 40 is outside
        QCOMPARE(planUnder(draft(), test::groupDecision(1))->selected, std::uint16_t{0});
        m_config->routing.activationPercent = 41;
        QCOMPARE(planUnder(draft(), test::groupDecision(1))->selected, std::uint16_t{1});
    }

    void coolingCandidateStaysOutUnlessNothingElseIsLeft() {
        auto record = test::groupDecision(1);
        record.group->candidates[1].cut = "provider_cooldown";
        QVERIFY(planUnder(draft(), record)->candidates[1].cut == smart::Cut::cooldown);
        group().candidates[0].enabled = false;
        QCOMPARE(planUnder(draft(), record)->selected, std::uint16_t{1});
    }

    void newCandidateCountsWithItsPrior() {
        config::Candidate large;
        large.provider = "lab";
        large.model = "large";
        large.latencyHintMs = 700;
        group().candidates.push_back(large);
        const auto plan = planUnder(draft(), test::groupDecision(1));
        QCOMPARE(plan->candidates[2].latencyMs, 700.0);
        QCOMPARE(plan->candidates[2].reliability, 0.5);
        QVERIFY(plan->candidates[2].costUsd > 0);
    }

    void profileOfTheRequestStaysAndTheDefaultFollowsTheDraft() {
        group().defaultProfile = "economy";
        QVERIFY(planUnder(draft(), test::groupDecision(1))->profile == smart::Profile::economy);
        auto record = test::groupDecision(1);
        record.group->profile = "latency";  // not the default of then: the request asked for it
        QVERIFY(planUnder(draft(), record)->profile == smart::Profile::latency);
    }

    void recordThatWasCutShortIsCountedAndNotGuessed() {
        auto record = test::groupDecision(1);
        record.group->candidatesTotal = 20;
        QVERIFY(!planUnder(draft(), record).has_value());
        const auto shared = std::make_shared<const evidence::DecisionRecord>(record);
        QCOMPARE(redecide(draft(), std::vector<RecordPtr>{shared}).nothingLeft, std::size_t{1});
    }

    void decisionsAreOfThisGroupOnceAndOfTrafficOnly() {  // F74
        auto all = records(5);
        auto simulated = test::groupDecision(50);
        simulated.origin = evidence::Origin::simulation;
        auto other = test::groupDecision(51);
        other.group->groupId = "other";
        for (auto* record : {&simulated, &other}) all.push_back(std::make_shared<const evidence::DecisionRecord>(*record));
        const auto found = decisionsOf("auto", all, all, 4);
        QCOMPARE(found.size(), std::size_t{4});
        QVERIFY(found.front()->createdAt > found.back()->createdAt);
    }

    void sampleIsPlannedByTheSameFunctions() {
        const auto plan = planOfSample(draft(), {1000, 500});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->candidates[0].latencyMs, 1200.0);
        QCOMPARE(plan->selected, std::uint16_t{0});
    }

private:
    config::SmartGroup& group() { return m_config->routing.groups.front(); }
    DraftGroup draft() {
        DraftGroup out;
        out.group = smart::prepareGroup(*m_config, group());
        out.settings = smart::SmartPolicy(*m_config).settings();
        out.before = &m_before;
        out.defaultProfileBefore = "balanced";
        out.health = m_health;
        return out;
    }
    static std::vector<RecordPtr> records(std::uint64_t count) {
        std::vector<RecordPtr> all;
        for (std::uint64_t i = 0; i < count; ++i) all.push_back(std::make_shared<const evidence::DecisionRecord>(test::groupDecision(i)));
        return all;
    }

    std::shared_ptr<config::GatewayConfig> m_config;
    config::SmartGroup m_before;
    std::vector<engine::EndpointHealth> m_health;
};

QTEST_GUILESS_MAIN(RedecideTest)
#include "tst_redecide.moc"
