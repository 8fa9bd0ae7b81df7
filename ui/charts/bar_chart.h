// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/bar_view.h"
#include "ui/charts/chart_frame.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// Bars as a table: the text alternative.
class BarTableModel final : public RowModel {
    Q_OBJECT
public:
    using RowModel::RowModel;
    void set(const Bars& bars);

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_bars.bars.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;

private:
    Bars m_bars;
    std::vector<Column> m_columns;
};

/// Bars under the question that they answer.
class BarChart : public ChartFrame {
    Q_OBJECT
public:
    BarChart(const QString& question, BarView::Direction direction, QWidget* parent = nullptr);

    void setBars(Bars bars);
    [[nodiscard]] const Bars& bars() const { return m_view->bars(); }
    [[nodiscard]] BarView* view() const { return m_view; }

Q_SIGNALS:
    /// Clicked, Enter, or opened in the table.
    void barChosen(int bar);

protected:
    void openRow(int row) override { Q_EMIT barChosen(row); }

private:
    BarChart(const QString& question, BarView* view, BarTableModel* table, QWidget* parent);

    BarView* m_view;
    BarTableModel* m_tableModel;
};

}  // namespace signalbox::ui
