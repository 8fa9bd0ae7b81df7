// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/capacity/circuit_watch.h"
#include "router/config/types.h"

/// The sentences that events of a gateway carry. None holds a secret.
namespace signalbox::engine {

/// `signedBy` is empty where nobody signed.
[[nodiscard]] std::string startWords(const std::string& policyHash, const std::string& signedBy, const config::Routing& routing);
[[nodiscard]] std::string applyWords(const std::string& policyHash, const std::string& replaced, const std::string& signedBy);
/// Empty when mode and share are the same.
[[nodiscard]] std::string modeWords(const config::Routing& before, const config::Routing& now);
/// `assignment` is NAME=value.
[[nodiscard]] std::string overrideWords(const std::string& assignment);
/// `running` is the policy that is in force without the switch.
[[nodiscard]] std::string killSwitchWords(bool on, const config::Routing& running);
/// `mode` was set by hand over the policy's own.
[[nodiscard]] std::string overrideModeWords(const config::Routing& before, const config::Routing& now);
/// The sentence with where it was asked for over the admin API; as it is when `from` is empty.
[[nodiscard]] std::string withOrigin(std::string words, std::string_view from);
/// A note as it is kept: one line, at most EventLog::kMostWords bytes. Errors: nothing in it, or too long.
[[nodiscard]] Result<std::string> noteWords(std::string_view text);
/// `active 25 %`, `shadow`, `off`.
[[nodiscard]] std::string shortMode(const config::Routing& routing);
/// Empty for what was done by hand: trip and reset are events of their own, with an actor.
[[nodiscard]] std::string circuitWords(const capacity::CircuitChange& change, Timestamp now);

} // namespace signalbox::engine
