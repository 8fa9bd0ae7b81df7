// SPDX-License-Identifier: MIT
#include "router/capacity/cost_envelope.h"

#include <algorithm>
#include <cmath>

namespace signalbox::capacity {

CostEnvelope::CostEnvelope(CostEnvelopeOptions options) : m_options(options) {}

void CostEnvelope::observe(Steady at, double costUsd) {
    if (!std::isfinite(costUsd) || costUsd <= 0) return;
    const std::lock_guard lock(m_mutex);
    // Threads may report a little out of order; the window needs its samples in order.
    if (!m_samples.empty()) at = std::max(at, m_samples.back().at);
    m_samples.push_back({at, costUsd});
    m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), costUsd), costUsd);
    while (m_samples.size() > m_options.maxSamples) dropOldest();
    age(at);
}

std::optional<CostBounds> CostEnvelope::bounds(Steady now) {
    const std::lock_guard lock(m_mutex);
    age(now);
    if (m_sorted.size() < std::max<std::size_t>(m_options.minSamples, 1)) return std::nullopt;
    CostBounds out{percentile(m_options.lowerPercentile), percentile(m_options.upperPercentile), m_sorted.size()};
    if (out.lower >= out.upper) out.lower = out.upper / 1000;
    return out;
}

void CostEnvelope::age(Steady now) {
    // A sample exactly as old as the window is long still counts.
    while (!m_samples.empty() && now - m_samples.front().at > m_options.window) dropOldest();
}

void CostEnvelope::dropOldest() {
    m_sorted.erase(std::lower_bound(m_sorted.begin(), m_sorted.end(), m_samples.front().costUsd));
    m_samples.pop_front();
}

double CostEnvelope::percentile(double percent) const {
    const double rank = std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(m_sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, m_sorted.size() - 1);
    return m_sorted[below] + (m_sorted[above] - m_sorted[below]) * (rank - static_cast<double>(below));
}

}  // namespace signalbox::capacity
