// SPDX-License-Identifier: MIT
// Metrics pages read from a real server: what goes well, what goes wrong, and that reading ends when told to.
#include "router/base/file.h"
#include "router/upstream/metrics_poller.h"
#include "router/upstream/prometheus_text.h"
#include "tests/support/fakes.h"
#include "tests/support/scripted_upstream.h"

#include <boost/asio/io_context.hpp>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

using namespace signalbox;
using namespace signalbox::test;
using namespace signalbox::upstream;
using namespace std::chrono_literals;

namespace {

std::string text(const char* name) {
    const auto file = std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "tests/data/engine_pages" / name;
    return readFile(file, kMaxPrometheusBytes).value();
}

/// One upstream, its page, and a poller on this thread.
struct Harness {
    explicit Harness(std::optional<TlsFiles> tls = std::nullopt) : upstream(std::move(tls)) {
        provider.id = "local";
        provider.baseUrl = upstream.baseUrl();
        provider.metricsUrl = "auto";
        provider.metricsInterval = 5ms;
        upstream.setStandingReply(Reply::json("{}", 404));
    }

    [[nodiscard]] MetricsPage page() const {
        return makeMetricsPage(provider, [](const std::string&) { return std::nullopt; }).value();
    }
    /// With another limit than the two seconds, which would only be waited for here.
    [[nodiscard]] MetricsPage impatientPage(std::chrono::milliseconds limit) const {
        MetricsPage out = page();
        auto impatient = std::make_shared<Upstream>(*out.upstream);
        impatient->limits = {limit, limit, limit, limit};
        out.upstream = std::move(impatient);
        return out;
    }
    void start() { poller.setPages({page()}); }

    /// Lets the poller work until that holds.
    bool until(const std::function<bool()>& holds) {
        const auto end = std::chrono::steady_clock::now() + 10s;
        context.restart();
        while (!holds() && std::chrono::steady_clock::now() < end) context.run_for(2ms);
        return holds();
    }
    bool untilRead() {
        return until([&] { return book.of("local")->state().readAt.has_value(); });
    }
    bool untilFailed() {
        return until([&] { return book.of("local")->state().lastError.has_value(); });
    }
    [[nodiscard]] Error error() { return book.of("local")->state().lastError.value_or(Error{}); }
    [[nodiscard]] std::size_t asked(std::string_view line) const {
        std::size_t count = 0;
        for (const ReceivedRequest& request : upstream.requests()) count += request.requestLine() == line ? 1 : 0;
        return count;
    }

    ScriptedUpstream upstream;
    config::Provider provider;
    ManualClock clock;
    capacity::EngineMetricsBook book;
    asio::io_context context{1};
    MetricsPoller poller{context.get_executor(), book, clock};
};

constexpr std::string_view kPageLine = "GET /metrics HTTP/1.1";
constexpr std::string_view kVersionLine = "GET /version HTTP/1.1";

} // namespace

class TestMetricsPoller : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsPageAndVersion();
    void ratesFromTwoReadings();
    void chunkedInSmallPackets();
    void overTls();
    void otherEnginesAreNotAskedForAVersion();
    void versionIsAskedAgainAfterAMinute();
    void versionThatIsNone_data();
    void versionThatIsNone();
    void failures_data();
    void failures();
    void nobodyListens();
    void tooLarge();
    void stallEndsAtTheLimit_data();
    void stallEndsAtTheLimit();
    void oneRequestAtATime();
    void recovers();
    void failingPageDisturbsNoOther();
    void stopWhileInFlight();
    void contextEndsWhileInFlight();
    void lateAnswerOfAnotherPageIsNotBelieved();
    void severalProvidersHearOfOnePage();
    void unusablePageIsAState();
};

void TestMetricsPoller::readsPageAndVersion() {
    Harness h;
    h.upstream.enqueue(Reply::json(text("vllm-v1.prom")));
    h.upstream.enqueue(Reply::json(R"({"version":"0.11.2+harrow.3"})"));
    h.start();
    const auto page = h.book.of("local");
    QVERIFY(h.until([&] { return page->metrics("prairie-26b") && page->metrics("prairie-26b")->version; }));
    const capacity::EngineMetrics metrics = *page->metrics("prairie-26b");
    QCOMPARE(metrics.running.value(), std::uint64_t{7});
    QCOMPARE(metrics.waiting.value(), std::uint64_t{3});
    QCOMPARE(*metrics.version, std::string("0.11.2+harrow.3"));
    QVERIFY(metrics.readAt == h.clock.steady());
    QCOMPARE(h.upstream.requests().at(0).requestLine(), std::string(kPageLine));
    QCOMPARE(h.upstream.requests().at(0).header("accept"), std::string("text/plain;version=0.0.4"));
    QCOMPARE(h.upstream.requests().at(1).requestLine(), std::string(kVersionLine));
    QVERIFY(!page->state().lastError);
    QCOMPARE(page->state().url, "http://127.0.0.1:" + std::to_string(h.upstream.port()) + "/metrics");
}

void TestMetricsPoller::ratesFromTwoReadings() {
    Harness h;
    h.upstream.enqueue(Reply::json("vllm:prefix_cache_hits_total 100\nvllm:prefix_cache_queries_total 400\n"));
    h.upstream.enqueue(Reply::json("{}", 404));
    h.upstream.setStandingReply(Reply::json("vllm:prefix_cache_hits_total 130\nvllm:prefix_cache_queries_total 500\n"));
    h.start();
    const auto page = h.book.of("local");
    QVERIFY(h.until([&] { return page->metrics("") && page->metrics("")->prefixCacheHits; }));
    QCOMPARE(*page->metrics("")->prefixCacheHits, 0.3);
}

void TestMetricsPoller::chunkedInSmallPackets() {
    Harness h;
    Reply reply = Reply::stream();
    reply.inPieces(7).chunk(text("sglang.prom").substr(0, 1000)).chunk(text("sglang.prom").substr(1000)).end();
    h.upstream.setStandingReply(reply);
    h.start();
    QVERIFY(h.untilRead());
    QCOMPARE(h.book.of("local")->metrics("quartz-9b")->running.value(), std::uint64_t{5});
}

void TestMetricsPoller::overTls() {
    const QTemporaryDir folder;
    const auto files = makeTestCertificates(folder.path().toStdString());
    QVERIFY(files);
    Harness h(files);
    h.upstream.setStandingReply(Reply::json(text("llamacpp.prom")));
    h.start();
    QVERIFY(h.untilFailed()); // signed by nobody that this system knows
    QVERIFY(h.error().message.find("TLS") != std::string::npos);
    h.provider.caFile = files->authority.string();
    h.start();
    QVERIFY(h.untilRead());
    QCOMPARE(h.book.of("local")->metrics("any")->waiting.value(), std::uint64_t{46});
}

void TestMetricsPoller::otherEnginesAreNotAskedForAVersion() {
    Harness h;
    h.upstream.setStandingReply(Reply::json(text("sglang.prom")));
    h.start();
    QVERIFY(h.until([&] { return h.upstream.requestCount() >= 4; }));
    QCOMPARE(h.asked(kPageLine), h.upstream.requestCount());
}

void TestMetricsPoller::versionIsAskedAgainAfterAMinute() {
    Harness h;
    h.upstream.setStandingReply(Reply::json("vllm:num_requests_running 1\n")); // no JSON either
    h.start();
    QVERIFY(h.until([&] { return h.asked(kPageLine) >= 5; }));
    QCOMPARE(h.asked(kVersionLine), std::size_t{1});
    h.clock.advance(60s);
    QVERIFY(h.until([&] { return h.asked(kVersionLine) == 2; }));
}

void TestMetricsPoller::versionThatIsNone_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::newRow("not found") << QByteArray("{}") << 404;
    QTest::newRow("not JSON") << QByteArray("0.11.2") << 200;
    QTest::newRow("a number") << QByteArray(R"({"version":11})") << 200;
    QTest::newRow("another member") << QByteArray(R"({"release":"0.11.2"})") << 200;
    QTest::newRow("a list") << QByteArray(R"(["version"])") << 200;
    QTest::newRow("too long") << QByteArray(R"({"version":")" + QByteArray(5000, '1') + R"("})") << 200;
}

void TestMetricsPoller::versionThatIsNone() {
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    Harness h;
    h.upstream.enqueue(Reply::json("vllm:num_requests_running 1\n"));
    h.upstream.enqueue(Reply::json(body.toStdString(), status));
    h.upstream.setStandingReply(Reply::json("vllm:num_requests_running 2\n"));
    h.start();
    const auto page = h.book.of("local");
    QVERIFY(h.until([&] { return page->metrics("m") && page->metrics("m")->running == 2; }));
    QVERIFY(!page->metrics("m")->version);
    QVERIFY(!page->state().lastError);
}

void TestMetricsPoller::failures_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("says");
    const auto answer = [](const char* status, const QByteArray& body) {
        return QByteArray("HTTP/1.1 ") + status + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    };
    QTest::newRow("500") << answer("500 Internal Server Error", "oh") << QByteArray("answers 500");
    QTest::newRow("404") << answer("404 Not Found", "{}") << QByteArray("--enable-metrics");
    QTest::newRow("401") << answer("401 Unauthorized", "{}") << QByteArray("credential");
    QTest::newRow("redirect") << answer("307 Temporary Redirect", "") << QByteArray("Redirects are not followed");
    QTest::newRow("204") << QByteArray("HTTP/1.1 204 No Content\r\n\r\n") << QByteArray("answers 204");
    QTest::newRow("garbage") << answer("200 OK", "vllm:num_requests_running 1\nnot a page\n") << QByteArray("line 2:5");
    QTest::newRow("HTML") << answer("200 OK", "<html></html>\n") << QByteArray("line 1:1");
    QTest::newRow("another page") << answer("200 OK", "go_goroutines 3\n") << QByteArray("no metrics of vLLM");
    QTest::newRow("empty") << answer("200 OK", "") << QByteArray("no metrics of vLLM");
    QTest::newRow("cut off") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nvllm:num_requests_running 1\n")
                             << QByteArray("closed the connection");
    QTest::newRow("not HTTP") << QByteArray("vllm:num_requests_running 1\n\n") << QByteArray("does not answer in HTTP");
}

void TestMetricsPoller::failures() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, says);
    Harness h;
    h.upstream.setStandingReply(Reply::raw(bytes.toStdString()).close());
    h.start();
    QVERIFY(h.untilFailed());
    QVERIFY2(QByteArray::fromStdString(h.error().text()).contains(says), h.error().text().c_str());
    QVERIFY(h.error().where.starts_with(h.page().url));
    QVERIFY(!h.book.of("local")->metrics("m"));
    const auto since = h.book.of("local")->state().failingSince;
    h.clock.advance(5s);
    const std::size_t before = h.upstream.requestCount();
    QVERIFY(h.until([&] { return h.upstream.requestCount() >= before + 2; })); // it goes on asking
    QVERIFY(h.book.of("local")->state().failingSince == since);
}

void TestMetricsPoller::nobodyListens() {
    Harness h;
    {
        const ScriptedUpstream gone;
        h.provider.baseUrl = gone.baseUrl();
    }
    h.start();
    QVERIFY(h.untilFailed());
    QVERIFY(h.error().kind == ErrorKind::unavailable);
    QVERIFY(h.error().message.find("Cannot connect") != std::string::npos);
}

void TestMetricsPoller::tooLarge() {
    Harness h;
    h.upstream.setStandingReply(Reply::json("#" + std::string(kMaxPrometheusBytes, 'x') + "\n"));
    h.start();
    QVERIFY(h.untilFailed());
    QVERIFY2(h.error().message.find("4 MiB") != std::string::npos, h.error().message.c_str());
}

void TestMetricsPoller::stallEndsAtTheLimit_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("before the answer") << QByteArray();
    QTest::newRow("in its head") << QByteArray("HTTP/1.1 200 OK\r\nContent-");
    QTest::newRow("in its body") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nvllm:num_requests_running 1\n");
}

void TestMetricsPoller::stallEndsAtTheLimit() {
    QFETCH(QByteArray, before);
    Harness h;
    Reply reply = Reply::nothing();
    if (!before.isEmpty()) reply.bytes(before.toStdString());
    h.upstream.setStandingReply(reply.stall());
    h.poller.setPages({h.impatientPage(60ms)});
    QVERIFY(h.untilFailed());
    QVERIFY2(h.error().message.find("in time") != std::string::npos, h.error().message.c_str());
    QVERIFY(h.until([&] { return h.upstream.abandoned() >= 2; })); // each reading leaves its socket behind
}

void TestMetricsPoller::oneRequestAtATime() {
    Harness h;
    h.upstream.setStandingReply(Reply::nothing().stall());
    h.poller.setPages({h.impatientPage(200ms)});
    QVERIFY(h.until([&] { return h.upstream.requestCount() == 1; }));
    QVERIFY(h.untilFailed()); // forty intervals later
    QCOMPARE(h.upstream.requestCount(), std::size_t{1});
}

void TestMetricsPoller::recovers() {
    Harness h;
    h.upstream.enqueue(Reply::json("{}", 503));
    h.upstream.enqueue(Reply::nothing().reset());
    h.upstream.setStandingReply(Reply::json(text("llamacpp.prom")));
    h.start();
    QVERIFY(h.untilFailed());
    QVERIFY(h.untilRead());
    QVERIFY(!h.book.of("local")->state().lastError);
    QVERIFY(!h.book.of("local")->state().failingSince);
}

void TestMetricsPoller::failingPageDisturbsNoOther() {
    Harness h;
    h.upstream.setStandingReply(Reply::nothing().stall());
    ScriptedUpstream healthy;
    healthy.setStandingReply(Reply::json(text("llamacpp.prom")));
    MetricsPage other = h.page();
    h.provider.id = "healthy";
    h.provider.baseUrl = healthy.baseUrl();
    h.poller.setPages({std::move(other), h.page()});
    QVERIFY(h.until([&] { return healthy.requestCount() >= 20; }));
    QVERIFY(h.book.of("healthy")->state().readAt.has_value());
    QVERIFY(!h.book.of("local")->state().readAt.has_value());
}

void TestMetricsPoller::stopWhileInFlight() {
    Harness h;
    h.upstream.setStandingReply(Reply::nothing().stall());
    h.start();
    QVERIFY(h.until([&] { return h.upstream.requestCount() == 1; }));
    h.poller.stop();
    QVERIFY(h.until([&] { return h.upstream.abandoned() == 1; }));
    // Nothing is left to do, and being stopped is not a failure of the page.
    h.context.restart();
    h.context.run();
    QCOMPARE(h.upstream.requestCount(), std::size_t{1});
    QVERIFY(!h.book.of("local")->state().lastError);
}

void TestMetricsPoller::contextEndsWhileInFlight() {
    ScriptedUpstream upstream;
    upstream.setStandingReply(Reply::nothing().stall());
    {
        Harness h;
        h.provider.baseUrl = upstream.baseUrl();
        h.start();
        QVERIFY(h.until([&] { return upstream.requestCount() == 1; }));
    }
    QTRY_COMPARE(upstream.abandoned(), std::size_t{1});
}

void TestMetricsPoller::lateAnswerOfAnotherPageIsNotBelieved() {
    Harness h;
    Reply late = Reply::nothing();
    late.awaitRelease().bytes("HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\nvllm:num_requests_running 9\n");
    h.upstream.enqueue(late);
    ScriptedUpstream next;
    next.setStandingReply(Reply::json("llamacpp:requests_processing 3\n"));
    h.start();
    QVERIFY(h.until([&] { return h.upstream.requestCount() == 1; }));
    h.provider.baseUrl = next.baseUrl();
    h.start();
    h.upstream.release();
    QVERIFY(h.until([&] { return next.requestCount() >= 5; }));
    QCOMPARE(h.book.of("local")->metrics("m")->running.value(), std::uint64_t{3});
    QCOMPARE(h.upstream.requestCount(), std::size_t{1});
}

void TestMetricsPoller::severalProvidersHearOfOnePage() {
    Harness h;
    h.upstream.setStandingReply(Reply::json(text("llamacpp.prom")));
    MetricsPage page = h.page();
    page.providers = {"local", "same-server"};
    h.poller.setPages({std::move(page)});
    QVERIFY(h.untilRead());
    QVERIFY(h.book.of("same-server")->metrics("m").has_value());
    // One of them leaves: its numbers go, the other's stay.
    h.start();
    QVERIFY(!h.book.of("same-server")->metrics("m"));
    QVERIFY(h.book.of("local")->metrics("m").has_value());
}

void TestMetricsPoller::unusablePageIsAState() {
    Harness h;
    h.poller.setPages({}, {{"local", Error{ErrorKind::badInput, "no address", "providers.local.metrics_url", {}}}});
    QCOMPARE(h.error().message, std::string("no address"));
    QVERIFY(h.book.of("local")->state().failingSince == h.clock.now());
    QVERIFY(h.book.of("local")->state().isConfigured());
    h.poller.setPages({});
    QVERIFY(!h.book.of("local")->state().isConfigured());
}

QTEST_APPLESS_MAIN(TestMetricsPoller)
#include "tst_metrics_poller.moc"
