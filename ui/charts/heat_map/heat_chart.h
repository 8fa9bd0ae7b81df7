// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_frame.h"
#include "ui/charts/heat_map/heat_map.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// Cells with anything in them, most first: the text alternative.
class HeatTableModel final : public RowModel {
    Q_OBJECT
public:
    using RowModel::RowModel;
    void set(const HeatGrid& grid);
    /// Row and column of the grid.
    [[nodiscard]] std::pair<int, int> cellAt(int row) const { return m_cells[static_cast<std::size_t>(row)]; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_cells.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    HeatGrid m_grid;
    std::vector<std::pair<int, int>> m_cells;
    std::vector<Column> m_columns;
};

/// A heat map under the question that it answers.
class HeatChart : public ChartFrame {
    Q_OBJECT
public:
    explicit HeatChart(const QString& question, QWidget* parent = nullptr);

    void setGrid(HeatGrid grid);
    [[nodiscard]] HeatMap* map() const { return m_map; }

Q_SIGNALS:
    void cellChosen(int row, int column);

protected:
    void openRow(int row) override;

private:
    HeatChart(const QString& question, HeatMap* map, HeatTableModel* table, QWidget* parent);

    HeatMap* m_map;
    HeatTableModel* m_tableModel;
};

}  // namespace signalbox::ui
