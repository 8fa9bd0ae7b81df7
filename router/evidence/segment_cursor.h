// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/frame.h"
#include "router/evidence/segment.h"

#include <optional>
#include <string_view>

namespace signalbox::evidence {

/// Reads the frames of one segment in order. A torn tail (the process or the machine died inside a write) and a
/// damaged stretch are stepped over; `skippedBytes` says how much. Where the disk cannot be read it stays.
class SegmentCursor {
public:
    explicit SegmentCursor(std::shared_ptr<Segment> segment, std::uint64_t offset = Segment::kHeaderBytes)
        : m_segment(std::move(segment)), m_offset(offset) {}

    /// The next receipt or event, valid until the next call; nullopt when everything written so far was read, or `readError`.
    [[nodiscard]] std::optional<std::string_view> next();
    /// The errno of the disk that ended the last `next`, which the next one tries again; else 0.
    [[nodiscard]] int readError() const { return m_readError; }
    /// What `next` returned last.
    [[nodiscard]] FrameKind kind() const { return m_kind; }
    /// The whole payload that this stood in, valid as long.
    [[nodiscard]] std::string_view payload() const { return m_payload; }
    /// How many records `next` would return between `offset()` and `end`.
    [[nodiscard]] std::uint64_t countUntil(std::uint64_t end) const;
    [[nodiscard]] std::uint64_t countAhead() const { return countUntil(m_segment->written()); }

    [[nodiscard]] const std::shared_ptr<Segment>& segment() const { return m_segment; }
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }
    [[nodiscard]] bool atEnd() const { return m_offset >= m_segment->written(); }
    [[nodiscard]] std::uint64_t skippedBytes() const { return m_skipped; }
    /// Of those, the ones in which records were lost: all but the torn tail of a process that ended.
    [[nodiscard]] std::uint64_t damagedBytes() const { return m_segment->isLeftOver() ? m_skipped - m_tail : m_skipped; }
    void seek(std::uint64_t offset);

private:
    [[nodiscard]] std::string_view window(std::size_t bytes);
    void skipDamage();

    std::shared_ptr<Segment> m_segment;
    std::uint64_t m_offset;
    std::uint64_t m_skipped = 0;
    std::uint64_t m_tail = 0;  // of m_skipped, with nothing readable behind
    int m_readError = 0;
    FrameKind m_kind = FrameKind::record;
    std::string_view m_payload;
    std::string m_buffer;
    std::uint64_t m_bufferStart = 0;
};

}  // namespace signalbox::evidence
