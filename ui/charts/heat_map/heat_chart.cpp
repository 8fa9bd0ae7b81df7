// SPDX-License-Identifier: MIT
#include "ui/charts/heat_map/heat_chart.h"

#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>

namespace signalbox::ui {

void HeatTableModel::set(const HeatGrid& grid) {
    beginResetModel();
    m_grid = grid;
    m_columns = {{grid.rowWord, CellKind::id, {}, 180}, {grid.columnWord, CellKind::id, {}, 180}, {grid.unit, CellKind::number, {}, 100}, {tr("Share, %"), CellKind::number, {}, 90}};
    m_cells.clear();
    for (int row = 0; row < grid.rows.size(); ++row)
        for (int column = 0; column < grid.columns.size(); ++column)
            if (grid.at(row, column) > 0) m_cells.emplace_back(row, column);
    std::stable_sort(m_cells.begin(), m_cells.end(), [&grid](const auto& a, const auto& b) { return grid.at(a.first, a.second) > grid.at(b.first, b.second); });
    endResetModel();
}

QVariant HeatTableModel::value(int row, int column) const {
    const auto [r, c] = cellAt(row);
    switch (column) {
    case 0: return m_grid.rows[r];
    case 1: return m_grid.columns[c];
    case 2: return static_cast<qulonglong>(m_grid.at(r, c));
    default: return 100.0 * static_cast<double>(m_grid.at(r, c)) / static_cast<double>(std::max<std::uint64_t>(1, m_grid.total()));
    }
}

QString HeatTableModel::text(int row, int column) const {
    const QVariant raw = value(row, column);
    if (column < 2) return raw.toString();
    return column == 2 ? format::count(raw.toULongLong()) : QLocale().toString(raw.toDouble(), 'f', 1);
}

QVariant HeatTableModel::extra(int row, int column, int role) const {
    return role == SwatchRole && column < 2 ? value(row, column) : QVariant();
}

HeatChart::HeatChart(const QString& question, QWidget* parent) : HeatChart(question, new HeatMap(question), new HeatTableModel, parent) {}

HeatChart::HeatChart(const QString& question, HeatMap* map, HeatTableModel* table, QWidget* parent)
    : ChartFrame(question, map, table, parent), m_map(map), m_tableModel(table) {
    m_tableModel->setParent(this);
    connect(m_map, &HeatMap::cellChosen, this, &HeatChart::cellChosen);
}

void HeatChart::setGrid(HeatGrid grid) {
    m_tableModel->set(grid);
    m_map->setGrid(std::move(grid));
    showDrawing();
}

void HeatChart::openRow(int row) {
    const auto [r, c] = m_tableModel->cellAt(row);
    Q_EMIT cellChosen(r, c);
}

}  // namespace signalbox::ui
