// SPDX-License-Identifier: MIT
#include "tests/router/policy/smart_world.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::policy;

namespace {

OrderedJson words(const smart::ReasonList& reasons) {
    OrderedJson out = OrderedJson::array();
    for (const smart::Reason reason : reasons) out.push_back(toString(reason));
    return out;
}

OrderedJson place(const smart::Group& group, std::size_t index) {
    return {{"index", index}, {"provider", group.candidates[index].provider}, {"model", group.candidates[index].model}};
}

/// Numbers with a tolerance are compared apart and stand as null here.
OrderedJson answer(const test::SmartWorld& world, const tl::expected<smart::Plan, smart::Refusal>& plan) {
    const smart::Assignment& assignment = world.assignment;
    OrderedJson out;
    out["session_hash"] = assignment.sessionHash ? OrderedJson(assignment.sessionHash->view()) : OrderedJson(nullptr);
    out["activation_key"] = assignment.activationKey.view();
    out["activation_bucket"] = assignment.bucket;
    if (!plan) {
        out["error"] = toString(plan.error().error);
        return out;
    }
    const smart::Facts& facts = plan->facts;
    out["mode"] = toString(facts.mode);
    out["profile"] = facts.profile;
    out["policy_version"] = facts.policyVersion;
    out["candidate_count"] = facts.candidateCount;
    out["selected"] = place(world.group, plan->selected);
    out["recommended"] = place(world.group, plan->recommended);
    out["selected_score"] = nullptr;
    out["recommended_score"] = nullptr;
    out["reason_codes"] = words(facts.reasons);
    out["session_affinity"] = facts.sessionAffinity;
    out["shadow_disagreement"] = facts.shadowDisagreement;
    out["attempt_order"] = plan->attemptOrder;
    out["scores"] = nullptr;
    return out;
}

OrderedJson withoutNumbers(OrderedJson expect) {
    for (const char* name : {"selected_score", "recommended_score", "scores"})
        if (expect.contains(name)) expect[name] = nullptr;
    return expect;
}

bool isNear(double got, const OrderedJson& want, double absolute) { return std::abs(got - want.get<double>()) <= absolute; }

/// Empty when the row agrees, else what differs.
std::string difference(const smart::CandidateTerms& terms, const OrderedJson& row) {
    std::string out;
    const auto compare = [&](const char* name, double got, double absolute) {
        if (!isNear(got, row.at(name), absolute))
            out += std::string(name) + " is " + std::to_string(got) + ", not " + row.at(name).dump() + "; ";
    };
    compare("reliability", terms.reliability, 1e-12);
    compare("latency_ms", terms.latencyMs, 1e-9);
    compare("cost_usd", terms.costUsd, 1e-12 * std::abs(row.at("cost_usd").get<double>()));
    compare("latency_value", terms.latencyValue, 1e-12);
    compare("cost_value", terms.costValue, 1e-12);
    compare("affinity", terms.affinity, 1e-12);
    compare("score", terms.score, 1e-12);
    return out;
}

}  // namespace

/// Every case of smart-cases.json through the function that the gateway and the simulator call.
class TestSmartCases : public QObject {
    Q_OBJECT
    OrderedJson m_cases;

private Q_SLOTS:
    void initTestCase() {
        const OrderedJson document = test::smartVectors("smart-cases.json");
        QVERIFY2(!document.is_null(), "smart-cases.json cannot be read");
        m_cases = document.at("cases");
        QVERIFY(!m_cases.empty());
    }

    void cases_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_cases.size(); ++i) {
            const std::string tag = m_cases[i].at("id").get<std::string>() + " " + m_cases[i].at("tag").get<std::string>();
            QTest::newRow(tag.c_str()) << static_cast<int>(i);
        }
    }

    void cases() {
        QFETCH(int, index);
        const OrderedJson& one = m_cases[static_cast<std::size_t>(index)];
        const OrderedJson& expect = one.at("expect");
        const test::SmartWorld world(one);
        const auto plan = smart::plan(world.input());
        QCOMPARE(QString::fromStdString(answer(world, plan).dump(1)), QString::fromStdString(withoutNumbers(expect).dump(1)));
        if (!plan) return;

        QVERIFY(isNear(plan->facts.selectedScore, expect.at("selected_score"), 1e-12));
        QVERIFY(isNear(plan->facts.recommendedScore, expect.at("recommended_score"), 1e-12));
        std::size_t row = 0;
        for (std::size_t i = 0; i < plan->candidates.size(); ++i) {
            if (!plan->candidates[i].eligible()) continue;
            QVERIFY2(row < expect.at("scores").size(), "more eligible candidates than expected");
            QCOMPARE(expect.at("scores")[row].at("index").get<std::size_t>(), i);
            const std::string differs = difference(plan->candidates[i], expect.at("scores")[row++]);
            QVERIFY2(differs.empty(), differs.c_str());
        }
        QCOMPARE(row, expect.at("scores").size());
    }
};

QTEST_APPLESS_MAIN(TestSmartCases)
#include "tst_smart_cases.moc"
