// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace signalbox::evidence {

/// What a batch adds to the rollup tables, by minute. Sorted keys make two gateways on one server update rows in the
/// same order, so that they cannot deadlock.
class Rollups {
public:
    /// bucket, origin, preset, family, cell, rule index, coverage, endpoint, outcome; "" and -1 mean none.
    using CountKey = std::tuple<Timestamp, std::string, std::string, std::string, std::int64_t, std::int64_t, std::string,
                                std::string, std::string>;
    /// bucket, origin, preset, measure, slot.
    using LatencyKey = std::tuple<Timestamp, std::string, std::string, std::string, std::int64_t>;

    void add(const DecisionRecord& record);
    [[nodiscard]] const std::map<CountKey, std::uint64_t>& counts() const { return m_counts; }
    [[nodiscard]] const std::map<LatencyKey, std::uint64_t>& latencies() const { return m_latencies; }

private:
    std::map<CountKey, std::uint64_t> m_counts;
    std::map<LatencyKey, std::uint64_t> m_latencies;
};

}  // namespace signalbox::evidence
