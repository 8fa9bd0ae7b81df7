// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

namespace signalbox::app {

/// For a process that holds other people's API keys: its memory goes into no core dump, and no process of the same user
/// may read it or its environment (PR_SET_DUMPABLE; root still may). Debuggers cannot attach from then on.
[[nodiscard]] Result<void> keepMemoryPrivate();

/// As many open files as the system lets this process have: each client and each upstream call is one.
void allowManySockets();

}  // namespace signalbox::app
