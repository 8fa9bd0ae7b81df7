// SPDX-License-Identifier: MIT
#include "ui/charts/timeline_chart.h"

#include "ui/charts/chart_hover.h"
#include "ui/charts/chart_labels.h"
#include "ui/charts/event_layer.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/section.h"

#include <QAction>
#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace signalbox::ui {

TimelineChart::TimelineChart(const QString& question, TimePlot* plot, QAbstractItemModel* table, QWidget* parent)
    : ChartFrame(question, plot, table, parent), m_plot(plot), m_events(new EventLayer(plot)),
      m_hover(new ChartHover(plot, m_events, question, plot)), m_labels(new ChartLabels(plot)) {
    m_hover->setObjectName(QStringLiteral("chartHover"));
    setLabels(m_labels);
    setFocusTarget(m_hover);
    makeEventAction();
    connect(m_plot, &TimePlot::resized, this, &TimelineChart::follow);
    connect(m_hover, &ChartHover::rangeChosen, this, &TimelineChart::rangeChosen);
    connect(m_hover, &ChartHover::pointChosen, this,
            [this](std::size_t index, int line) { Q_EMIT pointChosen(m_plot->rangeBehind(index, line), line); });
    connect(m_labels, &ChartLabels::chosen, this, &TimelineChart::lineChosen);
}

void TimelineChart::setEmphasis(const std::optional<QString>& entity) {
    m_plot->setEmphasis(entity);
    m_labels->refresh();
}

void TimelineChart::setMarked(const std::optional<evidence::TimeRange>& range) { m_hover->setMarked(range); }

void TimelineChart::makeEventAction() {
    m_eventAction = new QAction(tr("Show events on the chart"), this);
    m_eventAction->setCheckable(true);
    m_eventAction->setChecked(true);
    m_eventButton = makeIconButton(tr("Events on the chart (E)"), QStringLiteral("flag"));
    m_eventButton->setCheckable(true);
    m_eventButton->setChecked(true);
    m_eventButton->setVisible(false);
    connect(m_eventButton, &QToolButton::toggled, m_eventAction, &QAction::setChecked);
    connect(m_eventAction, &QAction::toggled, m_eventButton, &QToolButton::setChecked);
    connect(m_eventAction, &QAction::toggled, this, &TimelineChart::showEvents);
    section()->addControl(m_eventButton);
    addChartAction(m_eventAction);
}

void TimelineChart::setEvents(std::vector<evidence::Event> events) {
    if (!m_events->set(std::move(events))) return;  // a live chart asks every few seconds
    m_eventButton->setVisible(!m_events->events().isEmpty());
    showEvents(m_eventAction->isChecked());
}

void TimelineChart::showEvents(bool shown) {
    m_events->setShown(shown);
    tellTable(shown ? m_events->events() : EventMarks());
    m_hover->refresh();
}

void TimelineChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_E && event->modifiers() == Qt::NoModifier && !m_events->events().isEmpty()) return m_eventAction->toggle();
    ChartFrame::keyPressEvent(event);
}

void TimelineChart::refresh() {
    m_events->refresh();
    m_labels->refresh();
    m_hover->refresh();
    showDrawing();
}

std::size_t TimelineChart::usefulPoints(int narrowest) const {
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, m_plot->width()) / narrowest), 24, kMostPoints);
}

void TimelineChart::follow() {
    m_events->resize(m_plot->size());
    m_hover->resize(m_plot->size());
    m_events->refresh();
    m_labels->refresh();
}

}  // namespace signalbox::ui
