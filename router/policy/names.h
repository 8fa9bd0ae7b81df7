// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/snapshot.h"

#include <string>
#include <vector>

namespace signalbox::policy {

/// Every name that the policy knows, each once: preset keys, models and served names of the table, static aliases,
/// smart aliases, provider inventories. Some may lack an endpoint; what is too long for a request to name is left out.
[[nodiscard]] std::vector<std::string> knownNames(const PolicySnapshot& snapshot);

/// Whether the name leads to a smart group, through static aliases if need be: without the costs of a plan.
[[nodiscard]] bool leadsToGroup(const PolicySnapshot& snapshot, const std::string& name);

}  // namespace signalbox::policy
