// SPDX-License-Identifier: MIT
// What a look at the requests under way shows before any of them has a record.
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/fakes.h"
#include "tests/support/scripted_upstream.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::Stage;

namespace {

const std::string kStream = R"({"model":"model-a","stream":true,"messages":[{"role":"user","content":"planted"}]})";
const std::string kWhole = R"({"model":"model-a","messages":[{"role":"user","content":"planted"}]})";

Reply heldStream() {
    Reply reply = Reply::stream();
    reply.event(R"({"choices":[{"index":0,"delta":{"content":"first"}}]})").awaitRelease();
    reply.event(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})").event("[DONE]").end();
    return reply;
}

Reply heldWhole() {
    Reply reply;
    reply.awaitRelease();
    const std::string body = R"({"id":"x","choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}]})";
    reply.bytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return reply;
}

FixtureOptions over(const ScriptedUpstream& upstream) {
    FixtureOptions options;
    options.upstreams = {{"up", upstream.baseUrl()}};
    return options;
}

std::string chat(const std::string& body) { return requestText({"POST", "/v1/chat/completions", {kAuth}, body}); }

} // namespace

class GatewayRunningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStreamIsShownWhileItRuns() {
        ScriptedUpstream upstream;
        upstream.enqueue(heldStream());
        GatewayFixture gateway(over(upstream));
        QVERIFY(gateway.server().running(10).rows.empty());
        RawClient client(gateway.port());
        QVERIFY(client.send(chat(kStream)));
        QVERIFY(client.waitFor("first"));
        const auto running = gateway.server().running(10);
        QVERIFY2(gateway.records().empty(), "it has no record yet");
        QCOMPARE(running.rows.size(), std::size_t{1});
        const evidence::RunningRequest row = running.rows.front();
        QVERIFY(row.stage == Stage::streaming && row.stream);
        QCOMPARE(row.requestedModel, std::string("model-a"));
        QCOMPARE(row.endpointId, std::string("up:model-a"));
        QCOMPARE(row.presetKey.value_or(""), std::string("a-k1"));
        QCOMPARE(row.attempts, 1U);
        QVERIFY(row.firstContentMs.has_value());
        const auto age = SystemClock().steady() - row.admittedAt;
        QVERIFY(age >= 0s && age < 1min);
        upstream.release();
        const auto response = client.response();
        QVERIFY(response && response->complete);
        QVERIFY2(gateway.server().running(10).rows.empty(), "it left with its record, before its last bytes");
        QCOMPARE(gateway.records().at(0).id, row.id);
        QCOMPARE(response->header("x-signalbox-decision-id"), row.id.text());
    }

    void oneThatIsNotAnsweredYetWaits() {
        ScriptedUpstream upstream;
        upstream.enqueue(heldWhole());
        GatewayFixture gateway(over(upstream));
        RawClient client(gateway.port());
        QVERIFY(client.send(chat(kWhole)));
        QTRY_COMPARE(upstream.requestCount(), std::size_t{1});
        const auto running = gateway.server().running(10);
        QCOMPARE(running.rows.size(), std::size_t{1});
        QVERIFY(running.rows[0].stage == Stage::waiting && !running.rows[0].stream);
        QVERIFY(!running.rows[0].firstContentMs);
        QCOMPARE(running.rows[0].endpointId, std::string("up:model-a"));
        upstream.release();
        QCOMPARE(client.response()->status, 200);
        QVERIFY(gateway.server().running(10).rows.empty());
    }

    void theOldestAreShownAndTheOthersCounted() {
        ScriptedUpstream upstream;
        upstream.setStandingReply(Reply::nothing().stall());
        FixtureOptions options = over(upstream);
        options.threads = 3;
        GatewayFixture gateway(options);
        std::vector<std::unique_ptr<RawClient>> clients;
        std::vector<DecisionId> order;
        for (std::size_t i = 0; i < 7; ++i) {
            clients.push_back(std::make_unique<RawClient>(gateway.port()));
            QVERIFY(clients.back()->send(chat(kWhole)));
            QTRY_COMPARE(gateway.server().running(10).rows.size(), i + 1);
            order.push_back(gateway.server().running(10).rows.back().id);
        }
        const auto running = gateway.server().running(3);
        QCOMPARE(running.rows.size(), std::size_t{3});
        QCOMPARE(running.leftOut, std::uint64_t{4});
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(running.rows[i].id, order[i]);
        clients.erase(clients.begin()); // whoever leaves is not shown any longer
        QTRY_COMPARE(gateway.server().running(10).rows.size(), std::size_t{6});
        QCOMPARE(gateway.server().running(10).rows[0].id, order[1]);
        gateway.server().stop(0ms); // those that are cut off are recorded and leave, too
        QVERIFY(gateway.server().running(10).rows.empty());
    }

    void whatIsRefusedOrFailsLeaves() {
        GatewayFixture gateway;
        gateway.upstream().setScript([](const auto&) {
            FakeReply reply;
            reply.failure = upstreamStatus(400);
            return reply;
        });
        QVERIFY(gateway.post(kWhole)->status >= 400);
        QCOMPARE(gateway.post(R"({"model":"model-z"})")->status, 404);
        QVERIFY(gateway.server().running(10).rows.empty());
    }
};

QTEST_GUILESS_MAIN(GatewayRunningTest)
#include "tst_gateway_running.moc"
