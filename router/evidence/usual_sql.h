// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history_sql.h"

#include <cstddef>
#include <string>

namespace signalbox::evidence {

/// Which parts of a sample are asked for.
enum class SampleParts : std::uint8_t { all, teamsAndEndpoints };

/// Figures of the newest `limit` requests of a range, as one statement. Columns: part (`all`, `team`, `endpoint`), name,
/// requests, failed, gap hits, compared, disagreements, first content p95 (ms) and requests behind it, tokens a second
/// and answers behind it, tool calls, of them those that fit, and those that nobody could check.
[[nodiscard]] std::string sampleStatement(const TimeRange& range, std::size_t limit, SampleParts parts);

/// Cell, requests, requests without output cap of the newest `limit` ones of a family ($1).
[[nodiscard]] std::string capsStatement(const TimeRange& range, std::size_t limit);

}  // namespace signalbox::evidence
