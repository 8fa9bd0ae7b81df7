// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>

namespace signalbox::test {

/// Texts that do not fit their widget, and that neither wrap nor are elided with the whole on hover; texts and buttons that stick
/// out of what holds them sideways, where nothing scrolls there; and what needs more height at its width than it got.
[[nodiscard]] QStringList clippedTexts(const QWidget& root);
/// Visible labels and buttons whose text is faint in the picture: less than 3:1 as drawn, where thin strokes are blended
/// with the background (tst_theme holds the colours themselves to 4.5:1).
[[nodiscard]] QStringList faintTexts(QWidget& root, const QImage& picture);

}  // namespace signalbox::test
