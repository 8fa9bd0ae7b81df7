// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QPersistentModelIndex>
#include <QString>

#include <functional>

class QAbstractItemView;
class QFrame;

namespace signalbox::ui {

/// Lets the rows of a view be put in another order: dragged with the mouse, or moved with Alt+Up and Alt+Down.
/// It moves nothing itself. Escape ends a drag without a move.
class RowMover : public QObject {
    Q_OBJECT
public:
    explicit RowMover(QAbstractItemView* view);
    /// Disabled, a drag under way is called off.
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return m_enabled; }

Q_SIGNALS:
    /// Rows of the view's model; `to` is where the row stands afterwards.
    void moved(int from, int to);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool viewKey(QEvent* event);
    bool mouse(QEvent* event);
    [[nodiscard]] int gapAt(int y) const;
    void showGap(int gap);
    void endDrag();
    [[nodiscard]] bool isPressedStill() const;

    QAbstractItemView* m_view;
    QFrame* m_line;
    bool m_enabled = true;
    QPersistentModelIndex m_pressed;  ///< goes with its row when rows come and go meanwhile
    QString m_pressedName;            ///< a model that only changes what its rows say may put another one there
    int m_pressedAt = 0;
    bool m_dragging = false;
    int m_gap = -1;  ///< 0 is above the first row
};

}  // namespace signalbox::ui
