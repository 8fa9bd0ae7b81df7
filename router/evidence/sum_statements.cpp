// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/evidence/sum_tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace signalbox::evidence {
namespace {

using Quote = std::function<std::string(const std::string&)>;

// A backlog spreads a batch over many minutes; a statement should stay of a size that parses well.
constexpr std::size_t kRowsPerStatement = 1000;

/// Counts are doubles here, and must not be written as 1e+06. Absurd numbers may have added up to none.
std::string digits(double value) {
    using Limits = std::numeric_limits<double>;
    value = std::isnan(value) ? 0 : std::clamp(value, Limits::lowest(), Limits::max());
    if (std::abs(value) < 1e15 && value == std::trunc(value)) return std::to_string(static_cast<std::int64_t>(value));
    char out[32];
    return {out, std::to_chars(out, out + sizeof out, value).ptr};
}

using Rows = std::vector<SumRollups::Row>;

/// Of rows that are sorted.
Rows byTheHour(const Rows& minutes) {
    std::map<std::pair<Timestamp, std::string_view>, SumRollups::Sums> hours;
    for (const auto& minute : minutes) {
        auto& row = hours[{std::chrono::floor<std::chrono::hours>(minute.bucket), minute.keys}];
        for (std::size_t i = 0; i < row.size(); ++i) row[i] += minute.sums[i];
    }
    Rows out;
    for (const auto& [key, sums] : hours) out.push_back({key.first, key.second, sums});
    return out;
}

void appendRowText(std::string& out, const SumTable& table, const SumRollups::Row& row, const Quote& quote) {
    out.append("('").append(toIso8601(row.bucket)) += '\'';
    for (std::size_t start = 0; start < row.keys.size();) {
        const auto end = row.keys.find('\0', start);
        (out += ',') += quote(std::string(row.keys.substr(start, end - start)));
        start = end + 1;
    }
    for (std::size_t i = 0; i < table.sums.size(); ++i) (out += ',') += digits(row.sums[i]);
    out += ')';
}

void addStatements(std::string& out, const SumTable& table, const std::string& unit, const Rows& rows, const Quote& quote) {
    if (rows.empty()) return;
    std::string keys = "bucket, origin";
    for (const std::string_view key : table.keys) keys.append(", ").append(key);
    std::string sums, additions;
    for (const std::string_view sum : table.sums) {
        const std::string name(sum);
        sums += ", " + name;
        additions += (additions.empty() ? "" : ", ") + name + " = old." + name + " + excluded." + name;
    }
    const std::string head = "INSERT INTO signalbox." + std::string(table.name) + unit + " AS old (" + keys + sums + ") VALUES ";
    const std::string tail = " ON CONFLICT (" + keys + ") DO UPDATE SET " + additions + ";\n";
    std::size_t inStatement = 0;
    for (const auto& row : rows) {
        if (inStatement == 0) out += head;
        else out += ',';
        appendRowText(out, table, row, quote);
        if (++inStatement < kRowsPerStatement) continue;
        out += tail;
        inStatement = 0;
    }
    if (inStatement > 0) out += tail;
}

}  // namespace

std::string sumStatements(const SumRollups& rollups, const Quote& quote) {
    std::string out;
    for (std::size_t i = 0; i < kQuestions; ++i) {
        const auto question = static_cast<Question>(i);
        const SumTable& table = sumTable(question);
        const Rows minutes = rollups.rows(question);
        if (table.hasMinutes) addStatements(out, table, "_minute", minutes, quote);
        addStatements(out, table, "_hour", byTheHour(minutes), quote);
    }
    return out;
}

}  // namespace signalbox::evidence
