// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history_sql.h"
#include "router/evidence/sum_tables.h"

#include <string>

namespace signalbox::evidence {

/// How fine the rows of an answer must be in time.
enum class Grain : std::uint8_t {
    minutes,  ///< for a time axis
    any,      ///< for totals: whole hours come from the hour tables
};

/// A table expression with the columns of a question's tables for whole minutes of `range`, named `sums`.
[[nodiscard]] std::string sumsFrom(Question question, CountSource source, const TimeRange& range, Grain grain);
/// The same straight from the decisions: what the sums are made of.
[[nodiscard]] std::string sumRows(Question question, const TimeRange& range);
/// Group, profile and origin of a question that knows them.
[[nodiscard]] Conditions sumConditions(const ShadowFilter& filter, Question question);

}  // namespace signalbox::evidence
