// SPDX-License-Identifier: MIT
#include "ui/charts/heat_map/heat_grid.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace signalbox::ui {

namespace {
struct HeatGridWords {
    Q_DECLARE_TR_FUNCTIONS(HeatGrid)
};
}  // namespace

std::uint64_t HeatGrid::total() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::uint64_t HeatGrid::highestDifference() const {
    std::uint64_t highest = 0;
    for (int row = 0; row < rows.size(); ++row)
        for (int column = 0; column < columns.size(); ++column)
            if (!isSame(row, column)) highest = std::max(highest, at(row, column));
    return highest;
}

QString HeatGrid::sentence(int row, int column) const {
    return HeatGridWords::tr("%1 %2, %3 %4: %5 %6, %7").arg(rows[row], rowWord, columns[column], columnWord, format::count(at(row, column)), unit, format::share(at(row, column), total()));
}

}  // namespace signalbox::ui
