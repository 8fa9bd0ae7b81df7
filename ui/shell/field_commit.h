// SPDX-License-Identifier: MIT
#pragma once

#include <QAction>
#include <QObject>

namespace signalbox::ui {

/// Takes what stands in the field that has the focus as if the focus had left it, and leaves the focus there. Fields
/// give what was typed into them on Return or when they lose the focus, and a shortcut takes it from none.
void commitField();

/// Calls `commitField` before a shortcut of one of `actions` is looked up: the field counts for what they do, and for whether
/// they can be done.
class FieldCommit : public QObject {
    Q_OBJECT
public:
    FieldCommit(QList<QAction*> actions, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QList<QAction*> m_actions;
};

}  // namespace signalbox::ui
