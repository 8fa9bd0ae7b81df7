// SPDX-License-Identifier: MIT
#include "router/upstream/event_stream.h"

#include "router/upstream/failures.h"

#include <utility>

namespace signalbox::upstream {

using dispatch::Chunk;
using dispatch::UpstreamFailure;

namespace {

/// One read of a compressed stream may unfold; more than this at once is an attack.
constexpr std::size_t kMaxPieceBytes = std::size_t{16} << 20;
/// How long the transfer's own end may lag behind the last event before the connection is given up instead of reused.
constexpr std::chrono::milliseconds kEndGrace{250};

}  // namespace

asio::awaitable<tl::expected<void, UpstreamFailure>> EventStream::readFirstFrame() {
    ChunkResult first = co_await next();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    if (!*first) co_return tl::unexpected(malformed("empty_stream", "ended its stream without a single frame"));
    m_exchange->firstFrameSeen();
    m_first = std::move(*first);
    co_return tl::expected<void, UpstreamFailure>{};
}

// One coroutine for all of it: each one more is memory that has left the caches when the next chunk of a stream comes.
asio::awaitable<ChunkResult> EventStream::next() {
    if (m_first) co_return std::exchange(m_first, std::nullopt);
    if (m_done) {
        co_await drain();
        co_return std::optional<Chunk>();
    }
    while (true) {
        std::optional<SseEvent> event = m_events.next();
        if (!event && m_bodyEnded) event = m_events.rest();
        if (!event && m_bodyEnded) co_return atEnd();
        if (!event) {
            m_bytes.clear();
            auto more = co_await m_exchange->read(m_bytes, kMaxPieceBytes);
            if (!more) co_return tl::unexpected(std::move(more.error()));
            m_bodyEnded = !*more;
            if (sniffsNoStream()) co_return tl::unexpected(co_await notAStream());
            if (!m_events.feed(m_bytes))
                co_return tl::unexpected(malformed("event_too_large", "sent an event of more than 1 MiB"));
        } else if (!event->isComment()) {
            co_return understood(std::move(*event));
        } else if (!m_exchange->awaitsFirstFrame()) {
            // Those before the first frame say nothing yet; the frame is what the first-byte limit waits for.
            co_return Chunk{Chunk::Kind::metadata, event->framed()};
        }
    }
}

ChunkResult EventStream::understood(SseEvent event) {
    auto chunk = understand(std::move(event));
    if (!chunk) return tl::unexpected(std::move(chunk.error()));
    if (chunk->kind == Chunk::Kind::done) {
        m_done = true;
        m_exchange->finishWithin(kEndGrace);
    }
    return std::optional<Chunk>(std::move(*chunk));
}

bool EventStream::sniffsNoStream() {
    if (m_sniffed) return false;
    const std::size_t first = m_bytes.find_first_not_of(" \t\r\n");
    m_sniffed = first != std::string::npos;
    return m_sniffed && (m_bytes[first] == '{' || m_bytes[first] == '<');
}

ChunkResult EventStream::atEnd() {
    if (isWhole()) {
        m_done = true;
        return missingEnd();
    }
    UpstreamFailure failure = makeFailure(UpstreamFailure::Kind::disconnected, "ended_early",
                                          m_exchange->label() + " ended its stream before the answer was finished");
    failure.headStatus = m_head.status;
    return tl::unexpected(std::move(failure));
}

asio::awaitable<void> EventStream::drain() {
    while (!m_bodyEnded) {
        m_bytes.clear();
        auto more = co_await m_exchange->read(m_bytes, kMaxPieceBytes);
        m_bodyEnded = !more || !*more;
    }
}

asio::awaitable<UpstreamFailure> EventStream::notAStream() {
    std::string body = std::move(m_bytes);
    while (!m_bodyEnded && body.size() < kMaxPieceBytes) {
        auto more = co_await m_exchange->read(body, kMaxPieceBytes);
        if (!more) co_return std::move(more.error());
        m_bodyEnded = !*more;
    }
    if (const auto error = errorIn(body)) co_return errorFrame(*error, body);
    co_return malformed("not_a_stream", "answered a streaming request without a stream" + insteadOfAnswer(body));
}

}  // namespace signalbox::upstream
