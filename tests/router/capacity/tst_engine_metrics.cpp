// SPDX-License-Identifier: MIT
// An engine's own numbers: rates from counters, restarts, freshness, the version against its pin.
#include "router/capacity/engine_metrics_book.h"
#include "router/capacity/engine_pin.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <atomic>
#include <cmath>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

namespace {

EngineReading reading(double hits, double asked, double accepted = 0, double drafted = 0) {
    EngineReading out;
    out.model = "m";
    out.running = 2;
    out.waiting = 1;
    out.kvUsed = 0.5;
    out.promptTokensTotal = asked;
    out.generationTokensTotal = drafted;
    out.preemptionsTotal = 0;
    out.prefixCache = {hits, asked, {}};
    out.drafts = {accepted, drafted, {}};
    return out;
}

EnginePageReading pageOf(std::vector<EngineReading> models, std::optional<double> startedAt = {}) {
    return {EngineKind::vllm, startedAt, std::move(models)};
}

using Count = std::optional<std::uint64_t>;
using Share = std::optional<double>;

} // namespace

class TestEngineMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ratesComeFromTheLastInterval();
    void ratesStayWhileNothingIsAsked();
    void restartGivesNoRates_data();
    void restartGivesNoRates();
    void ratesOfTheEngineItself();
    void unusableNumbersAreUnset();
    void freshness();
    void liveLoadEndsWithFreshness();
    void oneModelAnswersForEveryName();
    void severalModelsAnswerForThemselves();
    void failuresAreAState();
    void anotherAddressForgets();
    void versionLastsUntilARestart();
    void bookKeepsOnlyWhatIsFollowed();
    void readersAndWritersTogether();
    void pins_data();
    void pins();
};

void TestEngineMetrics::ratesComeFromTheLastInterval() {
    test::ManualClock clock;
    EnginePage page;
    page.follow("http://h/metrics", 5s);
    QVERIFY(page.record(pageOf({reading(90'000, 200'000, 24'000, 40'000)}), clock.steady()));
    // What happened in the engine's whole life says nothing about now.
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share());
    QCOMPARE(page.metrics("m")->draftAcceptance, Share());
    clock.advance(5s);
    QVERIFY(!page.record(pageOf({reading(90'030, 200'120, 24'060, 40'080)}), clock.steady()));
    const EngineMetrics now = *page.metrics("m");
    QCOMPARE(now.prefixCacheHits, Share(0.25));
    QCOMPARE(now.draftAcceptance, Share(0.75));
    QCOMPARE(now.running, Count(2));
    QCOMPARE(now.waiting, Count(1));
    QCOMPARE(now.kvUsed, Share(0.5));
    QCOMPARE(now.promptTokensTotal, Count(200'120));
    QCOMPARE(now.generationTokensTotal, Count(40'080));
    QCOMPARE(now.preemptionsTotal, Count(0));
    QVERIFY(now.readAt == clock.steady());
    // Hits are counted a step before queries: never more than all.
    static_cast<void>(page.record(pageOf({reading(90'080, 200'160, 24'060, 40'080)}), clock.steady()));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(1.0));
}

void TestEngineMetrics::ratesStayWhileNothingIsAsked() {
    EnginePage page;
    for (const double asked : {0.0, 100.0, 100.0, 100.0})
        static_cast<void>(page.record(pageOf({reading(asked / 4, asked)}), Steady(1s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(0.25));
    QCOMPARE(page.metrics("m")->draftAcceptance, Share()); // nothing was ever drafted
    static_cast<void>(page.record(pageOf({reading(25, 200)}), Steady(1s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(0.0));
}

void TestEngineMetrics::restartGivesNoRates_data() {
    QTest::addColumn<double>("hits");
    QTest::addColumn<double>("asked");
    QTest::addColumn<double>("startedAt");
    QTest::newRow("counters fell") << 10.0 << 40.0 << 1000.0;
    QTest::newRow("only one of them fell") << 40.0 << 300.0 << 1000.0;
    QTest::newRow("another process with more behind it") << 500.0 << 900.0 << 1060.0;
}

void TestEngineMetrics::restartGivesNoRates() {
    QFETCH(double, hits);
    QFETCH(double, asked);
    QFETCH(double, startedAt);
    EnginePage page;
    static_cast<void>(page.record(pageOf({reading(0, 100)}, 1000.0), Steady(1s)));
    QVERIFY(!page.record(pageOf({reading(50, 200)}, 1000.0), Steady(2s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(0.5));
    QVERIFY(page.record(pageOf({reading(hits, asked)}, startedAt), Steady(3s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share());
    QVERIFY(!page.record(pageOf({reading(hits + 1, asked + 10)}, startedAt), Steady(4s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(0.1));
}

void TestEngineMetrics::ratesOfTheEngineItself() {
    EngineReading now;
    now.prefixCache.rate = 0.75;
    now.drafts.rate = std::nan("");
    QCOMPARE(metricsOf(now, nullptr, nullptr).prefixCacheHits, Share(0.75));
    QCOMPARE(metricsOf(now, nullptr, nullptr).draftAcceptance, Share());
    // vLLM's first engine writes -1 where the cache is off.
    now.prefixCache.rate = -1;
    QCOMPARE(metricsOf(now, nullptr, nullptr).prefixCacheHits, Share());
    // Counters are believed before a rate, which may be of one batch.
    now = reading(30, 100);
    now.prefixCache.rate = 0.9;
    const EngineReading before = reading(0, 0);
    QCOMPARE(metricsOf(now, &before, nullptr).prefixCacheHits, Share(0.3));
}

void TestEngineMetrics::unusableNumbersAreUnset() {
    EngineReading now;
    now.running = -1;
    now.waiting = std::nan("");
    now.kvUsed = 45; // per cent: not to be read as full
    now.preemptionsTotal = HUGE_VAL;
    now.promptTokensTotal = 1e300;
    now.generationTokensTotal = 2.6;
    const EngineMetrics metrics = metricsOf(now, nullptr, nullptr);
    QCOMPARE(metrics.running, Count());
    QCOMPARE(metrics.waiting, Count());
    QCOMPARE(metrics.kvUsed, Share());
    QCOMPARE(metrics.preemptionsTotal, Count(std::uint64_t{1} << 53));
    QCOMPARE(metrics.promptTokensTotal, Count(std::uint64_t{1} << 53));
    QCOMPARE(metrics.generationTokensTotal, Count(3));
    now.kvUsed = 1.004; // a rounding
    QCOMPARE(metricsOf(now, nullptr, nullptr).kvUsed, Share(1.0));
}

void TestEngineMetrics::freshness() {
    test::ManualClock clock;
    EngineMetrics metrics;
    QVERIFY(!metrics.fresh(clock.steady(), 1h));
    metrics.readAt = clock.steady();
    clock.advance(15s);
    QVERIFY(metrics.fresh(clock.steady(), 15s));
    clock.advance(1us);
    QVERIFY(!metrics.fresh(clock.steady(), 15s));
}

void TestEngineMetrics::liveLoadEndsWithFreshness() {
    test::ManualClock clock;
    EnginePage page;
    page.follow("http://h/metrics", 4s);
    QVERIFY(!page.liveLoad("m", clock.steady()));
    static_cast<void>(page.record(pageOf({reading(0, 0)}), clock.steady()));
    QVERIFY((page.liveLoad("m", clock.steady()) == LiveLoad{2, 1, 0.5}));
    clock.advance(12s);
    QVERIFY(page.liveLoad("m", clock.steady()).has_value());
    // A page that fails does not make its last numbers wrong at once; time does.
    page.failed({}, clock.now());
    QVERIFY(page.liveLoad("m", clock.steady()).has_value());
    clock.advance(1us);
    QVERIFY(!page.liveLoad("m", clock.steady()));
    QVERIFY(page.metrics("m").has_value()); // still there to be shown with its age
}

void TestEngineMetrics::oneModelAnswersForEveryName() {
    EnginePage page;
    QVERIFY(!page.metrics("m"));
    static_cast<void>(page.record(pageOf({reading(0, 0)}), Steady(1s)));
    QCOMPARE(page.metrics("another served name")->model, std::string("m"));
}

void TestEngineMetrics::severalModelsAnswerForThemselves() {
    EnginePage page;
    EngineReading other = reading(5, 10);
    other.model = "n";
    other.running = 9;
    static_cast<void>(page.record(pageOf({reading(0, 0), other}), Steady(1s)));
    QCOMPARE(page.metrics("m")->running, Count(2));
    QCOMPARE(page.metrics("n")->running, Count(9));
    QVERIFY(!page.metrics("o"));
    QCOMPARE(page.state().models, (std::vector<std::string>{"m", "n"}));
    // One that comes later has no interval behind it yet; the others keep theirs.
    EngineReading third = reading(5, 10);
    third.model = "o";
    QVERIFY(!page.record(pageOf({reading(1, 4), other, third}), Steady(2s)));
    QCOMPARE(page.metrics("m")->prefixCacheHits, Share(0.25));
    QCOMPARE(page.metrics("o")->prefixCacheHits, Share());
}

void TestEngineMetrics::failuresAreAState() {
    test::ManualClock clock;
    EnginePage page;
    page.follow("http://h/metrics", 5s);
    QVERIFY(page.state().isConfigured());
    QVERIFY(!page.state().lastError);
    const Timestamp first = clock.now();
    page.failed({ErrorKind::unavailable, "one"}, clock.now());
    clock.advance(5s);
    page.failed({ErrorKind::unavailable, "two"}, clock.now());
    QCOMPARE(page.state().lastError->message, std::string("two"));
    QVERIFY(page.state().failingSince == first);
    static_cast<void>(page.record(pageOf({reading(0, 0)}), clock.steady()));
    QVERIFY(!page.state().lastError);
    QVERIFY(!page.state().failingSince);
    QVERIFY(page.state().readAt == clock.steady());
    QVERIFY(page.state().engine == EngineKind::vllm);
}

void TestEngineMetrics::anotherAddressForgets() {
    EnginePage page;
    page.follow("http://h/metrics", 5s);
    static_cast<void>(page.record(pageOf({reading(0, 0)}), Steady(1s)));
    page.follow("http://h/metrics", 2s);
    QVERIFY(page.metrics("m").has_value());
    QVERIFY(page.state().interval == 2s);
    page.follow("http://other/metrics", 2s);
    QVERIFY(!page.metrics("m"));
    QVERIFY(!page.state().readAt);
}

void TestEngineMetrics::versionLastsUntilARestart() {
    EnginePage page;
    static_cast<void>(page.record(pageOf({reading(0, 100)}), Steady(1s)));
    QVERIFY(!page.metrics("m")->version);
    page.setVersion("0.11.2");
    QCOMPARE(*page.metrics("m")->version, std::string("0.11.2"));
    static_cast<void>(page.record(pageOf({reading(0, 200)}), Steady(2s)));
    QCOMPARE(*page.metrics("m")->version, std::string("0.11.2"));
    QVERIFY(page.record(pageOf({reading(0, 0)}), Steady(3s)));
    QVERIFY(!page.metrics("m")->version);
}

void TestEngineMetrics::bookKeepsOnlyWhatIsFollowed() {
    EngineMetricsBook book;
    const auto kept = book.of("kept"), dropped = book.of("dropped"), unusable = book.of("unusable");
    QVERIFY(kept == book.of("kept"));
    for (const auto& page : {kept, dropped}) {
        page->follow("http://h/metrics", 5s);
        static_cast<void>(page->record(pageOf({reading(0, 0)}), Steady(1s)));
    }
    unusable->failed({ErrorKind::badInput, "no address"}, Timestamp(1s));
    QVERIFY(unusable->state().isConfigured());
    book.keepOnly({"kept"});
    QVERIFY(kept->metrics("m").has_value());
    QVERIFY(!dropped->metrics("m"));
    QVERIFY(!dropped->state().isConfigured());
    QVERIFY(!unusable->state().isConfigured());
}

void TestEngineMetrics::readersAndWritersTogether() {
    // For the thread sanitizer, and that a reader never sees one half of a reading.
    EngineMetricsBook book;
    book.of("p")->follow("http://h/metrics", 5s);
    std::atomic<bool> done{false};
    std::thread writer([&] {
        const auto page = book.of("p");
        for (double i = 1; i <= 20'000; ++i) {
            static_cast<void>(page->record(pageOf({reading(i, i)}), Steady(1s)));
            if (static_cast<int>(i) % 100 == 0) page->failed({ErrorKind::unavailable, "x"}, Timestamp(1s));
        }
        done = true;
    });
    bool whole = true;
    while (!done) {
        const auto metrics = book.of("p")->metrics("m");
        whole = whole && (!metrics || metrics->promptTokensTotal);
        const EnginePageState state = book.of("p")->state();
        whole = whole && state.lastError.has_value() == state.failingSince.has_value();
        static_cast<void>(book.of("p")->liveLoad("m", Steady(1s)));
    }
    writer.join();
    QVERIFY(whole);
}

void TestEngineMetrics::pins_data() {
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("pin");
    QTest::addColumn<int>("state");
    const auto row = [](const char* version, const char* pin, PinState state) {
        QTest::addRow("%s against %s", version, pin) << QByteArray(version) << QByteArray(pin) << static_cast<int>(state);
    };
    row("0.11.2", "0.11.2", PinState::verified);
    row("0.11.2", " v0.11.2 ", PinState::verified);
    row("0.11.2", "==0.11.2", PinState::verified);
    row("0.11", "0.11.0", PinState::verified);
    row("0.11.2+cu128", "0.11.2", PinState::verified);
    row("0.11.2+harrow.3", "0.11.2+harrow.3", PinState::verified);
    row("0.11.2+Harrow-3", "0.11.2+harrow.3", PinState::verified);
    row("0.11.0rc1", "v0.11.0-rc.1", PinState::verified);
    row("0.11.1rc7.dev210+g7c8d1e2a0", "0.11.1rc7.dev210", PinState::verified);
    row("0.11.2.post1", "0.11.2-rev1", PinState::verified);
    row("0.11.3", "0.11.2", PinState::differs);
    row("0.11.20", "0.11.2", PinState::differs);
    row("0.11.2rc1", "0.11.2", PinState::differs);
    row("0.11.2", "0.11.2+harrow.3", PinState::differs);
    row("0.11.2+harrow.4", "0.11.2+harrow.3", PinState::differs);
    row("0.11.2+cu128", "0.11.2+harrow.3", PinState::differs);
    row("", "0.11.2", PinState::cannotTell);
    row("0.11.2", "", PinState::cannotTell);
    row("dev", "0.11.2", PinState::cannotTell);
    row("0.11.2", "main", PinState::cannotTell);
    row("0.11.2", "7c8d1e2", PinState::cannotTell);
    row("0.11.2", "0.11.*", PinState::cannotTell);
    row("0.11.2", "0.11.2 or later", PinState::cannotTell);
    row("main", "main", PinState::verified);
}

void TestEngineMetrics::pins() {
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, pin);
    QFETCH(int, state);
    QCOMPARE(static_cast<int>(pinState(version.toStdString(), pin.toStdString())), state);
    QCOMPARE(static_cast<int>(pinState(std::nullopt, pin.toStdString())), static_cast<int>(PinState::cannotTell));
    QCOMPARE(static_cast<int>(pinState(version.toStdString(), std::nullopt)), static_cast<int>(PinState::cannotTell));
}

QTEST_APPLESS_MAIN(TestEngineMetrics)
#include "tst_engine_metrics.moc"
