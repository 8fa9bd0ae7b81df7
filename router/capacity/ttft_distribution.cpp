// SPDX-License-Identifier: MIT
#include "router/capacity/ttft_distribution.h"

#include <algorithm>
#include <cmath>

namespace signalbox::capacity {

TtftDistribution::TtftDistribution(std::span<const double> ttftMs, std::uint64_t failures) : m_failures(failures) {
    m_sortedMs.reserve(ttftMs.size());
    for (const double ms : ttftMs)
        if (std::isfinite(ms) && ms > 0) m_sortedMs.push_back(ms);
    std::sort(m_sortedMs.begin(), m_sortedMs.end());
}

double TtftDistribution::within(double ms) const {
    if (samples() == 0) return 0;
    const auto end = std::upper_bound(m_sortedMs.begin(), m_sortedMs.end(), ms);
    return static_cast<double>(end - m_sortedMs.begin()) / static_cast<double>(samples());
}

}  // namespace signalbox::capacity
