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
#include "ui/widgets/wrap_layout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace signalbox::ui {

static constexpr int kHashRoom = 110;

// Each as wide as it is: what does not fit goes to a second line, since half an address or "is wh..." tells nothing.
static void addCell(WrapLayout* cells, const QString& name, QWidget* value) {
    auto* label = makeMuted(name);
    label->setWordWrap(false);
    label->setFont(Theme::instance().smallFont());
    auto* cell = new QWidget;
    auto* layout = new QVBoxLayout(cell);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(label);
    layout->addWidget(value);
    cells->insertWidget(cells->count(), cell);
}

RunningPanel::RunningPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_state(new ToneLabel), m_since(new ElidedLabel), m_hash(ElidedLabel::forId({})),
      m_version(new ElidedLabel), m_signer(new ElidedLabel), m_draft(new ToneLabel) {
    setAccessibleName(tr("What is running"));
    m_hash->setMaximumWidth(kHashRoom);
    auto* cells = new WrapLayout;
    cells->setSpacing(Theme::kSection);
    addCell(cells, tr("Gateway"), m_state);
    addCell(cells, tr("Running since"), m_since);
    addCell(cells, tr("Policy hash"), m_hash);
    addCell(cells, tr("Policy version and mode"), m_version);
    addCell(cells, tr("Signed by"), m_signer);
    addCell(cells, tr("Draft"), m_draft);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addLayout(cells, 1);
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
