// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

class QPainter;
class QRectF;

namespace signalbox::ui {

/// Paints the shape of a tone (disc, triangle, diamond, square, half disc, hatched square, ring) into `box`.
/// Every meaning has its own outline, so that it can be told without colour.
void paintToneGlyph(QPainter& painter, const QRectF& box, Tone tone, const QColor& color);

}  // namespace signalbox::ui
