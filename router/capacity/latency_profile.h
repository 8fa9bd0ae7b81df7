// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/capacity/ttft_distribution.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace signalbox::capacity {

struct LatencyProfileOptions {
    /// What counts as recent.
    std::chrono::seconds window{900};
    /// What is still believed while nothing is recent.
    std::chrono::seconds priorWindow{86400};
    std::size_t maxSamples = 5000;
    std::chrono::milliseconds unprofiledTtft{5000};
    /// What a failed attempt counts for in the mean.
    std::chrono::milliseconds failureTtft{60000};
};

/// Where a mean comes from: `recent` the window, `prior` the longer one, `none` no sample at all.
enum class ProfileBasis : std::uint8_t { recent, prior, none };

struct MeanTtft {
    std::chrono::microseconds value{};
    ProfileBasis basis = ProfileBasis::none;
    std::size_t samples = 0;

    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(value).count(); }
    bool operator==(const MeanTtft&) const = default;
};

/// How long one endpoint takes to its first content, lately. Safe to use from several threads.
/// The mean is kept up while samples come and go (integer microseconds: nothing drifts); the distribution, which
/// only hedging asks for, is built on demand and shared until a sample comes or goes.
class LatencyProfile {
public:
    explicit LatencyProfile(LatencyProfileOptions options = {});

    void addFirstContent(Steady at, std::chrono::microseconds ttft);
    void addFailure(Steady at);

    /// When the newest sample came, a failure too; nullopt while there is none.
    [[nodiscard]] std::optional<Steady> newest();
    /// Mean over the recent samples, else over the prior ones, else `unprofiledTtft`.
    [[nodiscard]] MeanTtft mean(Steady now);
    /// Never null; over the same samples as the mean.
    [[nodiscard]] std::shared_ptr<const TtftDistribution> distribution(Steady now);

private:
    struct Sample {
        Steady at;
        std::chrono::microseconds ttft;
        bool failed;
    };

    void add(Sample sample);
    /// Lets samples leave the windows; call under the lock.
    void age(Steady now);
    void dropOldest();
    [[nodiscard]] bool anyRecent() const { return m_firstRecent < m_samples.size(); }

    const LatencyProfileOptions m_options;
    std::mutex m_mutex;
    std::deque<Sample> m_samples;  // oldest first
    std::size_t m_firstRecent = 0;
    std::chrono::microseconds m_sum{};
    std::chrono::microseconds m_recentSum{};
    std::shared_ptr<const TtftDistribution> m_distribution;
};

}  // namespace signalbox::capacity
