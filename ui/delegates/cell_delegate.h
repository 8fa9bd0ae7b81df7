// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace signalbox::ui {

/// Paints every table cell of the console from the roles in ui/models/roles.h: font by kind, tone glyph, series
/// swatch, share bar, a hairline under the row and a visible frame round the current row.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace signalbox::ui
