// SPDX-License-Identifier: MIT
#include "router/upstream/sse_reader.h"

#include <algorithm>
#include <utility>

namespace signalbox::upstream {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The place of the first CR or LF, or the size. Not find_first_of, which calls memchr for every byte: that was a third of
/// what a chunk of a stream takes.
std::size_t lineEnd(std::string_view bytes) {
    const auto end = std::find_if(bytes.begin(), bytes.end(), [](char c) { return c == '\n' || c == '\r'; });
    return static_cast<std::size_t>(end - bytes.begin());
}

void appendLines(std::string& out, std::string_view prefix, std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.append(prefix).append(text.substr(at, end - at)).push_back('\n');
        at = end + 1;
    }
}

}  // namespace

std::string SseEvent::framed() const {
    std::string out;
    out.reserve(name.size() + data.size() + comment.size() + 24);
    if (!name.empty()) out.append("event: ").append(name).push_back('\n');
    if (isComment()) appendLines(out, ": ", comment);
    else appendLines(out, "data: ", data);
    out.push_back('\n');
    return out;
}

bool SseReader::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        // Seen only after a CR: the LF that completes it is no second line end.
        if (std::exchange(m_skipLineFeed, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = lineEnd(bytes);
        const std::string_view piece = bytes.substr(0, end);
        if (m_line.size() + piece.size() + m_event.data.size() + m_event.comment.size() > m_maxEventBytes) return false;
        // Most lines come whole: those are read where they stand.
        if (end == bytes.size() || !m_line.empty()) m_line.append(piece);
        if (end == bytes.size()) return true;
        m_skipLineFeed = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        endLine(m_line.empty() ? piece : m_line);
        m_line.clear();
    }
    return true;
}

std::optional<SseEvent> SseReader::next() {
    if (m_ready.empty()) return std::nullopt;
    SseEvent event = std::move(m_ready.front());
    m_ready.pop_front();
    return event;
}

std::optional<SseEvent> SseReader::rest() {
    if (!m_line.empty()) endLine(std::exchange(m_line, {}));
    endEvent();
    return next();
}

void SseReader::endLine(std::string_view line) {
    if (std::exchange(m_atStart, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.empty()) {
        endEvent();
    } else {
        const std::size_t colon = line.find(':');
        std::string_view value = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        field(line.substr(0, colon), value);
    }
}

void SseReader::field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (std::exchange(m_hasData, true)) m_event.data.push_back('\n');
        m_event.data.append(value);
    } else if (name == "event") {
        m_event.name = value;
    } else if (name.empty()) {
        if (!m_event.comment.empty()) m_event.comment.push_back('\n');
        m_event.comment.append(value.empty() ? std::string_view(" ") : value);
    }
}

void SseReader::endEvent() {
    const bool worthIt = !m_event.data.empty() || !m_event.comment.empty();
    if (worthIt) m_ready.push_back(std::move(m_event));
    m_event = {};
    m_hasData = false;
}

}  // namespace signalbox::upstream
