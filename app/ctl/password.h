// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"

namespace signalbox::ctl {

/// From `variable`, else asked on the terminal without echo (twice when `isNew`, and not empty then).
/// Fails where there is neither.
[[nodiscard]] Result<std::string> askPassword(Context& context, const std::string& variable, const std::string& prompt,
                                              bool isNew);

inline constexpr const char* kPasswordVariable = "SIGNALBOX_KEY_PASSWORD";
inline constexpr const char* kNewPasswordVariable = "SIGNALBOX_KEY_NEW_PASSWORD";

}  // namespace signalbox::ctl
