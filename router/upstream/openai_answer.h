// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/call_indices.h"
#include "router/upstream/event_stream.h"
#include "router/upstream/tool_calls.h"

namespace signalbox::upstream {

/// What is asked for: other operations answer with other objects, which are not judged.
enum class OpenAiOperation : std::uint8_t { completion, other };
[[nodiscard]] OpenAiOperation openAiOperation(std::string_view path);

/// A whole JSON answer, one chunk of kind `body`. Of a completion one that lists no choices is a failure.
class OpenAiBody final : public UpstreamAnswer {
public:
    OpenAiBody(std::unique_ptr<HttpExchange> exchange, OpenAiOperation operation,
               std::shared_ptr<const dispatch::OfferedTools> offered)
        : UpstreamAnswer(std::move(exchange)), m_operation(operation), m_tools(std::move(offered)) {}
    [[nodiscard]] asio::awaitable<ChunkResult> next() override;
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    OpenAiOperation m_operation;
    ToolCalls m_tools;
    bool m_delivered = false;
};

/// A stream of chunks, ended by `[DONE]`; of a completion at least one of them lists choices.
class OpenAiStream final : public EventStream {
public:
    OpenAiStream(std::unique_ptr<HttpExchange> exchange, OpenAiOperation operation,
                 std::shared_ptr<const dispatch::OfferedTools> offered)
        : EventStream(std::move(exchange)), m_sawChoices(operation != OpenAiOperation::completion), m_tools(std::move(offered)) {}
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

private:
    [[nodiscard]] tl::expected<dispatch::Chunk, dispatch::UpstreamFailure> understand(SseEvent event) override;
    [[nodiscard]] std::optional<PayloadError> errorIn(std::string& body) const override;
    [[nodiscard]] bool isWhole() const override { return m_sawFinish; }

    bool m_sawChoices;  ///< or need not
    ToolCalls m_tools;
    CallIndices m_indices;
    bool m_sawFinish = false;
};

}  // namespace signalbox::upstream
