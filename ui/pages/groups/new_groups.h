// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"

#include <optional>
#include <string>
#include <vector>

namespace signalbox::ui {

/// `wanted`, or `wanted-2`, `wanted-3`, … : the first that no group has.
[[nodiscard]] std::string freeGroupId(const config::GatewayConfig& config, const std::string& wanted);
/// The same for an alias: not taken by a group, a static alias or a provider's model.
[[nodiscard]] std::string freeAlias(const config::GatewayConfig& config, const std::string& wanted);

/// A valid group with a candidate of each of the first two callable providers that name a model; nullopt when there is
/// none of them.
[[nodiscard]] std::optional<config::SmartGroup> newGroup(const config::GatewayConfig& config);
/// The same group again under a free name and free aliases.
[[nodiscard]] config::SmartGroup duplicateOf(const config::GatewayConfig& config, const config::SmartGroup& group);
/// The first endpoint that the configuration lists and the group does not have, callable ones first; nullopt when it
/// has them all.
[[nodiscard]] std::optional<config::Candidate> unusedCandidate(const config::GatewayConfig& config, const config::SmartGroup& group);
/// Models that the configuration knows of a provider: inventory, default, priced and used ones, each once.
[[nodiscard]] std::vector<std::string> knownModels(const config::GatewayConfig& config, const std::string& provider);

}  // namespace signalbox::ui
