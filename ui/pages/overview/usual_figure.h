// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/overview/usual.h"

#include <QWidget>

class QLabel;

namespace signalbox::ui {

class ElidedLabel;
class ToneText;

/// One watched figure: its value, its usual range, and who stands out. Click, Enter or Space opens it in full.
class UsualFigure : public QWidget {
    Q_OBJECT
public:
    explicit UsualFigure(UsualTopic topic, QWidget* parent = nullptr);

    [[nodiscard]] UsualTopic topic() const { return m_topic; }
    void set(const UsualText& text);
    [[nodiscard]] const UsualText& text() const { return m_text; }

Q_SIGNALS:
    void opened();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    UsualTopic m_topic;
    UsualText m_text;
    QLabel* m_value;
    ToneText* m_usual;
    ElidedLabel* m_team;
    ElidedLabel* m_endpoint;
    bool m_hovered = false;
};

}  // namespace signalbox::ui
