// SPDX-License-Identifier: MIT
#include "ui/shell/status_line.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/bridge/status_words.h"
#include "ui/document/policy_document.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"
#include "ui/widgets/lamp.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace signalbox::ui {

StatusLine::StatusLine(PageContext context, QWidget* parent) : QWidget(parent), m_context(std::move(context)), m_message(new QLabel) {
    setAccessibleName(tr("Status"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Theme::kGap, 1, Theme::kMargin, 0);
    layout->setSpacing(4);
    m_gateway = addLamp(QStringLiteral("lamp.gateway"), tr("Gateway"), QStringLiteral("gateway"), {});
    m_draft = addLamp(QStringLiteral("lamp.draft"), tr("Draft"), QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("draft")}});
    m_findings = addLamp(QStringLiteral("lamp.findings"), tr("Findings"), QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("findings")}});
    m_evidence = addLamp(QStringLiteral("lamp.evidence"), tr("Evidence"), QStringLiteral("overview"), {{QStringLiteral("cause"), QStringLiteral("evidence")}});
    layout->addStretch(1);
    m_message->setFont(Theme::instance().smallFont());
    m_message->setObjectName(QStringLiteral("statusMessage"));
    layout->addWidget(m_message, 0, Qt::AlignVCenter);
    m_messageTimer.setSingleShot(true);
    connect(&m_messageTimer, &QTimer::timeout, m_message, &QLabel::clear);

    connect(m_context.bridge, &Bridge::statusChanged, this, [this] {
        refreshGateway();
        refreshEvidence();
    });
    connect(m_context.gateway, &GatewayControl::stateChanged, this, &StatusLine::refreshDraft);
    connect(m_context.document, &PolicyDocument::changed, this, &StatusLine::refreshFindings);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    refreshGateway();
    refreshEvidence();
    refreshDraft();
    refreshFindings();
}

Lamp* StatusLine::addLamp(const QString& name, const QString& subject, const QString& page, const QVariantMap& arguments) {
    auto* lamp = new Lamp(subject, this);
    lamp->setObjectName(name);
    connect(lamp, &Lamp::clicked, this, [this, page, arguments] { m_context.go(page, arguments); });
    static_cast<QHBoxLayout*>(layout())->addWidget(lamp);
    return lamp;
}

void StatusLine::say(const QString& text) {
    m_message->setText(text);
    m_message->setToolTip(text);
    m_messageTimer.start(6000);
    QAccessibleEvent event(m_message, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

void StatusLine::refreshGateway() {
    const auto& status = m_context.bridge->status();
    const StatusWords words = gatewayWords(status);
    m_gateway->set(words.tone, words.sentence, words.explanation);
}

void StatusLine::refreshEvidence() {
    const StatusWords words = evidenceWords(m_context.bridge->status().evidence);
    m_evidence->set(words.tone, words.sentence, words.explanation);
}

void StatusLine::refreshDraft() {
    const auto workspace = m_context.document->workspace();
    const auto running = m_context.bridge->running();
    if (!workspace || !workspace->snapshot) m_draft->set(Tone::idle, tr("no policy open"), tr("Open a workspace or a routing table."));
    else if (!running) m_draft->set(Tone::idle, tr("draft not running"), tr("The open policy is not running; start the gateway to serve it."));
    else if (m_context.gateway->draftDiffers())
        m_draft->set(Tone::canary, tr("draft differs"), tr("The gateway answers with another policy than the one that is open. Apply by restart to change that."));
    else m_draft->set(Tone::clear, tr("draft runs"), tr("The gateway answers with the policy that is open (%1).").arg(format::shortHash(running->hash)));
}

void StatusLine::refreshFindings() {
    const auto workspace = m_context.document->workspace();
    if (!workspace) return m_findings->set(Tone::idle, tr("no table"), tr("No routing table is open."));
    std::size_t warnings = 0;
    for (const Findings* list : {&workspace->table.findings, &workspace->config.findings, &workspace->crossFindings})
        warnings += static_cast<std::size_t>(std::count_if(list->begin(), list->end(), [](const Finding& f) { return f.severity == Severity::warning; }));
    const int notes = static_cast<int>(workspace->table.advisories.size());
    const QString advice = tr("%n advisory(ies) of the linter", nullptr, notes);
    if (warnings == 0) m_findings->set(Tone::clear, tr("table ok"), advice);
    else m_findings->set(Tone::caution, tr("%n finding(s)", nullptr, static_cast<int>(warnings)), advice);
}

void StatusLine::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Surface::window));
    painter.fillRect(QRect(0, 0, width(), 1), theme.color(Surface::hairline));
}

}  // namespace signalbox::ui
