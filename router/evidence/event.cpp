// SPDX-License-Identifier: MIT
#include "router/evidence/event.h"

#include "router/base/text.h"
#include "router/evidence/json_line.h"

#include <simdjson.h>

namespace signalbox::evidence {
namespace {

constexpr std::string_view kPrefix = "evt_";
constexpr std::string_view kDecisionPrefix = "rtd_";

bool isText(const simdjson::dom::object& object, std::string_view name, std::string& out) {
    simdjson::dom::element value;
    if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return true;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return false;
    out = text;
    return true;
}

tl::unexpected<Error> unusable(const std::string& name) {
    return fail(ErrorKind::badInput, "the event has no usable \"" + name + "\"", "/" + name,
                "It may come from another version of Signalbox.");
}

}  // namespace

std::optional<EventId> EventId::parse(std::string_view text) {
    if (!text.starts_with(kPrefix)) return std::nullopt;
    const auto value = DecisionId::parse(std::string(kDecisionPrefix) + std::string(text.substr(kPrefix.size())));
    return value ? std::optional(EventId(*value)) : std::nullopt;
}

std::string EventId::text() const { return std::string(kPrefix) + m_value.text().substr(kDecisionPrefix.size()); }

std::string_view toString(EventKind kind) {
    switch (kind) {
    case EventKind::apply: return "apply";
    case EventKind::start: return "start";
    case EventKind::stop: return "stop";
    case EventKind::mode: return "mode";
    case EventKind::killSwitch: return "kill_switch";
    case EventKind::environmentOverride: return "override";
    case EventKind::circuitOpened: return "circuit_opened";
    case EventKind::circuitClosed: return "circuit_closed";
    case EventKind::drain: return "drain";
    case EventKind::undrain: return "undrain";
    case EventKind::trip: return "trip";
    case EventKind::reset: return "reset";
    case EventKind::note: return "note";
    case EventKind::adminRefused: return "admin_refused";
    }
    return "";
}

std::optional<EventKind> parseEventKind(std::string_view word) {
    for (const EventKind kind : kEventKinds)
        if (toString(kind) == word) return kind;
    return std::nullopt;
}

bool isPassing(EventKind kind) { return kind == EventKind::circuitOpened || kind == EventKind::circuitClosed; }

void encodeEvent(const Event& event, std::string& out) {
    JsonLine line(out);
    line.beginObject();
    line.put("id", event.id.text());
    line.put("created_at", toIso8601(event.createdAt));
    line.put("kind", toString(event.kind));
    line.put("target", event.target);
    line.put("environment", event.environment);
    line.put("subject", event.subject);
    line.put("words", event.words);
    line.put("actor", event.actor);
    line.put("policy_hash", event.policyHash);
    line.endObject();
}

std::string encodeEvent(const Event& event) {
    std::string out;
    encodeEvent(event, out);
    return out;
}

Result<Event> decodeEvent(std::string_view json) {
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS)
        return fail(ErrorKind::badInput, "this is not an event: not one JSON object", {},
                    "An event is one line as `signalboxctl history --events --json` prints it.");
    Event event;
    std::string id, at, kind;
    const std::array<std::pair<const char*, std::string*>, 9> members{
        {{"id", &id},
         {"created_at", &at},
         {"kind", &kind},
         {"target", &event.target},
         {"environment", &event.environment},
         {"subject", &event.subject},
         {"words", &event.words},
         {"actor", &event.actor},
         {"policy_hash", &event.policyHash}}};
    for (const auto& [name, text] : members)
        if (!isText(object, name, *text)) return unusable(name);
    const auto readId = EventId::parse(id);
    const auto readAt = parseIso8601(at);
    const auto readKind = parseEventKind(kind);
    if (!readId) return unusable("id");
    if (!readAt) return unusable("created_at");
    if (!readKind) return unusable("kind");
    event.id = *readId;
    event.createdAt = *readAt;
    event.kind = *readKind;
    return event;
}

}  // namespace signalbox::evidence
