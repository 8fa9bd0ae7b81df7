// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_series.h"

#include <QStringList>

namespace signalbox::test {

/// `buckets` of 15 minutes from 2026-11-28 12:00 UTC; line i counts i + 1 in each.
inline ui::TimeSeries series(std::size_t buckets, const QStringList& names) {
    ui::TimeSeries made;
    made.bucket = std::chrono::minutes(15);
    made.unit = QStringLiteral("requests");
    const Timestamp first(std::chrono::seconds(1'795'867'200));
    for (std::size_t i = 0; i < buckets; ++i) made.starts.push_back(first + made.bucket * static_cast<int>(i));
    for (qsizetype i = 0; i < names.size(); ++i) {
        const auto count = static_cast<std::uint64_t>(i) + 1;
        made.lines.push_back({names.at(i), names.at(i), ui::TimeSeries::Kind::entity, std::vector<std::uint64_t>(buckets, count), count * buckets});
    }
    return made;
}

}  // namespace signalbox::test
