// SPDX-License-Identifier: MIT
#include "app/shared/process_setup.h"

#include <cerrno>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace signalbox::app {

Result<void> keepMemoryPrivate() {
    if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) return {};
    return fail(ErrorKind::unavailable, std::string("the memory of this process cannot be kept private: ") + std::strerror(errno), {},
                "API keys may end in core dumps here; `ulimit -c 0` keeps them out.");
}

void allowManySockets() {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= files.rlim_max) return;
    files.rlim_cur = files.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &files));
}

void keepPagesSmall() {
    static_cast<void>(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
}

}  // namespace signalbox::app
