// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"
#include "ui/document/draft_command.h"

namespace signalbox::ui {

/// The bytes that this policy was read from.
[[nodiscard]] DraftTexts textsOf(const policy::LoadedWorkspace& workspace);
/// Every error that keeps a policy from being used: of the table, of gateway.toml, between both.
[[nodiscard]] Findings allErrors(const policy::LoadedWorkspace& workspace);
/// Takes away what is no news: without any gateway.toml no preset can have an endpoint, which is one fact and not a
/// finding a preset.
void leaveOutTheObvious(policy::LoadedWorkspace& workspace);
/// Why an edit that led to this policy is refused: its first error, by dotted path or pointer.
[[nodiscard]] Error editRefusal(const policy::LoadedWorkspace& workspace);

}  // namespace signalbox::ui
