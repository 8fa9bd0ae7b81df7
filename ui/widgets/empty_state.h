// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace signalbox::ui {

/// What belongs here, why there is none, and the one step that fills it.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const QString& icon, const QString& title, const QString& explanation, QWidget* parent = nullptr);

    void setTexts(const QString& title, const QString& explanation);
    /// Shows the button that mends it; `triggered` follows. An empty text hides it.
    void setAction(const QString& text);

Q_SIGNALS:
    void triggered();

private:
    QLabel* m_picture;
    QLabel* m_title;
    QLabel* m_explanation;
    QPushButton* m_button;
};

}  // namespace signalbox::ui
