// SPDX-License-Identifier: MIT
#include "ui/pages/whose_records.h"

#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

WhoseRecords::WhoseRecords(const PageContext& context, QWidget* parent) : ToneLabel(parent), m_context(context) {
    setObjectName(QStringLiteral("whoseRecords"));
    connect(context.gateway, &GatewayControl::stateChanged, this, &WhoseRecords::follow);
    connect(context.bridge, &Bridge::targetChanged, this, &WhoseRecords::follow);
    follow();
}

void WhoseRecords::follow() {
    const HomeWorkspace& home = m_context.gateway->home();
    const bool isGuest = !home.guest().isEmpty(), elsewhere = m_context.bridge->looksElsewhere();
    setVisible(isGuest || elsewhere);
    if (!isGuest && !elsewhere) return;
    if (!elsewhere) return set(Tone::info, tr("%1 is open. The recorded decisions on this page are of %2, this console's own workspace.").arg(home.guestName(), home.name()));
    const QString looked = format::text(m_context.bridge->status().name);
    const QString begins = isGuest ? tr("%1 is open, and you look at %2.").arg(home.guestName(), looked) : tr("You look at %1.").arg(looked);
    const QString own = home.name().isEmpty() ? tr("this console's own workspace") : home.name();
    // "Elsewhere": it may as well write into the database that is read here.
    set(Tone::info, begins + QLatin1Char(' ') + tr("The records on this page are of %1; a history that %2 keeps elsewhere is not read here.").arg(own, looked));
}

QString liveReceiptTitle(const Bridge& bridge) {
    return bridge.looksElsewhere() ? WhoseRecords::tr("Receipt, from %1").arg(format::text(bridge.status().name)) : WhoseRecords::tr("Receipt");
}

}  // namespace signalbox::ui
