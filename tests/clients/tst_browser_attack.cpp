// SPDX-License-Identifier: MIT
// An attacker's page in a real browser, against a real gateway on the same machine: it gets no answer that it could read
// and spends nothing, whether or not the gateway asks for a token. tst_gateway_browser is the fast twin.
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/scripted_upstream.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace signalbox;
using namespace signalbox::test;
using namespace Qt::StringLiterals;

class BrowserAttackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pageNoticesWhatItGets();
    void pagesGetNothing_data();
    void pagesGetNothing();

private:
    void attack(std::uint16_t gatewayPort, QJsonObject& report) const;
    QString m_browser;
};

namespace {

constexpr auto kAnswer =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"spent"},"finish_reason":"stop"}]})";

/// What `evil.example` serves: the page, and a place for its report. Everything else goes to the gateway as it came, so
/// that for the browser the gateway's answers come from the page's own origin: what a name that is bound to another
/// address while the page is open does.
class EvilSite {
public:
    EvilSite(const QByteArray& page, std::uint16_t gatewayPort) {
        m_site.setResponder([page, gatewayPort](const ReceivedRequest& request) {
            const std::string line = request.requestLine();
            if (line.starts_with("GET /attack"))
                return Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: " + std::to_string(page.size()) +
                                  "\r\n\r\n" + page.toStdString());
            if (line.starts_with("POST /report")) return Reply::json("{}");
            if (line.starts_with("GET /favicon.ico")) return Reply::json("{}", 404);
            return passedOn(request, gatewayPort);
        });
    }
    [[nodiscard]] std::uint16_t port() const { return m_site.port(); }
    /// What the page had to say in the end; empty until then.
    [[nodiscard]] QByteArray report() const {
        for (const ReceivedRequest& request : m_site.requests())
            if (request.requestLine().starts_with("POST /report")) return QByteArray::fromStdString(request.body);
        return {};
    }

private:
    static Reply passedOn(const ReceivedRequest& request, std::uint16_t gatewayPort) {
        RawClient client(gatewayPort);
        if (!client.send(request.head + request.body)) return Reply::nothing().close();
        const auto answer = client.response(request.requestLine().starts_with("HEAD"));
        if (!answer) return Reply::nothing().close();
        std::string head = "HTTP/1.1 " + std::to_string(answer->status) + " Passed on\r\n";
        for (const auto& [name, value] : answer->headers)
            if (name != "content-length" && name != "transfer-encoding" && name != "connection") head.append(name).append(": ").append(value).append("\r\n");
        return Reply::raw(head + "Content-Length: " + std::to_string(answer->body.size()) + "\r\n\r\n" + answer->body);
    }

    ScriptedUpstream m_site;
};

QByteArray attackPage(std::uint16_t gatewayPort) {
    QFile file(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/clients/browser_attack.html"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().replace("@GATEWAY_PORT@", QByteArray::number(gatewayPort));
}

QString findBrowser() {
    const QString named = qEnvironmentVariable("SIGNALBOX_TEST_BROWSER");
    if (!named.isEmpty()) return named;
    for (const auto* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"})
        if (const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name)); !path.isEmpty()) return path;
    return {};
}

}  // namespace

void BrowserAttackTest::initTestCase() {
    m_browser = findBrowser();
    if (m_browser.isEmpty())
        QSKIP("SKIPPED, no Chromium is installed: `packaging/install-deps browser` brings it, as `packaging/test --long` does");
}

/// Opens the page in a browser of its own and gives what it reports.
void BrowserAttackTest::attack(std::uint16_t gatewayPort, QJsonObject& report) const {
    const EvilSite site(attackPage(gatewayPort), gatewayPort);

    QTemporaryDir profile;
    QProcess browser;
    browser.setStandardErrorFile(profile.filePath(u"browser.log"_s));
    browser.start(m_browser, {u"--headless"_s, u"--no-sandbox"_s, u"--disable-gpu"_s, u"--disable-dev-shm-usage"_s, u"--no-first-run"_s,
                              u"--disable-background-networking"_s, u"--disable-component-update"_s, u"--disable-sync"_s, u"--no-proxy-server"_s,
                              // What a browser may add of its own must not be what holds the page back here.
                              u"--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights"_s,
                              u"--host-resolver-rules=MAP *.example 127.0.0.1"_s, u"--remote-debugging-port=0"_s,
                              u"--user-data-dir="_s + profile.path(), u"http://evil.example:%1/attack"_s.arg(site.port())});
    QVERIFY(browser.waitForStarted());
    QTRY_VERIFY2_WITH_TIMEOUT(!site.report().isEmpty() || browser.state() == QProcess::NotRunning, "the page did not report", 90'000);
    const QByteArray said = site.report();
    browser.terminate();
    if (!browser.waitForFinished(10'000)) browser.kill();
    browser.waitForFinished(5'000);
    QVERIFY2(!said.isEmpty(), "the browser ended before the page reported");

    report = QJsonDocument::fromJson(said).object();
    // It did what it set out to do.
    QVERIFY2(report[u"attempts"_s].toInt() > 200, said.constData());
}

/// A server that lets everybody in: what this page cannot notice, it could not report of a gateway either.
void BrowserAttackTest::pageNoticesWhatItGets() {
    ScriptedUpstream open;
    const std::string body = kAnswer;
    open.setStandingReply(Reply::json(body, 200, "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: *\r\n"));
    QJsonObject report;
    attack(open.port(), report);
    const QJsonArray leaks = report[u"leaks"_s].toArray();
    QVERIFY2(leaks.size() > 20, QJsonDocument(report).toJson().constData());
    for (const char* way : {"fetch cors GET http://127.0.0.1", "fetch POST of JSON", "fetch cors GET /v1/models", "iframe /metrics"}) {
        const bool noticed = std::any_of(leaks.begin(), leaks.end(), [&](const QJsonValue& leak) {
            return leak.toObject()[u"what"_s].toString().startsWith(QString::fromLatin1(way));
        });
        QVERIFY2(noticed, way);
    }
}

void BrowserAttackTest::pagesGetNothing_data() {
    QTest::addColumn<bool>("open");
    QTest::newRow("token") << false;
    QTest::newRow("no token needed") << true;
}

void BrowserAttackTest::pagesGetNothing() {
    QFETCH(bool, open);
    ScriptedUpstream upstream;
    upstream.setStandingReply(Reply::json(kAnswer));
    FixtureOptions options;
    options.upstreams = {{"up", upstream.baseUrl()}};
    if (open) {
        options.server = "auth = \"none\"\n";
        options.token.clear();
    }
    GatewayFixture gateway(options);
    QJsonObject report;
    attack(gateway.port(), report);
    const QJsonArray leaks = report[u"leaks"_s].toArray();
    QVERIFY2(leaks.isEmpty(), QJsonDocument(leaks).toJson().constData());
    // The page reached the gateway: else nothing was shown.
    QVERIFY2(report[u"refused"_s].toInt() > 10, "answers under its own name it could read: they were refusals");
    for (const char* code : {"browser_refused", "foreign_origin", "unexpected_host"})
        QVERIFY2(gateway.refusals(code) > 0, code);
    std::uint64_t refused = 0;
    for (const gateway::Refusal& refusal : gateway.server().refusals()) refused += refusal.count;
    QVERIFY2(refused > 150, qPrintable(QString::number(refused)));

    QCOMPARE(upstream.requestCount(), std::size_t{0});
    QCOMPARE(upstream.connectionsAccepted(), std::size_t{0});
    QVERIFY(gateway.records().empty());
    // And the gateway serves those whom it is for.
    QCOMPARE(gateway.post(R"({"model":"model-a","messages":[]})")->status, 200);
    QCOMPARE(upstream.requestCount(), std::size_t{1});
}

QTEST_GUILESS_MAIN(BrowserAttackTest)
#include "tst_browser_attack.moc"
