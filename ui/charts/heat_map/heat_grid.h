// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace signalbox::ui {

/// Counts by two properties of the same kind, say what was chosen against what was recommended.
struct HeatGrid {
    QStringList rows, columns;            ///< entities, in full
    QString rowWord, columnWord, unit;    ///< "tried first", "recommended", "decisions"
    std::vector<std::uint64_t> counts;    ///< row by row
    bool restRow = false, restColumn = false;  ///< the last one stands for several entities

    [[nodiscard]] std::uint64_t at(int row, int column) const {
        return counts[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size()) + static_cast<std::size_t>(column)];
    }
    /// Both properties are the same there.
    [[nodiscard]] bool isSame(int row, int column) const {
        return rows[row] == columns[column] && !(restRow && row == rows.size() - 1) && !(restColumn && column == columns.size() - 1);
    }
    [[nodiscard]] std::uint64_t total() const;
    /// The largest count off the diagonal: what deserves the strongest colour.
    [[nodiscard]] std::uint64_t highestDifference() const;
    /// "deepseek:flash tried first, local:qwen recommended: 1,240 decisions, 5.6 %"
    [[nodiscard]] QString sentence(int row, int column) const;
};

}  // namespace signalbox::ui
