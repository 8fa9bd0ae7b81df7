// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace signalbox::ui {

class Lamp;

/// The lamps that are always there: gateway, mode, draft against running, findings, evidence. Each goes to its cause.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(PageContext context, QWidget* parent = nullptr);
    /// A short message on the right, for a few seconds and for screen readers.
    void say(const QString& text);

Q_SIGNALS:
    /// The draft lamp was clicked while something is unsaved.
    void changesWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Lamp* addLamp(const QString& name, const QString& subject, const std::function<void()>& clicked);
    [[nodiscard]] std::function<void()> goes(const QString& page, const QString& cause = {}) const;
    void refreshGateway();
    void refreshEvidence();
    void refreshDraft();
    void refreshFindings();
    void refreshMode();
    void showDial();

    PageContext m_context;
    Lamp* m_gateway;
    Lamp* m_mode;
    Lamp* m_draft;
    Lamp* m_findings;
    Lamp* m_evidence;
    QLabel* m_message;
    QTimer m_messageTimer;
};

}  // namespace signalbox::ui
