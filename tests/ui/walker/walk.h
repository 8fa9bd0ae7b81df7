// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QSet>
#include <QStringList>
#include <QWidget>

namespace signalbox::test {

/// Every visible widget below `root`.
[[nodiscard]] QList<QWidget*> visibleWidgets(const QWidget& root);

/// Widgets that take keyboard focus but tell a screen reader nothing.
[[nodiscard]] QStringList withoutAccessibleName(const QWidget& root);
/// Widgets that take Tab focus but that pressing Tab, all the way round the window, never reaches. An exclusive group of
/// buttons counts as reached when one of it is: the arrow keys do the rest.
[[nodiscard]] QStringList notReachedByTab(const QWidget& root);
/// Visible texts that did not go through tr() under the pseudo translator. Cells of tables are data; so are widgets
/// marked with the property `data`, and texts that are one of `names`, the policy's own.
[[nodiscard]] QStringList untranslated(const QWidget& root, const QSet<QString>& names);
/// Controls too small to hit.
[[nodiscard]] QStringList tooSmall(const QWidget& root);

}  // namespace signalbox::test
