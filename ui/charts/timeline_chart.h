// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_frame.h"
#include "ui/charts/time_plot.h"

class QToolButton;

namespace signalbox::ui {

class ChartHover;
class ChartLabels;
class EventLayer;
class EventMarks;

/// A chart over time that can be read by mouse and by keys, brushed and clicked through.
class TimelineChart : public ChartFrame {
    Q_OBJECT
public:
    /// More points are joined.
    static constexpr std::size_t kMostPoints = 600;

    TimelineChart(const QString& question, TimePlot* plot, QAbstractItemModel* table, QWidget* parent = nullptr);

    void setEmphasis(const std::optional<QString>& entity);
    void setMarked(const std::optional<evidence::TimeRange>& range);
    /// What happened in the range, in any order: marks on the chart, in its readings and in its table.
    void setEvents(std::vector<evidence::Event> events);
    [[nodiscard]] const EventLayer* events() const { return m_events; }
    /// Buckets that this width can show, `narrowest` pixels each.
    [[nodiscard]] std::size_t usefulPoints(int narrowest = 5) const;

Q_SIGNALS:
    /// Brushed: the page shows this range from now on.
    void rangeChosen(const signalbox::evidence::TimeRange& range);
    /// Clicked: the decisions of this bucket. `line` indexes the chart's lines; -1 for none.
    void pointChosen(const signalbox::evidence::TimeRange& range, int line);
    /// A line's name was clicked.
    void lineChosen(int line);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    /// The chart's table is to say what happened; nothing while marks are hidden.
    virtual void tellTable(const EventMarks& events) = 0;
    /// The plot shows other data now.
    void refresh();
    [[nodiscard]] TimePlot* plot() const { return m_plot; }

private:
    void follow();
    void makeEventAction();
    void showEvents(bool shown);

    TimePlot* m_plot;
    EventLayer* m_events;
    ChartHover* m_hover;
    ChartLabels* m_labels;
    QAction* m_eventAction = nullptr;
    QToolButton* m_eventButton = nullptr;
};

}  // namespace signalbox::ui
