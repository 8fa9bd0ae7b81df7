// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <QString>

#include <string_view>

/// How the console speaks of one attempt: what it was for, why it ended as it did, where a target leads.
namespace signalbox::ui::words {

/// evidence::AttemptRole as a word.
[[nodiscard]] QString attemptRole(std::string_view role);
/// An attempt's reason as recorded, in words: "its circuit is open", "the first byte did not come in time". Statuses
/// ("status_503") are left to the number beside them; unknown words come back as they are.
[[nodiscard]] QString attemptReason(std::string_view reason);
/// A target of a plan: its endpoint, or "the router of MODEL" for a pool.
[[nodiscard]] QString target(const policy::RouteTarget& target);

}  // namespace signalbox::ui::words
