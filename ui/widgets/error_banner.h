// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace signalbox::ui {

/// An error shown plainly: what failed, where, what to do. Stays until dismissed or mended.
class ErrorBanner : public QWidget {
    Q_OBJECT
public:
    explicit ErrorBanner(QWidget* parent = nullptr);

    /// `retry` may be empty. A second error replaces the first.
    void show(const Error& error, std::function<void()> retry = {});
    /// News that wants an answer but is no failure, e.g. a file that changed on disk.
    void notice(Tone tone, const QString& message, const QString& where, const QString& actionText, std::function<void()> action);
    void dismiss();
    [[nodiscard]] const Error& error() const { return m_error; }

Q_SIGNALS:
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setTexts(const QString& message, const QString& where, const QString& hint);
    /// Of what the button does, when there is anything to do; no icon where `icon` is empty.
    void offer(const QString& verb, const QString& icon);

    Error m_error;
    Tone m_tone = Tone::danger;
    std::function<void()> m_retry;
    QLabel* m_message;
    QLabel* m_where;
    QLabel* m_hint;
    QPushButton* m_retryButton;
};

}  // namespace signalbox::ui
