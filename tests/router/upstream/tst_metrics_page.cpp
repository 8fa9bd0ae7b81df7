// SPDX-License-Identifier: MIT
// Where a metrics page is, and what is sent to it.
#include "router/upstream/metrics_page.h"

#include <QTest>
#include <map>

using namespace signalbox;
using namespace signalbox::upstream;
using namespace std::chrono_literals;

namespace {

config::Provider providerOf(std::optional<std::string> baseUrl, std::string metricsUrl) {
    config::Provider provider;
    provider.id = "local";
    provider.baseUrl = std::move(baseUrl);
    provider.metricsUrl = std::move(metricsUrl);
    provider.apiKeyEnv = "LOCAL_KEY";
    provider.staticHeaders = {{"X-Team", "harbour"}, {"Host", "elsewhere"}};
    return provider;
}

std::optional<std::string> environment(const std::string& name) {
    return name == "LOCAL_KEY" ? std::optional<std::string>("hunter2-hunter2") : std::nullopt;
}

bool has(const std::string& head, const char* line) { return head.find(std::string("\r\n") + line + "\r\n") != std::string::npos; }

} // namespace

class TestMetricsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addresses_data();
    void addresses();
    void requestIsComplete();
    void secretsStayAtTheirOrigin_data();
    void secretsStayAtTheirOrigin();
    void missingKeyIsNoReason();
    void unusable_data();
    void unusable();
    void repeatsAreAskedOnce();
};

void TestMetricsPage::addresses_data() {
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("metrics");
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("versionLine");
    const auto row = [](const char* tag, const char* base, const char* metrics, const char* url, const char* version) {
        QTest::newRow(tag) << QByteArray(base) << QByteArray(metrics) << QByteArray(url) << QByteArray(version);
    };
    row("auto", "http://Gpu1:8000/v1", "auto", "http://gpu1:8000/metrics", "GET /version HTTP/1.1");
    row("auto over TLS", "https://gpu1/api/v1/", "auto", "https://gpu1:443/metrics", "GET /version HTTP/1.1");
    row("auto, IPv6", "http://[::1]:8000", "auto", "http://[::1]:8000/metrics", "GET /version HTTP/1.1");
    row("another port", "http://gpu1:8000/v1", "http://gpu1:9100/metrics", "http://gpu1:9100/metrics", "GET /version HTTP/1.1");
    row("under a path", "http://gpu1:8000/v1", "http://edge/gpu1/metrics", "http://edge:80/gpu1/metrics", "GET /gpu1/version HTTP/1.1");
    row("without a path", "http://gpu1:8000/v1", "http://gpu1:9100/", "http://gpu1:9100/metrics", "GET /version HTTP/1.1");
}

void TestMetricsPage::addresses() {
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, metrics);
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, versionLine);
    const auto page = makeMetricsPage(providerOf(base.toStdString(), metrics.toStdString()), environment);
    QVERIFY2(page, page ? "" : page.error().text().c_str());
    QCOMPARE(QByteArray::fromStdString(page->url), url);
    QVERIFY(QByteArray::fromStdString(page->versionHead).startsWith(versionLine + "\r\n"));
    QCOMPARE(page->upstream->tls != nullptr, url.startsWith("https"));
}

void TestMetricsPage::requestIsComplete() {
    config::Provider provider = providerOf("http://gpu1:8000/v1", "auto");
    provider.metricsInterval = 750ms;
    const MetricsPage page = makeMetricsPage(provider, environment).value();
    QVERIFY(page.head.starts_with("GET /metrics HTTP/1.1\r\nHost: gpu1:8000\r\n"));
    QVERIFY(has(page.head, "Accept: text/plain;version=0.0.4"));
    QVERIFY(has(page.head, "Accept-Encoding: identity"));
    QVERIFY(has(page.head, "Connection: close"));
    QVERIFY(page.head.ends_with("\r\n\r\n"));
    QVERIFY(page.interval == 750ms);
    QCOMPARE(page.providers, std::vector<std::string>{"local"});
    QVERIFY(page.upstream->limits.total == kMetricsTimeout && page.upstream->limits.connect == kMetricsTimeout);
    QCOMPARE(page.upstream->secrets.size(), std::size_t{3}); // so that no message shows them
}

void TestMetricsPage::secretsStayAtTheirOrigin_data() {
    QTest::addColumn<QByteArray>("metrics");
    QTest::addColumn<bool>("sent");
    QTest::newRow("auto") << QByteArray("auto") << true;
    QTest::newRow("the same origin") << QByteArray("http://GPU1:8000/other/metrics") << true;
    QTest::newRow("another port") << QByteArray("http://gpu1:8001/metrics") << false;
    QTest::newRow("another host") << QByteArray("http://gpu2:8000/metrics") << false;
    QTest::newRow("another scheme") << QByteArray("https://gpu1:8000/metrics") << false;
}

void TestMetricsPage::secretsStayAtTheirOrigin() {
    QFETCH(QByteArray, metrics);
    QFETCH(bool, sent);
    const MetricsPage page = makeMetricsPage(providerOf("http://gpu1:8000/v1", metrics.toStdString()), environment).value();
    for (const std::string& head : {page.head, page.versionHead}) {
        QCOMPARE(has(head, "Authorization: Bearer hunter2-hunter2"), sent);
        QCOMPARE(has(head, "X-Team: harbour"), sent);
        QVERIFY(head.find("elsewhere") == std::string::npos);
        if (!sent) QVERIFY(head.find("hunter2") == std::string::npos);
    }
}

void TestMetricsPage::missingKeyIsNoReason() {
    config::Provider provider = providerOf("http://gpu1:8000/v1", "auto");
    provider.apiKeyRequired = true;
    const auto page = makeMetricsPage(provider, [](const std::string&) { return std::nullopt; });
    QVERIFY(page);
    QVERIFY(page->head.find("Authorization") == std::string::npos);
}

void TestMetricsPage::unusable_data() {
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("metrics");
    QTest::newRow("auto without a base URL") << QByteArray() << QByteArray("auto");
    QTest::newRow("auto with a bad base URL") << QByteArray("gpu1:8000") << QByteArray("auto");
    QTest::newRow("no scheme") << QByteArray("http://gpu1") << QByteArray("gpu1/metrics");
    QTest::newRow("a password") << QByteArray("http://gpu1") << QByteArray("http://me:hunter2@gpu1/metrics");
    QTest::newRow("a query") << QByteArray("http://gpu1") << QByteArray("http://gpu1/federate?token=hunter2");
}

void TestMetricsPage::unusable() {
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, metrics);
    const auto text = base.isEmpty() ? std::nullopt : std::optional(base.toStdString());
    const auto page = makeMetricsPage(providerOf(text, metrics.toStdString()), environment);
    QVERIFY(!page);
    QCOMPARE(page.error().where, std::string("providers.local.metrics_url"));
    QVERIFY(!page.error().hint.empty());
    QVERIFY(page.error().text().find("hunter2") == std::string::npos);
}

void TestMetricsPage::repeatsAreAskedOnce() {
    const auto pageOf = [](const char* id, const char* metrics, std::chrono::milliseconds interval) {
        config::Provider provider = providerOf("http://gpu1:8000/v1", metrics);
        provider.id = id;
        provider.metricsInterval = interval;
        return makeMetricsPage(provider, environment).value();
    };
    const auto pages = withoutRepeats({pageOf("a", "auto", 5s), pageOf("b", "http://gpu1:9100/metrics", 5s),
                                       pageOf("c", "http://gpu1:8000/metrics", 2s)});
    QCOMPARE(pages.size(), std::size_t{2});
    QCOMPARE(pages[0].providers, (std::vector<std::string>{"a", "c"}));
    QVERIFY(pages[0].interval == 2s);
    QCOMPARE(pages[1].providers, std::vector<std::string>{"b"});
}

QTEST_APPLESS_MAIN(TestMetricsPage)
#include "tst_metrics_page.moc"
