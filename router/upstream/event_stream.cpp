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
    ChunkResult first = co_await pull();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    if (!*first) co_return tl::unexpected(malformed("empty_stream", "ended its stream without a single frame"));
    m_exchange->firstFrameSeen();
    m_first = std::move(*first);
    co_return tl::expected<void, UpstreamFailure>{};
}

asio::awaitable<ChunkResult> EventStream::next() {
    if (m_first) co_return std::exchange(m_first, std::nullopt);
    if (m_done) {
        co_await drain();
        co_return std::optional<Chunk>();
    }
    co_return co_await pull();
}

asio::awaitable<ChunkResult> EventStream::pull() {
    while (true) {
        auto event = co_await nextEvent();
        if (!event) co_return tl::unexpected(std::move(event.error()));
        if (!*event) co_return atEnd();
        if ((*event)->isComment()) {
            // Heartbeats before the first frame say nothing yet; the frame is what the first-byte limit waits for.
            if (m_exchange->awaitsFirstFrame()) continue;
            co_return Chunk{Chunk::Kind::metadata, (*event)->framed()};
        }
        auto chunk = understand(std::move(**event));
        if (!chunk) co_return tl::unexpected(std::move(chunk.error()));
        if (chunk->kind == Chunk::Kind::done) {
            m_done = true;
            m_exchange->finishWithin(kEndGrace);
        }
        co_return std::move(*chunk);
    }
}

asio::awaitable<tl::expected<std::optional<SseEvent>, UpstreamFailure>> EventStream::nextEvent() {
    while (true) {
        if (auto event = m_events.next()) co_return event;
        if (m_bodyEnded) co_return m_events.rest();
        m_bytes.clear();
        auto more = co_await m_exchange->read(m_bytes, kMaxPieceBytes);
        if (!more) co_return tl::unexpected(std::move(more.error()));
        m_bodyEnded = !*more;
        const std::size_t first = m_sniffed ? std::string::npos : m_bytes.find_first_not_of(" \t\r\n");
        if (first != std::string::npos) {
            m_sniffed = true;
            if (m_bytes[first] == '{' || m_bytes[first] == '<') co_return tl::unexpected(co_await notAStream());
        }
        if (!m_events.feed(m_bytes))
            co_return tl::unexpected(malformed("event_too_large", "sent an event of more than 1 MiB"));
    }
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
