// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/sink.h"
#include "router/gateway/metric_shard.h"
#include "router/gateway/refusals.h"

#include <functional>
#include <vector>

namespace signalbox::gateway {

struct RunningPolicy;

/// The counters of a gateway: one shard for each thread that counts. Thread safe; outlives policies.
class Metrics {
public:
    /// For one thread, which alone counts there; lives as long as this.
    [[nodiscard]] MetricShard& addShard();
    /// Planning failed and the configured order served (F73).
    void planningFailed() { m_planningFailures.fetch_add(1, std::memory_order_relaxed); }

    [[nodiscard]] std::uint64_t planningFailures() const { return m_planningFailures.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t decided() const { return sum(&MetricShard::decided); }
    [[nodiscard]] std::uint64_t dispatched() const { return sum(&MetricShard::dispatched); }
    [[nodiscard]] std::uint64_t served() const { return sum(&MetricShard::served); }
    /// All shards, in the order in which they were made.
    [[nodiscard]] std::vector<const MetricShard*> shards() const;

private:
    [[nodiscard]] std::uint64_t sum(CountCell MetricShard::*cell) const;

    mutable std::mutex m_mutex;
    std::vector<std::unique_ptr<MetricShard>> m_shards;
    std::atomic<std::uint64_t> m_planningFailures{0};
};

/// What the metrics page says beside the counters.
struct PageFacts {
    std::uint32_t inFlight = 0;
    bool draining = false;
    std::vector<RefusalTotal> refusals;
    std::optional<evidence::EvidenceStatus> evidence; ///< none when it is off
    const RunningPolicy* policy = nullptr;            ///< slots, quotas and circuits; may be null
    Steady now{};
    std::array<std::uint32_t, 2> inFlightByEdge{};
    std::array<std::uint64_t, 2> refusedByEdge{};
};

/// `GET /metrics` in Prometheus' text form, version 0.0.4. Labels come from the policy, from our own words and from
/// nowhere else: no client can add a series.
[[nodiscard]] std::string metricsPage(const Metrics& metrics, const PageFacts& facts);

} // namespace signalbox::gateway
