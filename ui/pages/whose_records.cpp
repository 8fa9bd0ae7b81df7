// SPDX-License-Identifier: MIT
#include "ui/pages/whose_records.h"

#include "ui/document/gateway_control.h"

namespace signalbox::ui {

WhoseRecords::WhoseRecords(const PageContext& context, QWidget* parent) : ToneLabel(parent) {
    setObjectName(QStringLiteral("whoseRecords"));
    connect(context.gateway, &GatewayControl::stateChanged, this, [this, gateway = context.gateway] { follow(*gateway); });
    follow(*context.gateway);
}

void WhoseRecords::follow(const GatewayControl& gateway) {
    const HomeWorkspace& home = gateway.home();
    setVisible(!home.guest().isEmpty());
    if (!home.guest().isEmpty()) set(Tone::info, tr("%1 is open. The recorded decisions on this page are of %2, for which this console records.").arg(home.guestName(), home.name()));
}

}  // namespace signalbox::ui
