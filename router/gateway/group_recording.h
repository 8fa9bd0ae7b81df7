// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/resolve.h"

namespace signalbox::gateway {

/// What a smart group answered, for the record: both routes, why, and the raw inputs of at most sixteen candidates,
/// selected and recommended always among them.
[[nodiscard]] evidence::RecordedGroup recordedGroup(const policy::PolicySnapshot& snapshot,
                                                    const policy::GroupDecision& decision);
/// The same for a group that had nothing to offer: no route, but every cut.
[[nodiscard]] evidence::RecordedGroup recordedRefusal(const policy::PolicySnapshot& snapshot,
                                                      const policy::GroupRefusal& refusal);

} // namespace signalbox::gateway
