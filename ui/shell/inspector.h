// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QScrollArea;

namespace signalbox::ui {

/// What is selected, in full, with its reasons and its actions. Folded with F4.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(QWidget* parent = nullptr);

    /// Takes `content` over; null empties the inspector.
    void setContent(QWidget* content, const QString& title);
    [[nodiscard]] bool isEmpty() const { return m_empty; }

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_title;
    QScrollArea* m_area;
    bool m_empty = true;
};

}  // namespace signalbox::ui
