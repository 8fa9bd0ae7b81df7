// SPDX-License-Identifier: MIT
#include "router/evidence/segment_cursor.h"

#include "router/evidence/stored_record.h"

#include <algorithm>

namespace signalbox::evidence {

namespace {
constexpr std::size_t kReadAheadBytes = std::size_t{256} << 10;
}

std::optional<std::string_view> SegmentCursor::next() {
    m_readError = 0;
    while (!atEnd()) {
        const std::uint64_t left = m_segment->written() - m_offset;
        const auto header = readFrameHeader(window(kFrameHeaderBytes));
        const std::uint64_t whole = header ? kFrameHeaderBytes + std::uint64_t{header->length} : 0;
        if (header && whole <= left) {
            if (const auto payload = readFrame(window(static_cast<std::size_t>(whole)))) {
                m_offset += whole;
                m_kind = header->kind;
                m_payload = *payload;
                return m_kind == FrameKind::stored ? receiptOf(*payload).value_or(*payload) : payload;
            }
        }
        if (m_readError == 0) skipDamage();
        if (m_readError != 0) break;
    }
    return std::nullopt;
}

std::uint64_t SegmentCursor::countUntil(std::uint64_t end) const {
    std::uint64_t count = 0;
    SegmentCursor walk(m_segment, m_offset);
    while (walk.m_offset < end && walk.next())
        if (walk.m_offset <= end && walk.m_kind != FrameKind::event) ++count;
    return count;
}

void SegmentCursor::seek(std::uint64_t offset) {
    m_offset = std::max(offset, Segment::kHeaderBytes);
    m_readError = 0;  // nothing was tried from there
    m_buffer.clear();
}

/// At least `bytes` from the current offset, or what there is.
std::string_view SegmentCursor::window(std::size_t bytes) {
    const std::uint64_t left = m_segment->written() - m_offset;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left));
    if (m_buffer.empty() || m_offset < m_bufferStart || m_offset + wanted > m_bufferStart + m_buffer.size()) {
        const auto ahead = static_cast<std::size_t>(std::min<std::uint64_t>(std::max(wanted, kReadAheadBytes), left));
        m_readError = m_segment->read(m_offset, ahead, m_buffer);
        // Trouble further ahead shows when its turn comes.
        if (m_buffer.size() >= wanted) m_readError = 0;
        else if (m_readError != 0) m_buffer.clear();
        m_bufferStart = m_offset;
    }
    return std::string_view(m_buffer).substr(static_cast<std::size_t>(m_offset - m_bufferStart));
}

void SegmentCursor::skipDamage() {
    const std::uint64_t end = m_segment->written();
    const std::uint64_t start = m_offset;
    std::string rest;
    const int error = m_segment->read(start, static_cast<std::size_t>(end - start), rest);
    for (std::size_t at = rest.find(kMarkStart, 1); at != std::string::npos; at = rest.find(kMarkStart, at + 1)) {
        if (!readFrame(std::string_view(rest).substr(at))) continue;
        m_offset = start + at;
        m_skipped += at;
        return;
    }
    m_readError = error;
    if (m_readError != 0) return;  // what follows may be readable later
    m_skipped += end - start;
    m_tail += end - start;
    m_offset = end;
}

}  // namespace signalbox::evidence
