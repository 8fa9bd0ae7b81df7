// SPDX-License-Identifier: MIT
// For one source file of a program, which then calls the two functions below instead of libc's, also from shared libraries.
#pragma once

#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace signalbox::test {

/// While it lives no file of this process can be cut off.
class UncutFiles {
public:
    UncutFiles() { s_on = true; }
    ~UncutFiles() { s_on = false; }
    UncutFiles(const UncutFiles&) = delete;
    UncutFiles& operator=(const UncutFiles&) = delete;

    static int cut(int descriptor, off_t size) {
        if (!s_on) return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
        errno = EIO;
        return -1;
    }

private:
    inline static std::atomic<bool> s_on{false};
};

}  // namespace signalbox::test

extern "C" int ftruncate(int descriptor, off_t size) noexcept { return signalbox::test::UncutFiles::cut(descriptor, size); }
extern "C" int ftruncate64(int descriptor, off64_t size) noexcept { return signalbox::test::UncutFiles::cut(descriptor, size); }
