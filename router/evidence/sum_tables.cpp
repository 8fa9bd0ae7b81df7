// SPDX-License-Identifier: MIT
#include "router/evidence/sum_tables.h"

#include <algorithm>
#include <cstring>

namespace signalbox::evidence {
namespace {

const std::array<SumTable, kQuestions> kSumTables{{
    {"rollup", true, {"preset", "family", "cell", "rule_index", "coverage", "endpoint", "outcome"}, {"requests"}},
    {"latency", true, {"preset", "measure", "slot"}, {"requests"}},
    {"shadow", true, {"route_group", "profile"}, {"decisions", "disagreements"}},
    {"shadow_pair", true, {"route_group", "profile", "selected", "recommended", "deciding_term"},
     {"decisions", "selected_cost_usd", "selected_latency_ms", "recommended_cost_usd", "recommended_latency_ms"}},
    {"shadow_margin", true, {"route_group", "profile", "margin_slot"}, {"decisions"}},
    {"group_served", true, {"route_group", "profile", "mode", "edge"}, {"decisions"}},
    {"group_affinity", true, {"route_group", "profile", "affinity"}, {"decisions"}},
    {"group_candidate", true, {"route_group", "profile", "endpoint"}, {"decisions", "cooling"}},
    {"call", true, {"endpoint", "outcome", "status"}, {"calls", "cost_calls", "cost_usd"}},
    {"call_latency", true, {"endpoint", "measure", "slot"}, {"calls"}},
    {"spend", false, {"principal"}, {"cost_usd"}},
}};

/// Before each entry: its question and the length of its keys.
constexpr std::size_t kEntryHeadBytes = 1 + sizeof(std::uint32_t);

/// Numbers stand as this machine keeps them: a journal does not travel.
template <class T>
T valueAt(std::string_view bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// Calls `each(question, keys, sums)` for every entry; false when the bytes are none.
template <class Each>
bool forEachEntry(std::string_view bytes, const Each& each) {
    while (!bytes.empty()) {
        if (bytes.size() < kEntryHeadBytes) return false;
        const std::size_t question = valueAt<std::uint8_t>(bytes, 0);
        const std::size_t keys = valueAt<std::uint32_t>(bytes, 1);
        if (question >= kQuestions) return false;
        const std::size_t sums = sumTable(static_cast<Question>(question)).sums.size() * sizeof(double);
        if (bytes.size() < kEntryHeadBytes + keys + sums) return false;
        each(question, bytes.substr(kEntryHeadBytes, keys), bytes.substr(kEntryHeadBytes + keys, sums));
        bytes.remove_prefix(kEntryHeadBytes + keys + sums);
    }
    return true;
}

}  // namespace

const SumTable& sumTable(Question question) { return kSumTables[static_cast<std::size_t>(question)]; }

bool SumRollups::add(Timestamp createdAt, std::string_view sums) {
    if (!forEachEntry(sums, [](std::size_t, std::string_view, std::string_view) {})) return false;
    Minute& minute = m_minutes[std::chrono::floor<std::chrono::minutes>(createdAt)];
    return forEachEntry(sums, [&](std::size_t question, std::string_view keys, std::string_view values) {
        Sums& row = minute[question].at(keys);
        for (std::size_t i = 0; i * sizeof(double) < values.size(); ++i) row[i] += valueAt<double>(values, i * sizeof(double));
    });
}

SumRollups::Sums& SumRollups::Table::at(std::string_view keys) {
    for (Rows::value_type* const row : m_lately)
        if (row != nullptr && row->first == keys) return row->second;
    auto row = m_rows.find(keys);
    if (row == m_rows.end()) row = m_rows.emplace(std::string(keys), Sums{}).first;
    m_lately[m_oldest] = &*row;
    m_oldest = (m_oldest + 1) % m_lately.size();
    return row->second;
}

std::vector<SumRollups::Row> SumRollups::rows(Question question) const {
    std::vector<Row> out;
    for (const auto& [bucket, minute] : m_minutes) {
        const std::size_t first = out.size();
        for (const auto& [keys, sums] : minute[static_cast<std::size_t>(question)].rows()) out.push_back({bucket, keys, sums});
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                  [](const Row& a, const Row& b) { return a.keys < b.keys; });
    }
    return out;
}

void SumRollups::clear() { m_minutes.clear(); }

}  // namespace signalbox::evidence
