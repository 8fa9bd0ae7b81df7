// SPDX-License-Identifier: MIT
// Smart groups through a real socket: what is tried, what is recorded, what is counted.
#include "tests/router/gateway/smart_policy.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <set>

using namespace signalbox;
using namespace signalbox::test;

class GatewaySmartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shadowServesTheFirstAndSaysWhatItWould();
    void activeServesTheBest();
    void offWorksAndIsNotListed();
    void canaryIsStablePerSession();
    void requestIdKeepsTheBucketWithoutSession();
    void headersThatCannotBeRead_data();
    void headersThatCannotBeRead();
    void bothNamesOfAHeader();
    void profileHeaderChoosesTheWeights();
    void refusedGroupIsRecordedWithItsCuts();
    void recordKeepsSixteenCandidates();
    void explicitEndpointIsStatic();
    void F72_F76_F77_countersAgree();
    void F73_statusKeysAndMetrics();
    void failedCandidateFallsBackToTheNext();
    void whenAllFailEachIsNamed_data();
    void whenAllFailEachIsNamed();
    void contentSentIsWhyNoFallback();
};

namespace {

std::string lineOf(const std::string& text, const std::string& start) {
    const auto at = text.find("\n" + start);
    return at == std::string::npos ? std::string() : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

OrderedJson statusOf(const GatewayFixture& gateway) {
    const auto response = gateway.getAsAdmin("/admin/router/status");
    return response && response->status == 200 ? OrderedJson::parse(response->body) : OrderedJson();
}

} // namespace

void GatewaySmartTest::shadowServesTheFirstAndSaysWhatItWould() {
    GatewayFixture gateway(smartOptions("shadow"));
    const auto response = gateway.post(kAuto, {"X-ModelPort-Session-Id: s-1"});
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:plain"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.mode, std::string("shadow"));
    QCOMPARE(record.resolvedBy, std::string("smart_alias"));
    QVERIFY(record.group);
    const evidence::RecordedGroup& group = *record.group;
    QCOMPARE(group.groupId, std::string("g"));
    QCOMPARE(group.profile, std::string("balanced"));
    QCOMPARE(group.selected, std::string("up:plain"));
    QCOMPARE(group.recommended, std::string("other:elsewhere"));
    QVERIFY(group.shadowDisagreement && group.recommendedScore > group.selectedScore);
    QVERIFY(!group.decidingTerm.empty());
    QVERIFY(group.sessionAffinity && !group.affinityFavourite.empty() && !group.affinity.empty());
    QCOMPARE(group.candidatesTotal, 2U);
    QCOMPARE(group.candidates.size(), std::size_t{2});
    QCOMPARE(group.candidates[0].endpointId, std::string("up:plain"));
    QCOMPARE(group.candidates[0].quality, 0.5);
    QCOMPARE(group.candidates[1].latencyMs, 500.0);
    QVERIFY(group.candidates[0].costUsd > group.candidates[1].costUsd);
    QCOMPARE(group.maxLatencyMs, 4000.0);
    QCOMPARE(group.outputTokens, std::uint64_t{100});
    QVERIFY(group.inputTokens > 0);
    QCOMPARE(group.weights[0] + group.weights[1] + group.weights[2] + group.weights[3], 1.0);
    QVERIFY(std::find(group.reasons.begin(), group.reasons.end(), "shadow_no_route_change") != group.reasons.end());
    QCOMPARE(gateway.upstream().requests().size(), std::size_t{1});
    QVERIFY2(gateway.other().requests().empty(), "what is only recommended is never called");
}

void GatewaySmartTest::activeServesTheBest() {
    GatewayFixture gateway(smartOptions("active", 100));
    const auto response = gateway.post(kAuto);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.mode, std::string("active"));
    QVERIFY(!record.group->shadowDisagreement);
    QCOMPARE(record.group->selected, record.group->recommended);
    QVERIFY(record.group->decidingTerm.empty());
    QCOMPARE(record.group->affinity, std::string("no_session"));
}

void GatewaySmartTest::offWorksAndIsNotListed() {
    GatewayFixture off(smartOptions("off"));
    QVERIFY(off.get("/v1/models")->body.find("\"auto\"") == std::string::npos);
    const auto response = off.post(kAuto);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:plain"));
    QCOMPARE(off.records().at(0).mode, std::string("off_static"));
    QCOMPARE(off.get("/v1/models/auto")->status, 404);
    GatewayFixture shadow(smartOptions("shadow"));
    QVERIFY(shadow.get("/v1/models")->body.find("\"auto\"") != std::string::npos);
    QCOMPARE(shadow.get("/v1/models/auto-2")->status, 200);
}

void GatewaySmartTest::canaryIsStablePerSession() {
    const auto routesAt = [](int percent) {
        GatewayFixture gateway(smartOptions("active", percent));
        std::map<std::string, std::string> routes;
        for (int session = 0; session < 40; ++session) {
            std::set<std::string> seen;
            for (int i = 0; i < 3; ++i)
                seen.insert(gateway
                                .post(kAuto, {"X-Signalbox-Session-Id: session-" + std::to_string(session),
                                              "X-Request-Id: r-" + std::to_string(100 * session + i)})
                                ->header("x-signalbox-route"));
            routes[std::to_string(session)] = seen.size() == 1 ? *seen.begin() : "changed";
        }
        for (const auto& record : gateway.records()) {
            const bool in = record.group->bucket < static_cast<std::uint32_t>(percent);
            if (record.mode != (in ? "active" : "canary_control"))
                routes["mode"] = record.mode;
        }
        return routes;
    };
    // Each gateway is a start of its own: a session stays with its bucket, and raising the percentage keeps whoever
    // was in.
    const auto at30 = routesAt(30), again = routesAt(30), at60 = routesAt(60), at0 = routesAt(0), at100 = routesAt(100);
    QVERIFY(at30 == again);
    QVERIFY(!at30.contains("mode") && !at60.contains("mode"));
    int in = 0;
    for (const auto& [session, route] : at30) {
        QVERIFY(route != "changed");
        if (route == "other:elsewhere") {
            ++in;
            QCOMPARE(at60.at(session), route);
        }
        QCOMPARE(at0.at(session), std::string("up:plain"));
        QCOMPARE(at100.at(session), std::string("other:elsewhere"));
    }
    QVERIFY2(in > 2 && in < 25, qPrintable(QString::number(in)));
}

void GatewaySmartTest::requestIdKeepsTheBucketWithoutSession() {
    GatewayFixture gateway(smartOptions("active", 50));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(gateway.post(kAuto, {"X-Request-Id: the-same"})->status, 200);
    for (int i = 0; i < 12; ++i)
        QCOMPARE(gateway.post(kAuto)->status, 200);
    const auto records = gateway.records();
    QVERIFY(records[0].group->bucket == records[1].group->bucket && records[1].group->bucket == records[2].group->bucket);
    std::set<std::uint32_t> buckets;
    for (std::size_t i = 3; i < records.size(); ++i)
        buckets.insert(records[i].group->bucket);
    QVERIFY2(buckets.size() > 3, "without any id each request has a bucket of its own");
}

void GatewaySmartTest::headersThatCannotBeRead_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("code");
    const QByteArray session = "invalid_session_id", profile = "invalid_routing_profile", tooLong(129, 'a');
    QTest::newRow("session too long") << QByteArray("X-ModelPort-Session-Id: ") + tooLong << session;
    QTest::newRow("alias too long") << QByteArray("X-Signalbox-Session-Id: ") + tooLong << session;
    QTest::newRow("session with a tab") << QByteArray("X-ModelPort-Session-Id: a\tb") << session;
    QTest::newRow("session not ASCII") << QByteArray("X-ModelPort-Session-Id: caf\xc3\xa9") << session;
    QTest::newRow("unknown profile") << QByteArray("X-ModelPort-Routing-Profile: fastest") << profile;
    QTest::newRow("alias of unknown profile") << QByteArray("X-Signalbox-Routing-Profile: fastest") << profile;
}

void GatewaySmartTest::headersThatCannotBeRead() {
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, code);
    GatewayFixture gateway(smartOptions("shadow"));
    // Also for models without a group: a mistake must not wait until somebody changes the model.
    for (const std::string& body : {kAuto, std::string(R"({"model":"model-a"})")}) {
        const auto response = gateway.post(body, {header.toStdString()});
        QCOMPARE(response->status, 400);
        const auto error = OrderedJson::parse(response->body).at("error");
        QCOMPARE(error.at("code").get<std::string>(), code.toStdString());
        QCOMPARE(error.at("param").get<std::string>(), header.left(header.indexOf(':')).toStdString());
        QVERIFY2(response->body.find("aaaa") == std::string::npos, "no message repeats a session");
    }
    QVERIFY(gateway.records().empty());
    QCOMPARE(gateway.refusals(code.toStdString()), std::uint64_t{2});
}

void GatewaySmartTest::bothNamesOfAHeader() {
    GatewayFixture gateway(smartOptions("shadow"));
    QCOMPARE(gateway.post(kAuto, {"X-ModelPort-Session-Id: one", "X-Signalbox-Session-Id: one"})->status, 200);
    for (const auto& [a, b] : {std::pair("X-ModelPort-Session-Id: one", "X-Signalbox-Session-Id: two"),
                               std::pair("X-Signalbox-Routing-Profile: economy", "X-ModelPort-Routing-Profile: quality"),
                               std::pair("X-ModelPort-Session-Id: one", "X-ModelPort-Session-Id: two")}) {
        const auto response = gateway.post(kAuto, {a, b});
        QCOMPARE(response->status, 400);
        QVERIFY(response->body.find("conflicting_headers") != std::string::npos);
    }
    // Both spellings mean the same session.
    QCOMPARE(gateway.post(kAuto, {"x-signalbox-session-id: one"})->status, 200);
    const auto records = gateway.records();
    QCOMPARE(records[0].group->bucket, records[1].group->bucket);
    QCOMPARE(records[0].group->affinityFavourite, records[1].group->affinityFavourite);
}

void GatewaySmartTest::profileHeaderChoosesTheWeights() {
    GatewayFixture gateway(smartOptions("shadow"));
    QCOMPARE(gateway.post(kAuto, {"X-ModelPort-Routing-Profile: ECONOMY"})->status, 200);
    QCOMPARE(gateway.post(kAuto, {"X-Signalbox-Routing-Profile: latency"})->status, 200);
    const auto records = gateway.records();
    QCOMPARE(records[0].group->profile, std::string("economy"));
    QCOMPARE(records[1].group->profile, std::string("latency"));
    QVERIFY(records[0].group->weights[1] > records[1].group->weights[1]);
}

void GatewaySmartTest::refusedGroupIsRecordedWithItsCuts() {
    GatewayFixture gateway(smartOptions("shadow", 0,
                                        "\n[providers.up.capabilities]\ntools = false\n"
                                        "\n[providers.other.capabilities]\ntools = false\n"));
    const std::string withTools =
        R"({"model":"auto","messages":[],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]})";
    const auto response = gateway.post(withTools);
    QCOMPARE(response->status, 400); // the request is at fault, and no repetition changes it
    QVERIFY2(response->body.find("\"param\":\"tools\"") != std::string::npos, response->body.c_str());
    QVERIFY2(response->body.find("capability 2") != std::string::npos, response->body.c_str());
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::refused);
    QVERIFY(record.mode.empty() && record.group);
    QCOMPARE(record.group->groupId, std::string("g"));
    QVERIFY(record.group->selected.empty());
    QCOMPARE(record.group->candidates.at(0).cut, std::string("capability"));
    QCOMPARE(statusOf(gateway).at("decisionsTotal").get<int>(), 0);
}

void GatewaySmartTest::recordKeepsSixteenCandidates() {
    FixtureOptions options;
    std::string more = "\n[routing]\nmode = \"shadow\"\n\n[routing.groups.many]\naliases = [\"many\"]\n";
    for (int i = 0; i < 40; ++i) {
        const std::string model = "m" + std::to_string(i);
        options.models.push_back(model);
        more += "\n[[routing.groups.many.candidates]]\nprovider = \"up\"\nmodel = \"" + model +
                "\"\nlatency_hint_ms = " + (i == 33 ? "1" : "5000") + "\n";
    }
    options.more = more;
    GatewayFixture gateway(options);
    QCOMPARE(gateway.post(R"({"model":"many","messages":[]})")->status, 200);
    const auto group = *gateway.records().at(0).group;
    QCOMPARE(group.candidatesTotal, 40U);
    QCOMPARE(group.candidates.size(), std::size_t{16});
    QCOMPARE(group.candidates.front().endpointId, group.selected);
    QCOMPARE(group.candidates.back().endpointId, std::string("up:m33"));
    QCOMPARE(group.recommended, std::string("up:m33"));
}

void GatewaySmartTest::explicitEndpointIsStatic() {
    GatewayFixture gateway(smartOptions("active", 100));
    const auto response = gateway.post(R"({"model":"up:plain","messages":[]})", {"X-ModelPort-Routing-Profile: economy"});
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:plain"));
    const auto record = gateway.records().at(0);
    QVERIFY(record.mode.empty() && !record.group);
    const auto status = statusOf(gateway);
    QCOMPARE(status.at("staticDecisionsTotal").get<int>(), 1);
    QVERIFY(status.at("selectedByCandidate").empty());
    QVERIFY(gateway.get("/metrics")->body.find(
                R"(modelport_routing_decisions_total{mode="static",profile="explicit",provider="up"} 1)") !=
            std::string::npos);
}

void GatewaySmartTest::F72_F76_F77_countersAgree() {
    GatewayFixture gateway(smartOptions("shadow"));
    gateway.upstream().setScript([](const dispatch::UpstreamRequest& request) {
        FakeReply reply = FakeReply::whole("{}");
        if (request.body.find("please fail") != std::string::npos)
            reply.failure = upstreamStatus(400);
        return reply;
    });
    for (int i = 0; i < 5; ++i)
        QCOMPARE(gateway.post(kAuto)->status, 200);
    QCOMPARE(gateway.post(R"({"model":"auto","messages":["please fail"]})")->status, 400);
    QCOMPARE(gateway.post(R"({"model":"model-a"})")->status, 200); // no decision of a group
    QCOMPARE(gateway.post(R"({"model":"nobody"})")->status, 404);
    const auto status = statusOf(gateway);
    QCOMPARE(status.at("decisionsTotal").get<int>(), 6);
    QCOMPARE(status.at("shadowDecisionsTotal").get<int>(), 6);
    QCOMPARE(status.at("shadowDisagreementsTotal").get<int>(), 6);
    QCOMPARE(status.at("selectedByCandidate").at("up:plain").get<int>(), 6);
    QCOMPARE(status.at("recommendedByCandidate").at("other:elsewhere").get<int>(), 6);
    const std::string metrics = gateway.get("/metrics")->body;
    QCOMPARE(lineOf(metrics, "modelport_routing_decisions_total"),
             std::string(R"(modelport_routing_decisions_total{mode="shadow",profile="balanced",provider="up"} 6)"));
    QCOMPARE(lineOf(metrics, "signalbox_shadow_decisions_total{edge=\"openai\"}"),
             std::string("signalbox_shadow_decisions_total{edge=\"openai\"} 6"));
    QCOMPARE(lineOf(metrics, "signalbox_shadow_decisions_total{edge=\"anthropic\"}"),
             std::string("signalbox_shadow_decisions_total{edge=\"anthropic\"} 0"));
    QCOMPARE(lineOf(metrics, "signalbox_decided_total"), std::string("signalbox_decided_total 7"));
    QCOMPARE(lineOf(metrics, "signalbox_dispatched_total"), std::string("signalbox_dispatched_total 7"));
    QCOMPARE(lineOf(metrics, "signalbox_served_total"), std::string("signalbox_served_total 6"));
    QCOMPARE(lineOf(metrics, "signalbox_planning_failures_total"), std::string("signalbox_planning_failures_total 0"));
}

void GatewaySmartTest::F73_statusKeysAndMetrics() {
    GatewayFixture gateway(smartOptions("active", 5));
    QCOMPARE(gateway.post(kAuto)->status, 200);
    const auto status = statusOf(gateway);
    std::vector<std::string> keys;
    for (const auto& item : status.items())
        keys.push_back(item.key());
    QCOMPARE(keys, (std::vector<std::string>{"mode", "defaultProfile", "policyVersion", "activationPercent", "groups",
                                             "decisionsTotal", "activeDecisionsTotal", "shadowDecisionsTotal",
                                             "staticDecisionsTotal", "shadowDisagreementsTotal", "selectedByCandidate",
                                             "recommendedByCandidate", "outcomes"}));
    QCOMPARE(status.at("mode").get<std::string>(), std::string("active"));
    QCOMPARE(status.at("activationPercent").get<int>(), 5);
    QCOMPARE(status.at("groups").dump(),
             std::string(R"([{"id":"g","aliases":["auto","auto-2"],"defaultProfile":null,"candidateCount":2}])"));
    const auto outcome = status.at("outcomes").at(0);
    keys.clear();
    for (const auto& item : outcome.items())
        keys.push_back(item.key());
    QCOMPARE(keys, (std::vector<std::string>{"candidate", "attempts", "successes", "successRate", "latencyEwmaMs"}));
    QCOMPARE(outcome.at("attempts").get<int>(), 1);
    QCOMPARE(outcome.at("successRate").get<double>(), 1.0);
}

void GatewaySmartTest::failedCandidateFallsBackToTheNext() {
    GatewayFixture gateway(smartOptions("active", 100));
    gateway.other().setScript([](const auto&) {
        FakeReply reply;
        reply.failure = upstreamStatus(500);
        return reply;
    });
    const auto response = gateway.post(kAuto);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:plain"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.attempts.size(), std::size_t{2});
    QCOMPARE(record.endpointId, std::string("up:plain"));
    QCOMPARE(record.group->selected, std::string("other:elsewhere"));
    QVERIFY(record.whyNoFallback.empty());
}

void GatewaySmartTest::whenAllFailEachIsNamed_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("said");
    for (const char* path : {"/v1/chat/completions", "/v1/messages"}) {
        QTest::addRow("%s", path) << QByteArray(path) << QByteArray("upstream kaput");
        QTest::addRow("%s, at length", path) << QByteArray(path) << QByteArray(2040, 'x');
    }
}

void GatewaySmartTest::whenAllFailEachIsNamed() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, said);
    GatewayFixture gateway(smartOptions("active", 100));
    const bool anthropic = path == "/v1/messages";
    const std::string words = R"({"error":{"message":")" + said.toStdString() + R"(","type":"server_error","code":"kaput"}})";
    gateway.other().setScript([&](const auto&) { return FakeReply{upstreamStatus(500, words)}; });
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply;
        reply.failure.emplace();
        reply.failure->kind = dispatch::UpstreamFailure::Kind::timeout;
        reply.failure->code = "timeout_first_byte";
        reply.failure->message = "up did not go on in time";
        return reply;
    });
    const auto response = gateway.post(kAuto, {}, path.toStdString());
    QVERIFY(response);
    QCOMPARE(response->status, 500);
    const auto error = OrderedJson::parse(response->body).at("error");
    const std::string message = error.at("message").get<std::string>();
    QVERIFY2(message.starts_with(said.left(14).toStdString()), message.c_str());
    QVERIFY2(message.ends_with(" (came to nothing, in this order: other:elsewhere 500, up:plain timeout_first_byte)"), message.c_str());
    QVERIFY(message.size() <= 2048);
    if (!anthropic) QCOMPARE(error.at("code").get<std::string>(), std::string("kaput"));
    QCOMPARE(gateway.records().at(0).errorCode, std::string("status_500"));

    // Of one that alone was asked there is nothing to add.
    const auto alone = gateway.post(R"({"model":"other:elsewhere","max_tokens":9,"messages":[{"role":"user","content":"hi"}]})", {}, path.toStdString());
    QCOMPARE(alone->status, 500);
    QVERIFY2(alone->body.find("in this order") == std::string::npos, alone->body.c_str());
}

void GatewaySmartTest::contentSentIsWhyNoFallback() {
    GatewayFixture gateway(smartOptions("shadow"));
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream({"a"});
        reply.chunks.resize(2);
        reply.endsWith = upstreamStatus(500);
        return reply;
    });
    QCOMPARE(gateway.post(R"({"model":"auto","stream":true,"messages":[]})")->status, 200);
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::failed);
    QCOMPARE(record.whyNoFallback, std::string("content_sent"));
    QCOMPARE(gateway.process().circuits.of("up:plain")->view().consecutiveFailures, 1U);
}

QTEST_APPLESS_MAIN(GatewaySmartTest)
#include "tst_gateway_smart.moc"
