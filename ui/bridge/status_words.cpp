// SPDX-License-Identifier: MIT
#include "ui/bridge/status_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(StatusWords)
};
}  // namespace

static QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

static QString reason(const std::string& error) { return error.empty() ? QString() : QLatin1Char(' ') + Words::tr("The reason: %1").arg(text(error)); }

StatusWords gatewayWords(const engine::TargetStatus& status) {
    const QString name = text(status.name);
    switch (status.state) {
    case engine::GatewayState::stopped:
        return {Tone::idle, Words::tr("stopped"), Words::tr("%1 stopped").arg(name),
                status.lastError.empty() ? Words::tr("The gateway is stopped. Start it to serve the open policy.") : text(status.lastError)};
    case engine::GatewayState::starting:
        return {Tone::info, Words::tr("starting"), Words::tr("%1 starting").arg(name), Words::tr("The gateway is starting.")};
    case engine::GatewayState::running:
        return {Tone::clear, Words::tr("running"), Words::tr("%1 %2").arg(name, text(status.address)),
                Words::tr("The gateway is running and listens on %1.").arg(text(status.address))};
    case engine::GatewayState::draining:
        return {Tone::caution, Words::tr("draining"), Words::tr("%1 draining").arg(name),
                Words::tr("New requests are refused; %1 in flight are finishing.").arg(status.inFlight)};
    case engine::GatewayState::failed:
        return {Tone::danger, Words::tr("failed"), Words::tr("%1 failed").arg(name), text(status.lastError)};
    }
    return {};
}

StatusWords evidenceWords(const evidence::EvidenceStatus& status) {
    const QLocale locale;
    const QString where = text(status.where);
    const QString backlog = locale.toString(static_cast<qulonglong>(status.backlogRecords));
    switch (status.state) {
    case evidence::StoreState::off:
        return {Tone::idle, Words::tr("off"), Words::tr("evidence off"), Words::tr("Decisions are not recorded. Under [evidence] in gateway.toml set enabled = true, and set the variable that dsn_env names before the console starts.")};
    case evidence::StoreState::starting:
        return {Tone::info, Words::tr("starting"), Words::tr("evidence starting"), Words::tr("The database is starting; decisions are kept in the journal meanwhile.")};
    case evidence::StoreState::ready:
        return {Tone::clear, Words::tr("stored"), Words::tr("evidence stored"), Words::tr("Decisions are recorded in the %1.").arg(where)};
    case evidence::StoreState::catchingUp:
        return {Tone::info, Words::tr("catching up"), Words::tr("evidence %1 behind").arg(backlog),
                Words::tr("%1 decisions are in the journal and on their way into the %2.").arg(backlog, where)};
    case evidence::StoreState::unavailable:
        return {Tone::caution, Words::tr("unavailable"), Words::tr("evidence unavailable"),
                Words::tr("The database cannot be reached; nothing is lost: decisions wait in the journal (%1 now).").arg(backlog) + reason(status.lastError)};
    case evidence::StoreState::journalFull:
        return {Tone::danger, Words::tr("journal full"), Words::tr("evidence lost: %1").arg(locale.toString(static_cast<qulonglong>(status.dropped))),
                Words::tr("The journal is full and decisions are being dropped; requests are still served.") + reason(status.lastError)};
    }
    return {};
}

}  // namespace signalbox::ui
