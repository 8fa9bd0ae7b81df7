// SPDX-License-Identifier: MIT
// Upstreams behind an HTTP proxy that gateway.toml names. What the environment says of proxies is never looked at.
#include "tests/router/upstream/adapter_harness.h"
#include "tests/support/tunnel_proxy.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;
using namespace signalbox::test;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

constexpr const char* kPassword = "opensesame-4711";
/// Of `ann:opensesame-4711`.
constexpr const char* kBasic = "Basic YW5uOm9wZW5zZXNhbWUtNDcxMQ==";
const std::string kBody = R"({"choices":[]})";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void logIn(AdapterHarness& harness) {
    harness.provider.proxyAuthEnv = "PROXY_LOGIN";
    harness.environment["PROXY_LOGIN"] = "ann:"s + kPassword;
}

}  // namespace

class TestUpstreamProxy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void httpsGoesThroughATunnel();
    void tunnelsAreKeptAndBelongToTheirProxy();
    void certificatesAreVerifiedInside();
    void httpIsAskedInAbsoluteForm();
    void refusals_data();
    void refusals();
    void plainProxyWantsCredentials();
    void proxyThatIsNotThere();
    void proxyThatHangs();
    void proxyThatClosesMidway();
    void environmentIsIgnored();
    void credentialsThatAreNone_data();
    void credentialsThatAreNone();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::optional<TlsFiles> m_files;
};

void TestUpstreamProxy::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_files = makeTestCertificates(m_folder->path().toStdString());
    QVERIFY(m_files);
}

void TestUpstreamProxy::httpsGoesThroughATunnel() {
    TunnelProxy proxy;
    AdapterHarness harness(m_files);
    harness.provider.caFile = m_files->authority.string();
    harness.provider.proxy = proxy.url();
    logIn(harness);
    const AdapterAnswer answer = harness.ask(false, Reply::json(kBody));
    QVERIFY2(!answer.atCall, answer.atCall ? answer.atCall->message.c_str() : "");
    QCOMPARE(answer.bytes(), kBody);
    const std::string head = proxy.heads().at(0);
    const std::string target = "127.0.0.1:" + std::to_string(harness.upstream.port());
    QVERIFY2(head.starts_with("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"), head.c_str());
    QVERIFY2(has(head, "\r\nProxy-Authorization: "s + kBasic + "\r\n"), head.c_str());
    QVERIFY2(!has(head, AdapterHarness::kKey), "the provider's key is none of the proxy's business");
    QVERIFY2(!has(proxy.sent(), AdapterHarness::kKey) && !has(proxy.sent(), "chat/completions"), "it sees TLS alone");
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.requestLine(), "POST /v1/chat/completions HTTP/1.1"s);
    QVERIFY(got.header("Proxy-Authorization").empty());
    QCOMPARE(got.header("Authorization"), "Bearer "s + AdapterHarness::kKey);
}

void TestUpstreamProxy::tunnelsAreKeptAndBelongToTheirProxy() {
    TunnelProxy proxy, another;
    AdapterHarness harness(m_files);
    harness.provider.caFile = m_files->authority.string();
    harness.upstream.setStandingReply(Reply::json(kBody));
    const auto askThrough = [&](std::optional<std::string> url) {
        harness.provider.proxy = std::move(url);
        return harness.ask(false);
    };
    QVERIFY(!askThrough(proxy.url()).atCall);
    QVERIFY(!askThrough(proxy.url()).atCall);
    QCOMPARE(proxy.heads().size(), std::size_t{1});
    QVERIFY(!askThrough(std::nullopt).atCall);
    QVERIFY(!askThrough(another.url()).atCall);
    QCOMPARE(another.heads().size(), std::size_t{1});
    logIn(harness);
    QVERIFY(!askThrough(proxy.url()).atCall);
    QVERIFY2(proxy.heads().size() == 2, "a tunnel belongs to who opened it");
    QCOMPARE(harness.upstream.connectionsAccepted(), std::size_t{4});
}

void TestUpstreamProxy::certificatesAreVerifiedInside() {
    TunnelProxy proxy;
    AdapterHarness harness(m_files);
    harness.provider.proxy = proxy.url();
    const AdapterAnswer answer = harness.ask(false, Reply::json(kBody));
    QVERIFY(answer.atCall && answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(answer.atCall->code, "connect_tls"s);
    QVERIFY2(has(answer.atCall->message, "through the proxy " + proxy.url()), answer.atCall->message.c_str());
    QVERIFY(harness.upstream.requests().empty());
    QVERIFY(!has(proxy.sent(), AdapterHarness::kKey));
}

void TestUpstreamProxy::httpIsAskedInAbsoluteForm() {
    AdapterHarness harness;  // its upstream is the proxy
    harness.provider.proxy = "http://127.0.0.1:" + std::to_string(harness.upstream.port());
    harness.provider.baseUrl = "http://upstream.invalid:8000/v1";  // a name that nobody here looks up
    logIn(harness);
    const AdapterAnswer answer = harness.ask(false, Reply::json(kBody));
    QVERIFY2(!answer.atCall, answer.atCall ? answer.atCall->message.c_str() : "");
    const ReceivedRequest got = harness.upstream.requests().at(0);
    QCOMPARE(got.requestLine(), "POST http://upstream.invalid:8000/v1/chat/completions HTTP/1.1"s);
    QCOMPARE(got.header("Host"), "upstream.invalid:8000"s);
    QCOMPARE(got.header("Proxy-Authorization"), std::string(kBasic));
    QVERIFY(!harness.ask(false, Reply::json(kBody)).atCall);
    QVERIFY2(harness.upstream.connectionsAccepted() == 1, "the connection to the proxy is kept");
}

void TestUpstreamProxy::refusals_data() {
    QTest::addColumn<QByteArray>("reply");  // empty: it closes
    QTest::addColumn<bool>("loggedIn");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("wants credentials") << QByteArray("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                                       << false << "proxy_auth_required" << "proxy_auth_env";
    QTest::newRow("refuses credentials") << QByteArray("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n") << true
                                         << "proxy_auth_refused" << "Check the variable";
    QTest::newRow("refuses the address") << QByteArray("HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnope") << false
                                         << "proxy_status_403" << "answered 403";
    QTest::newRow("cannot reach it") << QByteArray("HTTP/1.0 502 Bad Gateway\r\n\r\n") << false << "proxy_status_502" << "answered 502";
    QTest::newRow("leads elsewhere") << QByteArray("HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n") << false << "proxy_status_302" << "302";
    QTest::newRow("closes") << QByteArray() << false << "proxy_closed" << "closed the connection";
    QTest::newRow("closes within its head") << QByteArray("HTTP/1.1 200 OK\r\n") << false << "proxy_closed" << "closed the connection";
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n\r\n") << false << "proxy_not_http" << "HTTP";
    QTest::newRow("a status that is none") << QByteArray("HTTP/1.1 2x0 OK\r\n\r\n") << false << "proxy_not_http" << "HTTP";
    QTest::newRow("a head without end") << QByteArray("HTTP/1.1 200 OK\r\nX: ").append(100'000, 'x') << false << "proxy_not_http" << "without end";
    QTest::newRow("speaks for the upstream") << QByteArray("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n") << false << "proxy_not_http" << "more";
}

void TestUpstreamProxy::refusals() {
    QFETCH(QByteArray, reply);
    QFETCH(bool, loggedIn);
    QFETCH(QString, code);
    QFETCH(QString, says);
    AdapterHarness harness;  // its upstream is the proxy
    harness.provider.proxy = "http://127.0.0.1:" + std::to_string(harness.upstream.port());
    harness.provider.baseUrl = "https://upstream.invalid/v1";
    if (loggedIn) logIn(harness);
    const AdapterAnswer answer = harness.ask(true, reply.isEmpty() ? Reply::nothing().close() : Reply::raw(reply.toStdString()).close());
    QVERIFY(answer.atCall);
    QVERIFY(answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(QString::fromStdString(answer.atCall->code), code);
    const std::string& message = answer.atCall->message;
    QVERIFY2(has(message, says.toStdString()), message.c_str());
    QVERIFY2(has(message, *harness.provider.proxy) && has(message, "https://upstream.invalid:443") && has(message, "Provider local"), message.c_str());
    QVERIFY2(!has(message, kPassword) && !has(message, kBasic), message.c_str());
    QCOMPARE(harness.upstream.requests().size(), std::size_t{1});
    QVERIFY(!has(harness.upstream.requests().at(0).head, AdapterHarness::kKey));
}

void TestUpstreamProxy::plainProxyWantsCredentials() {
    AdapterHarness harness;
    harness.provider.proxy = "http://127.0.0.1:" + std::to_string(harness.upstream.port());
    harness.provider.baseUrl = "http://upstream.invalid/v1";
    const AdapterAnswer answer = harness.ask(false, Reply::json("{}", 407));
    QVERIFY(answer.atCall && answer.atCall->kind == UpstreamFailure::Kind::connect);
    QCOMPARE(answer.atCall->code, "proxy_auth_required"s);
    logIn(harness);
    QCOMPARE(harness.ask(false, Reply::json("{}", 407)).atCall->code, "proxy_auth_refused"s);
    // Without a proxy it is the upstream's own, however odd.
    AdapterHarness direct;
    QCOMPARE(direct.ask(false, Reply::json("{}", 407)).atCall->code, "status_407"s);
}

void TestUpstreamProxy::proxyThatIsNotThere() {
    std::uint16_t port = 0;
    {
        const ScriptedUpstream gone;
        port = gone.port();
    }
    for (const char* url : {"https://upstream.invalid/v1", "http://upstream.invalid/v1"}) {
        AdapterHarness harness;
        harness.provider.proxy = "http://127.0.0.1:" + std::to_string(port);
        harness.provider.baseUrl = url;
        const AdapterAnswer answer = harness.ask(false);
        QVERIFY(answer.atCall && answer.atCall->kind == UpstreamFailure::Kind::connect);
        QCOMPARE(answer.atCall->code, "proxy_connect_refused"s);
        QVERIFY2(has(answer.atCall->message, "through the proxy http://127.0.0.1:") && has(answer.atCall->message, "(proxy: TCP)"),
                 answer.atCall->message.c_str());
    }
}

void TestUpstreamProxy::proxyThatHangs() {
    AdapterHarness harness;
    harness.provider.proxy = "http://127.0.0.1:" + std::to_string(harness.upstream.port());
    harness.provider.baseUrl = "https://upstream.invalid/v1";
    harness.provider.connectTimeout = 200ms;
    const AdapterAnswer answer = harness.ask(false, Reply::nothing().stall());
    QVERIFY(answer.atCall && answer.atCall->kind == UpstreamFailure::Kind::timeout);
    QCOMPARE(answer.atCall->code, "timeout_connect"s);
    QVERIFY2(has(answer.atCall->message, "(proxy: CONNECT)"), answer.atCall->message.c_str());
    QTRY_COMPARE(harness.upstream.abandoned(), std::size_t{1});
}

// At every size up to a whole answer: in the handshake, in the head, in the body.
void TestUpstreamProxy::proxyThatClosesMidway() {
    TunnelProxy proxy;
    AdapterHarness harness(m_files);
    harness.provider.caFile = m_files->authority.string();
    harness.provider.proxy = proxy.url();
    harness.upstream.setStandingReply(Reply::stream().event(R"({"choices":[{"delta":{"content":"a"}}]})").event(std::string(5000, ' ') + "{}").end());
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{500}, std::size_t{2500}, std::size_t{4000}}) {
        proxy.closeAfter(bytes);
        const AdapterAnswer answer = harness.ask(true);
        const auto& failure = answer.atCall ? answer.atCall : answer.later;
        QVERIFY2(failure.has_value(), qPrintable(QString::number(bytes)));
        QVERIFY(failure->kind == UpstreamFailure::Kind::connect || failure->kind == UpstreamFailure::Kind::disconnected);
        QVERIFY2(has(failure->message, "through the proxy " + proxy.url()), failure->message.c_str());
    }
}

void TestUpstreamProxy::environmentIsIgnored() {
    const ScriptedUpstream trap;
    const std::string url = "http://127.0.0.1:" + std::to_string(trap.port());
    const std::initializer_list<const char*> names{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    for (const char* name : names) qputenv(name, QByteArray::fromStdString(url));
    const auto clean = qScopeGuard([&] {
        for (const char* name : names) qunsetenv(name);
    });
    AdapterHarness plain, encrypted(m_files);
    encrypted.provider.caFile = m_files->authority.string();
    for (AdapterHarness* harness : {&plain, &encrypted}) {
        for (const char* name : names) harness->environment[name] = url;
        QVERIFY(!harness->ask(false, Reply::json(kBody)).atCall);
        QCOMPARE(harness->upstream.requests().at(0).requestLine(), "POST /v1/chat/completions HTTP/1.1"s);
    }
    QCOMPARE(trap.connectionsAccepted(), std::size_t{0});
}

void TestUpstreamProxy::credentialsThatAreNone_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("missing");
    QTest::newRow("not set") << QString() << true;
    QTest::newRow("blank") << QStringLiteral("  ") << true;
    QTest::newRow("no colon") << QStringLiteral("opensesame-4711") << false;
    QTest::newRow("two lines") << QStringLiteral("ann:open\nsesame-4711") << false;
}

void TestUpstreamProxy::credentialsThatAreNone() {
    QFETCH(QString, value);
    QFETCH(bool, missing);
    AdapterHarness harness;
    harness.provider.proxy = "http://127.0.0.1:1";
    harness.provider.proxyAuthEnv = "PROXY_LOGIN";
    if (!value.isNull()) harness.environment["PROXY_LOGIN"] = value.toStdString();
    const auto made = harness.make();
    QVERIFY(!made);
    QVERIFY(made.error().kind == (missing ? ErrorKind::denied : ErrorKind::badInput));
    QCOMPARE(made.error().where, "providers.local.proxy_auth_env"s);
    QVERIFY2(has(made.error().text(), "PROXY_LOGIN") && !has(made.error().text(), "4711"), made.error().text().c_str());
}

QTEST_APPLESS_MAIN(TestUpstreamProxy)
#include "tst_upstream_proxy.moc"
