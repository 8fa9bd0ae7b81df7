// SPDX-License-Identifier: MIT
#include "ui/charts/rate_chart.h"

#include "ui/charts/rate_view.h"
#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>

namespace signalbox::ui {

enum RateColumn { LineColumn, TimeColumn, WholeColumn, PartColumn, ShareColumn, LowColumn, HighColumn, EventColumn };

RateTableModel::RateTableModel(QObject* parent) : RowModel(parent) { set({}); }

void RateTableModel::set(const RateSeries& series) {
    beginResetModel();
    m_series = series;
    makeColumns();
    m_rows.clear();
    for (std::size_t line = 0; line < m_series.lines.size(); ++line)
        for (std::size_t point = 0; point < m_series.lines[line].points.size(); ++point) m_rows.emplace_back(line, point);
    std::stable_sort(m_rows.begin(), m_rows.end(), [this](const auto& a, const auto& b) {
        return m_series.lines[a.first].points[a.second].last > m_series.lines[b.first].points[b.second].last;
    });
    endResetModel();
}

void RateTableModel::setEvents(const EventMarks& events) {
    beginResetModel();
    m_events = events;
    makeColumns();
    endResetModel();
}

void RateTableModel::makeColumns() {
    const RateSeries& series = m_series;
    m_columns = {{tr("Line"), CellKind::text, {}, 170},
                 {tr("Time"), CellKind::number, tr("Local time; UTC on hover"), 210},
                 {series.unit.isEmpty() ? tr("Total") : series.unit, CellKind::number, {}, 130},
                 {series.what.isEmpty() ? tr("Part") : series.what, CellKind::number, {}, 90},
                 {tr("Share, %"), CellKind::number, {}, 80},
                 {tr("From, %"), CellKind::number, tr("Lower end of the 95 % confidence band"), 80},
                 {tr("To, %"), CellKind::number, tr("Upper end of the 95 % confidence band"), 80}};
    if (!m_events.isEmpty()) m_columns.push_back({tr("Events"), CellKind::text, tr("What happened to the gateway at that time"), 260});
}

std::pair<std::size_t, const RatePoint*> RateTableModel::at(int row) const {
    const auto& [line, point] = m_rows[static_cast<std::size_t>(row)];
    return {line, &m_series.lines[line].points[point]};
}

QVariant RateTableModel::value(int row, int column) const {
    const auto [line, point] = at(row);
    switch (column) {
    case LineColumn: return m_series.lines[line].label;
    case TimeColumn: return static_cast<qlonglong>(point->first);
    case WholeColumn: return static_cast<qulonglong>(point->rate.whole);
    case PartColumn: return static_cast<qulonglong>(point->rate.part);
    case ShareColumn: return 100 * point->rate.value;
    case LowColumn: return 100 * point->rate.low;
    case HighColumn: return 100 * point->rate.high;
    case EventColumn: return eventCell(m_events.within(m_series.rangeOf(*point)));
    default: return {};
    }
}

QString RateTableModel::text(int row, int column) const {
    const auto [line, point] = at(row);
    switch (column) {
    case LineColumn: return m_series.lines[line].label;
    case TimeColumn: return rangeText(m_series.rangeOf(*point));
    case WholeColumn: return format::count(point->rate.whole);
    case PartColumn: return format::count(point->rate.part);
    case EventColumn: return value(row, column).toString();
    default: return QLocale().toString(value(row, column).toDouble(), 'f', 1);
    }
}

QVariant RateTableModel::extra(int row, int column, int role) const {
    if (role == Qt::ToolTipRole && column == TimeColumn) return format::utc(m_series.rangeOf(*at(row).second).from);
    if (role == Qt::ToolTipRole && column == EventColumn) return eventTip(m_events.within(m_series.rangeOf(*at(row).second)));
    return {};
}

RateChart::RateChart(const QString& question, QWidget* parent) : RateChart(question, new RateView, new RateTableModel, parent) {}

RateChart::RateChart(const QString& question, RateView* view, RateTableModel* table, QWidget* parent)
    : TimelineChart(question, view, table, parent), m_view(view), m_tableModel(table) {
    m_tableModel->setParent(this);
}

const RateSeries& RateChart::series() const { return m_view->series(); }

void RateChart::setSeries(RateSeries series) {
    m_view->setSeries(std::move(series));
    const RateSeries& shown = m_view->series();
    m_tableModel->set(shown);
    setNote(tr("% of %1 that %2, with 95 % band, per %3, local time").arg(shown.unit, shown.what, bucketText(shown.bucket)));
    refresh();
}

QString RateChart::csv() const { return toCsv(series()); }

QString RateChart::paperNote() const {
    const RateSeries& shown = series();
    if (shown.starts.empty()) return {};
    return tr("% of %1 that %2, with 95 % band, per %3, local time, %4")
        .arg(shown.unit, shown.what, bucketText(shown.bucket), rangeText({shown.starts.front(), shown.starts.back() + shown.bucket}));
}

void RateChart::tellTable(const EventMarks& events) { m_tableModel->setEvents(events); }

void RateChart::openRow(int row) {
    const auto [line, point] = m_tableModel->at(row);
    Q_EMIT pointChosen(series().rangeOf(*point), static_cast<int>(line));
}

}  // namespace signalbox::ui
