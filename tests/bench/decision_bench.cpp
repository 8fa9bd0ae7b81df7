// SPDX-License-Identifier: MIT
// What a decision costs: on a table of 1,000 rules beside one hash lookup of the same key in the same run, the whole
// plan, and the classification of bodies of several sizes.
#include "router/classify/features.h"
#include "router/policy/decide.h"
#include "router/policy/resolve.h"
#include "router/table/when.h"

#include <benchmark/benchmark.h>
#include <unordered_map>

using namespace signalbox;

namespace {

constexpr std::size_t kFamilies = 100;
constexpr std::size_t kRulesPerFamily = 10;

std::string servedName(std::size_t family) { return "family-" + std::to_string(family) + "-32b-instruct"; }

/// 100 families of 10 rules each, four presets to a family.
std::shared_ptr<table::RoutingTable> thousandRules() {
    auto table = std::make_shared<table::RoutingTable>();
    for (std::size_t family = 0; family < kFamilies; ++family) {
        const std::string label = "family_dense_" + std::to_string(family);
        for (std::size_t i = 0; i < 4; ++i) {
            table::Preset preset;
            preset.presetKey = "prod-" + label + "-" + std::to_string(i);
            preset.model = servedName(family) + "-awq";
            preset.servedModelName = servedName(family);
            preset.modelFamily = label;
            preset.defaultForFamily = i == 0;
            table->presets.push_back(std::move(preset));
        }
        for (std::size_t i = 0; i < kRulesPerFamily; ++i) {
            const table::Cell cell = table::Cell::fromIndex(i * 3);
            table::RoutingRule rule;
            rule.modelFamily = label;
            rule.presetKey = "prod-" + label + "-" + std::to_string(1 + i % 3);
            rule.evidence = "bench";
            rule.when.workloadClass = {{std::string(table::toString(cell.workload))}};
            rule.when.expectedOutputLength = {{std::string(table::toString(cell.length))}};
            rule.when.concurrencyMode = {{std::string(table::toString(cell.concurrency))}};
            table::updateMasks(rule.when);
            table->rules.push_back(std::move(rule));
        }
    }
    return table;
}

struct Question {
    std::string model;
    table::Cell cell;
};

/// A fixed shuffle of every family and cell, so that neither side profits from asking the same thing twice.
std::vector<Question> questions() {
    std::vector<Question> out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4096; ++i) {
        at = (at + 7919) % (kFamilies * table::kCellCount);
        out.push_back({servedName(at / table::kCellCount), table::Cell::fromIndex(at % table::kCellCount)});
    }
    return out;
}

std::string chatBody(std::size_t textBytes) {
    return R"({"model":"family-7-32b-instruct","messages":[{"role":"system","content":"Answer briefly and cite \"sources\"."},)"
           R"({"role":"user","content":")" +
           std::string(textBytes, 'x') +
           R"("}],"tools":[{"type":"function","function":{"name":"lookup","description":"find things","parameters":)"
           R"({"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}}}],)"
           R"("max_tokens":256,"temperature":0.7,"stream":true,"stream_options":{"include_usage":true}})";
}

void hashLookup(benchmark::State& state) {
    const auto table = thousandRules();
    std::unordered_map<std::string, std::size_t> names;
    // As many names as the index knows, so that both maps are equally large.
    for (std::size_t i = 0; i < table->presets.size(); ++i) {
        names.emplace(table->presets[i].presetKey, i);
        names.emplace(table->presets[i].model, i);
        names.emplace(*table->presets[i].servedModelName, i);
    }
    const std::vector<Question> asked = questions();
    std::size_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(names.find(asked[i++ & 4095].model)->second);
}
BENCHMARK(hashLookup);

void tableDecision(benchmark::State& state) {
    const policy::TableIndex index(thousandRules());
    const std::vector<Question> asked = questions();
    std::size_t i = 0;
    for (auto _ : state) {
        const Question& question = asked[i++ & 4095];
        benchmark::DoNotOptimize(index.decide(question.model, question.cell).presetKey->data());
    }
}
BENCHMARK(tableDecision);

void completePlan(benchmark::State& state) {
    auto config = std::make_shared<config::GatewayConfig>();
    config::Provider provider;
    provider.id = "lab";
    provider.baseUrl = "http://127.0.0.1:8000/v1";
    for (std::size_t family = 0; family < kFamilies; ++family) provider.models.push_back(servedName(family));
    config->providers.push_back(std::move(provider));
    const auto snapshot = policy::makeSnapshot(thousandRules(), "digest", config);
    const std::vector<Question> asked = questions();
    classify::RequestFeatures features;
    std::size_t i = 0;
    for (auto _ : state) {
        const Question& question = asked[i++ & 4095];
        features.model = question.model;
        features.cell = question.cell;
        benchmark::DoNotOptimize(policy::resolve(*snapshot, features)->targets.data());
    }
}
BENCHMARK(completePlan);

void classifyBody(benchmark::State& state) {
    const std::string body = chatBody(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(classify::classify(body, {}, {}, 1)->features.inputTokens);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * body.size()));
    state.SetLabel(std::to_string(body.size()) + " bytes");
}
BENCHMARK(classifyBody)->Arg(700)->Arg(200'000)->Arg(1'000'000);

}  // namespace

BENCHMARK_MAIN();
