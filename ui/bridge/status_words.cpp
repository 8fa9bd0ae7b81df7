// SPDX-License-Identifier: MIT
#include "ui/bridge/status_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

namespace {
struct StatusTexts {
    Q_DECLARE_TR_FUNCTIONS(StatusTexts)
};
}  // namespace

static QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

static QString reason(const std::string& error) { return error.empty() ? QString() : QLatin1Char(' ') + StatusTexts::tr("The reason: %1").arg(text(error)); }

static QString lastHeard(const engine::TargetStatus& status) {
    return status.heardAt == Timestamp{} ? StatusTexts::tr("It has not answered yet.") : StatusTexts::tr("Last heard at %1.").arg(format::clockTime(status.heardAt));
}

// A gateway elsewhere is not failed because we cannot ask it.
static std::optional<StatusWords> elsewhereWords(const engine::TargetStatus& status, const QString& name) {
    if (!status.remote) return std::nullopt;
    if (status.unreachableSince != Timestamp{})
        return StatusWords{Tone::danger, StatusTexts::tr("not reached"), StatusTexts::tr("%1 not reached since %2").arg(name, format::clockTime(status.unreachableSince)),
                           text(status.lastError) + QLatin1Char(' ') + lastHeard(status)};
    if (status.state == engine::GatewayState::starting)
        return StatusWords{Tone::info, StatusTexts::tr("connecting"), StatusTexts::tr("%1 connecting").arg(name), StatusTexts::tr("Asking the gateway for the first time.")};
    return std::nullopt;
}

StatusWords gatewayWords(const engine::TargetStatus& status) {
    const QString name = text(status.name);
    if (const auto words = elsewhereWords(status, name)) return *words;
    switch (status.state) {
    case engine::GatewayState::stopped:
        return {Tone::idle, StatusTexts::tr("stopped"), StatusTexts::tr("%1 stopped").arg(name),
                status.lastError.empty() ? StatusTexts::tr("The gateway is stopped. Start it to serve the open policy.") : text(status.lastError)};
    case engine::GatewayState::starting:
        return {Tone::info, StatusTexts::tr("starting"), StatusTexts::tr("%1 starting").arg(name), StatusTexts::tr("The gateway is starting.")};
    case engine::GatewayState::running:
        return {Tone::clear, StatusTexts::tr("running"), StatusTexts::tr("%1 %2").arg(name, text(status.address)),
                StatusTexts::tr("The gateway is running and listens on %1.").arg(text(status.address))};
    case engine::GatewayState::draining:
        return {Tone::caution, StatusTexts::tr("draining"), StatusTexts::tr("%1 draining").arg(name),
                StatusTexts::tr("New requests are refused; %1 in flight are finishing.").arg(status.inFlight)};
    case engine::GatewayState::failed:
        return {Tone::danger, StatusTexts::tr("failed"), StatusTexts::tr("%1 failed").arg(name), text(status.lastError)};
    }
    return {};
}

bool onlyObserves(const evidence::EvidenceStatus& status) { return status.state == evidence::StoreState::off && !status.lastError.empty() && !status.where.empty(); }

// Off by configuration, or on without a store to record in.
static StatusWords offWords(const evidence::EvidenceStatus& status, bool remote) {
    if (onlyObserves(status))
        return {Tone::info, StatusTexts::tr("observes"), StatusTexts::tr("evidence elsewhere"),
                StatusTexts::tr("This console records nothing: another process records for this workspace, and its history is read here.") + reason(status.lastError)};
    if (!status.lastError.empty())
        return {Tone::caution, StatusTexts::tr("not opened"), StatusTexts::tr("evidence not opened"),
                StatusTexts::tr("Evidence is on and could not be opened, so nothing is recorded. It is tried again when the gateway is started.") + reason(status.lastError)};
    return {Tone::idle, StatusTexts::tr("off"), StatusTexts::tr("evidence off"),
            remote ? StatusTexts::tr("Decisions are not recorded. Under [evidence] in its gateway.toml set enabled = true, set the variable that dsn_env names where it runs, and start it anew.")
                   : StatusTexts::tr("Decisions are not recorded. Under [evidence] in gateway.toml set enabled = true, and set the variable that dsn_env names before the console starts.")};
}

static StatusWords storeWords(const evidence::EvidenceStatus& status, bool remote) {
    const QLocale locale;
    const QString where = text(status.where);
    const QString backlog = locale.toString(static_cast<qulonglong>(status.backlogRecords));
    switch (status.state) {
    case evidence::StoreState::off: return offWords(status, remote);
    case evidence::StoreState::starting:
        return {Tone::info, StatusTexts::tr("starting"), StatusTexts::tr("evidence starting"), StatusTexts::tr("The database is starting; decisions are kept in the journal meanwhile.")};
    case evidence::StoreState::ready:
        return {Tone::clear, StatusTexts::tr("stored"), StatusTexts::tr("evidence stored"), StatusTexts::tr("Decisions are recorded in the %1.").arg(where)};
    case evidence::StoreState::catchingUp:
        return {Tone::info, StatusTexts::tr("catching up"), StatusTexts::tr("evidence %1 behind").arg(backlog),
                StatusTexts::tr("%1 decisions are in the journal and on their way into the %2.").arg(backlog, where)};
    case evidence::StoreState::unavailable:
        return {Tone::caution, StatusTexts::tr("unavailable"), StatusTexts::tr("evidence unavailable"),
                StatusTexts::tr("The database cannot be reached; nothing is lost: decisions wait in the journal (%1 now).").arg(backlog) + reason(status.lastError)};
    case evidence::StoreState::journalFull:
        return {Tone::danger, StatusTexts::tr("journal full"), StatusTexts::tr("evidence lost: %1").arg(locale.toString(static_cast<qulonglong>(status.dropped))),
                StatusTexts::tr("The journal is full and decisions are being dropped; requests are still served.") + reason(status.lastError)};
    }
    return {};
}

// How many records stood in damaged bytes nobody knows.
static void addDamage(const evidence::EvidenceStatus& status, StatusWords& words) {
    if (status.damagedBytes == 0) return;
    const QString bytes = format::bytes(status.damagedBytes);
    if (words.tone != Tone::danger) words.tone = Tone::caution;
    words.sentence = StatusTexts::tr("%1, journal damaged: %2").arg(words.sentence, bytes);
    words.explanation += QLatin1Char(' ') +
                         StatusTexts::tr("%1 of the journal were found damaged since the start; the decisions and events in them are lost. Check its disk.").arg(bytes);
}

// Decisions may all be there and events not: what an operator did is then missing from the charts, which the lamp must not hide.
StatusWords evidenceWords(const evidence::EvidenceStatus& status, bool remote) {
    StatusWords words = storeWords(status, remote);
    addDamage(status, words);
    if (status.eventsDropped == 0) return words;
    const QString count = QLocale().toString(static_cast<qulonglong>(status.eventsDropped));
    if (words.tone != Tone::danger) words.tone = Tone::caution;
    words.sentence = StatusTexts::tr("%1, events lost: %2").arg(words.sentence, count);
    words.explanation += QLatin1Char(' ') + StatusTexts::tr("%1 events of the gateway (mode changes, circuits, notes) could not be written down and are missing from charts and history.").arg(count);
    return words;
}

}  // namespace signalbox::ui
