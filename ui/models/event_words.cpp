// SPDX-License-Identifier: MIT
#include "ui/models/event_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace signalbox::ui::words {

using evidence::Event;
using evidence::EventKind;

namespace {
struct EventWords {
    Q_DECLARE_TR_FUNCTIONS(EventWords)
};

bool isOn(const Event& event) { return event.subject == "on"; }
}  // namespace

QString eventKind(EventKind kind) {
    switch (kind) {
    case EventKind::apply: return EventWords::tr("Policy applied");
    case EventKind::start: return EventWords::tr("Gateway started");
    case EventKind::stop: return EventWords::tr("Gateway stopped");
    case EventKind::mode: return EventWords::tr("Mode changed");
    case EventKind::killSwitch: return EventWords::tr("Kill switch");
    case EventKind::environmentOverride: return EventWords::tr("Environment override");
    case EventKind::circuitOpened: return EventWords::tr("Circuit opened");
    case EventKind::circuitClosed: return EventWords::tr("Circuit closed");
    case EventKind::drain: return EventWords::tr("Endpoint drained");
    case EventKind::undrain: return EventWords::tr("Endpoint taken back");
    case EventKind::trip: return EventWords::tr("Circuit opened by hand");
    case EventKind::reset: return EventWords::tr("Circuit closed by hand");
    case EventKind::note: return EventWords::tr("Note");
    case EventKind::adminRefused: return EventWords::tr("Turned away");
    }
    return {};
}

Tone eventTone(const Event& event) {
    switch (event.kind) {
    case EventKind::apply:
    case EventKind::start:
    case EventKind::note: return Tone::info;
    case EventKind::stop: return Tone::idle;
    case EventKind::mode: return Tone::canary;
    case EventKind::killSwitch: return isOn(event) ? Tone::danger : Tone::clear;
    case EventKind::environmentOverride:
    case EventKind::adminRefused:
    case EventKind::drain: return Tone::caution;
    case EventKind::circuitOpened:
    case EventKind::trip: return Tone::danger;
    case EventKind::circuitClosed:
    case EventKind::undrain:
    case EventKind::reset: return Tone::clear;
    }
    return Tone::info;
}

QString eventTitle(const Event& event) {
    const QString kind = eventKind(event.kind);
    const QString subject = format::text(event.subject);
    switch (event.kind) {
    case EventKind::killSwitch: return isOn(event) ? EventWords::tr("Kill switch on") : EventWords::tr("Kill switch off");
    case EventKind::apply:
    case EventKind::start: return event.subject.empty() ? kind : EventWords::tr("%1: %2").arg(kind, format::shortHash(event.subject));
    case EventKind::note: return event.words.empty() ? kind : EventWords::tr("%1: %2").arg(kind, format::text(event.words));
    case EventKind::stop: return kind;
    case EventKind::mode:
    case EventKind::environmentOverride:
    case EventKind::circuitOpened:
    case EventKind::circuitClosed:
    case EventKind::drain:
    case EventKind::undrain:
    case EventKind::trip:
    case EventKind::adminRefused:
    case EventKind::reset: break;
    }
    return subject.isEmpty() ? kind : EventWords::tr("%1: %2").arg(kind, subject);
}

QString actorWords(std::string_view actor) {
    if (actor == evidence::kByGateway || actor == evidence::kByOperator) return {};
    if (actor.starts_with(evidence::kByOperator) && actor.substr(evidence::kByOperator.size()).starts_with(':')) actor.remove_prefix(evidence::kByOperator.size() + 1);
    return format::text(actor);
}

QString eventLine(const Event& event) {
    QStringList parts{format::dateTime(event.createdAt), eventTitle(event)};
    if (!event.target.empty()) parts << format::text(event.target);
    if (!event.words.empty() && event.kind != EventKind::note) parts << format::text(event.words);
    const QString who = actorWords(event.actor);
    if (!who.isEmpty()) parts << EventWords::tr("by %1").arg(who);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace signalbox::ui::words
