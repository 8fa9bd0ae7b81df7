// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

namespace signalbox::app {

/// For a process that holds other people's API keys: its memory goes into no core dump, and no process of the same user
/// may read it or its environment (PR_SET_DUMPABLE; root still may). Debuggers cannot attach from then on.
[[nodiscard]] Result<void> keepMemoryPrivate();

/// As many open files as the system lets this process have: each client and each upstream call is one.
void allowManySockets();

/// Without transparent huge pages from here on, also in what this process starts (PR_SET_THP_DISABLE): where a system gives them
/// unasked, the kernel's own work on them holds up every open stream at once, and a few kilobytes of a thread count as two megabytes
/// (measured in tests/bench/RESULTS.md, 2026-12-02). A kernel without the call leaves things as they are.
void keepPagesSmall();

}  // namespace signalbox::app
