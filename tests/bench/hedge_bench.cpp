// SPDX-License-Identifier: MIT
// What hedging does to the slowest requests and what it costs: the same requests, in virtual time, with hedging off and
// on. The cheap endpoint answers in 200 to 400 ms but leaves one request in twenty waiting for 3 to 12 s; the dearer one
// answers in 300 to 450 ms and leaves one in three hundred. The router, its races and what it learns are the real ones.
// Exits with 1 when the slowest hundredth does not get twice as fast, or more backups are sent than primaries were slow.
#include "tests/router/strategy/routewise_fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace signalbox;
using namespace std::chrono_literals;

namespace {

constexpr double kObjectiveMs = 2000;

struct Measured {
    std::vector<double> firstContentMs;  // sorted
    std::uint64_t requests = 0, backups = 0, slowPrimaries = 0;
    double backupsUsd = 0, allUsd = 0;
    double earliestMs = 0;  // at which a backup was sent
};

test::Reply after(double ms) { return {std::chrono::microseconds(std::llround(ms * 1000)), std::nullopt}; }

Measured measure(bool hedging, int requests) {
    test::RouteWiseFixture bench(2);
    bench.priced(0, 1, 4);
    bench.priced(1, 3, 12);
    bench.parameters(std::string("{\"budget_alpha\": 0, \"latency_slo_sec\": 2, \"hedge_spend_cap_usd_per_hour\": 100") +
                     (hedging ? ", \"latency_hedge_mode\": \"probability_target\"}" : "}"));
    bench.build();
    FastRandom cheapTimes(1), dearTimes(2);
    std::vector<double> primaryMs;
    bench.endpoints[0]->reply = [&](std::size_t) {
        const bool slow = cheapTimes.unit() < 0.05;
        primaryMs.push_back(slow ? 3000 + 9000 * cheapTimes.unit() : 200 + 200 * cheapTimes.unit());
        return after(primaryMs.back());
    };
    bench.endpoints[1]->reply = [&](std::size_t) {
        const bool slow = dearTimes.unit() < 1.0 / 300;
        return after(slow ? 3000 + 9000 * dearTimes.unit() : 300 + 150 * dearTimes.unit());
    };
    for (int i = 0; i < 500; ++i) (void)bench.serve(bench.exactly(0));
    for (int i = 0; i < 500; ++i) (void)bench.serve(bench.exactly(1));
    primaryMs.clear();
    Measured out;
    out.earliestMs = kObjectiveMs;
    for (int i = 0; i < requests; ++i) {
        const Steady began = bench.clock.steady();
        (void)bench.serve();
        out.firstContentMs.push_back(std::chrono::duration<double, std::milli>(bench.clock.steady() - began).count());
        if (bench.pool->hedgeAtMs) out.earliestMs = std::min(out.earliestMs, *bench.pool->hedgeAtMs);
        for (const evidence::Attempt& attempt : bench.attempts) {
            const bool dear = attempt.endpointId == "p1:m";
            // One that was overtaken costs its prompt; every other one an answer of 100 tokens.
            const double usd = attempt.costUsd.value_or((dear ? 3 * 1000 + 12 * 100 : 1 * 1000 + 4 * 100) / 1e6);
            out.allUsd += usd;
            if (attempt.role == evidence::AttemptRole::hedge) out.backupsUsd += usd;
        }
    }
    std::sort(out.firstContentMs.begin(), out.firstContentMs.end());
    out.requests = static_cast<std::uint64_t>(requests);
    out.backups = bench.hedges().sent;
    out.slowPrimaries = static_cast<std::uint64_t>(
        std::count_if(primaryMs.begin(), primaryMs.end(), [&](double ms) { return ms > out.earliestMs; }));
    return out;
}

double quantile(const Measured& result, double part) {
    const auto at = static_cast<std::size_t>(std::ceil(part * static_cast<double>(result.firstContentMs.size()))) - 1;
    return result.firstContentMs[at];
}

void print(const char* name, const Measured& result) {
    std::printf("| %s | %.0f | %.0f | %.0f | %.0f | %llu | %.2f %% | %.4f | %.4f |\n", name, quantile(result, 0.5),
                quantile(result, 0.95), quantile(result, 0.99), quantile(result, 0.999),
                static_cast<unsigned long long>(result.backups),
                100.0 * static_cast<double>(result.backups) / static_cast<double>(result.requests), result.backupsUsd, result.allUsd);
}

}  // namespace

int main(int argc, char** argv) {
    const int requests = argc > 1 ? std::atoi(argv[1]) : 20000;
    const Measured without = measure(false, requests);
    const Measured with = measure(true, requests);
    std::printf("%d requests, objective 2000 ms, virtual time\n\n", requests);
    std::printf("| hedging | p50 ms | p95 ms | p99 ms | p99.9 ms | backups | of requests | USD backups | USD all |\n"
                "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    print("off", without);
    print("on", with);
    const double ratio = quantile(with, 0.99) / quantile(without, 0.99);
    std::printf("\np99 on/off %.3f; backups %llu, primaries slower than %.0f ms (the earliest backup) %llu\n", ratio,
                static_cast<unsigned long long>(with.backups), with.earliestMs, static_cast<unsigned long long>(with.slowPrimaries));
    return ratio <= 0.5 && with.backups <= with.slowPrimaries ? 0 : 1;
}
