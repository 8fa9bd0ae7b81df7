// SPDX-License-Identifier: MIT
#include "router/gateway/access.h"

#include "router/base/hashing.h"

#include <QTest>

using namespace signalbox;
using gateway::AccessPolicy;
using gateway::HttpRequest;

class AccessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void browser_data();
    void browser();
    void anUnexpectedNameIsToldTheSetting();
    void token_data();
    void token();
    void noToken_onlyOnLoopback();
    void noToken_letsEverybodyIn();
    void principalWithoutToken_isNoticed();
    void aClientsTokenIsNotTheAdmins();
};

namespace {
config::GatewayConfig configFor(const std::string& host) {
    config::GatewayConfig config;
    config.server.host = host;
    config.server.hosts = {"gateway.corp", "llm.corp"};
    config::Principal batch;
    batch.id = "batch";
    batch.team = "night";
    batch.tokenEnv = "BATCH";
    batch.defaultExpectedLength = "short";
    config::Principal review;
    review.id = "review";
    review.mayPin = true;
    review.tokenSha256 = sha256Hex("review-token");
    config.principals = {batch, review};
    return config;
}

std::optional<std::string> environment(const std::string& name) {
    return name == "BATCH" ? std::optional<std::string>("batch-token") : std::nullopt;
}

AccessPolicy accessFor(const std::string& host) {
    return AccessPolicy::make(configFor(host), environment, "local-token").value();
}

HttpRequest requestTo(std::string_view host) {
    HttpRequest request;
    request.method = "POST";
    request.host = host;
    request.hasHost = true;
    return request;
}
} // namespace

void AccessTest::browser_data() {
    QTest::addColumn<QString>("bound");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("origin");
    QTest::addColumn<QString>("site");
    QTest::addColumn<QString>("code");
    const QString loop = QStringLiteral("127.0.0.1"), all = QStringLiteral("0.0.0.0"), none;
    const auto text = [](const char* t) { return QString::fromUtf8(t); };
    QTest::newRow("address") << loop << text("127.0.0.1:38082") << none << none << none;
    QTest::newRow("localhost") << loop << text("LOCALHOST:1") << none << none << none;
    QTest::newRow("v6 loopback") << loop << text("[::1]:38082") << none << none << none;
    QTest::newRow("no port") << loop << text("localhost") << none << none << none;
    QTest::newRow("rebound name") << loop << text("evil.example:38082") << none << none
                                  << text("unexpected_host");
    QTest::newRow("name that starts well")
        << loop << text("127.0.0.1.evil.example") << none << none << text("unexpected_host");
    QTest::newRow("foreign address") << loop << text("192.0.2.7:38082") << none << none
                                     << text("unexpected_host");
    QTest::newRow("address when open to the net") << all << text("192.0.2.7:38082") << none << none << none;
    QTest::newRow("name when open to the net")
        << all << text("evil.example") << none << none << text("unexpected_host");
    for (const QString& bound : {loop, all}) {
        const auto row = [&](const char* tag, const char* host, const QString& code) {
            QTest::addRow("%s, bound to %s", tag, qPrintable(bound)) << bound << text(host) << none << none << code;
        };
        const QString refused = text("unexpected_host");
        row("listed name", "gateway.corp", none);
        row("listed name behind a proxy", "LLM.Corp:443", none);
        row("listed name, last dot", "gateway.corp.:38082", none);
        row("two last dots", "gateway.corp..", refused);
        row("a dot", ".", refused);
        row("name below a listed one", "evil.gateway.corp", refused);
        row("name above a listed one", "corp", refused);
        row("listed name as the begin", "gateway.corp.evil.example", refused);
        row("listed name as a user", "gateway.corp@evil.example", refused);
        row("listed name as a port", "evil.example:gateway.corp", refused);
    }
    // A name that may be asked for lets no page in that could not come in by the address.
    const QString listed = text("gateway.corp");
    QTest::newRow("listed name, its own page over TLS")
        << loop << listed << text("https://gateway.corp") << text("same-origin") << text("foreign_origin");
    QTest::newRow("listed name, its own page")
        << loop << listed << text("http://gateway.corp") << text("same-origin") << text("foreign_origin");
    QTest::newRow("listed name, a page beside it")
        << loop << listed << text("https://llm.corp") << text("same-site") << text("browser_refused");
    QTest::newRow("listed name, a foreign page")
        << loop << listed << text("https://evil.example") << none << text("foreign_origin");
    QTest::newRow("listed name, a foreign page's image") << loop << listed << none << text("cross-site") << text("browser_refused");
    QTest::newRow("empty host") << loop << text("") << none << none << text("unexpected_host");
    QTest::newRow("foreign origin") << loop << text("localhost:1") << text("https://evil.example") << none
                                    << text("foreign_origin");
    QTest::newRow("other port's origin")
        << loop << text("localhost:1") << text("http://localhost:3000") << none << text("foreign_origin");
    QTest::newRow("null origin") << loop << text("localhost:1") << text("null") << none
                                 << text("foreign_origin");
    QTest::newRow("own origin") << loop << text("localhost:1") << text("http://localhost:1")
                                << text("same-origin") << none;
    QTest::newRow("cross-site get without origin")
        << loop << text("localhost:1") << none << text("cross-site") << text("browser_refused");
    QTest::newRow("same-site") << loop << text("localhost:1") << none << text(" Same-Site")
                               << text("browser_refused");
    QTest::newRow("typed address") << loop << text("localhost:1") << none << text("none") << none;
}

void AccessTest::browser() {
    QFETCH(QString, bound);
    QFETCH(QString, host);
    QFETCH(QString, origin);
    QFETCH(QString, site);
    QFETCH(QString, code);
    const std::string hostText = host.toStdString(), originText = origin.toStdString(),
                      siteText = site.toStdString();
    HttpRequest request = requestTo(hostText);
    request.hasOrigin = !origin.isNull();
    request.origin = originText;
    request.secFetchSite = siteText;
    const auto refused = accessFor(bound.toStdString()).checkBrowser(request);
    QCOMPARE(refused ? QString::fromStdString(refused->code) : QString(), code);
    if (refused)  // an address is offered once
        QVERIFY2(refused->message.find("127.0.0.1, localhost or 127.0.0.1") == std::string::npos, refused->message.c_str());
    if (refused)
        QCOMPARE(refused->status, 403);
}

/// Whoever runs the gateway under a name of its own finds the setting by the refusal.
void AccessTest::anUnexpectedNameIsToldTheSetting() {
    for (const char* bound : {"127.0.0.1", "0.0.0.0"}) {
        const auto messageFor = [&](const char* host) { return accessFor(bound).checkBrowser(requestTo(host))->message; };
        QVERIFY2(messageFor("gw.example:443").find("add it to hosts in [server] of gateway.toml") != std::string::npos, bound);
        for (const char* noName : {"", "gw.example:80x"})
            QVERIFY2(messageFor(noName).find("hosts") == std::string::npos, noName);
    }
    QVERIFY(accessFor("127.0.0.1").checkBrowser(requestTo("192.0.2.7"))->message.find("hosts") == std::string::npos);
}

void AccessTest::token_data() {
    QTest::addColumn<QString>("authorization");
    QTest::addColumn<QString>("apiKey");
    QTest::addColumn<QString>("answer"); // id of the caller, or the code
    const auto text = [](const char* t) { return QString::fromUtf8(t); };
    QTest::newRow("bearer") << text("Bearer local-token") << QString() << text("local");
    QTest::newRow("bearer, any case and spaces")
        << text(" bEARER   local-token ") << QString() << text("local");
    QTest::newRow("x-api-key") << QString() << text("local-token") << text("local");
    QTest::newRow("principal by environment") << text("Bearer batch-token") << QString() << text("batch");
    QTest::newRow("principal by hash") << QString() << text("review-token") << text("review");
    QTest::newRow("hash is not the token")
        << text("Bearer %1").arg(QString::fromStdString(sha256Hex("review-token"))) << QString()
        << text("invalid_token");
    QTest::newRow("none") << QString() << QString() << text("missing_token");
    QTest::newRow("empty bearer") << text("Bearer ") << QString() << text("missing_token");
    QTest::newRow("basic") << text("Basic local-token") << QString() << text("missing_token");
    QTest::newRow("wrong") << text("Bearer local-toker") << QString() << text("invalid_token");
    QTest::newRow("prefix") << text("Bearer local") << QString() << text("invalid_token");
}

void AccessTest::token() {
    QFETCH(QString, authorization);
    QFETCH(QString, apiKey);
    QFETCH(QString, answer);
    const std::string authorizationText = authorization.toStdString(), keyText = apiKey.toStdString();
    HttpRequest request = requestTo("localhost");
    request.authorization = authorizationText;
    request.apiKey = keyText;
    const AccessPolicy access = accessFor("127.0.0.1");
    const auto caller = access.authenticate(request);
    QCOMPARE(QString::fromStdString(caller ? (*caller)->id : caller.error().code), answer);
    if (!caller)
        QCOMPARE(caller.error().status, 401);
    if (caller && (*caller)->id == "batch")
        QCOMPARE((*caller)->defaults.expectedLength.value(), std::string("short"));
    if (!caller)
        QVERIFY2(caller.error().message.find("local-tok") == std::string::npos,
                 "a token must not be repeated");
}

void AccessTest::noToken_onlyOnLoopback() {
    config::GatewayConfig config = configFor("0.0.0.0");
    config.server.auth = config::AuthMode::none;
    const auto access = AccessPolicy::make(config, environment, "");
    QVERIFY(!access);
    QVERIFY(access.error().text().find("127.0.0.1") != std::string::npos);
}

void AccessTest::noToken_letsEverybodyIn() {
    config::GatewayConfig config = configFor("127.0.0.1");
    config.server.auth = config::AuthMode::none;
    const AccessPolicy access = AccessPolicy::make(config, environment, "").value();
    QCOMPARE((*access.authenticate(requestTo("localhost")))->id, std::string("anonymous"));
    QVERIFY(!access.tokenRequired());
    HttpRequest page = requestTo("localhost");
    page.secFetchSite = "cross-site";
    QVERIFY2(access.checkBrowser(page).has_value(), "a page is refused even where no token is asked for");
}

void AccessTest::aClientsTokenIsNotTheAdmins() {
    QVERIFY(AccessPolicy::make(configFor("127.0.0.1"), environment, "local-token", "an-admin-token"));
    for (const char* token : {"local-token", "batch-token", "review-token"}) {
        const auto refused = AccessPolicy::make(configFor("127.0.0.1"), environment, "local-token", token);
        QVERIFY2(!refused && refused.error().message.find(token) == std::string::npos, token);
    }
}

void AccessTest::principalWithoutToken_isNoticed() {
    const auto access = AccessPolicy::make(
        configFor("127.0.0.1"), [](const std::string&) { return std::nullopt; }, "local-token");
    QCOMPARE(access->notices().size(), std::size_t{1});
    QVERIFY(access->notices().front().find("BATCH") != std::string::npos);
}

QTEST_APPLESS_MAIN(AccessTest)
#include "tst_access.moc"
