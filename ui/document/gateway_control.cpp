// SPDX-License-Identifier: MIT
#include "ui/document/gateway_control.h"

#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"

namespace signalbox::ui {

using engine::GatewayState;

GatewayControl::GatewayControl(Bridge* bridge, PolicyDocument* document, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_document(document), m_start(new QAction(tr("Start the gateway"), this)),
      m_stop(new QAction(tr("Stop the gateway"), this)), m_apply(new QAction(tr("Apply by restart"), this)) {
    m_start->setObjectName(QStringLiteral("gateway.start"));
    m_start->setToolTip(tr("Serve the open policy on this workstation"));
    m_stop->setObjectName(QStringLiteral("gateway.stop"));
    m_stop->setToolTip(tr("Refuse new requests, let those in flight finish, then close the port"));
    m_apply->setObjectName(QStringLiteral("gateway.apply"));
    m_apply->setToolTip(tr("The open policy takes the next requests; requests in flight finish on the old one"));
    m_apply->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+Return")));
    connect(m_start, &QAction::triggered, this, &GatewayControl::start);
    connect(m_stop, &QAction::triggered, this, &GatewayControl::stop);
    connect(m_apply, &QAction::triggered, this, &GatewayControl::apply);
    connect(m_bridge, &Bridge::statusChanged, this, &GatewayControl::refresh);
    connect(m_document, &PolicyDocument::changed, this, &GatewayControl::refresh);
    refresh();
}

bool GatewayControl::draftDiffers() const {
    const auto workspace = m_document->workspace();
    const auto running = m_bridge->running();
    return workspace && workspace->snapshot && running && workspace->snapshot->hash != running->hash;
}

void GatewayControl::refresh() {
    const auto state = m_bridge->status().state;
    const bool up = state == GatewayState::running;
    const bool down = state == GatewayState::stopped || state == GatewayState::failed;
    const auto workspace = m_document->workspace();
    m_start->setEnabled(!m_busy && down && workspace && workspace->snapshot);
    m_stop->setEnabled(!m_busy && up);
    m_apply->setEnabled(!m_busy && up && draftDiffers());
    Q_EMIT stateChanged();
}

void GatewayControl::begin() {
    m_busy = true;
    refresh();
}

void GatewayControl::finish(const Result<void>& result, const QString& success) {
    m_busy = false;
    refresh();
    if (result) Q_EMIT said(success);
    else Q_EMIT failed(result.error());
}

void GatewayControl::start() {
    begin();
    m_bridge->start(m_document->workspace(), [this](const Result<void>& result) {
        finish(result, tr("The gateway listens on %1").arg(QString::fromStdString(m_bridge->status().address)));
    });
}

void GatewayControl::stop() {
    begin();
    m_bridge->stop([this](const Result<void>& result) { finish(result, tr("The gateway is stopped")); });
}

void GatewayControl::apply() {
    begin();
    m_bridge->applyByRestart(m_document->workspace(), [this](const Result<void>& result) {
        finish(result, tr("The open policy takes the next requests"));
    });
}

}  // namespace signalbox::ui
