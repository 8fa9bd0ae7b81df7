// SPDX-License-Identifier: MIT
#include "ui/widgets/cards/card_list.h"

#include "ui/widgets/cards/card_delegate.h"

#include <QScrollBar>

namespace signalbox::ui {

CardList::CardList(const QString& name, QWidget* parent)
    : QListView(parent), m_model(new CardModel(this)), m_delegate(new CardDelegate(this)) {
    setAccessibleName(name);
    setModel(m_model);
    setItemDelegate(m_delegate);
    setMouseTracking(true);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(Adjust);
    connect(this, &QListView::entered, this, [this](const QModelIndex& index) { Q_EMIT hovered(index.row()); });
    connect(this, &QListView::viewportEntered, this, [this] { Q_EMIT hovered(-1); });
    connect(this, &QListView::activated, this, [this](const QModelIndex& index) { Q_EMIT opened(index.row()); });
    connect(this, &QListView::clicked, this, [this](const QModelIndex& index) { Q_EMIT selected(index.row()); });
    connect(m_model, &CardModel::modelReset, this, [this] { updateGeometry(); });
    connect(m_model, &CardModel::layoutChanged, this, [this] { updateGeometry(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { scheduleDelayedItemsLayout(); });
}

void CardList::setLit(const QSet<int>& rows) {
    m_delegate->setLit(rows);
    if (!rows.isEmpty()) scrollTo(m_model->index(*std::min_element(rows.cbegin(), rows.cend())));
    viewport()->update();
}

bool CardList::isLit(int row) const { return m_delegate->isLit(row); }

void CardList::selectRow(int row) {
    const QModelIndex index = m_model->index(row);
    if (!index.isValid()) return;
    setCurrentIndex(index);
    scrollTo(index);
}

void CardList::fitContents(int most) {
    m_most = most;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    updateGeometry();
}

int CardList::contentHeight() const {
    int height = 2;
    QStyleOptionViewItem option;
    option.widget = this;
    for (int row = 0; row < m_model->rowCount() && height < m_most; ++row) height += m_delegate->sizeHint(option, m_model->index(row)).height();
    return height;
}

QSize CardList::sizeHint() const { return m_most > 0 ? QSize(280, std::min(contentHeight(), m_most)) : QListView::sizeHint(); }
QSize CardList::minimumSizeHint() const { return {200, m_most > 0 ? std::min(contentHeight(), 96) : 120}; }

void CardList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        scheduleDelayedItemsLayout();
        if (m_most > 0) updateGeometry();
    }
}

void CardList::leaveEvent(QEvent* event) {
    QListView::leaveEvent(event);
    Q_EMIT hovered(-1);
}

void CardList::focusInEvent(QFocusEvent* event) {
    QListView::focusInEvent(event);
    // Arrow keys need a place to start from.
    if (!currentIndex().isValid() && m_model->rowCount() > 0)
        selectionModel()->setCurrentIndex(m_model->index(0), QItemSelectionModel::NoUpdate);
}

void CardList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (current.isValid() && selectionModel()->isSelected(current)) Q_EMIT selected(current.row());
}

}  // namespace signalbox::ui
