// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <span>

namespace signalbox::ui::colors {

/// One meaning, both sides.
struct Pair {
    QRgb light;
    QRgb dark;
    [[nodiscard]] QColor of(Scheme scheme) const { return QColor::fromRgb(scheme == Scheme::light ? light : dark); }
};

[[nodiscard]] Pair surface(Surface surface);
[[nodiscard]] Pair tone(Tone tone);
/// Colour-blind safe hues (after Okabe and Ito), each readable on both panels.
[[nodiscard]] std::span<const Pair> series();

/// `share` of `over` on `base`, opaque.
[[nodiscard]] QColor mix(const QColor& base, const QColor& over, double share);
/// WCAG 2 contrast ratio, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

}  // namespace signalbox::ui::colors
