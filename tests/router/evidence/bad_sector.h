// SPDX-License-Identifier: MIT
// For one source file of a program, which then calls the two functions below instead of libc's, also from shared libraries.
#pragma once

#include "tests/router/evidence/broken_disk.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <sched.h>
#include <sys/syscall.h>

namespace signalbox::test {

/// While it lives, whoever has this file open reads only what stands before `offset`; from there on the disk gives an error.
class BadSector {
public:
    BadSector(const std::filesystem::path& path, std::uint64_t offset) {
        s_offset = static_cast<off_t>(offset);
        s_descriptor = descriptorOf(path);
    }
    ~BadSector() { s_descriptor = -1; }
    BadSector(const BadSector&) = delete;
    BadSector& operator=(const BadSector&) = delete;
    [[nodiscard]] bool ok() const { return s_descriptor >= 0; }

    static ssize_t read(int descriptor, void* into, std::size_t bytes, off_t at) {
        if (descriptor == s_descriptor) {
            if (at >= s_offset) {
                errno = EIO;
                return -1;
            }
            bytes = std::min(bytes, static_cast<std::size_t>(s_offset - at));
        }
        return static_cast<ssize_t>(::syscall(SYS_pread64, descriptor, into, bytes, at));
    }

private:
    inline static std::atomic<int> s_descriptor{-1};
    inline static std::atomic<off_t> s_offset{0};
};

/// How often this program has read behind the start of a file, by the scheduling policy of the thread that did.
class ReadsByPolicy {
public:
    static std::uint64_t of(int policy) { return countOf(policy); }
    static void note(off_t at) {
        if (at > 0) ++countOf(::sched_getscheduler(0));
    }

private:
    static std::atomic<std::uint64_t>& countOf(int policy) { return s_counts[static_cast<unsigned>(policy) % s_counts.size()]; }
    inline static std::array<std::atomic<std::uint64_t>, 16> s_counts{};
};

}  // namespace signalbox::test

extern "C" ssize_t pread(int descriptor, void* into, std::size_t bytes, off_t at) {
    signalbox::test::ReadsByPolicy::note(at);
    return signalbox::test::BadSector::read(descriptor, into, bytes, at);
}
extern "C" ssize_t pread64(int descriptor, void* into, std::size_t bytes, off64_t at) {
    signalbox::test::ReadsByPolicy::note(at);
    return signalbox::test::BadSector::read(descriptor, into, bytes, at);
}
