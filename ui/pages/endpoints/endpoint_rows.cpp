// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/endpoint_rows.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace signalbox::ui {

namespace {
struct EndpointRowsWords {
    Q_DECLARE_TR_FUNCTIONS(EndpointWords)
};
}  // namespace

std::uint64_t left(const engine::ResourceView& resource) { return resource.limit - std::min(resource.limit, resource.used); }

capacity::PinState EndpointRow::pin() const {
    const std::optional<std::string> version = health.engine ? health.engine->version : std::nullopt;
    return capacity::pinState(version, health.vllmPin.empty() ? std::nullopt : std::optional(health.vllmPin));
}

static void keepTightest(std::optional<engine::ResourceView>& kept, const engine::ResourceView& resource) {
    if (!kept || left(resource) < left(*kept)) kept = resource;
}

std::vector<EndpointRow> endpointRows(const FleetState& state) {
    std::vector<EndpointRow> rows;
    for (const engine::EndpointHealth& health : state.endpoints) {
        EndpointRow row;
        row.health = health;
        for (const engine::ResourceView& resource : state.resources) {
            if (std::find(health.resources.begin(), health.resources.end(), resource.name) == health.resources.end()) continue;
            keepTightest(resource.kind == "quota" ? row.quota : row.slots, resource);
        }
        for (const dispatch::PoolView& pool : state.pools)
            for (const dispatch::PoolMemberView& member : pool.members)
                if (member.endpointId == health.endpointId) row.pools.push_back({pool.id, pool.router, member});
        if (health.engine && health.engine->readAt && *health.engine->readAt <= state.readSteady)
            row.engineAge = std::chrono::floor<std::chrono::seconds>(state.readSteady - *health.engine->readAt);
        rows.push_back(std::move(row));
    }
    return rows;
}

// A rest of half a second is a second to the reader: "0 s left" would look over.
static QString rest(std::chrono::milliseconds span) { return format::seconds(std::chrono::ceil<std::chrono::seconds>(span)); }

static QString openWords() {
    return EndpointRowsWords::tr("Its circuit is open for %1: %2. Requests with another choice pass over it; those that name it still go there.");
}

EndpointWords stateWords(const engine::EndpointHealth& health) {
    if (!health.credentialReady && health.lacks == "base_url")
        return {Tone::danger, EndpointRowsWords::tr("no base URL"), EndpointRowsWords::tr("Its provider has no base URL that can be used, so nothing can be sent to it.")};
    if (!health.credentialReady && !health.lacks.empty() && health.lacks != "api_key_env")
        return {Tone::danger, EndpointRowsWords::tr("not callable"), EndpointRowsWords::tr("Its provider cannot be called, so nothing can be sent to it: look at %1 in gateway.toml.").arg(format::text(health.lacks))};
    if (!health.credentialReady) return {Tone::danger, EndpointRowsWords::tr("no key"), EndpointRowsWords::tr("The variable that holds its key is not set, so nothing can be sent to it.")};
    if (health.drained)
        return {Tone::caution, EndpointRowsWords::tr("drained"), EndpointRowsWords::tr("An operator keeps new attempts away; what is in flight finishes. Take it back when it may serve again.")};
    const QString cause = health.cause.empty() ? EndpointRowsWords::tr("no cause is known") : words::openCause(health.cause);
    if (health.circuit == "open") {
        const QString rested = rest(health.coolsFor);
        return {Tone::danger, EndpointRowsWords::tr("cooling, %1 left").arg(rested), openWords().arg(rested, cause)};
    }
    if (health.circuit == "half_open")
        return {Tone::caution, EndpointRowsWords::tr("probing"), EndpointRowsWords::tr("Its circuit is half open: one attempt at a time finds out whether it is well again. It was opened because %1.").arg(cause)};
    if (health.consecutiveFailures > 0)
        return {Tone::clear, EndpointRowsWords::tr("serving"), EndpointRowsWords::tr("Its circuit is closed. Failures in a row: %1.").arg(format::count(health.consecutiveFailures))};
    return {Tone::clear, EndpointRowsWords::tr("serving"), EndpointRowsWords::tr("Its circuit is closed: it gets attempts.")};
}

EndpointWords versionWords(const EndpointRow& row) {
    const QString version = row.health.engine && row.health.engine->version ? format::text(*row.health.engine->version) : QString();
    const QString pin = format::text(row.health.vllmPin);
    switch (row.pin()) {
    case capacity::PinState::verified:
        return {Tone::clear, EndpointRowsWords::tr("%1 verified").arg(version), EndpointRowsWords::tr("The engine says that it is %1, with which the table was measured (vllm_pin %2).").arg(version, pin)};
    case capacity::PinState::differs:
        return {Tone::caution, EndpointRowsWords::tr("%1 differs").arg(version), EndpointRowsWords::tr("The engine says that it is %1; the table was measured with %2 (vllm_pin). Its evidence may not hold.").arg(version, pin)};
    case capacity::PinState::cannotTell: break;
    }
    if (pin.isEmpty() && version.isEmpty()) return {Tone::idle, format::none(), EndpointRowsWords::tr("No preset that is served here has a vllm_pin, and the engine names no version.")};
    if (pin.isEmpty()) return {Tone::idle, version, EndpointRowsWords::tr("No preset that is served here has a vllm_pin to compare with.")};
    return {Tone::idle, EndpointRowsWords::tr("cannot tell"), version.isEmpty() ? EndpointRowsWords::tr("The engine names no version; the table was measured with %1 (vllm_pin).").arg(pin)
                                                                     : EndpointRowsWords::tr("%1 cannot be compared with %2 (vllm_pin).").arg(version, pin)};
}

EndpointWords readingWords(const EndpointRow& row) {
    const capacity::EnginePageState& page = row.health.enginePage;
    const QString error = page.lastError ? format::sentence(page.lastError->message) : QString();
    if (!row.engineAge) {
        if (!error.isEmpty()) return {Tone::caution, EndpointRowsWords::tr("not readable"), error};
        if (page.isConfigured()) return {Tone::idle, EndpointRowsWords::tr("not read yet"), EndpointRowsWords::tr("Its metrics page was not read yet, or says nothing of this model.")};
        return {Tone::idle, format::none(), EndpointRowsWords::tr("Its provider has no metrics page configured (metrics_url), so only the gateway's own numbers are known.")};
    }
    const QString age = format::seconds(*row.engineAge);
    if (row.health.engineFresh)
        return {Tone::clear, EndpointRowsWords::tr("%1 old").arg(age), EndpointRowsWords::tr("Read from %1. Every user of the server is in these numbers, not only this gateway.").arg(format::text(page.url))};
    const QString stale = EndpointRowsWords::tr("not fresh: %1 old").arg(age);
    return {Tone::caution, stale, error.isEmpty() ? EndpointRowsWords::tr("These numbers say nothing about now; admission does not count on them.")
                                                  : EndpointRowsWords::tr("These numbers say nothing about now; admission does not count on them. The page: %1").arg(error)};
}

QString slotsText(const EndpointRow& row) {
    return row.slots ? EndpointRowsWords::tr("%1 of %2").arg(format::count(row.slots->used), format::count(row.slots->limit)) : format::none();
}

QString quotaText(const EndpointRow& row) {
    if (!row.quota) return format::none();
    const QString rest = EndpointRowsWords::tr("%1 left").arg(format::count(left(*row.quota)));
    return row.quota->resetsIn ? EndpointRowsWords::tr("%1, resets in %2").arg(rest, format::seconds(*row.quota->resetsIn)) : rest;
}

QString percentText(std::optional<double> share) {
    return share ? EndpointRowsWords::tr("%1 %").arg(QLocale().toString(100 * *share, 'f', *share > 0 && *share < 0.1 ? 1 : 0)) : format::none();
}

QString fleetSentence(const std::vector<EndpointRow>& rows) {
    if (rows.empty()) return EndpointRowsWords::tr("The gateway runs, and its policy has no endpoint that could serve.");
    QStringList out;
    const EndpointRow* slowest = nullptr;
    for (const EndpointRow& row : rows) {
        if (!row.servesFully()) out << EndpointRowsWords::tr("%1 is %2").arg(format::text(row.health.endpointId), stateWords(row.health).brief);
        if (row.health.ttftP95Ms && (slowest == nullptr || *row.health.ttftP95Ms > *slowest->health.ttftP95Ms)) slowest = &row;
    }
    const int serving = static_cast<int>(rows.size() - static_cast<std::size_t>(out.size()));
    QString sentence = out.isEmpty() ? EndpointRowsWords::tr("All %n endpoint(s) serve.", nullptr, serving) : EndpointRowsWords::tr("%1 of %2 endpoints serve; %3.").arg(serving).arg(rows.size()).arg(out.mid(0, 2).join(EndpointRowsWords::tr(" and ")));
    if (out.size() > 2) {
        sentence.chop(1);
        sentence += EndpointRowsWords::tr(", and %n more.", nullptr, static_cast<int>(out.size()) - 2);
    }
    if (slowest != nullptr)
        sentence += QLatin1Char(' ') + EndpointRowsWords::tr("Slowest to the first token of late: %1, p95 %2 of %3 calls.")
                                           .arg(format::text(slowest->health.endpointId), format::milliseconds(*slowest->health.ttftP95Ms), format::count(slowest->health.ttftSamples));
    return sentence;
}

}  // namespace signalbox::ui
