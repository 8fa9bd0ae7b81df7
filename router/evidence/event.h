// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/base/ids.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// `evt_` + 32 hex digits, made like a decision's: events sort by time, too.
class EventId {
public:
    EventId() = default;
    [[nodiscard]] static EventId make(Timestamp at, Random& random) { return EventId(DecisionId::make(at, random)); }
    /// Accepts exactly the text form, lower case.
    [[nodiscard]] static std::optional<EventId> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool isNull() const { return m_value.isNull(); }
    auto operator<=>(const EventId&) const = default;

private:
    explicit EventId(const DecisionId& value) : m_value(value) {}
    DecisionId m_value;
};

/// What happened to a gateway, as opposed to a request.
enum class EventKind : std::uint8_t {
    apply,
    start,
    stop,
    mode,                ///< mode or share of the requests, by a policy
    killSwitch,
    environmentOverride, ///< a variable that overrides the file, seen at start
    circuitOpened,
    circuitClosed,
    drain,
    undrain,
    trip,                ///< a circuit opened by hand
    reset,               ///< a circuit closed by hand
    note,
    adminRefused,        ///< somebody was turned away from the admin API
};
inline constexpr std::array kEventKinds{
    EventKind::apply,         EventKind::start, EventKind::stop,    EventKind::mode, EventKind::killSwitch, EventKind::environmentOverride, EventKind::circuitOpened,
    EventKind::circuitClosed, EventKind::drain, EventKind::undrain, EventKind::trip, EventKind::reset,      EventKind::note, EventKind::adminRefused};
/// `apply`, `kill_switch`, `override`, `circuit_opened`, …
[[nodiscard]] std::string_view toString(EventKind kind);
[[nodiscard]] std::optional<EventKind> parseEventKind(std::string_view word);
/// What an endpoint does by itself, again and again: it goes with the decisions of its time. Everything else is what
/// people did, and stays.
[[nodiscard]] bool isPassing(EventKind kind);

/// Who did it, where no principal did.
inline constexpr std::string_view kByOperator = "operator";
inline constexpr std::string_view kByGateway = "gateway";

/// Something that explains why decisions differ before and after it. Never a secret, never content.
struct Event {
    EventId id;
    Timestamp createdAt{};
    EventKind kind = EventKind::note;
    std::string target;
    std::string environment;
    std::string subject;     ///< what it happened to: endpoint id, policy hash, mode, variable; by kind
    std::string words;       ///< one English sentence
    std::string actor;       ///< `operator:ada@ops-1` (as they call themselves over the admin API), `operator`, or `gateway`
    std::string policyHash;  ///< that ran then; of an apply, the new one
    bool operator==(const Event&) const = default;
};

/// One line of JSON without newline, members always in the same order; what the journal and `history --events --json`
/// hold. Empty texts are left out.
void encodeEvent(const Event& event, std::string& out);
[[nodiscard]] std::string encodeEvent(const Event& event);
/// Absent members are empty; `id`, `created_at` and a known `kind` must be there.
[[nodiscard]] Result<Event> decodeEvent(std::string_view json);

}  // namespace signalbox::evidence
