// SPDX-License-Identifier: MIT
#include "router/evidence/owner_lock.h"

#include "router/base/file.h"
#include "router/base/text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

namespace signalbox::evidence {
namespace {

std::string thisProcess() {
    std::string name = readFile("/proc/self/comm", 256).value_or("signalbox");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    return name + " (process " + std::to_string(::getpid()) + ")";
}

}  // namespace

Result<OwnerLock> OwnerLock::take(const std::filesystem::path& folder) {
    const auto path = folder / "owner.lock";
    Descriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.ok())
        return fail(ErrorKind::unavailable, std::string("cannot use the journal's folder: ") + std::strerror(errno),
                    folder.string(), "Check its owner and permissions.");
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return fail(ErrorKind::unavailable, std::string("cannot lock the journal: ") + std::strerror(errno),
                        path.string(), "Put the workspace on a local disk.");
        const std::string owner = readFile(path, 4096).value_or("");
        return fail(ErrorKind::conflict, "another gateway records here: " + (owner.empty() ? "unknown owner" : owner),
                    folder.string(), "Stop that one first, or use another workspace.");
    }
    const std::string owner = thisProcess();
    if (::ftruncate(fd.get(), 0) != 0 || ::pwrite(fd.get(), owner.data(), owner.size(), 0) < 0)
        return fail(ErrorKind::unavailable, std::string("cannot write the journal's lock: ") + std::strerror(errno),
                    path.string(), "Check the free space of the disk.");
    return OwnerLock(std::move(fd));
}

}  // namespace signalbox::evidence
