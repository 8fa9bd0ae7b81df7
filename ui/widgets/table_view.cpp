// SPDX-License-Identifier: MIT
#include "ui/widgets/table_view.h"

#include "ui/delegates/cell_delegate.h"
#include "ui/models/roles.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSortFilterProxyModel>

#include <utility>

namespace signalbox::ui {

TableView::TableView(const QString& name, QWidget* parent) : QTableView(parent) {
    setAccessibleName(name);
    setItemDelegate(new CellDelegate(this));
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);  // Tab leaves the table; arrows move in it
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(28);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setFont(Theme::instance().smallFont());
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(48);
    horizontalHeader()->setFixedHeight(28);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { Q_EMIT rowOpened(sourceRow(index)); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int, int before, int after) {
        if (before == 0 || after == 0) return fitLater();  // a column was hidden or shown
        m_widthsByHand = m_widthsByHand || !m_fitting;
    });
}

void TableView::setSortableModel(QAbstractItemModel* model) {
    auto* proxy = new QSortFilterProxyModel(this);
    proxy->setSortRole(SortRole);
    proxy->setSortLocaleAware(true);
    proxy->setSourceModel(model);
    setModel(proxy);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    proxy->sort(-1);
}

void TableView::setModel(QAbstractItemModel* model) {
    QTableView::setModel(model);
    if (model == nullptr) return;
    fitColumns();
    showEmptyState();
    connect(model, &QAbstractItemModel::rowsInserted, this, &TableView::showEmptyState);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &TableView::showEmptyState);
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        showEmptyState();
    });
}

int TableView::sourceRow(const QModelIndex& index) const {
    if (!index.isValid()) return -1;
    if (const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(model())) return proxy->mapToSource(index).row();
    return index.row();
}

int TableView::currentSourceRow() const { return sourceRow(currentIndex()); }

int TableView::sourceRowAt(int viewRow) const { return model() == nullptr ? -1 : sourceRow(model()->index(viewRow, 0)); }

void TableView::selectSourceRow(int row) {
    if (model() == nullptr || row < 0) return;
    QModelIndex index;
    if (const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(model()))
        index = proxy->mapFromSource(proxy->sourceModel()->index(row, 0));
    else
        index = model()->index(row, 0);
    if (!index.isValid()) return;
    // Not setCurrentIndex, which looks at the keys that are down: after Ctrl+D it would take the row out again.
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void TableView::setEmptyState(QWidget* emptyState) {
    delete m_emptyState;
    m_emptyState = emptyState;
    m_emptyState->setParent(this);
    showEmptyState();
}

// A page shows columns once it knows its width, which is after this has fitted its columns to it.
void TableView::fitLater() {
    if (std::exchange(m_fitDue, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_fitDue = false;
            fitColumns();
        },
        Qt::QueuedConnection);
}

bool TableView::isElastic(int column) const {
    const QVariant alignment = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return !alignment.isValid() || !(alignment.toInt() & Qt::AlignRight);
}

int TableView::firstWidth(int column) const {
    const int width = model()->headerData(column, Qt::Horizontal, ColumnWidthRole).toInt();
    return width == 0 ? 0 : std::max(width, horizontalHeader()->minimumSectionSize());  // the header grants no less
}

void TableView::fitColumns() {
    if (model() == nullptr || m_widthsByHand) return;
    int wanted = 0, elastic = 0;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (isColumnHidden(column)) continue;
        const int width = firstWidth(column);
        wanted += width;
        if (isElastic(column)) elastic += width;
    }
    if (wanted == 0) return;
    // Below this share text becomes unreadable and scrolling is better.
    const double factor = elastic == 0 ? 1.0 : std::max(0.6, 1.0 + double(viewport()->width() - wanted) / elastic);
    m_fitting = true;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const int width = firstWidth(column);
        if (width > 0) setColumnWidth(column, isElastic(column) ? int(width * factor) : width);
    }
    m_fitting = false;
}

void TableView::showEmptyState() {
    if (m_emptyState == nullptr) return;
    const bool empty = model() == nullptr || model()->rowCount() == 0;
    m_emptyState->setVisible(empty);
    if (empty) {
        m_emptyState->setGeometry(viewport()->geometry());
        m_emptyState->raise();
    }
}

// What opens beside or above a table, as its own row's inspector does, takes room from it. The row that is looked at stays.
void TableView::resizeEvent(QResizeEvent* event) {
    const auto bottomOf = [this](int row) { return rowViewportPosition(row) + rowHeight(row); };
    const int row = currentIndex().row();
    const bool wasSeen = row >= 0 && rowViewportPosition(row) >= 0 && bottomOf(row) <= event->oldSize().height();
    QTableView::resizeEvent(event);
    fitColumns();
    showEmptyState();
    const int below = wasSeen ? bottomOf(row) - viewport()->height() : 0;
    if (below > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + below);  // not scrollTo, which moves sideways as well
}

void TableView::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    fitColumns();  // columns may have been hidden since the model was set
}

void TableView::copySelection() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    QStringList lines;
    for (const QModelIndex& row : std::as_const(rows)) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data(Qt::DisplayRole).toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void TableView::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentIndex().isValid()) Q_EMIT rowOpened(currentSourceRow());
    else if (event->matches(QKeySequence::Copy) && selectionModel() != nullptr) copySelection();
    else QTableView::keyPressEvent(event);
}

void TableView::focusInEvent(QFocusEvent* event) {
    // The base class gives the arrow keys a place to start from; passing by with Tab must select nothing.
    m_arriving = true;
    QTableView::focusInEvent(event);
    m_arriving = false;
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    viewport()->update();
    m_untold = m_arriving ? current : QModelIndex();
    if (!m_arriving && (current.row() != previous.row() || !previous.isValid())) Q_EMIT rowSelected(sourceRow(current));
}

// A click or Space on the row that came with the focus changes the selection alone.
void TableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (!m_untold.isValid() || m_untold != currentIndex() || !selected.contains(currentIndex())) return;
    m_untold = QModelIndex();
    Q_EMIT rowSelected(sourceRow(currentIndex()));
}

}  // namespace signalbox::ui
