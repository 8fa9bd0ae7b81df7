// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/policy/snapshot.h"

namespace signalbox::engine {

/// What the kill switch runs: the same policy with mode off. A policy of its own, with a hash of its own, so that every
/// record says under which of the two it was decided.
[[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> withModeOff(const policy::PolicySnapshot& snapshot);

/// The same policy with another mode and share, with a hash of its own for the same reason.
[[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> withMode(const policy::PolicySnapshot& snapshot, config::RoutingMode mode,
                                                                     std::uint8_t percent);

/// The variables that override the file, as `NAME=value`.
[[nodiscard]] std::vector<std::string> overridesIn(const config::GatewayConfig& config,
                                                   const config::Environment& environment);

} // namespace signalbox::engine
