// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/charts/chart_export.h"

#include <QWidget>

class QAction;
class QStackedWidget;

namespace signalbox::ui {

class ChartHover;
class ChartLabels;
class EmptyState;
class Section;
class SeriesTableModel;
class StackView;
class TableView;

/// Counts over time, stacked by entity, under the question that they answer. Can be read by mouse, by keys and as a
/// table; brushed, clicked through and exported. The page feeds it and says what its signals mean.
class TimeChart : public QWidget {
    Q_OBJECT
public:
    /// More lines are joined into one, more points are added up.
    static constexpr std::size_t kMostLines = 9, kMostPoints = 600;

    explicit TimeChart(const QString& question, QWidget* parent = nullptr);

    void setSeries(TimeSeries series);
    [[nodiscard]] const TimeSeries& series() const;
    /// Keeps what is drawn and says that newer is on its way.
    void setLoading();
    /// Nothing to draw: what belongs here, or what failed and what to do.
    void setMessage(const QString& title, const QString& explanation);
    void setEmphasis(const std::optional<QString>& entity);
    void setMarked(const std::optional<evidence::TimeRange>& range);
    void setTableShown(bool shown);
    /// Buckets that this width can show.
    [[nodiscard]] std::size_t usefulPoints() const;

    /// Table and export, for palettes and menus.
    [[nodiscard]] QList<QAction*> chartActions() const { return m_actions; }
    [[nodiscard]] ChartSheet sheet() const;

Q_SIGNALS:
    /// Brushed: the page shows this range from now on.
    void rangeChosen(const signalbox::evidence::TimeRange& range);
    /// Clicked: the decisions of this bucket. `line` indexes `series().lines`; -1 for none.
    void pointChosen(const signalbox::evidence::TimeRange& range, int line);
    /// A line's name was clicked.
    void lineChosen(int line);
    void said(const QString& text);
    void failed(const signalbox::Error& error);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void showNote(const QString& state = {});
    void exportTo(const QString& caption, const QString& suffix, const std::function<Result<void>(const QString&)>& save);

    QString m_question;
    Section* m_section;
    QStackedWidget* m_stack;
    StackView* m_view;
    ChartHover* m_hover;
    ChartLabels* m_labels;
    TableView* m_table;
    SeriesTableModel* m_tableModel;
    EmptyState* m_message;
    QAction* m_tableAction = nullptr;
    QList<QAction*> m_actions;
};

}  // namespace signalbox::ui
