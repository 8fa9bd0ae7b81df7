// SPDX-License-Identifier: MIT
// What a browser sends for a page of somebody else, header by header: the fast twin of tst_browser_attack, which asks a
// real one. Whether a token is needed makes no difference.
#include "tests/router/gateway/gateway_fixture.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

class GatewayBrowserTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesAreRefused_data();
    void pagesAreRefused();
    void pagesLockNobodyOut();
    void programsAreNot_data();
    void programsAreNot();
    void anApplyChangesTheNames();
};

namespace {

const std::string kChat = R"({"model":"model-a","messages":[{"role":"user","content":"spend it"}]})";
const std::vector<const char*> kPaths{"/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/v1/messages",
                                      "/v1/models",           "/metrics",        "/livez",         "/admin/router/status"};

/// By which a proxy of the operator's reaches it.
const std::string kHosts = "hosts = [\"gateway.corp\"]\n";

struct FromPage {
    const char* tag;
    const char* method;
    std::vector<std::string> headers;
    std::string host; ///< empty: the gateway's own
    const char* code;
};

/// `{own}` stands for the gateway's own address.
std::vector<FromPage> pageRequests() {
    const std::string evil = "Origin: https://evil.example", text = "Content-Type: text/plain;charset=UTF-8";
    const std::string cross = "Sec-Fetch-Site: cross-site", same = "Sec-Fetch-Site: same-site";
    return {
        {"fetch cors GET", "GET", {evil, cross, "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"}, {}, "browser_refused"},
        {"fetch no-cors GET", "GET", {cross, "Sec-Fetch-Mode: no-cors"}, {}, "browser_refused"},
        {"fetch cors POST of text", "POST", {evil, cross, "Sec-Fetch-Mode: cors", text}, {}, "browser_refused"},
        {"fetch no-cors POST of text", "POST", {evil, cross, "Sec-Fetch-Mode: no-cors", text}, {}, "browser_refused"},
        {"older browser, no-cors POST", "POST", {evil, text}, {}, "foreign_origin"},
        {"form", "POST", {"Origin: null", cross, "Sec-Fetch-Mode: navigate", "Content-Type: text/plain"}, {}, "browser_refused"},
        {"older browser, sandboxed form", "POST", {"Origin: null", "Content-Type: text/plain"}, {}, "foreign_origin"},
        {"older browser, empty origin", "POST", {"Origin:", text}, {}, "foreign_origin"},
        {"preflight", "OPTIONS", {evil, cross, "Access-Control-Request-Method: POST",
                                  "Access-Control-Request-Headers: authorization"}, {}, "browser_refused"},
        {"preflight for a private network", "OPTIONS", {evil, "Access-Control-Request-Method: POST",
                                                        "Access-Control-Request-Private-Network: true"}, {}, "foreign_origin"},
        {"EventSource", "GET", {evil, cross, "Accept: text/event-stream"}, {}, "browser_refused"},
        {"WebSocket", "GET", {evil, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}, {}, "foreign_origin"},
        {"img", "GET", {cross, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}, {}, "browser_refused"},
        {"script", "GET", {cross, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"}, {}, "browser_refused"},
        {"link", "GET", {cross, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, {}, "browser_refused"},
        {"beacon", "POST", {evil, cross, "Sec-Fetch-Mode: no-cors", text}, {}, "browser_refused"},
        {"page on another port", "POST", {"Origin: http://localhost:3000", same, text}, {}, "browser_refused"},
        {"older browser, page on another port", "POST", {"Origin: http://localhost:3000", text}, {}, "foreign_origin"},
        {"the same port under TLS", "POST", {"Origin: https://{own}", text}, {}, "foreign_origin"},
        {"rebound name, GET", "GET", {"Sec-Fetch-Site: same-origin"}, "evil.example:{port}", "unexpected_host"},
        {"rebound name, POST", "POST", {"Origin: http://evil.example:{port}", "Sec-Fetch-Site: same-origin",
                                        "Content-Type: application/json"}, "evil.example:{port}", "unexpected_host"},
        {"name that begins like ours", "GET", {}, "localhost.evil.example", "unexpected_host"},
        {"name that ends like ours", "GET", {}, "evil.localhost.example:{port}", "unexpected_host"},
        {"address in a name", "GET", {}, "127.0.0.1.nip.io:{port}", "unexpected_host"},
        {"a name below a listed one", "GET", {}, "evil.gateway.corp", "unexpected_host"},
        {"listed name, a foreign page", "POST", {evil, cross, text}, "gateway.corp", "browser_refused"},
        {"listed name, older browser", "POST", {evil, text}, "gateway.corp", "foreign_origin"},
        {"listed name, a page of that name under TLS", "POST", {"Origin: https://gateway.corp", "Sec-Fetch-Site: same-origin"},
         "gateway.corp", "foreign_origin"},
        {"user before the host", "GET", {}, "localhost:80@evil.example", "unexpected_host"},
    };
}

std::string filled(std::string text, std::uint16_t port) {
    const auto replace = [&](const std::string& what, const std::string& with) {
        if (const auto at = text.find(what); at != std::string::npos)
            text.replace(at, what.size(), with);
    };
    replace("{own}", "localhost:" + std::to_string(port));
    replace("{port}", std::to_string(port));
    return text;
}

} // namespace

void GatewayBrowserTest::pagesAreRefused_data() {
    QTest::addColumn<int>("request");
    QTest::addColumn<bool>("open");
    const auto all = pageRequests();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::addRow("%s", all[i].tag) << static_cast<int>(i) << false;
        QTest::addRow("%s, no token needed", all[i].tag) << static_cast<int>(i) << true;
    }
}

void GatewayBrowserTest::pagesAreRefused() {
    QFETCH(int, request);
    QFETCH(bool, open);
    const FromPage page = pageRequests().at(static_cast<std::size_t>(request));
    FixtureOptions options;
    options.server = kHosts;
    if (open) {
        options.server += "auth = \"none\"\n";
        options.token.clear();
    }
    GatewayFixture gateway(options);
    for (const char* path : kPaths) {
        // Even a page that knows the token, which it could not have from us.
        RequestLines lines{page.method, path, {kAuth}, page.method == std::string("POST") ? kChat : std::string()};
        lines.host = page.host.empty() ? "localhost:" + std::to_string(gateway.port()) : filled(page.host, gateway.port());
        for (const std::string& header : page.headers)
            lines.headers.push_back(filled(header, gateway.port()));
        const auto response = fetch(gateway.port(), lines);
        QVERIFY(response && response->complete);
        QCOMPARE(response->status, 403);
        for (const auto& [name, value] : response->headers)
            QVERIFY2(!name.starts_with("access-control-"), "no page is invited to read it");
        // Each edge has its own shape; both say why.
        const bool says = response->body.find("a web page sent this") != std::string::npos ||
                          response->body.find("is not an address of this gateway") != std::string::npos;
        QVERIFY2(says, response->body.c_str());
    }
    QCOMPARE(gateway.refusals(page.code), std::uint64_t{kPaths.size()});
    QVERIFY2(gateway.upstream().requests().empty(), "nothing was spent");
    QVERIFY(gateway.records().empty());
}

/// A page may knock at the admin paths as often as it likes: that is no attempt with a wrong token.
void GatewayBrowserTest::pagesLockNobodyOut() {
    GatewayFixture gateway;
    const auto knock = [&](std::vector<std::string> headers) {
        return fetch(gateway.port(), {"GET", "/admin/router/status", std::move(headers), {}})->status;
    };
    for (int i = 0; i < 40; ++i)
        QCOMPARE(knock({"Sec-Fetch-Site: cross-site"}), 403);
    QCOMPARE(knock({"Authorization: Bearer wrong-wrong-wrong"}), 401);
    QCOMPARE(gateway.getAsAdmin("/admin/router/status")->status, 200);
    QCOMPARE(gateway.refusals("browser_refused"), std::uint64_t{40});
}

void GatewayBrowserTest::programsAreNot_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("nothing special") << QByteArray() << QByteArray("localhost");
    QTest::newRow("address") << QByteArray() << QByteArray("127.0.0.1:{port}");
    QTest::newRow("IPv6") << QByteArray() << QByteArray("[::1]:{port}");
    QTest::newRow("capitals") << QByteArray() << QByteArray("LocalHost:{port}");
    QTest::newRow("tunnel to another port") << QByteArray() << QByteArray("localhost:12345");
    QTest::newRow("address bar") << QByteArray("Sec-Fetch-Site: none") << QByteArray("localhost:{port}");
    QTest::newRow("listed name") << QByteArray() << QByteArray("gateway.corp");
    QTest::newRow("listed name as it likes") << QByteArray() << QByteArray("Gateway.Corp.:443");
    QTest::newRow("own origin") << QByteArray("Origin: http://{own}") << QByteArray("localhost:{port}");
}

void GatewayBrowserTest::programsAreNot() {
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, host);
    FixtureOptions options;
    options.server = kHosts;
    GatewayFixture gateway(options);
    RequestLines lines{"POST", "/v1/chat/completions", {kAuth}, kChat, filled(host.toStdString(), gateway.port())};
    if (!header.isEmpty())
        lines.headers.push_back(filled(header.toStdString(), gateway.port()));
    QCOMPARE(fetch(gateway.port(), lines)->status, 200);
    RequestLines admin{"GET", "/admin/router/status", {"Authorization: Bearer " + kAdminToken}, {}, lines.host};
    QCOMPARE(fetch(gateway.port(), admin)->status, 200);
}

/// On connections that stand, as everything else in a policy.
void GatewayBrowserTest::anApplyChangesTheNames() {
    GatewayFixture gateway;
    RawClient client(gateway.port());
    const auto statusFor = [&](const char* target, std::vector<std::string> headers) {
        const bool sent = client.send(requestText({"GET", target, std::move(headers), {}, "gateway.corp"}));
        const auto response = sent ? client.response() : std::nullopt;
        return response ? response->status : 0;
    };
    const std::vector<std::string> asAdmin{"Authorization: Bearer " + kAdminToken};
    QCOMPARE(statusFor("/v1/models", {kAuth}), 403);
    QCOMPARE(statusFor("/admin/router/status", asAdmin), 403);
    FixtureOptions named;
    named.server = kHosts;
    QVERIFY(gateway.server().apply(gateway.makeServing(fixtureSnapshot(named))).has_value());
    QCOMPARE(statusFor("/v1/models", {kAuth}), 200);
    QCOMPARE(statusFor("/admin/router/status", asAdmin), 200);
    QVERIFY(gateway.server().apply(gateway.makeServing(fixtureSnapshot({}))).has_value());
    QCOMPARE(statusFor("/v1/models", {kAuth}), 403);
}

QTEST_APPLESS_MAIN(GatewayBrowserTest)
#include "tst_gateway_browser.moc"
