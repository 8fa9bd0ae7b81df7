// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/when.h"

#include <QStyledItemDelegate>

namespace signalbox::ui {

class Theme;

/// Paints a cell of the coverage matrix: quiet fill, hatched where a gap is declared; glyph and word; the preset;
/// recorded hits as a bar with their number. Lit cells stand out, the others step back.
class CoverageDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// Bits by Cell::index(); 0 lights nothing and dims nothing.
    void setLit(table::CellSet cells) { m_lit = cells; }
    [[nodiscard]] table::CellSet lit() const { return m_lit; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    table::CellSet m_lit = 0;
};

/// Diagonal lines over `box`, the sign of a declared gap.
void paintHatching(QPainter& painter, const QRect& box, const QColor& color);

}  // namespace signalbox::ui
