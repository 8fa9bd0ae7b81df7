// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/call_indices.h"
#include "router/upstream/event_stream.h"
#include "router/upstream/tool_calls.h"

namespace signalbox::upstream {

/// A whole JSON answer, one chunk of kind `body`.
class OpenAiBody final : public UpstreamAnswer {
public:
    OpenAiBody(std::unique_ptr<HttpExchange> exchange, std::shared_ptr<const dispatch::OfferedTools> offered)
        : UpstreamAnswer(std::move(exchange)), m_tools(std::move(offered)) {}
    [[nodiscard]] asio::awaitable<ChunkResult> next() override;
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    ToolCalls m_tools;
    bool m_delivered = false;
};

/// A stream of chunks, ended by `[DONE]`.
class OpenAiStream final : public EventStream {
public:
    OpenAiStream(std::unique_ptr<HttpExchange> exchange, std::shared_ptr<const dispatch::OfferedTools> offered)
        : EventStream(std::move(exchange)), m_tools(std::move(offered)) {}
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    [[nodiscard]] tl::expected<dispatch::Chunk, dispatch::UpstreamFailure> understand(SseEvent event) override;
    [[nodiscard]] std::optional<PayloadError> errorIn(std::string& body) const override;
    [[nodiscard]] bool isWhole() const override { return m_sawFinish; }

    ToolCalls m_tools;
    CallIndices m_indices;
    bool m_sawFinish = false;
};

}  // namespace signalbox::upstream
