// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_plot.h"

class QPainter;

namespace signalbox::ui {

/// What a chart says about one time as a box beside the cursor. `line` is under the cursor and set in bold.
void paintReading(QPainter& painter, const PlotReading& reading, double cursorX, std::optional<std::size_t> line, const QRectF& bounds);

}  // namespace signalbox::ui
