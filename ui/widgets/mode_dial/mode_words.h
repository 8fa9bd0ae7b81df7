// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/policy/workspace.h"
#include "ui/bridge/status_words.h"

namespace signalbox::ui {

/// "off", "shadow", "active 25 %": a mode with what of it matters.
[[nodiscard]] QString modeWords(std::string_view mode, std::uint32_t percent);
/// What requests to smart aliases get now, for a lamp and its hover text.
[[nodiscard]] StatusWords runningModeWords(const engine::TargetStatus& status);
/// Why the dial of this draft cannot be turned; empty when it can.
[[nodiscard]] QString whyNoDial(const policy::LoadedWorkspace* workspace);
/// What the environment puts in the place of the draft's mode and share; empty when nothing (F83).
[[nodiscard]] QString overrideWords(const policy::LoadedWorkspace& workspace);

}  // namespace signalbox::ui
