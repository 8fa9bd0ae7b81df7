// SPDX-License-Identifier: MIT
#include "router/gateway/metrics.h"

#include <QTest>
#include <cstdlib>
#include <new>
#include <thread>

using namespace signalbox;
using namespace signalbox::gateway;

namespace {
thread_local bool t_counts = false;
thread_local std::uint64_t t_allocations = 0;
} // namespace

void* operator new(std::size_t size) {
    if (t_counts)
        ++t_allocations;
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

evidence::DecisionRecord served(const std::string& endpoint = "up:model") {
    evidence::DecisionRecord record;
    record.resolvedBy = "table";
    record.presetKey = "a-preset-with-a-name-of-more-than-a-few-letters";
    record.family = "a-family-with-a-name-of-more-than-a-few-letters";
    record.coverage = "gap";
    record.gapIndex = 0;
    record.endpointId = endpoint;
    record.attempts.push_back({"other:model", evidence::AttemptRole::primary, evidence::AttemptOutcome::failed, 500, "status_500", 0, {}, 3});
    record.attempts.push_back({endpoint, evidence::AttemptRole::retry, evidence::AttemptOutcome::served, 200, "", 3, 50, 100});
    record.features.stream = true;
    record.firstContentMs = 50;
    record.totalMs = 100;
    record.decideUs = 3;
    record.inputTokens = 100;
    record.cachedTokens = 40;
    record.outputTokens = 16;
    record.attempts[0].costUsd = 0.5;
    record.attempts[1].costUsd = 0.25;
    record.costUsd = 0.75;
    record.toolsCalled = 5;
    record.toolsValidJson = 4;
    record.toolsFitSchema = 2;
    record.toolsUnchecked = 1;
    return record;
}

capacity::DecisionCount shadowDecision() {
    return {policy::smart::ServedMode::shadow, "balanced", "up", "up:model", "other:model", true};
}

std::string page(const Metrics& metrics) { return metricsPage(metrics, {}); }

bool says(const std::string& text, const std::string& line) {
    return text.find("\n" + line + "\n") != std::string::npos;
}

} // namespace

class MetricShardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsWhatARecordSays();
    void F72_edgesAreCountedApart();
    void shardsAddUp();
    void bucketsHoldTheirUpperEnds();
    void countingNeitherAllocatesNorGrows();
    void seriesAreBounded();
    void readingWhileCounting();
    void labelsAreEscaped();
};

void MetricShardTest::countsWhatARecordSays() {
    Metrics metrics;
    const auto decision = shadowDecision();
    metrics.addShard().finished(served(), &decision, 20.0);
    const std::string text = page(metrics);
    for (const char* line : {
             R"(signalbox_decisions_total{coverage="gap",outcome="served",preset="a-preset-with-a-name-of-more-than-a-few-letters"} 1)",
             R"(signalbox_gap_hits_total{cell="free_chat/long/single_stream",family="a-family-with-a-name-of-more-than-a-few-letters"} 1)",
             "signalbox_decided_total 1", "signalbox_dispatched_total 1", "signalbox_served_total 1",
             R"(signalbox_requests_total{edge="openai",outcome="served"} 1)",
             R"(signalbox_requests_total{edge="anthropic",outcome="failed"} 0)",
             R"(modelport_routing_decisions_total{mode="shadow",profile="balanced",provider="up"} 1)",
             R"(signalbox_shadow_disagreements_total{edge="openai"} 1)",
             R"(signalbox_attempts_total{outcome="failed",provider="other",role="primary"} 1)",
             R"(signalbox_attempts_total{outcome="served",provider="up",role="retry"} 1)",
             R"(signalbox_tokens_total{kind="input",provider="up"} 100)", R"(signalbox_tokens_total{kind="cached",provider="up"} 40)",
             R"(signalbox_tokens_total{kind="output",provider="up"} 16)",
             R"(signalbox_estimated_cost_usd_total{provider="up"} 0.25)", R"(signalbox_estimated_cost_usd_total{provider="other"} 0.5)",
             R"(signalbox_tool_calls_total{provider="up",verdict="fits"} 2)",
             R"(signalbox_tool_calls_total{provider="up",verdict="violates"} 2)",
             R"(signalbox_tool_calls_total{provider="up",verdict="unchecked"} 1)",
             R"(signalbox_upstream_first_byte_seconds_bucket{provider="up",le="0.01"} 0)",
             R"(signalbox_upstream_first_byte_seconds_bucket{provider="up",le="0.025"} 1)",
             R"(signalbox_upstream_first_byte_seconds_count{provider="up"} 1)",
             R"(signalbox_first_content_seconds_bucket{edge="openai",stream="true",le="0.05"} 1)",
             R"(signalbox_first_content_seconds_count{edge="openai",stream="false"} 0)",
             R"(signalbox_request_seconds_sum{edge="openai",outcome="served"} 0.1)",
             R"(signalbox_answer_output_tokens_bucket{provider="up",le="16"} 1)",
             R"(signalbox_answer_output_tokens_bucket{provider="up",le="4"} 0)", "signalbox_decision_seconds_count 1"})
        QVERIFY2(says(text, line), (std::string(line) + " in\n" + text).c_str());
}

void MetricShardTest::F72_edgesAreCountedApart() {
    Metrics metrics;
    MetricShard& shard = metrics.addShard();
    auto record = served();
    record.edge = evidence::Edge::anthropic;
    const auto decision = shadowDecision();
    shard.finished(record, &decision, {});
    const std::string text = page(metrics);
    QVERIFY(says(text, R"(signalbox_shadow_decisions_total{edge="anthropic"} 1)"));
    QVERIFY(says(text, R"(signalbox_shadow_decisions_total{edge="openai"} 0)"));
    QVERIFY(says(text, R"(signalbox_requests_total{edge="anthropic",outcome="served"} 1)"));
}

void MetricShardTest::shardsAddUp() {
    Metrics metrics;
    for (int i = 0; i < 3; ++i)
        metrics.addShard().finished(served(), nullptr, 1.0);
    QCOMPARE(metrics.served(), std::uint64_t{3});
    const std::string text = page(metrics);
    QVERIFY(says(text, R"(signalbox_tokens_total{kind="output",provider="up"} 48)"));
    QVERIFY(says(text, R"(signalbox_first_content_seconds_count{edge="openai",stream="true"} 3)"));
    QVERIFY(says(text, R"(signalbox_upstream_first_byte_seconds_bucket{provider="up",le="+Inf"} 3)"));
}

void MetricShardTest::bucketsHoldTheirUpperEnds() {
    TokenHistogram histogram;
    for (const double value : {0.0, 1.0, 1.5, 4.0, 65536.0, 65537.0})
        histogram.observe(value);
    QCOMPARE(histogram.count(0), std::uint64_t{2});
    QCOMPARE(histogram.count(1), std::uint64_t{2});
    QCOMPARE(histogram.count(8), std::uint64_t{1});
    QCOMPARE(histogram.count(9), std::uint64_t{1});
    QCOMPARE(TokenHistogram::kBuckets, std::size_t{10});
}

void MetricShardTest::countingNeitherAllocatesNorGrows() {
    Metrics metrics;
    MetricShard& shard = metrics.addShard();
    const auto record = served();
    const auto decision = shadowDecision();
    shard.finished(record, &decision, 1.0);
    shard.softBudget("a-principal-with-a-name-of-more-than-a-few-letters");
    const std::size_t size = page(metrics).size();
    t_allocations = 0;
    t_counts = true;
    for (int i = 0; i < 8; ++i) {
        shard.finished(record, &decision, 1.0);
        shard.softBudget("a-principal-with-a-name-of-more-than-a-few-letters");
    }
    t_counts = false;
    QCOMPARE(t_allocations, std::uint64_t{0});
    // Nothing new on the page but greater numbers.
    QVERIFY(page(metrics).size() < size + 64);
}

void MetricShardTest::seriesAreBounded() {
    Metrics metrics;
    MetricShard& shard = metrics.addShard();
    for (int i = 0; i < 5000; ++i)
        shard.finished(served("provider-" + std::to_string(i) + ":m"), nullptr, {});
    std::size_t providers = 0;
    shard.providers.forEach([&](const auto&, const ProviderCells&) { ++providers; });
    QVERIFY((providers <= LabelledCells<1, ProviderCells>::kMost + 1));
    QVERIFY(page(metrics).find(R"(signalbox_tokens_total{kind="output",provider="other"})") != std::string::npos);
    QCOMPARE(metrics.served(), std::uint64_t{5000});
}

void MetricShardTest::readingWhileCounting() {
    Metrics metrics;
    MetricShard& shard = metrics.addShard();
    std::atomic<bool> done{false};
    std::thread counting([&] {
        for (int i = 0; i < 2000; ++i)
            shard.finished(served("provider-" + std::to_string(i % 50) + ":m"), nullptr, 1.0);
        done = true;
    });
    while (!done)
        QVERIFY(!page(metrics).empty());
    counting.join();
    QVERIFY(says(page(metrics), "signalbox_served_total 2000"));
}

void MetricShardTest::labelsAreEscaped() {
    Metrics metrics;
    auto record = served();
    record.presetKey = "quote\" back\\ line\n";
    metrics.addShard().finished(record, nullptr, {});
    QVERIFY(page(metrics).find(R"(preset="quote\" back\\ line\n"} 1)") != std::string::npos);
}

QTEST_GUILESS_MAIN(MetricShardTest)
#include "tst_metric_shard.moc"
