// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/profile.h"
#include "ui/widgets/receipt/receipt_parts.h"

namespace signalbox::ui {

/// The weights of every profile in the policy version that decided: the built-in ones, or those of `workspace` where it
/// still has that version; nullopt when they are not known any more.
[[nodiscard]] std::optional<policy::smart::WeightTable> weightsOfVersion(const std::string& policyVersion, const policy::LoadedWorkspace* workspace);

/// What the smart group answered: mode and bucket, both routes with their scores, cuts, weights, the session, why they
/// differ, what another profile would have chosen, and what the table made of it. `record.group` is set.
[[nodiscard]] ReceiptPart groupPart(const evidence::DecisionRecord& record, const policy::LoadedWorkspace* workspace);
/// "; auto in shadow would rather have tried local:qwen3-9b"; empty without a group or a difference.
[[nodiscard]] QString groupClause(const evidence::DecisionRecord& record);

}  // namespace signalbox::ui
