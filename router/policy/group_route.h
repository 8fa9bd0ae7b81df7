// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/permissions.h"

#include <map>

namespace signalbox::policy {

/// True when the table answers for this name, or a natural preset is configured for it.
[[nodiscard]] bool isGovernedByTable(const PolicySnapshot& snapshot, std::string_view model);
/// Completes "preset X (…)": why the table chose it.
[[nodiscard]] std::string reasonOf(const TableDecision& decision);
/// What `x-signalbox-coverage` says of the table's answer; writes the gap that the request hit.
void markCoverage(RoutePlan& plan, const PolicySnapshot& snapshot, std::string_view model, const table::Cell& cell);

/// Endpoints that may run a request for this candidate beside its own: those of the presets that the table sends it to, over
/// all cells, and those of its pool. Sorted, each once.
[[nodiscard]] std::vector<std::string> endpointsBehind(const PolicySnapshot& snapshot, const smart::GroupCandidate& candidate);
/// The same for every candidate of every group that has any, by its `endpointId`.
[[nodiscard]] std::map<std::string, std::vector<std::string>> endpointsBehindCandidates(const PolicySnapshot& snapshot);

/// A smart alias: judges and plans the group's candidates; those whose provider serves presets and whose model the table
/// governs go on to the table, restricted to the presets bound to that provider. Errors: denied, unavailable or,
/// where the request itself is the reason, badInput with the field of the first one as `where`. Each says for each kind of
/// cut which candidates and why; `refused` then holds the details.
[[nodiscard]] Result<RoutePlan> routeThroughGroup(const PolicySnapshot& snapshot, std::size_t group,
                                                  const classify::RequestFeatures& features, const RequestContext& context,
                                                  const Permissions& permissions, std::optional<GroupRefusal>* refused);

}  // namespace signalbox::policy
