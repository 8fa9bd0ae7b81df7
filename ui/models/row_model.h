// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/roles.h"

#include <QAbstractTableModel>

#include <vector>

namespace signalbox::ui {

/// One column of a flat table.
struct Column {
    QString title;  ///< tr(); with its unit where it has one
    CellKind kind = CellKind::text;
    QString help;   ///< shown on hover over the header
    int width = 120;  ///< first width in pixels
};

/// Index arithmetic of a flat table, once. A concrete model gives columns, a row count and cells; it may add roles.
class RowModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] virtual const std::vector<Column>& columns() const = 0;
    [[nodiscard]] virtual int rows() const = 0;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : rows(); }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final {
        return parent.isValid() ? 0 : static_cast<int>(columns().size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

protected:
    /// What the cell shows.
    [[nodiscard]] virtual QString text(int row, int column) const = 0;
    /// Raw value for sorting and filtering; the shown text where it is the same.
    [[nodiscard]] virtual QVariant value(int row, int column) const { return text(row, column); }
    /// Any other role: ToneRole, SwatchRole, ShareRole, Qt::ToolTipRole, …
    [[nodiscard]] virtual QVariant extra(int row, int column, int role) const {
        Q_UNUSED(row) Q_UNUSED(column) Q_UNUSED(role)
        return {};
    }
};

}  // namespace signalbox::ui
