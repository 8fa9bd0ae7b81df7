// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>

namespace signalbox::app {

/// The demo workspace as delivered: `share/signalbox/demo` beside the installed program, else the source tree's.
[[nodiscard]] Result<std::filesystem::path> deliveredDemo();

/// Copies the delivered demo workspace to `folder`, whole or not at all. A folder that exists is left as it is: the
/// operator may have edited it.
[[nodiscard]] Result<void> installDemo(const std::filesystem::path& folder);

}  // namespace signalbox::app
