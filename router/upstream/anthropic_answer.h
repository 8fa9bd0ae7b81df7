// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/anthropic_payload.h"
#include "router/upstream/event_stream.h"
#include "router/upstream/tool_calls.h"

namespace signalbox::upstream {

/// What a message's usage says, in the terms of ours: input is everything that was read, from the cache or not.
class AnthropicCounts {
public:
    /// The figures come in parts, at the beginning and the end; later ones replace earlier ones.
    void add(const AnthropicPayload& payload);
    [[nodiscard]] dispatch::Usage usage() const;

private:
    std::optional<std::uint64_t> m_fresh, m_read, m_written, m_output;
};

/// A whole message, which has content or is a failure, or what another operation answers; one chunk of kind `body`.
class AnthropicBody final : public UpstreamAnswer {
public:
    AnthropicBody(std::unique_ptr<HttpExchange> exchange, bool isMessage, std::shared_ptr<const dispatch::OfferedTools> offered)
        : UpstreamAnswer(std::move(exchange)), m_isMessage(isMessage), m_tools(std::move(offered)) {}
    [[nodiscard]] asio::awaitable<ChunkResult> next() override;
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    bool m_isMessage;
    ToolCalls m_tools;
    bool m_delivered = false;
};

/// The events of a message, ended by `message_stop`.
class AnthropicStream final : public EventStream {
public:
    AnthropicStream(std::unique_ptr<HttpExchange> exchange, std::shared_ptr<const dispatch::OfferedTools> offered)
        : EventStream(std::move(exchange)), m_tools(std::move(offered)) {}
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    [[nodiscard]] tl::expected<dispatch::Chunk, dispatch::UpstreamFailure> understand(SseEvent event) override;
    [[nodiscard]] std::optional<PayloadError> errorIn(std::string& body) const override;
    [[nodiscard]] bool isWhole() const override { return m_sawStopReason; }
    [[nodiscard]] std::optional<dispatch::Chunk> missingEnd() const override;

    AnthropicCounts m_counts;
    ToolCalls m_tools;
    bool m_sawMessage = false;
    bool m_sawStopReason = false;
};

}  // namespace signalbox::upstream
