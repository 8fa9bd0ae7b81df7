// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/event_marks.h"
#include "ui/charts/time_series.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// A chart's numbers as a table, newest bucket first: the text alternative.
class SeriesTableModel final : public RowModel {
    Q_OBJECT
public:
    explicit SeriesTableModel(QObject* parent = nullptr);
    void set(const TimeSeries& series);
    /// What happened meanwhile: a column more unless there is nothing.
    void setEvents(const EventMarks& events);
    /// Bucket of a row.
    [[nodiscard]] std::size_t indexAt(int row) const { return m_series.starts.size() - 1 - static_cast<std::size_t>(row); }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_series.starts.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    void makeColumns();
    [[nodiscard]] quint64 countAt(int row, int column) const;
    [[nodiscard]] bool isEvents(int column) const { return static_cast<std::size_t>(column) == m_series.lines.size() + 2; }
    [[nodiscard]] std::span<const evidence::Event> eventsOf(int row) const { return m_events.within(m_series.rangeOf(indexAt(row))); }

    TimeSeries m_series;
    EventMarks m_events;
    std::vector<Column> m_columns;
};

}  // namespace signalbox::ui
