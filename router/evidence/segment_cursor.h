// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/frame.h"
#include "router/evidence/segment.h"

#include <optional>
#include <string_view>

namespace signalbox::evidence {

/// Reads the frames of one segment in order. A torn tail (the process or the machine died inside a write) and a
/// damaged stretch are stepped over; `skippedBytes` says how much.
class SegmentCursor {
public:
    explicit SegmentCursor(std::shared_ptr<Segment> segment, std::uint64_t offset = Segment::kHeaderBytes)
        : m_segment(std::move(segment)), m_offset(offset) {}

    /// The next receipt or event, valid until the next call; nullopt when everything written so far was read.
    [[nodiscard]] std::optional<std::string_view> next();
    /// What `next` returned last.
    [[nodiscard]] FrameKind kind() const { return m_kind; }
    /// The whole payload that this stood in, valid as long.
    [[nodiscard]] std::string_view payload() const { return m_payload; }
    /// How many whole records lie behind `offset()`. Reads the headers only.
    [[nodiscard]] std::uint64_t countAhead() const;

    [[nodiscard]] const std::shared_ptr<Segment>& segment() const { return m_segment; }
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }
    [[nodiscard]] bool atEnd() const { return m_offset >= m_segment->written(); }
    [[nodiscard]] std::uint64_t skippedBytes() const { return m_skipped; }
    void seek(std::uint64_t offset);

private:
    [[nodiscard]] std::string_view window(std::size_t bytes);
    void skipDamage();

    std::shared_ptr<Segment> m_segment;
    std::uint64_t m_offset;
    std::uint64_t m_skipped = 0;
    FrameKind m_kind = FrameKind::record;
    std::string_view m_payload;
    std::string m_buffer;
    std::uint64_t m_bufferStart = 0;
};

}  // namespace signalbox::evidence
