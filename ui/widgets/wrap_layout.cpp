// SPDX-License-Identifier: MIT
#include "ui/widgets/wrap_layout.h"

#include "ui/theme/theme.h"

#include <QWidget>
#include <QWidgetItem>

#include <algorithm>
#include <utility>

namespace signalbox::ui {

WrapLayout::WrapLayout(QWidget* parent) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(Theme::kGap);
}

WrapLayout::~WrapLayout() {
    for (QLayoutItem* item : m_items) delete item;
}

void WrapLayout::insertWidget(int index, QWidget* widget) {
    addChildWidget(widget);
    m_items.insert(m_items.begin() + std::clamp(index, 0, count()), new QWidgetItem(widget));
    invalidate();
}

void WrapLayout::addItem(QLayoutItem* item) { m_items.push_back(item); }

QLayoutItem* WrapLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item != nullptr) m_items.erase(m_items.begin() + index);
    return item;
}

QSize WrapLayout::sizeHint() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        size.rwidth() += item->sizeHint().width() + (size.width() > 0 ? spacing() : 0);
        size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
    return size;
}

QSize WrapLayout::minimumSize() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size;
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int WrapLayout::place(const QRect& rect, bool move) const {
    int x = rect.x(), y = rect.y(), line = 0;
    std::vector<std::pair<QLayoutItem*, QRect>> placed;  // of this line, whose height its last item may still change
    const auto endLine = [&] {
        for (auto& [item, room] : placed)
            if (move) item->setGeometry(room.translated(0, (line - room.height()) / 2));
        placed.clear();
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;  // hidden
        const QSize size = item->sizeHint().boundedTo({std::max(1, rect.width()), QLAYOUTSIZE_MAX});
        if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
            endLine();
            x = rect.x();
            y += line + spacing();
            line = 0;
        }
        placed.emplace_back(item, QRect({x, y}, size));
        x += size.width() + spacing();
        line = std::max(line, size.height());
    }
    endLine();
    return y + line - rect.y();
}

}  // namespace signalbox::ui
