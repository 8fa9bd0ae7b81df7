// SPDX-License-Identifier: MIT
#include "router/evidence/decision_rows.h"

#include "router/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace signalbox::evidence {
namespace {

Field text(std::string_view value) { return {storable(value)}; }
Field textOrNull(const std::optional<std::string>& value) { return value ? text(*value) : Field{}; }

Field count(std::uint64_t value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return {std::to_string(std::min(value, kMost))};
}
template <class T>
Field count(const std::optional<T>& value) {
    return value ? count(std::uint64_t{*value}) : Field{};
}

std::string digits(double value) {
    char out[32];
    return {out, std::to_chars(out, out + sizeof out, value).ptr};
}
Field number(double value) { return {std::isfinite(value) ? digits(value) : "0"}; }
Field number(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Field{digits(*value)} : Field{};
}

}  // namespace

std::string storable(std::string_view text) {
    std::string out(text);
    for (auto at = out.find('\0'); at != std::string::npos; at = out.find('\0', at)) out.replace(at, 1, "\xEF\xBF\xBD");
    return out;
}

DecisionRow toRow(const DecisionRecord& record, std::string_view receipt) {
    const table::Cell& cell = record.features.cell;
    return {{text(receipt),
             {record.id.text().substr(4)},
             {toIso8601(record.createdAt)},
             text(toString(record.origin)),
             text(record.target),
             text(record.environment),
             text(record.principal),
             text(record.team),
             text(toString(record.edge)),
             text(record.requestedModel),
             text(record.resolvedBy),
             text(record.policyHash),
             text(record.mode),
             textOrNull(record.family),
             count(record.ruleIndex),
             textOrNull(record.presetKey),
             text(record.reason),
             text(record.coverage),
             count(record.gapIndex),
             text(table::toString(cell.workload)),
             text(table::toString(cell.length)),
             text(table::toString(cell.concurrency)),
             count(cell.index()),
             text(record.endpointId),
             count(record.attempts.size()),
             text(toString(record.outcome)),
             {std::to_string(record.status)},
             text(record.errorCode),
             number(record.queueMs),
             number(record.firstContentMs),
             number(record.totalMs),
             count(record.inputTokens),
             count(record.cachedTokens),
             count(record.outputTokens),
             number(record.costUsd),
             {record.simulated ? "t" : "f"}}};
}

}  // namespace signalbox::evidence
