// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/explain.h"

/// What the explanation's files share.
namespace signalbox::policy {

void addGroup(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const GroupDecision& decision);
void addRefusedGroup(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const GroupRefusal& refused);

[[nodiscard]] OrderedJson decisionJson(const TableDecision& decision);
[[nodiscard]] OrderedJson groupJson(const PolicySnapshot& snapshot, const GroupDecision& decision);
[[nodiscard]] OrderedJson refusedGroupJson(const PolicySnapshot& snapshot, const GroupRefusal& refused);

}  // namespace signalbox::policy
