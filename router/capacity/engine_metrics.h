// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::capacity {

/// Whose metrics a page holds.
enum class EngineKind : std::uint8_t { vllm, sglang, llamaCpp };
/// `vLLM`, `SGLang`, `llama.cpp`: names, to be shown as they are.
[[nodiscard]] std::string_view toString(EngineKind kind);

/// How often something hits, as a page says it: two counters since the engine started, or the engine's own rate.
/// The counters are believed where both are there: the engine's rate may be of one batch only.
struct HitCount {
    std::optional<double> hits, asked;
    std::optional<double> rate;  ///< 0..1
    bool operator==(const HitCount&) const = default;
};

/// What a page said of one model, as written: counters count since the engine started.
struct EngineReading {
    std::string model;  ///< its served name; empty where the page names none
    std::optional<double> running, waiting;
    std::optional<double> kvUsed;
    std::optional<double> preemptionsTotal, promptTokensTotal, generationTokensTotal;
    HitCount prefixCache, drafts;
    bool operator==(const EngineReading&) const = default;
};

/// One reading of a whole page.
struct EnginePageReading {
    EngineKind engine = EngineKind::vllm;
    std::optional<double> startedAt;  ///< of the engine's process, Unix seconds
    std::vector<EngineReading> models;
};

/// An engine's own numbers for one model. Every user of the server is in them, not only this gateway.
/// What the page does not say, or says in no usable number, is unset.
struct EngineMetrics {
    EngineKind engine = EngineKind::vllm;
    std::string model;                            ///< as the page names it; empty where it names none
    std::optional<std::uint64_t> running;         ///< requests in the batch
    std::optional<std::uint64_t> waiting;         ///< requests the engine has and does not run yet
    std::optional<double> kvUsed;                 ///< share of the KV cache that running requests hold, 0..1
    std::optional<std::uint64_t> preemptionsTotal;  ///< since the engine started
    /// Share of prompt tokens found in the prefix cache, and of draft tokens that were accepted, 0..1: between the last
    /// two readings among which there were any. Unset at first and after a restart of the engine.
    std::optional<double> prefixCacheHits, draftAcceptance;
    std::optional<std::uint64_t> promptTokensTotal, generationTokensTotal;  ///< since the engine started
    std::optional<std::string> version;           ///< of the engine, as it calls itself
    std::optional<Steady> readAt;
    bool operator==(const EngineMetrics&) const = default;

    /// Read, and no longer ago than that.
    [[nodiscard]] bool fresh(Steady now, std::chrono::milliseconds maxAge) const {
        return readAt && now - *readAt <= maxAge;
    }
};

/// True when a counter of `now` is below that of `before`: the engine was started anew between the two.
[[nodiscard]] bool restarted(const EngineReading& before, const EngineReading& now);

/// The numbers of a reading. `before`, the reading that preceded it, gives the rates; null for the first one, and
/// after a restart. Rates of `shown`, what was derived from `before`, stay where nothing was asked since. Sets neither
/// engine, version nor time.
[[nodiscard]] EngineMetrics metricsOf(const EngineReading& now, const EngineReading* before, const EngineMetrics* shown);

/// How busy an engine says it is.
struct LiveLoad {
    std::optional<std::uint64_t> running;  ///< requests, ours among them
    std::optional<std::uint64_t> waiting;  ///< requests, ours among them
    std::optional<double> kvUsed;          ///< 0..1
    bool operator==(const LiveLoad&) const = default;
};
/// After that many intervals without a reading, a number says nothing about now.
inline constexpr int kFreshIntervals = 3;

/// What admission may rely on: nullopt when the last reading is older than `kFreshIntervals` intervals, so that a page
/// that no longer answers neither blocks nor invites anybody. Our own requests are in the numbers with everybody
/// else's: compare with what our ledger knows and take the larger one, never the sum.
[[nodiscard]] std::optional<LiveLoad> liveLoad(const EngineMetrics& metrics, Steady now,
                                               std::chrono::milliseconds interval);

}  // namespace signalbox::capacity
