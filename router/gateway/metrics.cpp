// SPDX-License-Identifier: MIT
#include "router/gateway/metrics.h"

namespace signalbox::gateway {

MetricShard& Metrics::addShard() {
    const std::scoped_lock lock(m_mutex);
    return *m_shards.emplace_back(std::make_unique<MetricShard>());
}

std::vector<const MetricShard*> Metrics::shards() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<const MetricShard*> out;
    for (const auto& shard : m_shards)
        out.push_back(shard.get());
    return out;
}

std::uint64_t Metrics::sum(CountCell MetricShard::*cell) const {
    std::uint64_t total = 0;
    for (const MetricShard* shard : shards())
        total += (shard->*cell).value();
    return total;
}

} // namespace signalbox::gateway
