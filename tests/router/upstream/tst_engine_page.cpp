// SPDX-License-Identifier: MIT
// What pages of the three engines mean, in their own words.
#include "router/base/file.h"
#include "router/upstream/engine_page.h"

#include <QTest>
#include <filesystem>

using namespace signalbox;
using namespace signalbox::upstream;
using capacity::EngineKind;
using capacity::EnginePageReading;
using capacity::EngineReading;

namespace {

EnginePageReading readText(const std::string& text) {
    return readEnginePage(readPrometheusText(text).value()).value();
}

EnginePageReading readPage(const char* name) {
    const auto file = std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "tests/data/engine_pages" / name;
    return readText(readFile(file, kMaxPrometheusBytes).value());
}

std::string shown(const std::optional<double>& value) {
    return value ? QByteArray::number(*value, 'g', 8).toStdString() : std::string("-");
}

/// All of a reading, in the order of its members.
std::string shown(const EngineReading& r) {
    std::string out = r.model + ":";
    for (const auto& value : {r.running, r.waiting, r.kvUsed, r.preemptionsTotal, r.promptTokensTotal, r.generationTokensTotal,
                              r.prefixCache.hits, r.prefixCache.asked, r.prefixCache.rate, r.drafts.hits, r.drafts.asked,
                              r.drafts.rate})
        out += " " + shown(value);
    return out;
}

} // namespace

class TestEnginePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pages_data();
    void pages();
    void twoModels();
    void underscoresInsteadOfColons();
    void prioritiesAreNotAddedToTheirTotal();
    void sglangWithoutDraftsHasNoRate();
    void longerNamesAreOthers();
    void theEngineWithMostMetricsIsMeant();
    void otherPagesAreRefused();
    void copiesWithoutANumberDoNotHideOne();
};

void TestEnginePage::pages_data() {
    QTest::addColumn<QByteArray>("page");
    QTest::addColumn<int>("engine");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* page, EngineKind engine, const char* expected) {
        QTest::newRow(page) << QByteArray(page) << static_cast<int>(engine) << QByteArray(expected);
    };
    row("vllm-v1.prom", EngineKind::vllm, "prairie-26b: 7 3 0.43128964 4 200125 51234 90000 200000 - 24000 40000 -");
    row("vllm-v0.prom", EngineKind::vllm, "org/slate-7b: 2 0 0.0125 0 90210 4711 - - 0.75 - - nan");
    row("vllm-data-parallel.prom", EngineKind::vllm, "amber-31b: 10 1 0.4 3 - - - - - - - -");
    row("sglang.prom", EngineKind::sglang, "quartz-9b: 5 2 0.28 48 8000 1000 3000 8000 0 - - 0.53");
    row("llamacpp.prom", EngineKind::llamaCpp, ": 4 46 - - 3000 39080 1000 4000 - 0 0 -");
    row("llamacpp-2024.prom", EngineKind::llamaCpp, ": 1 0 0.125 - 512 99 - - - - - -");
}

void TestEnginePage::pages() {
    QFETCH(QByteArray, page);
    QFETCH(int, engine);
    QFETCH(QByteArray, expected);
    const EnginePageReading reading = readPage(page.constData());
    QCOMPARE(static_cast<int>(reading.engine), engine);
    QCOMPARE(reading.models.size(), std::size_t{1});
    QCOMPARE(QByteArray::fromStdString(shown(reading.models.front())), expected);
    QCOMPARE(reading.startedAt.has_value(), page.startsWith("vllm-v"));
}

void TestEnginePage::twoModels() {
    const EnginePageReading reading = readPage("vllm-two-models.prom");
    QCOMPARE(reading.models.size(), std::size_t{2});
    QCOMPARE(shown(reading.models[0]), std::string("amber-31b: 4 - 0.2 - - - - - - - - -"));
    QCOMPARE(shown(reading.models[1]), std::string("quartz-9b: 1 - 0.5 - - - - - - - - -"));
}

void TestEnginePage::underscoresInsteadOfColons() {
    const EnginePageReading reading = readText("vllm_num_requests_running{model_name=\"m\"} 2\n"
                                               "vllm_kv_cache_usage_perc{model_name=\"m\"} 0.5\n");
    QCOMPARE(shown(reading.models.front()), std::string("m: 2 - 0.5 - - - - - - - - -"));
}

void TestEnginePage::prioritiesAreNotAddedToTheirTotal() {
    const EnginePageReading reading = readText("sglang:num_running_reqs{dp_rank=\"0\",priority=\"\"} 3\n"
                                               "sglang:num_running_reqs{dp_rank=\"0\",priority=\"7\"} 3\n"
                                               "sglang:num_running_reqs{dp_rank=\"1\",priority=\"\"} 2\n");
    QCOMPARE(reading.models.front().running, std::optional<double>(5));
}

void TestEnginePage::sglangWithoutDraftsHasNoRate() {
    const EnginePageReading reading =
        readText("sglang:num_running_reqs 0\nsglang:spec_accept_rate 0.0\nsglang:spec_accept_length 0.0\n");
    QVERIFY(!reading.models.front().drafts.rate);
}

void TestEnginePage::longerNamesAreOthers() {
    const EnginePageReading reading = readText("vllm:num_requests_waiting_by_reason{reason=\"deferred\"} 9\n"
                                               "xvllm:num_requests_waiting 9\nvllm:num_requests_running 1\n"
                                               "vllm:num_requests_running_total 9\nvllm::num_requests_waiting 9\n");
    QCOMPARE(shown(reading.models.front()), std::string(": 1 - - - - - - - - - - -"));
}

void TestEnginePage::theEngineWithMostMetricsIsMeant() {
    const EnginePageReading reading = readText("vllm:num_requests_running 9\nsglang:num_running_reqs 1\n"
                                               "sglang:num_queue_reqs 0\n");
    QVERIFY(reading.engine == EngineKind::sglang);
    QCOMPARE(reading.models.front().running, std::optional<double>(1));
}

void TestEnginePage::otherPagesAreRefused() {
    for (const char* text : {"", "go_goroutines 12\n", "vllm:request_success_total 1\n",
                             "signalbox_requests_total 4\nprocess_start_time_seconds 1\n"}) {
        const auto reading = readEnginePage(readPrometheusText(text).value());
        QVERIFY(!reading);
        QVERIFY(reading.error().message.find("vLLM") != std::string::npos);
    }
    // All that there is are requests of one priority: nothing to go by.
    QVERIFY(!readEnginePage(readPrometheusText("sglang:num_running_reqs{priority=\"1\"} 1\n").value()));
}

void TestEnginePage::copiesWithoutANumberDoNotHideOne() {
    for (const char* text : {"vllm:num_requests_running{pid=\"1\"} NaN\nvllm:num_requests_running{pid=\"2\"} 3\n",
                             "vllm:num_requests_running{pid=\"2\"} 3\nvllm:num_requests_running{pid=\"1\"} NaN\n"})
        QCOMPARE(readText(text).models.front().running, std::optional<double>(3));
}

QTEST_APPLESS_MAIN(TestEnginePage)
#include "tst_engine_page.moc"
