// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/plan.h"

#include <optional>
#include <vector>

namespace signalbox::ui {

/// The terms of one recorded candidate, its values computed again from the raw inputs.
[[nodiscard]] policy::smart::CandidateTerms termsOf(const evidence::RecordedCandidate& candidate, const evidence::RecordedGroup& group);
/// Positions in `group.candidates`; only what asks about scores is filled. nullopt when the group refused, or when a
/// record of another version does not hold both of its routes.
[[nodiscard]] std::optional<policy::smart::Plan> planOf(const evidence::RecordedGroup& group);
/// False when the group had more candidates than were kept: other weights might then choose one that is not here.
[[nodiscard]] bool holdsAllCandidates(const evidence::RecordedGroup& group);

}  // namespace signalbox::ui
