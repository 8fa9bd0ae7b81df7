// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/heat_map/heat_grid.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace signalbox::ui {

/// The grid as a model: each cell says its sentence to screen readers and on hover.
class HeatModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setGrid(HeatGrid grid);
    [[nodiscard]] const HeatGrid& grid() const { return m_grid; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_grid.rows.size()); }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_grid.columns.size()); }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] std::uint64_t highestDifference() const { return m_highestDifference; }
    [[nodiscard]] std::uint64_t total() const { return m_total; }

private:
    HeatGrid m_grid;
    std::uint64_t m_highestDifference = 0, m_total = 0;
};

/// Share and count in every cell, the stronger the colour the more often both differ; where both are the same the cell
/// is framed and neutral. Arrows move, Enter goes deeper.
class HeatMap : public QTableView {
    Q_OBJECT
public:
    explicit HeatMap(const QString& name, QWidget* parent = nullptr);

    void setGrid(HeatGrid grid);
    [[nodiscard]] const HeatGrid& grid() const { return m_model->grid(); }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Click or Enter.
    void cellChosen(int row, int column);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    HeatModel* m_model;
};

}  // namespace signalbox::ui
