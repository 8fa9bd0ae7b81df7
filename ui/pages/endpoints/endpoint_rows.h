// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/engine_pin.h"
#include "ui/bridge/fleet.h"
#include "ui/theme/theme.h"

#include <QString>

#include <algorithm>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// An endpoint's place in one pool.
struct Membership {
    std::string pool, router;
    dispatch::PoolMemberView member;
};

/// One endpoint with what it takes from and where it belongs.
struct EndpointRow {
    engine::EndpointHealth health;
    std::optional<engine::ResourceView> slots;  ///< of those that a call takes, the one with the fewest free
    std::optional<engine::ResourceView> quota;  ///< the one with the least left
    std::vector<Membership> pools;
    std::optional<std::chrono::seconds> engineAge;  ///< since its metrics page was last read

    [[nodiscard]] std::uint64_t attempts() const { return health.signals.providerAttempts; }
    [[nodiscard]] std::uint64_t errors() const { return attempts() - std::min(attempts(), health.signals.providerSuccesses); }
    [[nodiscard]] capacity::PinState pin() const;
    /// Takes attempts now.
    [[nodiscard]] bool serves() const { return !health.drained && health.credentialReady && health.circuit != "open"; }
    /// And all that come: one whose circuit is half open is tried by one at a time.
    [[nodiscard]] bool servesFully() const { return serves() && health.circuit == "closed"; }
};

[[nodiscard]] std::vector<EndpointRow> endpointRows(const FleetState& state);
[[nodiscard]] std::uint64_t left(const engine::ResourceView& resource);

/// A state in a word or two, and whole for hover and screen readers.
struct EndpointWords {
    Tone tone = Tone::idle;
    QString brief;  ///< "cooling, 24 s left"
    QString full;   ///< with the cause
};
[[nodiscard]] EndpointWords stateWords(const engine::EndpointHealth& health);
[[nodiscard]] EndpointWords versionWords(const EndpointRow& row);
/// How far the engine's own numbers can be believed: "2 s old", "not fresh: 40 s old", with the page's error.
[[nodiscard]] EndpointWords readingWords(const EndpointRow& row);
/// "4 of 8", "120 left, resets in 2 h"; "–" where there is none.
[[nodiscard]] QString slotsText(const EndpointRow& row);
[[nodiscard]] QString quotaText(const EndpointRow& row);
/// "62 %" of a share in 0..1; "–" where it is not known.
[[nodiscard]] QString percentText(std::optional<double> share);
/// The sentence under the page's title, once a running gateway has told them.
[[nodiscard]] QString fleetSentence(const std::vector<EndpointRow>& rows);

}  // namespace signalbox::ui
