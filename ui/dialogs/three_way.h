// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// One row of three texts side by side. A line that is not there leaves room for what the others have.
struct ThreeWayRow {
    std::optional<QString> base, theirs, ours;
    bool theirsDiffers = false;  ///< from base
    bool oursDiffers = false;
    bool operator==(const ThreeWayRow&) const = default;
};

/// For each line of `before` the line of `after` that it became unchanged, or -1; ascending. A shortest edit script
/// (Myers, "An O(ND) difference algorithm", 1986), given up beyond a few thousand differences: what lies between the
/// common beginning and end then counts as changed as a whole.
[[nodiscard]] std::vector<int> matchingLines(const QStringList& before, const QStringList& after);
/// Lines that all three share stand in one row; between them each side's own follow in order.
[[nodiscard]] std::vector<ThreeWayRow> compareThree(const QString& base, const QString& theirs, const QString& ours);

}  // namespace signalbox::ui
