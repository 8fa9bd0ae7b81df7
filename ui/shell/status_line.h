// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace signalbox::ui {

class Lamp;

/// The lamps that are always there: gateway, evidence, draft against running, findings. Each goes to its cause.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(PageContext context, QWidget* parent = nullptr);
    /// A short message on the right, for a few seconds and for screen readers.
    void say(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Lamp* addLamp(const QString& name, const QString& subject, const QString& page, const QVariantMap& arguments);
    void refreshGateway();
    void refreshEvidence();
    void refreshDraft();
    void refreshFindings();

    PageContext m_context;
    Lamp* m_gateway;
    Lamp* m_draft;
    Lamp* m_findings;
    Lamp* m_evidence;
    QLabel* m_message;
    QTimer m_messageTimer;
};

}  // namespace signalbox::ui
