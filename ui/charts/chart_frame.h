// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/charts/chart_export.h"

#include <QWidget>

#include <functional>

class QAbstractItemModel;
class QAction;
class QHBoxLayout;
class QStackedWidget;
class QToolButton;

namespace signalbox::ui {

class EmptyState;
class Section;
class TableView;

/// What every chart has around its drawing: the question that it answers, a note with unit and state, the same numbers
/// as a table (T), export as PNG, SVG and CSV, and a message in its place when there is nothing to draw.
class ChartFrame : public QWidget {
    Q_OBJECT
public:
    /// Takes the drawing. `table` is owned by the caller.
    ChartFrame(const QString& question, QWidget* drawing, QAbstractItemModel* table, QWidget* parent = nullptr);

    /// Keeps what is drawn and says that newer is on its way.
    void setLoading();
    /// Nothing to draw: what belongs here, or what failed and what to do. There is nothing to save either until there is.
    void setMessage(const QString& title, const QString& explanation);
    void setTableShown(bool shown);
    /// Muted text beside the question.
    void setNote(const QString& note);

    /// Table and export, for palettes and menus.
    [[nodiscard]] QList<QAction*> chartActions() const { return m_actions; }
    [[nodiscard]] ChartSheet sheet() const;
    /// RFC 4180; the table's titles and raw values unless a chart knows better.
    [[nodiscard]] virtual QString csv() const;

Q_SIGNALS:
    void said(const QString& text);
    void failed(const signalbox::Error& error);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    /// A widget beside the drawing, exported with it.
    void setLabels(QWidget* labels);
    /// Who takes the keys when the drawing is shown.
    void setFocusTarget(QWidget* target) { m_focusTarget = target; }
    /// One more for palettes and menus.
    void addChartAction(QAction* action) { m_actions << action; }
    /// There is something to draw now.
    void showDrawing();
    /// What stands under the question on paper; the note unless a chart knows better.
    [[nodiscard]] virtual QString paperNote() const { return m_note; }
    /// A row of the table was opened.
    virtual void openRow(int row) { Q_UNUSED(row) }
    [[nodiscard]] Section* section() const { return m_section; }

private:
    /// A row of the table by what its first cells say, since rows come and go.
    struct Place {
        int row = -1;
        QString name, detail;
        bool chosen = false;
        int top = 0;  ///< where it stands on the screen
    };
    void makeActions();
    void keepPlace(const QAbstractItemModel* rows);
    [[nodiscard]] Place placeIn(const QAbstractItemModel& rows) const;
    void goTo(const QAbstractItemModel& rows, const Place& place);
    void setSavable(bool savable);
    void showNote(const QString& state = {});
    void exportTo(const QString& caption, const QString& suffix, const std::function<Result<void>(const QString&)>& save);

    QString m_question, m_note;
    QWidget* m_drawing;
    QWidget* m_labels = nullptr;
    QWidget* m_focusTarget;
    Section* m_section;
    QStackedWidget* m_stack;
    QHBoxLayout* m_plotLayout;
    TableView* m_table;
    EmptyState* m_message;
    QAction* m_tableAction = nullptr;
    QToolButton* m_save = nullptr;
    QList<QAction*> m_actions, m_saveActions;
    Place m_place;
};

}  // namespace signalbox::ui
