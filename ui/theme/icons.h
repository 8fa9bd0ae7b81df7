// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace signalbox::ui {

/// The line icon `name` of resources/icons drawn in `color`, with `disabled` for its disabled state.
/// An unknown name gives a null icon.
[[nodiscard]] QIcon loadIcon(const QString& name, const QColor& color, const QColor& disabled);

}  // namespace signalbox::ui
