// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_parameters.h"
#include "tests/router/strategy/greedy_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using config::RouteKind;
using nlohmann::json;

class TestGreedyParameters : public QObject {
    Q_OBJECT

    static Findings check(const json& changes, std::vector<PoolEndpoint> endpoints = oneOfEach()) {
        const GreedyBench bench(std::move(endpoints), changes);
        return strategy::checkGreedyPool({bench.config.models.front(), "models.m.router_params"});
    }
    /// `code pointer` of each, below the parameters' path.
    static QStringList texts(const Findings& findings) {
        QStringList out;
        for (const Finding& one : findings) {
            std::string pointer = one.pointer;
            if (pointer.starts_with("models.m.router_params.")) pointer.erase(0, 23);
            out << QString::fromStdString(one.code + " " + pointer);
        }
        return out;
    }

private Q_SLOTS:
    void defaults();
    void everyMissingMeasurementIsNamed();
    void everyBadValueIsNamed_data();
    void everyBadValueIsNamed();
    void allFaultsAtOnce();
    void unknownNamesGetTheNearest();
    void cloudParametersAreRouteWises();
    void routesOfBothKinds();
    void theRouterIsNotBuiltFromBadOnes();
};

void TestGreedyParameters::defaults() {
    const GreedyBench bench(oneOfEach(), {{"ttft_deadline_s", nullptr}});
    const auto read = strategy::readGreedyParameters({bench.config.models.front(), "p"});
    QVERIFY(read.has_value());
    QVERIFY(read->policy == strategy::admission::Policy::greedy);
    QCOMPARE(read->ttftDeadlineS, 3.0);
    QCOMPARE(read->maxWaitS, 0.0);
    QCOMPARE(read->profile.ttftOverheadS, 0.0);
    QCOMPARE(read->profile.decodeInterference, 0.0);
    QVERIFY(!read->profile.maxPredictedTpotS && !read->profile.starvationS);
    QCOMPARE(read->profile.knapsackWindow, std::int64_t{16});
    QCOMPARE(read->output.defaultOutput, 512.0);
    QVERIFY(check(json::object()).empty());
}

void TestGreedyParameters::everyMissingMeasurementIsNamed() {
    json none;
    QStringList wanted;
    for (const char* name : {"prefill_tokens_per_s", "decode_tokens_per_s", "max_running_requests", "max_reserved_tokens", "max_work_s"}) {
        none[name] = nullptr;
        wanted << QStringLiteral("missing_parameter %1").arg(QString::fromUtf8(name));
        QCOMPARE(texts(check({{name, nullptr}})), QStringList{wanted.back()});
    }
    QCOMPARE(texts(check(none)), wanted);
}

void TestGreedyParameters::everyBadValueIsNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    const auto rows = [](const char* name, std::initializer_list<const char*> values) {
        for (const char* value : values) QTest::addRow("%s = %s", name, value) << QString::fromUtf8(name) << QString::fromUtf8(value);
    };
    rows("prefill_tokens_per_s", {"0", "-1", "\"fast\"", "true"});
    rows("decode_tokens_per_s", {"0", "[]"});
    rows("max_running_requests", {"-1", "1.5", "true"});
    rows("max_reserved_tokens", {"-1", "1e3", "1000000000001"});
    rows("max_work_s", {"0"});
    rows("ttft_overhead_s", {"-1", "\"1\""});
    rows("decode_interference", {"-0.1"});
    rows("max_predicted_tpot_s", {"0"});
    rows("starvation_s", {"-1"});
    rows("knapsack_window", {"0", "21", "1.5"});
    rows("ttft_deadline_s", {"0", "-3", "\"soon\""});
    rows("max_wait_s", {"-1", "601", "false"});
    rows("cloud", {"1", "[]", "\"routewise\""});
    rows("local_policy", {"1", "{}"});
}

void TestGreedyParameters::everyBadValueIsNamed() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    const Findings findings = check({{name.toStdString(), json::parse(value.toStdString())}});
    QCOMPARE(texts(findings), QStringList{QStringLiteral("bad_value ") + name});
    QVERIFY(findings[0].severity == Severity::error);
    QVERIFY(findings[0].message.starts_with(name.toStdString() + " "));
    QVERIFY(!findings[0].hint.empty());
}

void TestGreedyParameters::allFaultsAtOnce() {
    const Findings findings = check({{"prefill_tokens_per_s", 0}, {"max_work_s", nullptr}, {"starvation_s", -1}, {"max_wait_s", -1},
                                     {"local_polizy", "fifo"}, {"cloud", {{"budget_alpha", 2}}}});
    QCOMPARE(texts(findings), (QStringList{QStringLiteral("missing_parameter max_work_s"), QStringLiteral("bad_value prefill_tokens_per_s"),
                                           QStringLiteral("bad_value starvation_s"), QStringLiteral("bad_value max_wait_s"),
                                           QStringLiteral("unknown_parameter local_polizy"),
                                           QStringLiteral("bad_value cloud.budget_alpha")}));
}

void TestGreedyParameters::unknownNamesGetTheNearest() {
    const Findings names = check({{"max_runing_requests", 3}});
    QCOMPARE(texts(names), QStringList{QStringLiteral("unknown_parameter max_runing_requests")});
    QVERIFY(names[0].hint.find("max_running_requests") != std::string::npos);
    const Findings policies = check({{"local_policy", "densty"}});
    QCOMPARE(texts(policies), QStringList{QStringLiteral("unknown_policy local_policy")});
    QVERIFY(policies[0].hint.find("density") != std::string::npos);
}

void TestGreedyParameters::cloudParametersAreRouteWises() {
    QVERIFY(check({{"cloud", {{"budget_alpha", 0.5}, {"output_default_tokens", 700}}}}).empty());
    const Findings findings = check({{"cloud", {{"budget_alfa", 0.5}}}});
    QCOMPARE(texts(findings), QStringList{QStringLiteral("unknown_parameter cloud.budget_alfa")});
    QVERIFY(findings[0].hint.find("budget_alpha") != std::string::npos);
}

void TestGreedyParameters::routesOfBothKinds() {
    const Findings cloudOnly = check(json::object(), {{"c0", RouteKind::cloud}});
    QCOMPARE(texts(cloudOnly), QStringList{QStringLiteral("greedy_without_local models.m")});
    QVERIFY(hasErrors(cloudOnly));
    const Findings localOnly = check(json::object(), {{"l0", RouteKind::local}});
    QCOMPARE(texts(localOnly), QStringList{QStringLiteral("greedy_without_cloud models.m")});
    QVERIFY(!hasErrors(localOnly));
}

void TestGreedyParameters::theRouterIsNotBuiltFromBadOnes() {
    const GreedyBench bench(oneOfEach(), {{"max_work_s", nullptr}});
    QCOMPARE(texts(bench.findingsOf(strategy::makeGreedyPool)), QStringList{QStringLiteral("missing_parameter max_work_s")});
    QVERIFY(GreedyBench({{"l0"}}).findingsOf(strategy::makeGreedyPool).empty());
}

QTEST_APPLESS_MAIN(TestGreedyParameters)
#include "tst_greedy_parameters.moc"
