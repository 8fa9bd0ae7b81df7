// SPDX-License-Identifier: MIT
#include "ui/pages/overview/running_panel.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/bridge/status_words.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace signalbox::ui {

static void addCell(QGridLayout* grid, int column, const QString& name, QWidget* value, int stretch) {
    auto* label = makeMuted(name);
    label->setWordWrap(false);
    label->setFont(Theme::instance().smallFont());
    grid->addWidget(label, 0, column);
    grid->addWidget(value, 1, column);
    grid->setColumnStretch(column, stretch);
}

RunningPanel::RunningPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_state(new ToneLabel), m_since(new ElidedLabel), m_hash(ElidedLabel::forId({})),
      m_version(new ElidedLabel), m_signer(new ElidedLabel), m_draft(new ToneLabel) {
    setAccessibleName(tr("What is running"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Theme::kSection);
    grid->setVerticalSpacing(2);
    addCell(grid, 0, tr("Gateway"), m_state, 4);
    addCell(grid, 1, tr("Running since"), m_since, 3);
    addCell(grid, 2, tr("Policy hash"), m_hash, 3);
    addCell(grid, 3, tr("Policy version and mode"), m_version, 3);
    addCell(grid, 4, tr("Signed by"), m_signer, 2);
    addCell(grid, 5, tr("Draft"), m_draft, 2);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(grid, 1);
    layout->addSpacing(Theme::kGap);
    layout->addWidget(new ActionButton(context.gateway->startAction(), QStringLiteral("play"), ButtonRole::primary), 0, Qt::AlignVCenter);
    layout->addWidget(new ActionButton(context.gateway->applyAction(), QStringLiteral("apply"), ButtonRole::primary), 0, Qt::AlignVCenter);
    layout->addWidget(new ActionButton(context.gateway->stopAction(), QStringLiteral("stop")), 0, Qt::AlignVCenter);
    connect(context.bridge, &Bridge::statusChanged, this, &RunningPanel::refresh);
    connect(context.gateway, &GatewayControl::stateChanged, this, &RunningPanel::refresh);
    refresh();
}

void RunningPanel::refresh() {
    const engine::TargetStatus& status = m_context.bridge->status();
    const StatusWords words = gatewayWords(status);
    const bool up = status.state == engine::GatewayState::running || status.state == engine::GatewayState::draining;
    m_state->set(words.tone, up ? tr("%1 on %2").arg(words.word, format::text(status.address)) : words.word);
    m_state->setToolTip(plainTip(words.explanation));
    m_since->setText(up ? format::dateTime(status.startedAt) : format::none());
    if (up) m_since->setToolTip(plainTip(format::utc(status.startedAt)));
    const bool silent = status.remote && !up;  // then what it said last is not shown as if it were so now
    m_hash->setText(silent || status.runningHash.empty() ? format::none() : format::text(status.runningHash));
    m_version->setText(up ? tr("%1, %2").arg(format::text(status.policyVersion), format::text(status.mode)) : format::none());
    m_signer->setText(silent ? format::none() : status.signedBy.empty() ? tr("not signed") : format::text(status.signedBy));
    if (silent) m_draft->set(Tone::idle, tr("not known"));
    else if (!up) m_draft->set(Tone::idle, tr("not running"));
    else if (!status.remote && !m_context.gateway->home().guest().isEmpty()) m_draft->set(Tone::idle, tr("does not run"));
    else if (m_context.gateway->draftDiffers()) m_draft->set(Tone::canary, tr("differs"));
    else m_draft->set(Tone::clear, tr("is what runs"));
}

}  // namespace signalbox::ui
