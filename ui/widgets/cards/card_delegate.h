// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/cards/card_model.h"

#include <QSet>
#include <QStyledItemDelegate>

namespace signalbox::ui {

/// Lays a card out in lines and paints it; a lit card carries the accent at its left edge.
class CardDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setLit(const QSet<int>& rows) { m_lit = rows; }
    [[nodiscard]] bool isLit(int row) const { return m_lit.contains(row); }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QSet<int> m_lit;
};

}  // namespace signalbox::ui
