// SPDX-License-Identifier: MIT
// What planning costs: 8 candidates with a session, 256 without, beside one SHA-256 of the same input in the same run;
// the whole way of a smart alias through resolve; and the sizes of a body, which are counted on its bytes.
#include "router/base/hashing.h"
#include "router/policy/resolve.h"
#include "router/policy/smart/sizes.h"

#include <benchmark/benchmark.h>

using namespace signalbox;
using namespace signalbox::policy;

namespace {

constexpr std::string_view kPrincipal = "team-research";
constexpr std::string_view kSession = "3f0c1f0e-4b7e-4a55-9a0d-0d1b6f2f7a10";

struct World {
    smart::Settings settings;
    smart::Group group;
    std::vector<smart::CandidateSignals> known;

    explicit World(std::size_t candidates, std::size_t variant = 0) {
        settings.mode = config::RoutingMode::active;
        settings.activationPercent = 100;  // the dearest mode: it sorts
        for (std::size_t i = 0; i < candidates; ++i) {
            auto candidate = smart::makeCandidate("provider-" + std::to_string(i), "family-32b-instruct-awq");
            candidate.quality = static_cast<double>((i + variant) * 37 % 100) / 100;
            candidate.latencyHintMs = static_cast<double>(200 + (i + 3 * variant) * 7919 % 4000);
            candidate.pricing = {.inputPerMillion = static_cast<double>(i % 7), .outputPerMillion = static_cast<double>(i % 11)};
            group.candidates.push_back(std::move(candidate));
            known.push_back({.providerAttempts = 100 + i, .providerSuccesses = 90 + i, .attempts = i % 40, .latencyEwmaMs = 900});
        }
    }
};

void sha256OfTheSameInput(benchmark::State& state) {
    const std::string input = std::string(kPrincipal) + '\0' + std::string(kSession);
    for (auto _ : state) benchmark::DoNotOptimize(sha256(input));
}
BENCHMARK(sha256OfTheSameInput);

void planOf(benchmark::State& state, std::optional<std::string_view> session) {
    // Different scores each time: a processor learns how one and the same list is sorted, and then planning costs half.
    std::vector<World> worlds;
    for (std::size_t i = 0; i < 32; ++i) worlds.emplace_back(static_cast<std::size_t>(state.range(0)), i);
    std::uint64_t request = 0;
    for (auto _ : state) {
        const std::string id = std::to_string(++request);
        const World& world = worlds[request % worlds.size()];
        const auto assignment = smart::assign(kPrincipal, session, id);
        const auto plan = smart::plan({world.settings, world.group, world.known, assignment, std::nullopt, {1000, 500}});
        benchmark::DoNotOptimize(plan->attemptOrder.data());
    }
}
BENCHMARK_CAPTURE(planOf, withSession, kSession)->Arg(8);
BENCHMARK_CAPTURE(planOf, withoutSession, std::nullopt)->Arg(8)->Arg(256);

/// Alias, capabilities, permissions, plan and targets, as a request takes it.
void resolveAlias(benchmark::State& state) {
    auto config = std::make_shared<config::GatewayConfig>();
    config->routing.mode = config::RoutingMode::active;
    config->routing.activationPercent = 100;
    config::SmartGroup group{.id = "general", .aliases = {"auto"}};
    for (int i = 0; i < state.range(0); ++i) {
        config::Provider provider;
        provider.id = "provider-" + std::to_string(i);
        provider.baseUrl = "http://127.0.0.1:1";
        provider.models = {"family-32b-instruct-awq"};
        group.candidates.push_back({provider.id, provider.models.front()});
        config->providers.push_back(std::move(provider));
    }
    config->routing.groups.push_back(std::move(group));
    const auto snapshot = makeSnapshot(std::make_shared<table::RoutingTable>(), {}, config);
    classify::RequestFeatures features;
    features.model = "auto";
    std::uint64_t request = 0;
    for (auto _ : state) {
        RequestContext context;
        context.assignment = smart::assign(kPrincipal, kSession, std::to_string(++request));
        context.sizes = {1000, 500};
        const auto plan = resolve(*snapshot, features, context);
        benchmark::DoNotOptimize(plan->targets.data());
    }
}
BENCHMARK(resolveAlias)->Arg(8)->Arg(256);

void sizesOfBody(benchmark::State& state) {
    const std::string body = R"({"model":"auto","messages":[{"role":"user","content":")" +
                             std::string(static_cast<std::size_t>(state.range(0)), 'x') + R"("}],"max_tokens":256})";
    for (auto _ : state) benchmark::DoNotOptimize(smart::chatSizes(body).serializedChars);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * body.size()));
}
BENCHMARK(sizesOfBody)->Arg(700)->Arg(1'000'000);

}  // namespace

BENCHMARK_MAIN();
