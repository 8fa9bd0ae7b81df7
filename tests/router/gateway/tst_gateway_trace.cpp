// SPDX-License-Identifier: MIT
// W3C Trace Context goes on to the upstream as it came, and nothing else that a client says of itself.
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/scripted_upstream.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

namespace {

const std::string kParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const std::string kState = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
const std::string kChat = R"({"model":"model-b","messages":[{"role":"user","content":"q"}]})";
const std::string kMessage = R"({"model":"model-b","max_tokens":9,"messages":[{"role":"user","content":"q"}]})";

/// A gateway before a real adapter, and what the upstream received.
struct Traced {
    explicit Traced(bool isAnthropic = false) {
        FixtureOptions options;
        options.upstreams = {{"up", upstream.baseUrl()}};
        if (isAnthropic) options.providerLines = "protocol = \"anthropic\"\n";
        const char* const message = R"({"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],)"
                                    R"("stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}})";
        const char* const completion = R"({"id":"x","choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}]})";
        upstream.setStandingReply(Reply::json(isAnthropic ? message : completion));
        gateway.emplace(std::move(options));
    }
    ReceivedRequest received() const { return upstream.requests().back(); }

    ScriptedUpstream upstream;
    std::optional<GatewayFixture> gateway;
};

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

} // namespace

class GatewayTraceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOnAsItCame_data();
    void goesOnAsItCame();
    void withoutOneNoneIsMade();
    void whatNobodyMayGoBy_data();
    void whatNobodyMayGoBy();
    void statesOfSeveralLinesStayInOrder();
    void nothingElseOfTheClientGoesOn();
    void everyAttemptCarriesIt();
};

void GatewayTraceTest::goesOnAsItCame_data() {
    QTest::addColumn<bool>("isAnthropic");
    QTest::addColumn<bool>("isMessages");
    for (const bool isAnthropic : {false, true})
        for (const bool isMessages : {false, true})
            QTest::addRow("%s, asked in %s", isAnthropic ? "anthropic" : "openai", isMessages ? "messages" : "chats")
                << isAnthropic << isMessages;
}

void GatewayTraceTest::goesOnAsItCame() {
    QFETCH(const bool, isAnthropic);
    QFETCH(const bool, isMessages);
    Traced scene(isAnthropic);
    const std::vector<std::string> headers{"TraceParent: " + kParent, "tracestate: " + kState};
    const std::string path = isMessages ? "/v1/messages" : "/v1/chat/completions";
    QCOMPARE(scene.gateway->post(isMessages ? kMessage : kChat, headers, path)->status, 200);
    QCOMPARE(scene.received().header("traceparent"), kParent);
    QCOMPARE(scene.received().header("tracestate"), kState);
    QCOMPARE(countOf(scene.received().head, kParent), std::size_t{1});
}

void GatewayTraceTest::withoutOneNoneIsMade() {
    Traced scene;
    QCOMPARE(scene.gateway->post(kChat)->status, 200);
    QCOMPARE(scene.received().head.find("trace"), std::string::npos);
}

void GatewayTraceTest::whatNobodyMayGoBy_data() {
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    const QByteArray parent = QByteArray::fromStdString("traceparent: " + kParent);
    QTest::newRow("a state without a parent") << QByteArray::fromStdString("tracestate: " + kState) << QByteArray("x-nothing: 1");
    QTest::newRow("two parents") << parent << QByteArray("traceparent: 00-00000000000000000000000000000001-0000000000000002-00");
    QTest::newRow("the same parent twice") << parent << parent;
}

void GatewayTraceTest::whatNobodyMayGoBy() {
    QFETCH(const QByteArray, first);
    QFETCH(const QByteArray, second);
    Traced scene;
    QCOMPARE(scene.gateway->post(kChat, {first.toStdString(), second.toStdString(), "tracestate: " + kState})->status, 200);
    QCOMPARE(scene.received().head.find("trace"), std::string::npos);
}

void GatewayTraceTest::statesOfSeveralLinesStayInOrder() {
    Traced scene;
    QCOMPARE(scene.gateway->post(kChat, {"tracestate: a=1", "traceparent: " + kParent, "tracestate: b=2"})->status, 200);
    QCOMPARE(scene.received().header("tracestate"), std::string("a=1,b=2"));
}

/// F33: credentials, cookies and what is said about a user or an organization are for the gateway, or for nobody.
void GatewayTraceTest::nothingElseOfTheClientGoesOn() {
    Traced scene;
    const std::vector<std::string> headers{
        "traceparent: " + kParent,     "baggage: userId=alice",        "Cookie: session=secret-cookie", "x-request-id: req-of-client",
        "OpenAI-Project: proj-mine",   "OpenAI-Organization: org-mine", "x-forwarded-for: 10.0.0.1",    "User-Agent: my-agent/1",
        "X-Signalbox-Category: code",  "x-api-key: other-key-of-mine",  "x-stainless-lang: js",         "anthropic-beta: files-api"};
    QCOMPARE(scene.gateway->post(kChat, headers)->status, 200);
    const std::string head = scene.received().head;
    for (const char* part : {"baggage", "alice", "ookie", "req-of-client", "rganization", "org-mine", "proj-mine", "forwarded", "my-agent",
                             "stainless", "ignalbox-", "other-key", "anthropic-beta"})
        QVERIFY2(head.find(part) == std::string::npos, part);
    QVERIFY(head.find(kToken) == std::string::npos);
    QCOMPARE(scene.received().header("traceparent"), kParent);
}

void GatewayTraceTest::everyAttemptCarriesIt() {
    FixtureOptions options;
    options.more = "[models.chat]\n[[models.chat.route]]\nprovider = \"up\"\nmodel = \"model-a\"\nweight = 1\n"
                   "[[models.chat.route]]\nprovider = \"other\"\nmodel = \"elsewhere\"\nweight = 0\n";
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const dispatch::UpstreamRequest&) {
        FakeReply reply;
        reply.failure = upstreamStatus(503);
        return reply;
    });
    QCOMPARE(gateway.post(R"({"model":"chat","messages":[{"role":"user","content":"q"}]})", {"traceparent: " + kParent})->status, 200);
    for (const FakeAdapter* adapter : {&gateway.upstream(), &gateway.other()}) {
        const auto headers = adapter->requests().at(0).headers;
        QCOMPARE(headers.size(), std::size_t{1});
        QCOMPARE(headers[0].name, std::string("traceparent"));
        QCOMPARE(headers[0].value, kParent);
    }
}

QTEST_APPLESS_MAIN(GatewayTraceTest)
#include "tst_gateway_trace.moc"
