// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// One server-sent event. A comment block of its own (a heartbeat) is an event with only `comment` set.
struct SseEvent {
    std::string name;
    std::string data;  ///< lines joined by LF
    std::string comment;
    [[nodiscard]] bool isComment() const { return data.empty(); }
    /// Framed for an SSE client: LF line ends, one space after each colon, a blank line at the end.
    [[nodiscard]] std::string framed() const;
    bool operator==(const SseEvent&) const = default;
};

/// Reads `text/event-stream` (WHATWG HTML 9.2) from packets split anywhere: between CR and LF, in a field name,
/// inside a UTF-8 sequence (F14, F15). Lines end in LF, CR or CRLF; the space after the colon is optional.
class SseReader {
public:
    explicit SseReader(std::size_t maxEventBytes = std::size_t{1} << 20) : m_maxEventBytes(maxEventBytes) {}

    /// False once an event is over the limit; the stream is then of no use, and is not fed again.
    [[nodiscard]] bool feed(std::string_view bytes);
    /// The next complete event.
    [[nodiscard]] std::optional<SseEvent> next();
    /// At the end of the stream: an event whose blank line never came.
    [[nodiscard]] std::optional<SseEvent> rest();

private:
    void endLine(std::string_view line);
    void endEvent();
    void field(std::string_view name, std::string_view value);

    std::size_t m_maxEventBytes;
    std::string m_line;  ///< the beginning of one that has not ended
    SseEvent m_event;
    bool m_hasData = false;
    bool m_skipLineFeed = false;
    bool m_atStart = true;
    std::deque<SseEvent> m_ready;
};

}  // namespace signalbox::upstream
