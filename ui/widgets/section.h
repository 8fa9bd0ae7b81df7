// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

/// A titled part of a page: heading, a short note, room for a few controls, a hairline, and the content below.
class Section : public QWidget {
    Q_OBJECT
public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Muted text beside the heading: a count, a unit, a source.
    void setNote(const QString& note);
    void addControl(QWidget* control);
    [[nodiscard]] QVBoxLayout* body() const { return m_body; }

private:
    QLabel* m_title;
    QLabel* m_note;
    QHBoxLayout* m_bar;
    QVBoxLayout* m_body;
};

}  // namespace signalbox::ui
