// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::evidence {

/// Questions that are answered from sums, each from tables of its own (0002_smart_groups.sql).
enum class Question : std::uint8_t { shadow, pair, margin, served, affinity, candidate, call, callLatency, spend };
inline constexpr std::size_t kQuestions = 9;

/// A pair of tables, `NAME_minute` and `NAME_hour`.
struct SumTable {
    std::string_view name;
    bool hasMinutes = true;
    std::vector<std::string_view> keys;  ///< behind `bucket` and `origin`
    std::vector<std::string_view> sums;
};
[[nodiscard]] const SumTable& sumTable(Question question);

/// What a batch adds to them, by minute. Keys are sorted, for the reason given at Rollups.
class SumRollups {
public:
    inline static constexpr std::size_t kMostSums = 5;
    /// The minute, and every key from `origin` on, each ended by NUL.
    using Key = std::pair<Timestamp, std::string>;
    using Rows = std::map<Key, std::array<double, kMostSums>>;

    void add(const DecisionRecord& record);
    [[nodiscard]] const Rows& rows(Question question) const { return m_rows[static_cast<std::size_t>(question)]; }

private:
    void addGroup(const DecisionRecord& record, const RecordedGroup& group);
    void addOpinion(const RecordedGroup& group);
    void addCall(const DecisionRecord& record, const Attempt& attempt);
    void count(Question question, std::initializer_list<std::string_view> keys, std::initializer_list<double> sums);

    std::array<Rows, kQuestions> m_rows;
    Timestamp m_minute{};
    std::string_view m_origin;
    Key m_key;  // kept for its memory
};

/// The statements that add them, in one fixed order; `quote` makes a literal of a text.
[[nodiscard]] std::string sumStatements(const SumRollups& rollups, const std::function<std::string(const std::string&)>& quote);

/// The estimate's candidate; null when the record does not hold it.
[[nodiscard]] const RecordedCandidate* candidateOf(const RecordedGroup& group, std::string_view endpointId);
/// Whether what was selected and what is recommended could have differed: shadow, canary_control.
[[nodiscard]] bool mayDisagree(const DecisionRecord& record);
/// What the request cost, if this attempt is the one that it was paid for.
[[nodiscard]] std::optional<double> costOf(const DecisionRecord& record, const Attempt& attempt);

}  // namespace signalbox::evidence
