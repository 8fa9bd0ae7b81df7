// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace signalbox::test {

/// The number of the descriptor that this process has on a file; -1 if none.
inline int descriptorOf(const std::filesystem::path& path) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code ignored;
        if (std::filesystem::read_symlink(entry.path(), ignored) == path) return std::stoi(entry.path().filename());
    }
    return -1;
}

/// While it lives, whoever has this file open gets an error (EISDIR) for every read and write.
class BrokenDisk {
public:
    explicit BrokenDisk(const std::filesystem::path& path) : m_descriptor(descriptorOf(path)), m_kept(::dup(m_descriptor)) {
        const int folder = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        m_ok = m_kept >= 0 && ::dup2(folder, m_descriptor) == m_descriptor;
        ::close(folder);
    }
    ~BrokenDisk() {
        ::dup2(m_kept, m_descriptor);
        ::close(m_kept);
    }
    BrokenDisk(const BrokenDisk&) = delete;
    BrokenDisk& operator=(const BrokenDisk&) = delete;
    [[nodiscard]] bool ok() const { return m_ok; }

private:
    int m_descriptor;
    int m_kept;
    bool m_ok = false;
};

}  // namespace signalbox::test
