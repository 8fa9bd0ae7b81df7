// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/wheel_guard.h"

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
        if (field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);  // which would also come by the wheel
        field->installEventFilter(new WheelGuard(field));
    }
}

}  // namespace signalbox::ui
