// SPDX-License-Identifier: MIT
#include "ui/charts/time_chart.h"

#include "ui/charts/series_table_model.h"
#include "ui/charts/stack_view.h"

namespace signalbox::ui {

TimeChart::TimeChart(const QString& question, QWidget* parent) : TimeChart(question, new StackView, new SeriesTableModel, parent) {}

TimeChart::TimeChart(const QString& question, StackView* view, SeriesTableModel* table, QWidget* parent)
    : TimelineChart(question, view, table, parent), m_view(view), m_tableModel(table) {
    m_tableModel->setParent(this);
}

const TimeSeries& TimeChart::series() const { return m_view->series(); }

void TimeChart::setSeries(TimeSeries series) {
    m_view->setSeries(coarsened(largest(std::move(series), kMostLines, tr("%1 others")), kMostPoints));
    m_tableModel->set(m_view->series());
    const TimeSeries& shown = m_view->series();
    setNote(shown.starts.empty() ? QString() : tr("%1 per %2, local time").arg(shown.unit, bucketText(shown.bucket)));
    refresh();
}

QString TimeChart::csv() const { return toCsv(series()); }

QString TimeChart::paperNote() const {
    const TimeSeries& shown = series();
    if (shown.starts.empty()) return {};
    return tr("%1 per %2, local time, %3").arg(shown.unit, bucketText(shown.bucket), rangeText({shown.from(), shown.to()}));
}

void TimeChart::tellTable(const EventMarks& events) { m_tableModel->setEvents(events); }

void TimeChart::openRow(int row) { Q_EMIT pointChosen(series().rangeOf(m_tableModel->indexAt(row)), -1); }

}  // namespace signalbox::ui
