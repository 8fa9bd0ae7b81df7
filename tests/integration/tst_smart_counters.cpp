// SPDX-License-Identifier: MIT
#include "tests/integration/counted.h"
#include "tests/integration/gateway_scene.h"
#include "tests/integration/smart_scene.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

/// F76, F77: after a load of every kind of request in every mode, what the status document, the metrics and the
/// database say is the same, number for number.
class SmartCountersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F76_F77_statusMetricsAndRowsAgree();
};

namespace {

constexpr int kStoreMs = 60'000;

/// Of ten requests six ask a group, two an endpoint, one the table and one nobody.
RequestLines request(const GatewayScene& scene, int number) {
    const char* models[] = {"auto", "auto", "deep", "alt:alt-1", "auto", "model-a", "auto", "nobody", "deep", "alt:alt-1"};
    const char* profiles[] = {"balanced", "economy", "latency", "quality"};
    std::vector<std::string> headers{"x-api-key: " + scene.token()};
    if (number % 3 != 0)
        headers.push_back("X-ModelPort-Session-Id: session-" + std::to_string(number % 97));
    if (number % 4 != 0)
        headers.push_back(std::string("X-Signalbox-Routing-Profile: ") + profiles[(number / 7) % 4]);
    return {"POST", "/v1/chat/completions", std::move(headers),
            std::string("{\"model\":\"") + models[number % 10] + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"};
}

Counts countsIn(const OrderedJson& object) {
    Counts out;
    for (const auto& item : object.items())
        out[item.key()] = item.value().get<std::uint64_t>();
    return out;
}

} // namespace

void SmartCountersTest::F76_F77_statusMetricsAndRowsAgree() {
    const int wanted = qEnvironmentVariableIntValue("SIGNALBOX_TEST_REQUESTS");
    const int total = wanted > 0 ? wanted : 1000;
    Postgres postgres;
    QVERIFY2(postgres.problem().empty(), postgres.problem().c_str());
    GatewayScene scene(postgres.dsn());
    scene.setMore(smartSections("shadow", 40, scene.upstream().baseUrl()));
    const auto target = scene.makeTarget();
    const auto started = target->start(scene.policy());
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());

    Load load(portOf(*target), 8, [&](int number) { return request(scene, number); });
    const auto until = [&](int finished) { QTRY_VERIFY_WITH_TIMEOUT(load.finished() >= finished, 300'000); };
    until(total / 4);
    scene.setMore(smartSections("active", 40, scene.upstream().baseUrl()));
    QVERIFY(target->apply(scene.policy()).has_value());
    until(total / 2);
    QVERIFY(target->off(true).has_value());
    until(total * 3 / 4);
    QVERIFY(target->off(false).has_value());
    until(total);
    load.stop();
    // The gateway's only 5xx would be ours; "nobody" is 404.
    for (const LoadResult& result : load.results())
        QVERIFY2(result.status == 200 || result.status == 404, qPrintable(QString::number(result.status)));

    const auto rows = [&](const std::string& where) {
        return std::stoull(postgres.value("SELECT count(*) FROM signalbox.decisions WHERE " + where));
    };
    QTRY_COMPARE_WITH_TIMEOUT(rows("true"), static_cast<unsigned long long>(load.finished()), kStoreMs);
    const auto status = OrderedJson::parse(target->routerStatusJson());
    const auto response = fetch(portOf(*target), {"GET", "/metrics", {}, {}});
    const std::string metrics = response->body;
    const std::string decided = "(mode <> '' OR resolved_by = 'explicit_endpoint')";

    const auto number = [&](const char* key) { return status.at(key).get<std::uint64_t>(); };
    QCOMPARE(number("decisionsTotal"), rows(decided));
    QCOMPARE(number("activeDecisionsTotal"), rows("mode = 'active'"));
    QCOMPARE(number("shadowDecisionsTotal"), rows("mode IN ('shadow', 'canary_control')"));
    QCOMPARE(number("staticDecisionsTotal"), rows("mode = 'off_static' OR resolved_by = 'explicit_endpoint'"));
    QCOMPARE(number("shadowDisagreementsTotal"), rows("shadow_disagreement"));
    QVERIFY(countsIn(status.at("selectedByCandidate")) == counted(postgres, "selected", "selected <> ''"));
    QVERIFY(countsIn(status.at("recommendedByCandidate")) == counted(postgres, "recommended", "recommended <> ''"));
    for (const char* key : {"activeDecisionsTotal", "shadowDecisionsTotal", "staticDecisionsTotal", "shadowDisagreementsTotal"})
        QVERIFY2(number(key) > 0, key);

    const Counts labelled = metric(metrics, "modelport_routing_decisions_total");
    Counts expected;
    for (const auto& [key, count] : counted(postgres,
                                            "'{mode=\"' || CASE mode WHEN '' THEN 'static' ELSE mode END || '\",profile=\"' || "
                                            "CASE mode WHEN '' THEN 'explicit' ELSE profile END || '\",provider=\"' || "
                                            "split_part(CASE mode WHEN '' THEN endpoint ELSE selected END, ':', 1) || '\"}'",
                                            decided))
        expected[key] = count;
    QCOMPARE(sum(labelled), number("decisionsTotal"));
    QVERIFY(labelled == expected);
    QCOMPARE(metric(metrics, "signalbox_shadow_decisions_total").at("{edge=\"openai\"}"), number("shadowDecisionsTotal"));
    // F72: by edge, zeros included.
    for (const std::string edge : {"openai", "anthropic"}) {
        const std::string label = "{edge=\"" + edge + "\"}", here = "edge = '" + edge + "'";
        QCOMPARE(metric(metrics, "signalbox_shadow_decisions_total").at(label), rows("mode IN ('shadow', 'canary_control') AND " + here));
        QCOMPARE(metric(metrics, "signalbox_shadow_disagreements_total").at(label), rows("shadow_disagreement AND " + here));
        const Counts requests = metric(metrics, "signalbox_requests_total");
        for (const std::string outcome : {"served", "failed", "refused", "cancelled"})
            QCOMPARE(requests.at("{edge=\"" + edge + "\",outcome=\"" + outcome + "\"}"), rows("outcome = '" + outcome + "' AND " + here));
    }
    QCOMPARE(sum(metric(metrics, "signalbox_attempts_total")),
             std::stoull(postgres.value("SELECT coalesce(sum(attempts), 0) FROM signalbox.decisions")));
    QCOMPARE(metric(metrics, "signalbox_request_seconds_count").at("{edge=\"openai\",outcome=\"served\"}"), rows("outcome = 'served' AND edge = 'openai'"));
    QCOMPARE(sum(metric(metrics, "signalbox_decision_seconds_count")), rows("true"));

    // Three words, three counters (F77): decided is more than dispatched-and-served only where something failed.
    QCOMPARE(sum(metric(metrics, "signalbox_decided_total")), rows("resolved_by <> ''"));
    QCOMPARE(sum(metric(metrics, "signalbox_dispatched_total")), rows("attempts > 0"));
    QCOMPARE(sum(metric(metrics, "signalbox_served_total")), rows("outcome = 'served'"));
    QCOMPARE(sum(metric(metrics, "signalbox_decisions_total")), rows("true"));
    QCOMPARE(target->status().decided, rows("resolved_by <> ''"));
    QCOMPARE(target->status().served, rows("outcome = 'served'"));

    // Every attempt that ended is an outcome of the endpoint that it was made at.
    std::uint64_t outcomes = 0;
    for (const OrderedJson& outcome : status.at("outcomes"))
        outcomes += outcome.at("attempts").get<std::uint64_t>();
    QCOMPARE(outcomes, rows("attempts = 1 AND endpoint IN ('up:model-b', 'alt:alt-1')"));
}

QTEST_GUILESS_MAIN(SmartCountersTest)
#include "tst_smart_counters.moc"
