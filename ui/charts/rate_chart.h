// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/event_marks.h"
#include "ui/charts/rate_series.h"
#include "ui/charts/timeline_chart.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

class RateView;

/// Points of all lines as a table, newest first: the text alternative.
class RateTableModel final : public RowModel {
    Q_OBJECT
public:
    explicit RateTableModel(QObject* parent = nullptr);
    void set(const RateSeries& series);
    /// What happened meanwhile: a column more unless there is nothing.
    void setEvents(const EventMarks& events);
    /// Line and point of a row.
    [[nodiscard]] std::pair<std::size_t, const RatePoint*> at(int row) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    void makeColumns();

    RateSeries m_series;
    EventMarks m_events;
    std::vector<std::pair<std::size_t, std::size_t>> m_rows;  ///< line, point
    std::vector<Column> m_columns;
};

/// Shares over time with confidence bands, one line for each entity.
class RateChart : public TimelineChart {
    Q_OBJECT
public:
    static constexpr std::size_t kMostLines = 6;

    explicit RateChart(const QString& question, QWidget* parent = nullptr);

    /// Ready to draw (`readyToDraw`), which may be made on a worker.
    void setSeries(RateSeries series);
    [[nodiscard]] const RateSeries& series() const;
    [[nodiscard]] QString csv() const override;

protected:
    [[nodiscard]] QString paperNote() const override;
    void openRow(int row) override;
    void tellTable(const EventMarks& events) override;

private:
    RateChart(const QString& question, RateView* view, RateTableModel* table, QWidget* parent);

    RateView* m_view;
    RateTableModel* m_tableModel;
};

}  // namespace signalbox::ui
