// SPDX-License-Identifier: MIT
#include "router/base/file.h"

#include "router/base/hashing.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace signalbox {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() {
        if (m_fd >= 0) ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool ok() const { return m_fd >= 0; }

private:
    int m_fd;
};

tl::unexpected<Error> systemError(const char* doing, const std::filesystem::path& path, int code) {
    switch (code) {
    case ENOENT:
        return fail(ErrorKind::notFound, "no such file or folder", path.string(), "Check the path.");
    case EACCES:
    case EPERM:
        return fail(ErrorKind::denied, std::string("no permission to ") + doing, path.string(),
                    "Check the owner and the permissions of the file and its folder.");
    case ENOSPC:
        return fail(ErrorKind::unavailable, "the disk is full", path.string(), "Free some space and try again.");
    default:
        return fail(ErrorKind::unavailable, std::string("cannot ") + doing + ": " + std::strerror(code), path.string());
    }
}

bool writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

/// The rights of what is replaced go on, so that whoever could read it still can, and nobody else.
bool setRights(int fd, const std::filesystem::path& replaced, const std::optional<unsigned>& asked) {
    constexpr unsigned kUsual = 0644, kAll = 0777, kGroup = 0070, kOthers = 0007, kGroupShift = 3;
    struct stat before {};
    if (::stat(replaced.c_str(), &before) != 0) return ::fchmod(fd, asked.value_or(kUsual)) == 0;
    unsigned mode = asked.value_or(before.st_mode & kAll);
    constexpr uid_t kSameOwner = static_cast<uid_t>(-1);
    const bool keepsGroup = ::fchown(fd, before.st_uid, before.st_gid) == 0 || ::fchown(fd, kSameOwner, before.st_gid) == 0;
    if (!keepsGroup) mode &= ~kGroup | (mode & kOthers) << kGroupShift;  // another group gets no more than everybody
    return ::fchmod(fd, mode) == 0;
}

Result<void> checkUnchanged(const std::filesystem::path& path, const std::string& expected) {
    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (expected.empty()) {
        if (exists)
            return fail(ErrorKind::conflict, "a file of this name exists already", path.string(),
                        "Choose another name or remove it first.");
        return {};
    }
    auto current = readFile(path, std::size_t{1} << 30);
    if (!current || sha256Hex(*current) != expected)
        return fail(ErrorKind::conflict, "the file was changed or removed by someone else since it was read",
                    path.string(), "Reload it, or save under another name.");
    return {};
}

}  // namespace

Result<std::string> readFile(const std::filesystem::path& path, std::size_t maxBytes) {
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.ok()) return systemError("read it", path, errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return systemError("read it", path, errno);
    if (S_ISDIR(info.st_mode))
        return fail(ErrorKind::badInput, "this is a folder, a file is needed", path.string(), "Name a file inside it.");
    if (!S_ISREG(info.st_mode))
        return fail(ErrorKind::badInput, "this is not a regular file", path.string(), "Copy its content to a file first.");
    std::string bytes;
    const auto tooLarge = [&] {
        return fail(ErrorKind::badInput, "the file is larger than " + std::to_string(maxBytes) + " bytes",
                    path.string(), "Check that it is the right file.");
    };
    if (static_cast<std::uintmax_t>(info.st_size) > maxBytes) return tooLarge();
    bytes.resize(static_cast<std::size_t>(info.st_size) + 1);
    std::size_t used = 0;
    for (;;) {
        const ssize_t n = ::read(fd.get(), bytes.data() + used, bytes.size() - used);
        if (n < 0) {
            if (errno == EINTR) continue;
            return systemError("read it", path, errno);
        }
        if (n == 0) break;
        used += static_cast<std::size_t>(n);
        if (used > maxBytes) return tooLarge();
        if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    }
    bytes.resize(used);
    return bytes;
}

Result<void> writeFileAtomic(const std::filesystem::path& path, std::string_view bytes, const WriteOptions& options) {
    std::error_code ignored;
    const auto real = std::filesystem::is_symlink(path, ignored) ? std::filesystem::weakly_canonical(path, ignored) : path;
    const auto& target = real.empty() ? path : real;
    const auto there = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(there))
        return fail(ErrorKind::badInput, "this is a folder, a file name is needed", path.string());
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return fail(ErrorKind::badInput, "this is not a regular file, and what writes here would replace it", path.string(),
                    "Name a file, or print to standard output.");
    if (options.expectedSha256) {
        if (auto same = checkUnchanged(target, *options.expectedSha256); !same) return same;
    }
    const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::string name = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
    const Descriptor fd(::mkostemp(name.data(), O_CLOEXEC));
    if (!fd.ok()) return systemError("write there", path, errno);
    const auto discard = [&](int code) {
        ::unlink(name.c_str());
        return systemError("write it", path, code);
    };
    if (!setRights(fd.get(), target, options.mode) || !writeAll(fd.get(), bytes) || ::fsync(fd.get()) != 0)
        return discard(errno);
    if (::rename(name.c_str(), target.c_str()) != 0) return discard(errno);
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.ok()) ::fsync(directory.get());
    return {};
}

}  // namespace signalbox
