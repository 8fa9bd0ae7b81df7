// SPDX-License-Identifier: MIT
#include "app/console/startup_trace.h"

#include "ui/document/policy_document.h"

#include <QEvent>
#include <QTextStream>
#include <QTimer>
#include <QWidget>
#include <QWindow>

namespace signalbox::console {

namespace {

void say(const char* what) { QTextStream(stderr) << "startup: " << what << Qt::endl; }

/// Lives as long as the window it watches.
class FirstExposure : public QObject {
public:
    explicit FirstExposure(QWindow& window) : QObject(&window) { window.installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Expose && !m_seen) {
            m_seen = true;
            // The window paints while it handles this very event.
            QTimer::singleShot(0, this, [] { say("first frame"); });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_seen = false;
};

}  // namespace

void reportFirstFrame(QWidget& window) {
    if (QWindow* handle = window.windowHandle()) new FirstExposure(*handle);
}

void reportUsable(QWidget& window, const ui::PolicyDocument& document) {
    // Not before everybody else has heard of the change.
    const auto paint = [&window] {
        window.repaint();
        say("usable");
    };
    QObject::connect(&document, &ui::PolicyDocument::changed, &window, [&window, paint] { QTimer::singleShot(0, &window, paint); },
                     Qt::SingleShotConnection);
}

}  // namespace signalbox::console
