// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/evidence/descriptor.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace signalbox::evidence {

/// One file of the journal, named by its id. One sink appends; the writer and the sync thread read.
class Segment {
public:
    static constexpr std::string_view kSuffix = ".journal";
    static constexpr std::uint64_t kHeaderBytes = 8;

    [[nodiscard]] static Result<std::shared_ptr<Segment>> create(const std::filesystem::path& folder, std::string id);
    /// A segment that an earlier process left behind; it is closed. Errors: unreadable, or not a journal of ours.
    [[nodiscard]] static Result<std::shared_ptr<Segment>> openLeftOver(const std::filesystem::path& path);

    [[nodiscard]] const std::string& id() const { return m_id; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// End of the complete frames, in bytes from the start of the file. A reader never looks behind it.
    [[nodiscard]] std::uint64_t written() const { return m_written.load(std::memory_order_acquire); }
    /// How far PostgreSQL has it, in the same bytes. Set by the writer.
    [[nodiscard]] std::uint64_t stored() const { return m_stored.load(std::memory_order_acquire); }
    void setStored(std::uint64_t offset) { m_stored.store(offset, std::memory_order_release); }
    [[nodiscard]] bool isEmpty() const { return written() <= kHeaderBytes; }
    [[nodiscard]] bool isLeftOver() const { return m_leftOver; }
    [[nodiscard]] bool isClosed() const { return m_closed.load(std::memory_order_acquire); }
    /// False while the disk gives the writer an error for it. Set by the writer.
    [[nodiscard]] bool isReadable() const { return m_readable.load(std::memory_order_acquire); }
    void setReadable(bool readable) { m_readable.store(readable, std::memory_order_release); }

    /// One write(2) of whole frames; 0 or errno. After an error the file ends where it ended before.
    [[nodiscard]] int append(std::string_view frames);
    void close() { m_closed.store(true, std::memory_order_release); }
    /// Brings what was appended to the disk; 0 or errno. On one thread, as the next.
    [[nodiscard]] int sync();
    /// Bytes that `sync` would bring there.
    [[nodiscard]] std::uint64_t unsynced() const { return written() - m_synced; }
    /// Up to `bytes` from `offset` into `out`, fewer at the end of the file; 0 or errno, and then as many as could be read.
    [[nodiscard]] int read(std::uint64_t offset, std::size_t bytes, std::string& out) const;

private:
    Segment(std::filesystem::path path, std::string id, Descriptor fd, std::uint64_t written, bool leftOver)
        : m_path(std::move(path)), m_id(std::move(id)), m_fd(std::move(fd)), m_written(written), m_synced(written),
          m_leftOver(leftOver), m_closed(leftOver) {}

    std::filesystem::path m_path;
    std::string m_id;
    Descriptor m_fd;
    std::atomic<std::uint64_t> m_written;
    std::atomic<std::uint64_t> m_stored{kHeaderBytes};
    std::uint64_t m_synced;  // sync thread only
    bool m_leftOver;
    std::atomic<bool> m_closed;
    std::atomic<bool> m_readable{true};
};

}  // namespace signalbox::evidence
