// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

namespace signalbox::ctl {

/// `shadow`, `active for 10 % of the requests`, `off, by the kill switch`
[[nodiscard]] std::string modeText(const engine::TargetStatus& status);
/// `, now on 127.0.0.1:38485, without a token; before on 127.0.0.1:38483, with a token`; nothing where clients notice nothing.
[[nodiscard]] std::string accessChange(const engine::TargetStatus& before, const engine::TargetStatus& after);
/// A gateway and its endpoints, for a person at a terminal; a few lines and one for each endpoint.
void printStatus(std::ostream& out, const engine::TargetStatus& status, const std::vector<engine::EndpointHealth>& endpoints);

}  // namespace signalbox::ctl
