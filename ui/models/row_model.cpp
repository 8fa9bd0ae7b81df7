// SPDX-License-Identifier: MIT
#include "ui/models/row_model.h"

#include "ui/theme/plain_tip.h"

namespace signalbox::ui {

static int alignmentOf(CellKind kind) {
    return static_cast<int>(kind == CellKind::number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
}

// Names in cells are what clients and other gateways called things.
static QVariant plainIfText(const QVariant& tip) { return tip.userType() == QMetaType::QString ? QVariant(plainTip(tip.toString())) : tip; }

QVariant RowModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& column = columns()[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case SortRole: return value(index.row(), index.column());
    case CellKindRole: return QVariant::fromValue(column.kind);
    case Qt::TextAlignmentRole: return alignmentOf(column.kind);
    case Qt::AccessibleTextRole: return QString(column.title + QStringLiteral(": ") + text(index.row(), index.column()));
    case Qt::ToolTipRole: return plainIfText(extra(index.row(), index.column(), role));
    default: return extra(index.row(), index.column(), role);
    }
}

QVariant RowModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto& column = columns()[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case Qt::ToolTipRole: return plainTip(column.help.isEmpty() ? column.title : column.help);
    case Qt::TextAlignmentRole: return alignmentOf(column.kind);
    case ColumnWidthRole: return column.width;
    default: return {};
    }
}

}  // namespace signalbox::ui
