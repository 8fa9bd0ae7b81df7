// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace signalbox::ui {

/// A state of the page that lasts until something is done about it: what it is, and the one button that ends it.
class ActionBanner : public QWidget {
    Q_OBJECT
public:
    explicit ActionBanner(QWidget* parent = nullptr);
    /// An empty `action` leaves the button out.
    void set(Tone tone, const QString& message, const QString& detail, const QString& action);

Q_SIGNALS:
    void triggered();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Tone m_tone = Tone::info;
    QLabel* m_message;
    QLabel* m_detail;
    QPushButton* m_button;
};

}  // namespace signalbox::ui
