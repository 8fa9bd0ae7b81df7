// SPDX-License-Identifier: MIT
#include "ui/shell/status_line.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/bridge/status_words.h"
#include "ui/shell/difference_view.h"
#include "ui/document/policy_document.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/lamp.h"
#include "ui/widgets/mode_dial/mode_dial.h"
#include "ui/widgets/mode_dial/mode_words.h"

#include <QAccessible>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace signalbox::ui {

StatusLine::StatusLine(PageContext context, QWidget* parent) : QWidget(parent), m_context(std::move(context)), m_message(new QLabel) {
    setAccessibleName(tr("Status"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Theme::kGap, 1, Theme::kMargin, 0);
    layout->setSpacing(4);
    m_gateway = addLamp(QStringLiteral("lamp.gateway"), tr("Gateway"), goes(QStringLiteral("gateway")));
    m_mode = addLamp(QStringLiteral("lamp.mode"), tr("Smart routing"), [this] { showDial(); });
    const auto toRunning = goes(QStringLiteral("overview"), QStringLiteral("draft"));
    m_draft = addLamp(QStringLiteral("lamp.draft"), tr("Draft"), [this, toRunning] {
        const bool isOurs = m_context.gateway->home().guest().isEmpty() || m_context.bridge->looksElsewhere();
        if (m_context.document->isDirty()) Q_EMIT changesWanted();
        else if (isOurs && m_context.gateway->draftDiffers()) m_context.inspect(new DifferenceView(m_context), tr("What an apply changes"));
        else toRunning();
    });
    m_findings = addLamp(QStringLiteral("lamp.findings"), tr("Findings"), goes(QStringLiteral("overview"), QStringLiteral("findings")));
    m_evidence = addLamp(QStringLiteral("lamp.evidence"), tr("Evidence"), goes(QStringLiteral("overview"), QStringLiteral("evidence")));
    layout->addStretch(1);
    m_message->setFont(Theme::instance().smallFont());
    m_message->setTextFormat(Qt::PlainText);
    m_message->setObjectName(QStringLiteral("statusMessage"));
    layout->addWidget(m_message, 0, Qt::AlignVCenter);
    m_messageTimer.setSingleShot(true);
    connect(&m_messageTimer, &QTimer::timeout, m_message, &QLabel::clear);

    connect(m_context.bridge, &Bridge::statusChanged, this, [this] {
        refreshGateway();
        refreshMode();
        refreshEvidence();
    });
    connect(m_context.gateway, &GatewayControl::stateChanged, this, &StatusLine::refreshDraft);
    connect(m_context.document, &PolicyDocument::changed, this, &StatusLine::refreshFindings);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    refreshGateway();
    refreshMode();
    refreshEvidence();
    refreshDraft();
    refreshFindings();
}

std::function<void()> StatusLine::goes(const QString& page, const QString& cause) const {
    QVariantMap arguments;
    if (!cause.isEmpty()) arguments.insert(QStringLiteral("cause"), cause);
    return [this, page, arguments] { m_context.go(page, arguments); };
}

Lamp* StatusLine::addLamp(const QString& name, const QString& subject, const std::function<void()>& clicked) {
    auto* lamp = new Lamp(subject, this);
    lamp->setObjectName(name);
    connect(lamp, &Lamp::clicked, this, clicked);
    static_cast<QHBoxLayout*>(layout())->addWidget(lamp);
    return lamp;
}

// The dial itself, above its lamp, until something else is clicked.
void StatusLine::showDial() {
    auto* popup = new QFrame(this, Qt::Popup);
    popup->setAttribute(Qt::WA_DeleteOnClose);
    popup->setObjectName(QStringLiteral("modePopup"));
    popup->setFrameShape(QFrame::StyledPanel);
    auto* dial = new ModeDial(m_context.bridge, m_context.document, m_context.gateway);
    connect(dial, &ModeDial::refused, this, [this](const Error& error) { m_context.complain(error); });
    auto* inside = new QVBoxLayout(popup);
    inside->setContentsMargins(Theme::kMargin, Theme::kGapWide, Theme::kMargin, Theme::kGapWide);
    inside->addWidget(dial);
    popup->adjustSize();
    popup->move(m_mode->mapToGlobal(QPoint(0, -popup->height() - 4)));
    popup->show();
    dial->setFocus();
}

void StatusLine::say(const QString& text) {
    m_message->setText(text);
    m_message->setToolTip(plainTip(text));
    m_messageTimer.start(6000);
    QAccessibleEvent event(m_message, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

void StatusLine::refreshGateway() {
    const auto& status = m_context.bridge->status();
    const StatusWords words = gatewayWords(status);
    m_gateway->set(words.tone, words.sentence, words.explanation);
}

// Of a gateway elsewhere that does not answer nothing is known but that.
static bool isSilent(const engine::TargetStatus& status) {
    return status.remote && (status.state == engine::GatewayState::failed || status.state == engine::GatewayState::starting);
}

void StatusLine::refreshEvidence() {
    if (isSilent(m_context.bridge->status()))
        return m_evidence->set(Tone::idle, tr("evidence not known"), tr("The gateway does not answer, so nothing is known of what it records."));
    const StatusWords words = evidenceWords(m_context.bridge->status().evidence, m_context.bridge->status().remote);
    m_evidence->set(words.tone, words.sentence, words.explanation);
}

static StatusWords draftWords(const PageContext& context) {
    const auto workspace = context.document->workspace();
    const std::string running = context.bridge->runningHash();
    if (!workspace || !workspace->snapshot) return {Tone::idle, {}, StatusLine::tr("no policy open"), StatusLine::tr("Open a workspace or a routing table.")};
    const QString hash = format::shortHash(workspace->snapshot->hash);
    if (const HomeWorkspace& home = context.gateway->home(); !home.guest().isEmpty() && !context.bridge->looksElsewhere() && !context.document->isDirty())
        return {Tone::idle, {}, StatusLine::tr("not of this console"), context.gateway->guestWords()};
    const bool differs = context.gateway->draftDiffers();
    if (isSilent(context.bridge->status()) && context.document->changeCount() == 0)
        return {Tone::idle, {}, StatusLine::tr("draft not compared"), StatusLine::tr("The gateway does not answer, so it is not known whether it answers with the draft.")};
    const QString runs = running.empty() ? StatusLine::tr("The draft (%1) is not running; start the gateway to serve it.").arg(hash)
                         : differs && running == workspace->snapshot->hash ? StatusLine::tr("The gateway answers with the draft's policy (%1), but at another address or with other evidence settings. Apply to change that.").arg(hash)
                         : differs ? StatusLine::tr("The gateway answers with another policy (%1) than the draft (%2). Apply to change that.").arg(format::shortHash(running), hash)
                                   : StatusLine::tr("The gateway answers with the draft (%1).").arg(hash);
    if (const int changes = context.document->changeCount(); changes > 0)
        return {Tone::canary, {}, StatusLine::tr("draft +%1").arg(changes), StatusLine::tr("%n change(s) are not saved; click for the list.", nullptr, changes) + QLatin1Char(' ') + runs};
    if (running.empty()) return {Tone::idle, {}, StatusLine::tr("draft not running"), runs};
    if (!differs) return {Tone::clear, {}, StatusLine::tr("draft runs"), runs};
    return {Tone::canary, {}, StatusLine::tr("draft differs"), runs + QLatin1Char(' ') + StatusLine::tr("Click to see what differs.")};
}

void StatusLine::refreshDraft() {
    const StatusWords words = draftWords(m_context);
    m_draft->set(words.tone, words.sentence, words.explanation);
}

void StatusLine::refreshMode() {
    const StatusWords words = runningModeWords(m_context.bridge->status());
    m_mode->set(words.tone, words.sentence, words.explanation);
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
