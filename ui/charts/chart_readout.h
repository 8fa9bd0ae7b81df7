// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/stack_view.h"

class QPainter;

namespace signalbox::ui {

/// All lines at one time, with counts: as a box beside the cursor, and as one sentence for screen readers.
struct ChartReadout {
    const StackView& view;
    std::size_t index;
    std::optional<std::size_t> line;  ///< under the cursor, set in bold

    void paint(QPainter& painter, const QRectF& bounds) const;
    [[nodiscard]] QString sentence() const;
};

}  // namespace signalbox::ui
