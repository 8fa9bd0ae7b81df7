// SPDX-License-Identifier: MIT
#pragma once

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
/// Empty for what was done by hand: trip and reset are events of their own, with an actor.
[[nodiscard]] std::string circuitWords(const capacity::CircuitChange& change, Timestamp now);

} // namespace signalbox::engine
