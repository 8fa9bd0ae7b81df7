// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

namespace signalbox::ui {

/// The console's one table: dense rows with hairlines, whole rows selected, sorting by SortRole, Ctrl+C copies the
/// selected rows as tab-separated text, Enter or double click goes deeper, and an empty model shows what belongs here.
/// Columns take their first widths from ColumnWidthRole and share the room that is there (numbers keep theirs), until
/// the user sets a width by hand.
class TableView : public QTableView {
    Q_OBJECT
public:
    /// `name` is the accessible name.
    explicit TableView(const QString& name, QWidget* parent = nullptr);

    /// Sorts with a proxy of its own: clicks on headers sort by SortRole. Keeps the given order until then.
    void setSortableModel(QAbstractItemModel* model);
    void setModel(QAbstractItemModel* model) override;
    /// Row of the model that was given to setSortableModel (or setModel), or -1.
    [[nodiscard]] int currentSourceRow() const;
    void selectSourceRow(int row);
    /// Of a row as it is shown.
    [[nodiscard]] int sourceRowAt(int viewRow) const;
    /// Shown instead of rows while there are none. Taken over.
    void setEmptyState(QWidget* emptyState);

Q_SIGNALS:
    /// The current row changed by user or program; -1 for none. Rows of the source model.
    void rowSelected(int row);
    /// Enter or double click.
    void rowOpened(int row);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    [[nodiscard]] int firstWidth(int column) const;
    void fitColumns();
    void fitLater();
    [[nodiscard]] bool isElastic(int column) const;
    void showEmptyState();
    void copySelection() const;
    [[nodiscard]] int sourceRow(const QModelIndex& index) const;

    QWidget* m_emptyState = nullptr;
    bool m_arriving = false;
    QPersistentModelIndex m_untold;  ///< the current row, where it came with the focus and nobody has chosen it yet
    bool m_fitting = false;
    bool m_fitDue = false;
    bool m_widthsByHand = false;
};

}  // namespace signalbox::ui
