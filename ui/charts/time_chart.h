// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_series.h"
#include "ui/charts/timeline_chart.h"

namespace signalbox::ui {

class SeriesTableModel;
class StackView;

/// Counts over time, stacked by entity, under the question that they answer. The page feeds it and says what its
/// signals mean.
class TimeChart : public TimelineChart {
    Q_OBJECT
public:
    /// More lines are joined into one, more points are added up.
    static constexpr std::size_t kMostLines = 9;

    explicit TimeChart(const QString& question, QWidget* parent = nullptr);

    void setSeries(TimeSeries series);
    [[nodiscard]] const TimeSeries& series() const;
    [[nodiscard]] QString csv() const override;

protected:
    [[nodiscard]] QString paperNote() const override;
    void openRow(int row) override;
    void tellTable(const EventMarks& events) override;

private:
    TimeChart(const QString& question, StackView* view, SeriesTableModel* table, QWidget* parent);

    StackView* m_view;
    SeriesTableModel* m_tableModel;
};

}  // namespace signalbox::ui
