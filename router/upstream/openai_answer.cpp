// SPDX-License-Identifier: MIT
#include "router/upstream/openai_answer.h"

#include "router/upstream/failures.h"

#include <algorithm>

namespace signalbox::upstream {

using dispatch::Chunk;
using dispatch::UpstreamFailure;
using Kind = UpstreamFailure::Kind;

namespace {

constexpr std::size_t kMaxBodyBytes = std::size_t{64} << 20;
/// One read of a compressed stream may unfold; more than this at once is an attack.
constexpr std::size_t kMaxPieceBytes = std::size_t{16} << 20;
/// How long the transfer's own end may lag behind `[DONE]` before the connection is given up instead of reused.
constexpr std::chrono::milliseconds kEndGrace{250};

}  // namespace

OpenAiAnswer::OpenAiAnswer(std::unique_ptr<HttpExchange> exchange) : m_exchange(std::move(exchange)) {
    m_head.status = m_exchange->head().status;
    m_head.contentType = m_exchange->head().header("content-type");
}

void OpenAiAnswer::count(const Payload& payload) {
    if (payload.usage) {
        // Cumulative where an upstream reports more than once, so later figures replace earlier ones.
        if (payload.usage->inputTokens) m_usage.inputTokens = payload.usage->inputTokens;
        if (payload.usage->cachedTokens) m_usage.cachedTokens = payload.usage->cachedTokens;
        if (payload.usage->outputTokens) m_usage.outputTokens = payload.usage->outputTokens;
    }
    m_toolCalls.insert(payload.toolCalls.begin(), payload.toolCalls.end());
}

UpstreamFailure OpenAiAnswer::errorFrame(const PayloadError& error, std::string_view body) const {
    const std::vector<std::string>& secrets = m_exchange->upstream().secrets;
    UpstreamFailure failure = makeFailure(
        Kind::errorFrame, error.status != 0 ? "error_frame_" + std::to_string(error.status) : "error_frame",
        redacted(m_exchange->label() + " answered 200 and then an error: " + error.message, secrets));
    failure.status = error.status;
    failure.body = redacted(body, secrets);
    return failure;
}

UpstreamFailure OpenAiAnswer::malformed(std::string code, std::string what) const {
    return makeFailure(Kind::protocol, std::move(code), m_exchange->label() + " " + std::move(what));
}

asio::awaitable<ChunkResult> OpenAiBody::next() {
    if (std::exchange(m_delivered, true)) co_return std::optional<Chunk>();
    m_exchange->firstFrameSeen();
    std::string body;
    while (true) {
        auto more = co_await m_exchange->read(body, kMaxBodyBytes);
        if (!more) co_return tl::unexpected(std::move(more.error()));
        if (!*more) break;
    }
    const std::optional<Payload> payload = readPayload(body);
    if (!payload)
        co_return tl::unexpected(malformed("malformed_body", "answered " + std::to_string(m_head.status) +
                                                                 " with something that is no JSON object"));
    if (payload->error) co_return tl::unexpected(errorFrame(*payload->error, body));
    count(*payload);
    co_return Chunk{Chunk::Kind::body, std::move(body)};
}

asio::awaitable<tl::expected<void, UpstreamFailure>> OpenAiStream::readFirstFrame() {
    ChunkResult first = co_await pull();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    if (!*first) co_return tl::unexpected(malformed("empty_stream", "ended its stream without a single frame"));
    m_exchange->firstFrameSeen();
    m_first.push_back(std::move(**first));
    co_return tl::expected<void, UpstreamFailure>{};
}

asio::awaitable<ChunkResult> OpenAiStream::next() {
    if (!m_first.empty()) {
        Chunk chunk = std::move(m_first.front());
        m_first.pop_front();
        co_return chunk;
    }
    if (m_done) {
        co_await drain();
        co_return std::optional<Chunk>();
    }
    co_return co_await pull();
}

asio::awaitable<ChunkResult> OpenAiStream::pull() {
    while (true) {
        auto event = co_await nextEvent();
        if (!event) co_return tl::unexpected(std::move(event.error()));
        if (!*event) co_return atEnd();
        // Heartbeats before the first frame say nothing yet; the frame is what the first-byte limit waits for.
        if ((*event)->isComment() && m_exchange->awaitsFirstFrame()) continue;
        auto chunk = understand(std::move(**event));
        if (!chunk) co_return tl::unexpected(std::move(chunk.error()));
        co_return std::move(*chunk);
    }
}

asio::awaitable<tl::expected<std::optional<SseEvent>, UpstreamFailure>> OpenAiStream::nextEvent() {
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

tl::expected<Chunk, UpstreamFailure> OpenAiStream::understand(SseEvent event) {
    if (event.isComment()) return Chunk{Chunk::Kind::metadata, event.framed()};
    if (event.data == "[DONE]") {
        m_done = true;
        m_exchange->finishWithin(kEndGrace);
        return Chunk{Chunk::Kind::done, event.framed()};
    }
    const std::optional<Payload> payload = event.name == "error" ? readErrorPayload(event.data)
                                                                 : readPayload(event.data);
    if (!payload) return tl::unexpected(malformed("malformed_event", "sent an event that is no JSON object"));
    if (payload->error) return tl::unexpected(errorFrame(*payload->error, event.data));
    count(*payload);
    m_sawFinish = m_sawFinish || payload->hasFinish;
    if (payload->hasContent) return Chunk{Chunk::Kind::content, event.framed()};
    const bool usageOnly = payload->usage && !payload->hasChoices;
    return Chunk{usageOnly ? Chunk::Kind::usage : Chunk::Kind::metadata, event.framed()};
}

ChunkResult OpenAiStream::atEnd() {
    // Some upstreams leave `[DONE]` out; without a finish reason either the answer was cut off (F4).
    if (m_sawFinish) return std::optional<Chunk>();
    return tl::unexpected(makeFailure(Kind::disconnected, "ended_early",
                                      m_exchange->label() + " ended its stream before the answer was finished"));
}

asio::awaitable<void> OpenAiStream::drain() {
    while (!m_bodyEnded) {
        m_bytes.clear();
        auto more = co_await m_exchange->read(m_bytes, kMaxPieceBytes);
        m_bodyEnded = !more || !*more;
    }
}

asio::awaitable<UpstreamFailure> OpenAiStream::notAStream() {
    std::string body = std::move(m_bytes);
    while (!m_bodyEnded && body.size() < kMaxPieceBytes) {
        auto more = co_await m_exchange->read(body, kMaxPieceBytes);
        if (!more) co_return std::move(more.error());
        m_bodyEnded = !*more;
    }
    const std::optional<Payload> payload = readPayload(body);
    if (payload && payload->error) co_return errorFrame(*payload->error, body);
    co_return malformed("not_a_stream", "answered a streaming request without a stream");
}

}  // namespace signalbox::upstream
