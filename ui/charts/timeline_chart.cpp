// SPDX-License-Identifier: MIT
#include "ui/charts/timeline_chart.h"

#include "ui/charts/chart_hover.h"
#include "ui/charts/chart_labels.h"

#include <QEvent>

#include <algorithm>

namespace signalbox::ui {

TimelineChart::TimelineChart(const QString& question, TimePlot* plot, QAbstractItemModel* table, QWidget* parent)
    : ChartFrame(question, plot, table, parent), m_plot(plot), m_hover(new ChartHover(plot, question, plot)), m_labels(new ChartLabels(plot)) {
    m_hover->setObjectName(QStringLiteral("chartHover"));
    setLabels(m_labels);
    setFocusTarget(m_hover);
    m_plot->installEventFilter(this);
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

void TimelineChart::refresh() {
    m_labels->refresh();
    m_hover->refresh();
    showDrawing();
}

std::size_t TimelineChart::usefulPoints(int narrowest) const {
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, m_plot->width()) / narrowest), 24, kMostPoints);
}

bool TimelineChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::Resize) {
        m_hover->resize(m_plot->size());
        m_labels->refresh();
    }
    return ChartFrame::eventFilter(watched, event);
}

}  // namespace signalbox::ui
