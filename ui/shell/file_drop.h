// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QWidget;

namespace signalbox::ui {

/// Lets a table file or a workspace folder be dropped anywhere in a window, whatever widget lies there.
class FileDrop : public QObject {
    Q_OBJECT
public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window;
};

}  // namespace signalbox::ui
