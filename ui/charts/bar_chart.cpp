// SPDX-License-Identifier: MIT
#include "ui/charts/bar_chart.h"

#include "ui/theme/format.h"

#include <QLocale>

namespace signalbox::ui {

void BarTableModel::set(const Bars& bars) {
    beginResetModel();
    m_bars = bars;
    m_columns = {{bars.scale.isEmpty() ? tr("What") : bars.scale, CellKind::text, {}, 180}, {bars.unit, CellKind::number, {}, 100}, {tr("Share, %"), CellKind::number, {}, 90}};
    endResetModel();
}

QVariant BarTableModel::value(int row, int column) const {
    const auto& bar = m_bars.bars[static_cast<std::size_t>(row)];
    if (column == 0) return bar.meaning;
    if (column == 1) return static_cast<qulonglong>(bar.count);
    const std::uint64_t total = m_bars.total();
    return total == 0 ? 0.0 : 100.0 * static_cast<double>(bar.count) / static_cast<double>(total);
}

QString BarTableModel::text(int row, int column) const {
    const QVariant raw = value(row, column);
    if (column == 0) return raw.toString();
    return column == 1 ? format::count(raw.toULongLong()) : QLocale().toString(raw.toDouble(), 'f', 1);
}

BarChart::BarChart(const QString& question, BarView::Direction direction, QWidget* parent)
    : BarChart(question, new BarView(direction, question), new BarTableModel, parent) {}

BarChart::BarChart(const QString& question, BarView* view, BarTableModel* table, QWidget* parent)
    : ChartFrame(question, view, table, parent), m_view(view), m_tableModel(table) {
    m_tableModel->setParent(this);
    connect(m_view, &BarView::chosen, this, &BarChart::barChosen);
}

void BarChart::setBars(Bars bars) {
    m_tableModel->set(bars);
    m_view->setBars(std::move(bars));
    showDrawing();
}

}  // namespace signalbox::ui
