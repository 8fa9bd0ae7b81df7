// SPDX-License-Identifier: MIT
#include "router/capacity/pool_learning.h"

namespace signalbox::capacity {

std::shared_ptr<PoolLearning> PoolLearningBook::of(std::string_view poolId, std::string_view optionsKey,
                                                   const PoolLearning::Options& options) {
    const std::lock_guard lock(m_mutex);
    Entry& entry = m_pools[std::string(poolId)];
    if (!entry.learning || entry.optionsKey != optionsKey)
        entry = {std::string(optionsKey), std::make_shared<PoolLearning>(options)};
    return entry.learning;
}

std::shared_ptr<HedgeLedger> PoolLearningBook::hedgesOf(std::string_view poolId) {
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<HedgeLedger>& ledger = m_hedges[std::string(poolId)];
    if (!ledger) ledger = std::make_shared<HedgeLedger>();
    return ledger;
}

}  // namespace signalbox::capacity
