// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QWidget;

namespace signalbox::ui {

class PageFrame;

/// Where the keyboard goes when the widget that has it is hidden, disabled or deleted: Qt passes it to the next one in the
/// order, which after the last of them is the top of the window. It goes back to where it was before, on the page or in the
/// inspector; to the same field of a form that was built anew; and to what was disabled once that is enabled again, unless
/// somebody did anything meanwhile. Of one window.
class FocusKeeper : public QObject {
    Q_OBJECT
public:
    /// Both parts outlive it.
    FocusKeeper(QWidget* window, PageFrame* frame, QWidget* inspector);

    /// For the window's `focusNextPrevChild`, which Qt asks for a Tab and for a loss alike. True when the widget with the
    /// focus is gone and another one has it now.
    [[nodiscard]] bool giveBack();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A widget as its successor in a form that is built anew is known by.
    struct Place {
        QPointer<QWidget> widget;
        const QMetaObject* kind = nullptr;  ///< null: none
        QString name;
        QPointer<QWidget> part;  ///< of the window, in which it stood
    };
    void see(QWidget* now);
    void lose();
    void settle();
    void settleLater();
    void wait();
    void forget();
    [[nodiscard]] Place placeOf(QWidget* widget) const;
    [[nodiscard]] bool isThere(const QWidget* widget) const;
    [[nodiscard]] bool isUsable(const QWidget* widget) const;
    [[nodiscard]] QWidget* partOf(const QWidget* widget) const;
    [[nodiscard]] QWidget* best() const;
    [[nodiscard]] QWidget* successor() const;

    QWidget* m_window;
    PageFrame* m_frame;
    QWidget* m_inspector;
    QList<QPointer<QWidget>> m_recent;  ///< had the focus, the last one at the end
    Place m_here;                       ///< has it, as far as we know
    Place m_lost;                       ///< had it and went
    QPointer<QWidget> m_given;          ///< has it instead
    bool m_away = false;                ///< another window has the focus
    bool m_due = false;                 ///< a look at where it landed
    bool m_waiting = false;             ///< for `m_lost` to be enabled again
};

}  // namespace signalbox::ui
