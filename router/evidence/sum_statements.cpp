// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/evidence/sum_tables.h"

#include <charconv>
#include <cmath>

namespace signalbox::evidence {
namespace {

using Quote = std::function<std::string(const std::string&)>;

// A backlog spreads a batch over many minutes; a statement should stay of a size that parses well.
constexpr std::size_t kRowsPerStatement = 1000;

/// Counts are doubles here, and must not be written as 1e+06.
std::string digits(double value) {
    if (std::abs(value) < 1e15 && value == std::trunc(value)) return std::to_string(static_cast<std::int64_t>(value));
    char out[32];
    return {out, std::to_chars(out, out + sizeof out, value).ptr};
}

SumRollups::Rows byTheHour(const SumRollups::Rows& minutes) {
    SumRollups::Rows hours;
    for (const auto& [key, sums] : minutes) {
        auto& row = hours[{std::chrono::floor<std::chrono::hours>(key.first), key.second}];
        for (std::size_t i = 0; i < sums.size(); ++i) row[i] += sums[i];
    }
    return hours;
}

std::string rowText(const SumTable& table, const SumRollups::Rows::value_type& row, const Quote& quote) {
    std::string out = "('" + toIso8601(row.first.first) + "'";
    const std::string& keys = row.first.second;
    for (std::size_t start = 0; start < keys.size();) {
        const auto end = keys.find('\0', start);
        out += "," + quote(keys.substr(start, end - start));
        start = end + 1;
    }
    for (std::size_t i = 0; i < table.sums.size(); ++i) out += "," + digits(row.second[i]);
    return out + ")";
}

void addStatements(std::string& out, const SumTable& table, const std::string& unit, const SumRollups::Rows& rows, const Quote& quote) {
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
        out += inStatement == 0 ? head : ",";
        out += rowText(table, row, quote);
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
        if (table.hasMinutes) addStatements(out, table, "_minute", rollups.rows(question), quote);
        addStatements(out, table, "_hour", byTheHour(rollups.rows(question)), quote);
    }
    return out;
}

}  // namespace signalbox::evidence
