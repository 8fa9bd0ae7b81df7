// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace signalbox::test {

/// Seconds of this thread's processor that `work` takes: what else the machine does counts little.
template <class Work>
[[nodiscard]] double cpuSeconds(Work&& work) {
    timespec before{}, after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    return double(after.tv_sec - before.tv_sec) + double(after.tv_nsec - before.tv_nsec) / 1e9;
}

}  // namespace signalbox::test
