// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>
#include <QObject>

class QAbstractItemView;

namespace signalbox::ui {

class RowMover;

/// What can be done with the rows of a list: add (Insert), duplicate (Ctrl+D), delete (Del), and put in another order by
/// dragging or with Alt+Up and Alt+Down. The keys work where the list has the focus, on the row that is selected.
class RowCommands : public QObject {
    Q_OBJECT
public:
    /// `addText` is the text of the action: tr("Add rule").
    RowCommands(QAbstractItemView* view, const QString& addText);

    void setEnabled(bool enabled);
    void setMovable(bool movable);
    [[nodiscard]] QAction* addAction() const { return m_add; }
    [[nodiscard]] QList<QAction*> actions() const { return {m_add, m_duplicate, m_remove}; }
    /// Buttons for one row, under its form.
    [[nodiscard]] QWidget* makeRowButtons();

Q_SIGNALS:
    void addWanted();
    /// Rows of the view's model.
    void duplicateWanted(int row);
    void removeWanted(int row);
    void moveWanted(int from, int to);

private:
    [[nodiscard]] int selectedRow() const;

    QAbstractItemView* m_view;
    RowMover* m_mover;
    QAction* m_add;
    QAction* m_duplicate;
    QAction* m_remove;
    bool m_enabled = true;
    bool m_movable = true;
};

}  // namespace signalbox::ui
