// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_frame.h"
#include "ui/charts/time_plot.h"

namespace signalbox::ui {

class ChartHover;
class ChartLabels;

/// A chart over time that can be read by mouse and by keys, brushed and clicked through.
class TimelineChart : public ChartFrame {
    Q_OBJECT
public:
    /// More points are joined.
    static constexpr std::size_t kMostPoints = 600;

    TimelineChart(const QString& question, TimePlot* plot, QAbstractItemModel* table, QWidget* parent = nullptr);

    void setEmphasis(const std::optional<QString>& entity);
    void setMarked(const std::optional<evidence::TimeRange>& range);
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
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// The plot shows other data now.
    void refresh();
    [[nodiscard]] TimePlot* plot() const { return m_plot; }

private:
    TimePlot* m_plot;
    ChartHover* m_hover;
    ChartLabels* m_labels;
};

}  // namespace signalbox::ui
