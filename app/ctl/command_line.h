// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"

namespace signalbox::ctl {

/// Reads the arguments and runs the verb they name. Gives the exit code.
[[nodiscard]] int runCommandLine(int argc, const char* const* argv, Context& context);

}  // namespace signalbox::ctl
