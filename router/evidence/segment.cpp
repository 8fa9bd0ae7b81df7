// SPDX-License-Identifier: MIT
#include "router/evidence/segment.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace signalbox::evidence {
namespace {

constexpr std::string_view kHeader = "SBJRNL2\n";
/// Of versions that knew no stored records; those leave a newer segment alone.
constexpr std::string_view kEarlierHeader = "SBJRNL1\n";
static_assert(kHeader.size() == Segment::kHeaderBytes && kEarlierHeader.size() == Segment::kHeaderBytes);

bool startsLike(std::string_view start, std::string_view header) { return start == header.substr(0, start.size()); }

int writeWhole(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

tl::unexpected<Error> cannot(const char* what, const std::filesystem::path& path, int code) {
    return fail(ErrorKind::unavailable, std::string("cannot ") + what + " a journal segment: " + std::strerror(code),
                path.string(), "Check the free space and the permissions of the journal's folder.");
}

}  // namespace

Result<std::shared_ptr<Segment>> Segment::create(const std::filesystem::path& folder, std::string id) {
    const auto path = folder / (id + std::string(kSuffix));
    Descriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
    if (!fd.ok()) return cannot("create", path, errno);
    if (const int code = writeWhole(fd.get(), kHeader); code != 0) {
        ::unlink(path.c_str());
        return cannot("write", path, code);
    }
    return std::shared_ptr<Segment>(new Segment(path, std::move(id), std::move(fd), kHeaderBytes, false));
}

Result<std::shared_ptr<Segment>> Segment::openLeftOver(const std::filesystem::path& path) {
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (!fd.ok() || ::fstat(fd.get(), &info) != 0) return cannot("read", path, errno);
    auto segment = std::shared_ptr<Segment>(new Segment(path, path.stem().string(), std::move(fd),
                                                        static_cast<std::uint64_t>(info.st_size), true));
    // A crash right after creation leaves less than a header: nothing is lost, so such a file counts as empty.
    std::string start;
    if (const int code = segment->read(0, kHeaderBytes, start); code != 0) return cannot("read", path, code);
    if (!startsLike(start, kHeader) && !startsLike(start, kEarlierHeader))
        return fail(ErrorKind::badInput, "this is not a journal segment of this version of Signalbox", path.string(),
                    "It was left alone. Open the workspace with the version that wrote it, or move the file away.");
    return segment;
}

int Segment::append(std::string_view frames) {
    const std::uint64_t before = m_written.load(std::memory_order_relaxed);
    if (const int code = writeWhole(m_fd.get(), frames); code != 0) {
        // Should this fail as well, what was written stays in the file: whole frames are read, the rest of one is stepped over by
        // its mark.
        if (::ftruncate(m_fd.get(), static_cast<off_t>(before)) != 0) {
            struct stat info {};
            if (::fstat(m_fd.get(), &info) == 0)
                m_written.store(static_cast<std::uint64_t>(info.st_size), std::memory_order_release);
        }
        return code;
    }
    m_written.store(before + frames.size(), std::memory_order_release);
    return 0;
}

int Segment::sync() {
    const std::uint64_t target = written();
    if (m_synced == target) return 0;
    if (::fdatasync(m_fd.get()) != 0) return errno;
    m_synced = target;
    return 0;
}

int Segment::read(std::uint64_t offset, std::size_t bytes, std::string& out) const {
    out.resize(bytes);
    std::size_t used = 0;
    int code = 0;
    while (used < bytes) {
        const ssize_t n = ::pread(m_fd.get(), out.data() + used, bytes - used, static_cast<off_t>(offset + used));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) code = errno;
        if (n <= 0) break;
        used += static_cast<std::size_t>(n);
    }
    out.resize(used);
    return code;
}

}  // namespace signalbox::evidence
