// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/postgres.h"

#include <QRegularExpression>
#include <cstdint>
#include <map>
#include <string>

namespace signalbox::test {

using Counts = std::map<std::string, std::uint64_t>;

/// `name{labels} value` lines of one metric, by labels.
inline Counts metric(const std::string& text, const std::string& name) {
    Counts out;
    QRegularExpression line(QStringLiteral("^%1(\\{[^}]*\\})? (\\d+)$").arg(QString::fromStdString(name)),
                            QRegularExpression::MultilineOption);
    for (auto found = line.globalMatch(QString::fromStdString(text)); found.hasNext();) {
        const auto match = found.next();
        out[match.captured(1).toStdString()] = match.captured(2).toULongLong();
    }
    return out;
}

/// Decisions grouped by a text.
inline Counts counted(const Postgres& postgres, const std::string& what, const std::string& where) {
    Counts out;
    for (const std::string& row : postgres.column("SELECT " + what + " || '~' || count(*) FROM signalbox.decisions WHERE " +
                                                  where + " GROUP BY " + what)) {
        const auto tilde = row.rfind('~');
        out[row.substr(0, tilde)] = std::stoull(row.substr(tilde + 1));
    }
    return out;
}

inline std::uint64_t sum(const Counts& counts) {
    std::uint64_t total = 0;
    for (const auto& [name, count] : counts)
        total += count;
    return total;
}

} // namespace signalbox::test
