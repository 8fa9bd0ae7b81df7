// SPDX-License-Identifier: MIT
#include "router/upstream/anthropic_answer.h"

#include <utility>

namespace signalbox::upstream {

using dispatch::Chunk;
using dispatch::UpstreamFailure;

namespace {

Chunk::Kind kindOfEvent(const AnthropicPayload& payload) {
    if (payload.type == AnthropicPayload::Type::messageStop) return Chunk::Kind::done;
    return payload.hasContent ? Chunk::Kind::content : Chunk::Kind::metadata;
}

/// Some proxies leave out the beginning, or the ends of blocks.
bool isPartOfMessage(const AnthropicPayload& payload) {
    using Type = AnthropicPayload::Type;
    return payload.type == Type::messageStart || payload.type == Type::blockStart || payload.type == Type::blockDelta ||
           payload.hasStopReason;
}

void addBlocks(const AnthropicPayload& payload, ToolCalls& tools) {
    for (const ToolPiece& piece : payload.tools) {
        const ToolCalls::Id id{piece.choice, piece.call};
        if (payload.type != AnthropicPayload::Type::blockDelta) tools.saw(id, piece.name);
        if (piece.quoted) tools.addEscaped(id, piece.arguments);
        else tools.setWhole(id, piece.arguments);
    }
}

}  // namespace

void AnthropicCounts::add(const AnthropicPayload& payload) {
    if (payload.freshTokens) m_fresh = payload.freshTokens;
    if (payload.cacheReadTokens) m_read = payload.cacheReadTokens;
    if (payload.cacheWrittenTokens) m_written = payload.cacheWrittenTokens;
    if (payload.outputTokens) m_output = payload.outputTokens;
}

dispatch::Usage AnthropicCounts::usage() const {
    dispatch::Usage out{std::nullopt, m_read, m_output};
    if (m_fresh || m_read || m_written) out.inputTokens = m_fresh.value_or(0) + m_read.value_or(0) + m_written.value_or(0);
    return out;
}

asio::awaitable<ChunkResult> AnthropicBody::next() {
    if (std::exchange(m_delivered, true)) co_return std::optional<Chunk>();
    auto body = co_await readWhole();
    if (!body) co_return tl::unexpected(std::move(body.error()));
    const std::optional<AnthropicPayload> payload = readAnthropicPayload(*body);
    if (!payload)
        co_return tl::unexpected(malformed("malformed_body", "answered " + std::to_string(m_head.status) +
                                                                 " with something that is no JSON object" + insteadOfAnswer(*body)));
    if (payload->error) co_return tl::unexpected(errorFrame(*payload->error, *body));
    if (m_isMessage && !payload->listsBlocks)
        co_return tl::unexpected(malformed("malformed_body", "answered " + std::to_string(m_head.status) +
                                                                 " with JSON that is no message: it has no content"));
    AnthropicCounts counts;
    counts.add(*payload);
    count(counts.usage());
    addBlocks(*payload, m_tools);
    m_tools.finishAll();
    co_return Chunk{Chunk::Kind::body, std::move(*body)};
}

tl::expected<Chunk, UpstreamFailure> AnthropicStream::understand(SseEvent event) {
    const std::optional<AnthropicPayload> payload = readAnthropicPayload(event.data);
    if (!payload) return tl::unexpected(malformed("malformed_event", "sent an event that is no JSON object"));
    if (payload->error || event.name == "error")
        return tl::unexpected(errorFrame(payload->error.value_or(PayloadError{}), event.data));
    m_counts.add(*payload);
    count(m_counts.usage());
    addBlocks(*payload, m_tools);
    if (payload->hasStopReason || payload->type == AnthropicPayload::Type::messageStop) m_tools.finishAll();
    m_sawStopReason = m_sawStopReason || payload->hasStopReason;
    m_sawMessage = m_sawMessage || isPartOfMessage(*payload);
    if (payload->type == AnthropicPayload::Type::messageStop && !m_sawMessage)
        return tl::unexpected(malformed("ended_early", "ended its stream without any part of a message"));
    return Chunk{kindOfEvent(*payload), event.framed()};
}

std::optional<PayloadError> AnthropicStream::errorIn(std::string& body) const {
    const std::optional<AnthropicPayload> payload = readAnthropicPayload(body);
    return payload ? payload->error : std::nullopt;
}

std::optional<Chunk> AnthropicStream::missingEnd() const {
    return Chunk{Chunk::Kind::done, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"};
}

}  // namespace signalbox::upstream
