// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>

namespace signalbox::test {

/// Texts that do not fit their widget, and that neither wrap nor are elided with the whole on hover.
[[nodiscard]] QStringList clippedTexts(const QWidget& root);
/// Visible labels and buttons whose text stands out from its background by less than 4.5:1 (WCAG AA), measured in the
/// picture.
[[nodiscard]] QStringList faintTexts(QWidget& root, const QImage& picture);

}  // namespace signalbox::test
