// SPDX-License-Identifier: MIT
#include "ui/pages/groups/wheel_guard.h"

#include <QEvent>

namespace signalbox::ui {

namespace {
class WheelGuard : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* field = qobject_cast<QWidget*>(watched);
        if (event->type() != QEvent::Wheel || field == nullptr || field->hasFocus()) return QObject::eventFilter(watched, event);
        event->ignore();  // goes on to the page
        return true;
    }
};
}  // namespace

void guardFromWheel(const QList<QWidget*>& fields) {
    for (QWidget* field : fields) {
        field->setFocusPolicy(Qt::StrongFocus);  // the default also takes the focus by the wheel
        field->installEventFilter(new WheelGuard(field));
    }
}

}  // namespace signalbox::ui
