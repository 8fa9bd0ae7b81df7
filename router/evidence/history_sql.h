// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "router/evidence/pg_session.h"
#include "router/evidence/time_buckets.h"

#include <string>

namespace signalbox::evidence {

/// A WHERE clause that grows together with its parameters.
class Conditions {
public:
    void add(const std::string& text);
    /// Every `$?` in `text` stands for the next of `values`.
    void add(std::string text, const std::vector<std::string>& values);
    /// `text` with its values among the parameters, but not part of the clause.
    [[nodiscard]] std::string bind(std::string text, const std::vector<std::string>& values);
    [[nodiscard]] const std::string& where() const { return m_text; }
    [[nodiscard]] const PgSession::Parameters& parameters() const { return m_parameters; }

private:
    std::string m_text;  // empty, or " WHERE …"
    PgSession::Parameters m_parameters;
};

/// `expression`, a timestamptz, as microseconds since 1970.
[[nodiscard]] std::string asMicros(const std::string& expression);

/// `column` lies in a range, as a condition.
[[nodiscard]] std::string within(const std::string& column, const TimeRange& range);
/// The index of the step that the column `bucket` lies in.
[[nodiscard]] std::string bucketNumber(const TimeBuckets& buckets);

/// Range and every set field, on `decisions`.
[[nodiscard]] Conditions pageConditions(const HistoryFilter& filter, const std::optional<PageKey>& after);
/// A page's conditions, parted: what one index can answer is the clause, the rest is to be judged row by row.
struct SlicedConditions {
    Conditions found;
    std::string judged;  ///< on the columns that `found` selects from; empty when the index answers everything
};
[[nodiscard]] SlicedConditions slicedConditions(const HistoryFilter& filter, const std::optional<PageKey>& after);
/// True when a field is set that only the decisions themselves know; `countConditions` cannot say it.
[[nodiscard]] bool asksTheRows(const HistoryFilter& filter);
/// Every set field but the range and those, on what `countsFrom` gives.
[[nodiscard]] Conditions countConditions(const HistoryFilter& filter);

/// Where the counts of a range come from.
enum class CountSource : std::uint8_t {
    minutes,  ///< the minute tables: the last two days
    hours,    ///< the hour tables, with rows for the broken hours at both ends
    rows,     ///< the rows themselves: short and old
};
/// A table expression with the columns of `rollup_minute` for whole minutes of `range`.
[[nodiscard]] std::string countsFrom(CountSource source, const TimeRange& range);
/// The same with the columns of `latency_minute`, first content only.
[[nodiscard]] std::string firstContentFrom(CountSource source, const TimeRange& range);

}  // namespace signalbox::evidence
