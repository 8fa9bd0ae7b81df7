// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/rate_series.h"

#include <QStringList>

namespace signalbox::test {

/// `buckets` hours from 2026-11-28 12:00 UTC; line i has 100 trials in each, of which 10 * (i + 1) count.
inline ui::RateSeries rates(std::size_t buckets, const QStringList& names) {
    ui::RateSeries made;
    made.bucket = std::chrono::hours(1);
    made.unit = QStringLiteral("shadow decisions");
    made.what = QStringLiteral("differ");
    const Timestamp first(std::chrono::seconds(1'795'867'200));
    for (std::size_t i = 0; i < buckets; ++i) made.starts.push_back(first + made.bucket * static_cast<int>(i));
    for (qsizetype i = 0; i < names.size(); ++i) {
        ui::RateSeries::Line line;
        line.entity = line.label = names.at(i);
        line.part.assign(buckets, 10 * (static_cast<std::uint64_t>(i) + 1));
        line.whole.assign(buckets, 100);
        made.lines.push_back(std::move(line));
    }
    return made;
}

}  // namespace signalbox::test
