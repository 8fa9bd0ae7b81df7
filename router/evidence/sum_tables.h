// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace signalbox::evidence {

/// Questions that are answered from sums, each from tables of its own: the first two from 0001_evidence.sql, the others
/// from 0002_smart_groups.sql. Frames of the journal hold these numbers (kStoredForm).
enum class Question : std::uint8_t { requests, latency, shadow, pair, margin, served, affinity, candidate, call, callLatency, spend };
inline constexpr std::size_t kQuestions = 11;

/// A pair of tables, `NAME_minute` and `NAME_hour`.
struct SumTable {
    std::string_view name;
    bool hasMinutes = true;
    std::vector<std::string_view> keys;  ///< behind `bucket` and `origin`
    std::vector<std::string_view> sums;
};
[[nodiscard]] const SumTable& sumTable(Question question);

/// Appends what a decision adds to them, in a form of our own that `SumRollups` reads. The record's texts must be UTF-8.
void appendSums(const DecisionRecord& record, std::string& out);

/// What a batch adds to the sums, by minute.
class SumRollups {
public:
    inline static constexpr std::size_t kMostSums = 5;
    using Sums = std::array<double, kMostSums>;
    /// One row of a minute. `keys` holds every key from `origin` on, each ended by NUL.
    struct Row {
        Timestamp bucket;
        std::string_view keys;
        Sums sums;
    };

    /// Reads what `appendSums` wrote for a decision of that time; false when it did not, and nothing was added.
    [[nodiscard]] bool add(Timestamp createdAt, std::string_view sums);
    /// Sorted by time and keys: two gateways on one server then update rows in the same order and cannot deadlock. Valid
    /// until the next `add`.
    [[nodiscard]] std::vector<Row> rows(Question question) const;
    void clear();

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    using Rows = std::unordered_map<std::string, Sums, Hash, std::equal_to<>>;
    /// The rows of one question in one minute, and those that were added to last: most decisions resemble the one before.
    class Table {
    public:
        Table() = default;
        Table(const Table&) = delete;  // what was met lately stands in the rows
        Table& operator=(const Table&) = delete;
        [[nodiscard]] Sums& at(std::string_view keys);
        [[nodiscard]] const Rows& rows() const { return m_rows; }

    private:
        Rows m_rows;
        std::array<Rows::value_type*, 2> m_lately{};  // two: candidates come in pairs at least
        std::size_t m_oldest = 0;
    };
    using Minute = std::array<Table, kQuestions>;

    std::map<Timestamp, Minute> m_minutes;
};

/// The statements that add them, in one fixed order; `quote` makes a literal of a text.
[[nodiscard]] std::string sumStatements(const SumRollups& rollups, const std::function<std::string(const std::string&)>& quote);

/// The estimate's candidate; null when the record does not hold it.
[[nodiscard]] const RecordedCandidate* candidateOf(const RecordedGroup& group, std::string_view endpointId);
/// Whether what was selected and what is recommended could have differed: shadow, canary_control.
[[nodiscard]] bool mayDisagree(const DecisionRecord& record);
/// What this attempt cost, if it is the one that served the request.
[[nodiscard]] std::optional<double> costOf(const DecisionRecord& record, const Attempt& attempt);

}  // namespace signalbox::evidence
