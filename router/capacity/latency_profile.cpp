// SPDX-License-Identifier: MIT
#include "router/capacity/latency_profile.h"

#include <algorithm>

namespace signalbox::capacity {

using std::chrono::microseconds;

LatencyProfile::LatencyProfile(LatencyProfileOptions options) : m_options(options) {}

void LatencyProfile::addFirstContent(Steady at, microseconds ttft) {
    add({at, std::max(ttft, microseconds{1}), false});
}

void LatencyProfile::addFailure(Steady at) {
    add({at, m_options.failureTtft, true});
}

std::optional<Steady> LatencyProfile::newest() {
    const std::lock_guard lock(m_mutex);
    if (m_samples.empty()) return std::nullopt;
    return m_samples.back().at;
}

MeanTtft LatencyProfile::mean(Steady now) {
    const std::lock_guard lock(m_mutex);
    age(now);
    if (m_samples.empty()) return {m_options.unprofiledTtft, ProfileBasis::none, 0};
    const std::size_t count = anyRecent() ? m_samples.size() - m_firstRecent : m_samples.size();
    const microseconds sum = anyRecent() ? m_recentSum : m_sum;
    return {sum / static_cast<std::int64_t>(count), anyRecent() ? ProfileBasis::recent : ProfileBasis::prior, count};
}

std::shared_ptr<const TtftDistribution> LatencyProfile::distribution(Steady now) {
    const std::lock_guard lock(m_mutex);
    age(now);
    if (m_distribution) return m_distribution;
    std::vector<double> values;
    std::uint64_t failures = 0;
    for (std::size_t i = anyRecent() ? m_firstRecent : 0; i < m_samples.size(); ++i) {
        if (m_samples[i].failed)
            ++failures;
        else
            values.push_back(std::chrono::duration<double, std::milli>(m_samples[i].ttft).count());
    }
    m_distribution = std::make_shared<const TtftDistribution>(values, failures);
    return m_distribution;
}

void LatencyProfile::add(Sample sample) {
    const std::lock_guard lock(m_mutex);
    // Threads may report a little out of order; the window needs its samples in order.
    if (!m_samples.empty()) sample.at = std::max(sample.at, m_samples.back().at);
    m_samples.push_back(sample);
    m_sum += sample.ttft;
    m_recentSum += sample.ttft;
    m_distribution.reset();
    while (m_samples.size() > m_options.maxSamples) dropOldest();
    age(sample.at);
}

void LatencyProfile::age(Steady now) {
    while (!m_samples.empty() && now - m_samples.front().at > m_options.priorWindow) dropOldest();
    while (anyRecent() && now - m_samples[m_firstRecent].at > m_options.window) {
        m_recentSum -= m_samples[m_firstRecent].ttft;
        ++m_firstRecent;
        m_distribution.reset();
    }
}

void LatencyProfile::dropOldest() {
    const microseconds ttft = m_samples.front().ttft;
    if (m_firstRecent == 0)
        m_recentSum -= ttft;
    else
        --m_firstRecent;
    m_sum -= ttft;
    m_samples.pop_front();
    m_distribution.reset();
}

}  // namespace signalbox::capacity
