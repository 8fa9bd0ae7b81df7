// SPDX-License-Identifier: MIT
#include "ui/shell/tab_order.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QLayout>
#include <QSplitter>
#include <QWidget>

namespace signalbox::ui {

static bool takesTab(const QWidget* widget) {
    if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr) return false;
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const QButtonGroup* group = button == nullptr ? nullptr : button->group();
    // Of buttons that exclude each other the checked one is visited, and the arrow keys reach the rest. Their policies say
    // otherwise: Qt leaves Tab to the one that had the focus last.
    if (group != nullptr && group->exclusive() && group->checkedButton() != nullptr) return button->isChecked();
    return (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
}

static void placedBy(const QLayout* layout, QList<QWidget*>& order) {
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (item->widget() != nullptr) order << item->widget();
        else if (item->layout() != nullptr) placedBy(item->layout(), order);
    }
}

static QList<QWidget*> childrenInPlace(QWidget* widget) {
    QList<QWidget*> order;
    if (const auto* splitter = qobject_cast<const QSplitter*>(widget))
        for (int i = 0; i < splitter->count(); ++i) order << splitter->widget(i);
    else if (widget->layout() != nullptr) placedBy(widget->layout(), order);
    for (QWidget* child : widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (!order.contains(child)) order << child;
    return order;
}

static void collect(QWidget* widget, QList<QWidget*>& order) {
    if (!widget->isVisible() || !widget->isEnabled()) return;
    if (takesTab(widget)) order << widget;
    for (QWidget* child : childrenInPlace(widget))
        if (!child->isWindow()) collect(child, order);
}

QList<QWidget*> tabOrder(QWidget* root) {
    QList<QWidget*> order;
    collect(root, order);
    return order;
}

bool focusNeighbour(QWidget* root, QWidget* focused, bool next) {
    const QList<QWidget*> order = tabOrder(root);
    if (order.isEmpty()) return false;
    const qsizetype at = order.indexOf(focused);
    const qsizetype step = next ? 1 : -1;
    // From outside of the order (a menu, the palette) Tab enters it at its first or last.
    const qsizetype to = at < 0 ? (next ? 0 : order.size() - 1) : (at + step + order.size()) % order.size();
    order.at(to)->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void focusNextRegion(const QList<QWidget*>& regions, const QWidget* focused) {
    qsizetype at = 0;
    for (qsizetype i = 0; i < regions.size(); ++i)
        if (focused != nullptr && regions.at(i)->isAncestorOf(focused)) at = i + 1;
    for (qsizetype step = 0; step < regions.size(); ++step) {
        const QList<QWidget*> stops = tabOrder(regions.at((at + step) % regions.size()));
        if (!stops.isEmpty()) return stops.first()->setFocus(Qt::TabFocusReason);
    }
}

}  // namespace signalbox::ui
