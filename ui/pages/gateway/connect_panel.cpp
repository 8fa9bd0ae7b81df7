// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/connect_panel.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/pages/gateway/snippets.h"
#include "ui/bridge/status_words.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/copy_field.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

ConnectPanel::ConnectPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_state(new ToneLabel), m_address(new CopyField(tr("the base URL"), CopyField::Kind::open)),
      m_anthropicAddress(new CopyField(tr("the base URL for Anthropic's SDKs"), CopyField::Kind::open)),
      m_token(new CopyField(tr("the client token"), CopyField::Kind::secret)), m_tokenNote(makeMuted({})) {
    auto* facts = new FactList;
    facts->addWidget(tr("State"), m_state);
    facts->addWidget(tr("Base URL"), m_address);
    facts->addWidget(tr("Anthropic URL"), m_anthropicAddress);
    facts->addWidget(tr("Client token"), m_token);
    facts->addWidget({}, m_tokenNote);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::kGap);
    buttons->addWidget(new ActionButton(context.gateway->startAction(), QStringLiteral("play"), ButtonRole::primary));
    buttons->addWidget(new ActionButton(context.gateway->applyAction(), QStringLiteral("apply"), ButtonRole::primary));
    buttons->addWidget(new ActionButton(context.gateway->stopAction(), QStringLiteral("stop")));
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(facts);
    layout->addLayout(buttons);
    layout->addStretch();

    connect(m_address, &CopyField::copied, this, [this] { m_context.say(tr("The base URL is copied")); });
    connect(m_anthropicAddress, &CopyField::copied, this, [this] { m_context.say(tr("The base URL for Anthropic's SDKs is copied")); });
    connect(m_token, &CopyField::copied, this, [this] { m_context.say(tr("The client token is copied")); });
    connect(context.bridge, &Bridge::statusChanged, this, &ConnectPanel::refresh);
    refresh();
}

void ConnectPanel::refresh() {
    const engine::TargetStatus& status = m_context.bridge->status();
    const StatusWords words = gatewayWords(status);
    m_state->set(words.tone, words.word);
    m_state->setToolTip(plainTip(words.explanation));
    m_address->setValue(format::text(status.baseUrl));
    m_anthropicAddress->setValue(anthropicBaseUrl(format::text(status.baseUrl)));
    const QString token = m_context.bridge->clientToken();
    m_token->setValue(token);
    m_token->setEnabled(!token.isEmpty());
    const bool up = status.state == engine::GatewayState::running;
    if (status.remote) m_tokenNote->setText(status.tokenRequired ? tr("Its clients' token is known where it runs; the admin API does not hand it out") : tr("It asks its clients for no token"));
    else if (!up) m_tokenNote->setText(tr("Start the gateway to get an address and a token"));
    else if (status.tokenRequired) m_tokenNote->setText(tr("Sent as Authorization: Bearer … or x-api-key: …"));
    else m_tokenNote->setText(tr("No token is asked for (auth = \"none\", this computer only)"));
}

}  // namespace signalbox::ui
