// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace signalbox::ui {

/// Return and Enter press the button that has the focus, as Space does and as Qt lets them only in dialogs: who confirms a
/// question by keyboard presses Return. Held down they press once, in dialogs too. Of the whole program.
class ButtonKeys : public QObject {
    Q_OBJECT
public:
    explicit ButtonKeys(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace signalbox::ui
