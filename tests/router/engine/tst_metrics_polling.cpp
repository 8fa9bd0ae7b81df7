// SPDX-License-Identifier: MIT
// Metrics pages are read while the gateway runs, as its policy says, on a thread that ends at once.
#include "router/base/file.h"
#include "router/engine/metrics_polling.h"
#include "router/engine/target.h"
#include "router/policy/workspace.h"
#include "tests/support/scripted_upstream.h"

#include <QTemporaryDir>
#include <QTest>
#include <stdexcept>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

namespace {

std::optional<std::string> nothingSet(const std::string&) { return std::nullopt; }

config::Provider providerAt(const std::string& id, const std::string& baseUrl) {
    config::Provider provider;
    provider.id = id;
    provider.baseUrl = baseUrl;
    provider.metricsUrl = "auto";
    provider.metricsInterval = 5ms;
    return provider;
}

config::GatewayConfig configOf(std::vector<config::Provider> providers) {
    config::GatewayConfig config;
    config.providers = std::move(providers);
    return config;
}

const Reply kPage = Reply::json("llamacpp:requests_processing 3\nllamacpp:requests_deferred 0\n");

} // namespace

class TestMetricsPolling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheConfiguration();
    void everyReadingHasAConnectionOfItsOwn();
    void pageThatCannotBeAskedIsAState();
    void stopEndsAReadingInFlight();
    void followAndStopAtAnyMoment();
    void gatewayReadsWhileItRuns();
};

void TestMetricsPolling::followsTheConfiguration() {
    ScriptedUpstream first, second;
    first.setStandingReply(kPage);
    second.setStandingReply(kPage);
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    auto withoutPage = providerAt("plain", first.baseUrl());
    withoutPage.metricsUrl.reset();
    polling.follow(configOf({providerAt("a", first.baseUrl()), withoutPage}), nothingSet);
    QTRY_VERIFY(book.of("a")->metrics("m").has_value());
    QVERIFY(!book.of("plain")->state().isConfigured());
    const auto load = book.of("a")->liveLoad("m", clock.steady());
    QVERIFY(!load || load->running == 3U); // on a slow machine three intervals are over soon
    // Another policy: the one page goes, the other comes.
    polling.follow(configOf({providerAt("b", second.baseUrl())}), nothingSet);
    QTRY_VERIFY(book.of("b")->metrics("m").has_value());
    QVERIFY(!book.of("a")->metrics("m"));
    QTRY_COMPARE(first.openConnections(), std::size_t{0}); // what was under way has arrived
    const std::size_t before = first.requestCount();
    const std::size_t read = second.requestCount();
    QTRY_VERIFY(second.requestCount() >= read + 5);
    QCOMPARE(first.requestCount(), before);
    polling.follow(configOf({withoutPage}), nothingSet);
    QVERIFY(!book.of("b")->state().isConfigured());
    QTRY_COMPARE(second.openConnections(), std::size_t{0});
}

// Also where the server would keep it: a parked socket of a page that nobody follows any more would stay for a minute.
void TestMetricsPolling::everyReadingHasAConnectionOfItsOwn() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(kPage);
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    polling.follow(configOf({providerAt("a", upstream.baseUrl())}), nothingSet);
    QTRY_VERIFY(upstream.requestCount() >= 4);
    const std::vector<ReceivedRequest> requests = upstream.requests();
    for (std::size_t i = 0; i < requests.size(); ++i) QCOMPARE(requests[i].connection, i);
}

void TestMetricsPolling::pageThatCannotBeAskedIsAState() {
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    auto provider = providerAt("a", "http://127.0.0.1:1/v1");
    provider.baseUrl.reset();
    polling.follow(configOf({provider}), nothingSet);
    QTRY_VERIFY(book.of("a")->state().lastError.has_value());
    QCOMPARE(book.of("a")->state().lastError->where, std::string("providers.a.metrics_url"));
}

void TestMetricsPolling::stopEndsAReadingInFlight() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(Reply::nothing().stall());
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    polling.follow(configOf({providerAt("a", upstream.baseUrl())}), nothingSet);
    QTRY_COMPARE(upstream.requestCount(), std::size_t{1});
    polling.stop();
    QTRY_COMPARE(upstream.abandoned(), std::size_t{1});
    QVERIFY(!book.of("a")->state().isConfigured());
    // And it can begin again.
    upstream.setStandingReply(kPage);
    polling.follow(configOf({providerAt("a", upstream.baseUrl())}), nothingSet);
    QTRY_VERIFY(book.of("a")->metrics("m").has_value());
}

void TestMetricsPolling::followAndStopAtAnyMoment() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(kPage);
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    for (int round = 0; round < 40; ++round) {
        polling.follow(configOf({providerAt("a", upstream.baseUrl()), providerAt("b", upstream.baseUrl())}), nothingSet);
        if (round % 2 == 0) polling.follow(configOf({providerAt("b", upstream.baseUrl())}), nothingSet);
        if (round % 3 == 0) QTRY_VERIFY(book.of("b")->metrics("m").has_value());
        if (round % 4 == 0) polling.stop();
    }
    polling.stop();
    QTRY_COMPARE(upstream.openConnections(), std::size_t{0});
}

void TestMetricsPolling::gatewayReadsWhileItRuns() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(kPage);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const auto policyOf = [&](const std::string& more) -> engine::Policy {
        const std::string toml = "[server]\nlisten = \"127.0.0.1:0\"\n[providers.local]\nbase_url = \"" + upstream.baseUrl() +
                                 "\"\nmodels = [\"m\"]\n" + more;
        if (!writeFileAtomic(path / "gateway.toml", toml)) throw std::runtime_error("cannot write gateway.toml");
        const auto loaded = policy::loadWorkspace({}, path / "gateway.toml", nothingSet, SystemClock().now());
        if (!loaded || !loaded->snapshot) throw std::runtime_error("the test's gateway.toml does not load");
        return {loaded->snapshot, {}};
    };
    engine::EmbeddedOptions options;
    options.evidenceEnabled = false;
    options.stateFolder = path / "state";
    options.environment = nothingSet;
    const auto target = engine::makeEmbeddedTarget(std::move(options)).value();
    QVERIFY(target->start(policyOf("")).has_value());
    QCOMPARE(upstream.requestCount(), std::size_t{0});
    QVERIFY(target->apply(policyOf("metrics_url = \"auto\"\nmetrics_interval_ms = 250\n")).has_value());
    QTRY_VERIFY(upstream.requestCount() >= 2);
    QCOMPARE(upstream.requests().front().requestLine(), std::string("GET /metrics HTTP/1.1"));
    QVERIFY(target->stop(0ms).has_value());
    QTRY_COMPARE(upstream.openConnections(), std::size_t{0});
    // Three more would have come while another server is asked as often.
    const std::size_t asked = upstream.requestCount();
    ScriptedUpstream other;
    other.setStandingReply(kPage);
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    auto provider = providerAt("b", other.baseUrl());
    provider.metricsInterval = 250ms;
    polling.follow(configOf({provider}), nothingSet);
    QTRY_VERIFY(other.requestCount() >= 4);
    QCOMPARE(upstream.requestCount(), asked);
}

QTEST_APPLESS_MAIN(TestMetricsPolling)
#include "tst_metrics_polling.moc"
