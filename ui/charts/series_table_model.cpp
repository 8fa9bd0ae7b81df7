// SPDX-License-Identifier: MIT
#include "ui/charts/series_table_model.h"

#include "ui/theme/format.h"

namespace signalbox::ui {

SeriesTableModel::SeriesTableModel(QObject* parent) : RowModel(parent) { set({}); }

void SeriesTableModel::set(const TimeSeries& series) {
    beginResetModel();
    m_series = series;
    makeColumns();
    endResetModel();
}

void SeriesTableModel::setEvents(const EventMarks& events) {
    beginResetModel();
    m_events = events;
    makeColumns();
    endResetModel();
}

void SeriesTableModel::makeColumns() {
    m_columns = {{tr("Time"), CellKind::number, tr("Local time; UTC on hover"), 200}, {tr("Total"), CellKind::number, m_series.unit, 90}};
    for (const auto& line : m_series.lines) m_columns.push_back({line.label, CellKind::number, m_series.unit, 120});
    if (!m_events.isEmpty()) m_columns.push_back({tr("Events"), CellKind::text, tr("What happened to the gateway at that time"), 260});
}

quint64 SeriesTableModel::countAt(int row, int column) const {
    return column == 1 ? m_series.totalAt(indexAt(row)) : m_series.lines[static_cast<std::size_t>(column - 2)].counts[indexAt(row)];
}

QString SeriesTableModel::text(int row, int column) const {
    if (isEvents(column)) return eventCell(eventsOf(row));
    return column == 0 ? rangeText(m_series.rangeOf(indexAt(row))) : format::count(countAt(row, column));
}

QVariant SeriesTableModel::value(int row, int column) const {
    if (column == 0) return static_cast<qlonglong>(indexAt(row));
    if (isEvents(column)) return text(row, column);
    return static_cast<qulonglong>(countAt(row, column));
}

QVariant SeriesTableModel::extra(int row, int column, int role) const {
    if (role == Qt::ToolTipRole && isEvents(column)) return eventTip(eventsOf(row));
    if (role == Qt::ToolTipRole && column == 0) return format::utc(m_series.starts[indexAt(row)]);
    return {};
}

}  // namespace signalbox::ui
