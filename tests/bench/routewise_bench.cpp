// SPDX-License-Identifier: MIT
// What RouteWise costs a request: pricing, mixing and drawing over 16 candidates beside a sort of the same candidates
// in the same run; the hedge plan and the admission policies apart.
#include "router/base/random.h"
#include "router/capacity/latency_profile.h"
#include "router/strategy/admission/admit.h"
#include "router/strategy/routewise/draw.h"
#include "router/strategy/routewise/effective_cost.h"
#include "router/strategy/routewise/hedge.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <memory>
#include <string>
#include <vector>

using namespace signalbox;
using namespace signalbox::strategy;

namespace {

constexpr std::size_t kCandidates = 16;
constexpr std::size_t kPools = 64;

std::vector<std::string> endpointIds(std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back("provider-" + std::to_string(i) + ":some-model-32b-instruct");
    return out;
}

/// Many pools of candidates, so that neither side profits from asking the same thing twice.
std::vector<std::vector<routewise::PricedCandidate>> pools(const std::vector<std::string>& ids) {
    FastRandom random(1);
    std::vector<std::vector<routewise::PricedCandidate>> out(kPools);
    for (auto& pool : out)
        for (const std::string& id : ids) pool.push_back({id, random.unit() / 100, 0.1 + random.unit() * 5});
    return out;
}

void sortCandidates(benchmark::State& state) {
    const auto ids = endpointIds(static_cast<std::size_t>(state.range(0)));
    const auto all = pools(ids);
    std::size_t at = 0;
    for (auto _ : state) {
        auto copy = all[at++ % kPools];
        std::sort(copy.begin(), copy.end(), [](const auto& a, const auto& b) { return a.costUsd < b.costUsd; });
        benchmark::DoNotOptimize(copy.data());
    }
}
BENCHMARK(sortCandidates)->Arg(kCandidates);

void mixAndDraw(benchmark::State& state) {
    const auto ids = endpointIds(static_cast<std::size_t>(state.range(0)));
    const auto all = pools(ids);
    FastRandom random(2);
    std::size_t at = 0;
    for (auto _ : state) {
        const routewise::Mix mix = routewise::solveMix(all[at++ % kPools], 0.75);
        benchmark::DoNotOptimize(routewise::drawCandidate(mix, random.unit()));
    }
}
BENCHMARK(mixAndDraw)->Arg(2)->Arg(kCandidates)->Arg(256);

/// What the router does for a request: every third candidate is paid by quota, every third by slots, the rest per
/// token; means come out of profiles.
void priceMixAndDraw(benchmark::State& state) {
    const auto ids = endpointIds(kCandidates);
    FastRandom random(3);
    const Steady now{std::chrono::hours(1000)};
    std::vector<routewise::Terms> terms;
    std::vector<std::unique_ptr<capacity::LatencyProfile>> profiles;
    for (std::size_t i = 0; i < kCandidates; ++i) {
        if (i % 3 == 0)
            terms.emplace_back(routewise::QuotaTerms{capacity::quotaState(400, 1000, static_cast<double>(i))});
        else if (i % 3 == 1)
            terms.emplace_back(routewise::ConcurrencyTerms{1, 4});
        else
            terms.emplace_back(routewise::OnDemandTerms{0.1 + random.unit(), 1 + random.unit()});
        profiles.push_back(std::make_unique<capacity::LatencyProfile>());
        for (int k = 0; k < 200; ++k)
            profiles.back()->addFirstContent(now, std::chrono::microseconds(100000 + random.next() % 2000000));
    }
    const routewise::PricingInput input{1200, 300, capacity::CostBounds{0.0001, 0.01, 100}};
    for (auto _ : state) {
        std::array<routewise::PricedCandidate, kCandidates> priced;
        std::size_t count = 0;
        for (std::size_t i = 0; i < kCandidates; ++i) {
            const auto answer = routewise::effectiveCost(terms[i], true, input);
            if (const auto* cost = std::get_if<routewise::EffectiveCost>(&answer))
                priced[count++] = {ids[i], cost->costUsd, profiles[i]->mean(now).seconds()};
        }
        const routewise::Mix mix = routewise::solveMix(std::span(priced).first(count), 0.75);
        benchmark::DoNotOptimize(routewise::drawCandidate(mix, random.unit()));
    }
}
BENCHMARK(priceMixAndDraw);

void hedgePlan(benchmark::State& state) {
    FastRandom random(4);
    const auto profile = [&] {
        std::vector<double> values;
        for (int i = 0; i < 500; ++i) values.push_back(50 + random.unit() * 4000);
        return capacity::TtftDistribution(values, 3);
    };
    const capacity::TtftDistribution primary = profile();
    const auto ids = endpointIds(kCandidates);
    std::vector<capacity::TtftDistribution> profiles;
    for (std::size_t i = 1; i < kCandidates; ++i) profiles.push_back(profile());
    std::vector<routewise::HedgeBackup> backups;
    for (std::size_t i = 0; i < profiles.size(); ++i) backups.push_back({ids[i], &profiles[i], 0.001, 900});
    for (auto _ : state) benchmark::DoNotOptimize(routewise::planHedge(primary, backups, {3000, 5, 0.9}));
}
BENCHMARK(hedgePlan);

void admission(benchmark::State& state) {
    const auto policy = static_cast<admission::Policy>(state.range(0));
    admission::Profile profile;
    profile.prefillTokensPerS = 4000;
    profile.decodeTokensPerS = 600;
    profile.maxRunningRequests = 16;
    profile.maxReservedTokens = 32768;
    profile.maxWorkS = 20;
    FastRandom random(5);
    std::vector<admission::Request> requests;
    for (int i = 0; i < 16; ++i)
        requests.push_back({"r" + std::to_string(i), 0, 1 + random.unit() * 3, 2000, 1 + static_cast<std::int64_t>(random.next() % 2000), 256,
                            random.unit()});
    for (auto _ : state) benchmark::DoNotOptimize(admission::admit(policy, profile, {}, requests, 0.5));
    state.SetLabel(std::string(toString(policy)));
}
BENCHMARK(admission)
    ->Arg(static_cast<int>(admission::Policy::fifo))
    ->Arg(static_cast<int>(admission::Policy::density))
    ->Arg(static_cast<int>(admission::Policy::knapsack));

}  // namespace

BENCHMARK_MAIN();
