// SPDX-License-Identifier: MIT
#include "ui/shell/focus_keeper.h"

#include "ui/pages/page.h"
#include "ui/shell/page_frame.h"
#include "ui/shell/tab_order.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

#include <utility>

namespace signalbox::ui {

static constexpr qsizetype kMostRecentFocus = 32;

FocusKeeper::FocusKeeper(QWidget* window, PageFrame* frame, QWidget* inspector)
    : QObject(window), m_window(window), m_frame(frame), m_inspector(inspector) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { see(now); });
}

bool FocusKeeper::isThere(const QWidget* widget) const {
    return widget != nullptr && widget->window() == m_window && widget->isVisible() && widget->isEnabled();
}

bool FocusKeeper::isUsable(const QWidget* widget) const { return isThere(widget) && widget->focusPolicy() != Qt::NoFocus; }

QWidget* FocusKeeper::partOf(const QWidget* widget) const {
    for (QWidget* part : {static_cast<QWidget*>(m_frame), m_inspector})
        if (part->isAncestorOf(widget)) return part;
    return nullptr;
}

FocusKeeper::Place FocusKeeper::placeOf(QWidget* widget) const {
    return {widget, widget->metaObject(), widget->objectName().isEmpty() ? widget->accessibleName() : widget->objectName(), partOf(widget)};
}

void FocusKeeper::see(QWidget* now) {
    if (now == nullptr || now->window() != m_window) {
        m_away = m_away || now != nullptr || !m_window->isActiveWindow();
        // Of an active window only what is deleted, or taken out of it, leaves the focus with nobody.
        if (!m_away && m_here.kind != nullptr) settleLater();
        return;
    }
    // While another window was in front, what had the focus may have gone: Qt then chose by its own order.
    const bool comesBack = std::exchange(m_away, false);
    if (comesBack && m_lost.kind == nullptr && m_here.kind != nullptr && !isThere(m_here.widget)) {
        lose();
        m_given = now;
        m_here = placeOf(now);
        return settleLater();
    }
    if (now != m_given) forget();
    else if (comesBack) settleLater();
    m_recent.removeIf([now](const QPointer<QWidget>& one) { return one.isNull() || one.data() == now; });
    m_recent << now;
    if (m_recent.size() > kMostRecentFocus) m_recent.removeFirst();
    m_here = placeOf(now);
}

void FocusKeeper::forget() {
    m_lost = {};
    m_given = nullptr;
    if (std::exchange(m_waiting, false)) qApp->removeEventFilter(this);
}

void FocusKeeper::lose() {
    const Place lost = m_here;
    forget();
    m_lost = lost;
}

bool FocusKeeper::giveBack() {
    QWidget* gone = m_window->focusWidget();
    if (gone == nullptr || isThere(gone)) return false;
    if (m_lost.kind == nullptr || gone != m_given) {
        m_here = placeOf(gone);
        lose();
    }
    QWidget* to = best();
    if (to == nullptr) return false;
    m_given = to;
    to->setFocus(Qt::OtherFocusReason);
    settleLater();
    return true;
}

// Back on the page or in the inspector first: the rest of the window is not what anybody works in.
QWidget* FocusKeeper::best() const {
    for (auto recent = m_recent.crbegin(); recent != m_recent.crend(); ++recent)
        if (isUsable(*recent) && partOf(*recent) != nullptr) return *recent;
    if (QWidget* page = m_frame->current())
        if (QWidget* first = tabOrder(page).value(0)) return first;
    for (auto recent = m_recent.crbegin(); recent != m_recent.crend(); ++recent)
        if (isUsable(*recent)) return *recent;
    return nullptr;
}

QWidget* FocusKeeper::successor() const {
    if (isUsable(m_lost.widget)) return m_lost.widget;
    if (m_lost.kind == nullptr || m_lost.name.isEmpty() || m_lost.part == nullptr) return nullptr;
    QWidget* found = nullptr;
    for (QWidget* candidate : m_lost.part->findChildren<QWidget*>()) {
        if (!isUsable(candidate) || placeOf(candidate).kind != m_lost.kind || placeOf(candidate).name != m_lost.name) continue;
        if (found != nullptr) return nullptr;  // nobody knows which
        found = candidate;
    }
    return found;
}

void FocusKeeper::settleLater() {
    if (std::exchange(m_due, true)) return;
    QMetaObject::invokeMethod(this, &FocusKeeper::settle, Qt::QueuedConnection);
}

// Once whoever took the widget away is done: a form that it belonged to may stand there again.
void FocusKeeper::settle() {
    m_due = false;
    if (!m_window->isActiveWindow()) return;
    QWidget* now = QApplication::focusWidget();
    if (now == nullptr && m_lost.kind == nullptr) lose();
    if (now != nullptr && now != m_given) return forget();
    if (m_lost.kind == nullptr) return;
    if (QWidget* again = successor()) {
        forget();
        return again->setFocus(Qt::OtherFocusReason);
    }
    QWidget* to = best();
    if (to != nullptr && to != now) {
        m_given = to;
        to->setFocus(Qt::OtherFocusReason);
    }
    wait();
}

// It is disabled while something is under way, and whoever does nothing meanwhile expects to go on there.
void FocusKeeper::wait() {
    if (!m_lost.widget || !m_lost.widget->isVisible()) return forget();
    if (!std::exchange(m_waiting, true)) qApp->installEventFilter(this);
}

bool FocusKeeper::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::InputMethod:
    case QEvent::TouchBegin:
    case QEvent::MouseButtonPress: forget(); break;
    case QEvent::EnabledChange:
        if (watched == m_lost.widget.data()) settleLater();
        break;
    default: break;
    }
    return false;
}

}  // namespace signalbox::ui
