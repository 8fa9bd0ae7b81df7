// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

namespace signalbox::ctl {

/// `shadow`, `active for 10 % of the requests`, `off, by the kill switch`
[[nodiscard]] std::string modeText(const engine::TargetStatus& status);
/// A gateway and its endpoints, for a person at a terminal; a few lines and one for each endpoint.
void printStatus(std::ostream& out, const engine::TargetStatus& status, const std::vector<engine::EndpointHealth>& endpoints);

}  // namespace signalbox::ctl
