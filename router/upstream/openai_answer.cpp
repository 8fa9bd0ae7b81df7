// SPDX-License-Identifier: MIT
#include "router/upstream/openai_answer.h"

#include "router/upstream/foreign_request.h"

#include <utility>

namespace signalbox::upstream {

using dispatch::Chunk;
using dispatch::UpstreamFailure;

namespace {

void addTools(const Payload& payload, ToolCalls& tools) {
    for (const ToolPiece& piece : payload.tools) {
        const ToolCalls::Id id{piece.choice, piece.call};
        tools.saw(id, piece.name);
        if (piece.noJson) tools.setUnreadable(id);
        else if (piece.quoted) tools.addEscaped(id, piece.arguments);
        else tools.setWhole(id, piece.arguments);
    }
    for (const std::uint64_t choice : payload.finished) tools.finishChoice(choice);
}

}  // namespace

OpenAiOperation openAiOperation(std::string_view path) {
    constexpr std::string_view kOlderCompletions = "/completions";
    return path == kChatPath || path == kOlderCompletions ? OpenAiOperation::completion : OpenAiOperation::other;
}

asio::awaitable<ChunkResult> OpenAiBody::next() {
    if (std::exchange(m_delivered, true)) co_return std::optional<Chunk>();
    auto body = co_await readWhole();
    if (!body) co_return tl::unexpected(std::move(body.error()));
    const std::optional<Payload> payload = readPayload(*body);
    if (!payload)
        co_return tl::unexpected(malformed("malformed_body", "answered " + std::to_string(m_head.status) +
                                                                 " with something that is no JSON object" + insteadOfAnswer(*body)));
    if (payload->error) co_return tl::unexpected(errorFrame(*payload->error, *body));
    if (m_operation == OpenAiOperation::completion && !payload->listsChoices)
        co_return tl::unexpected(malformed("malformed_body", "answered " + std::to_string(m_head.status) +
                                                                 " with JSON that is no completion: it has no choices"));
    if (payload->usage) count(*payload->usage);
    addTools(*payload, m_tools);
    m_tools.finishAll();
    co_return Chunk{Chunk::Kind::body, std::move(*body)};
}

tl::expected<Chunk, UpstreamFailure> OpenAiStream::understand(SseEvent event) {
    if (event.data == "[DONE]") {
        if (!m_sawChoices)
            return tl::unexpected(malformed("ended_early", "ended its stream without any choices, so that it is no completion"));
        m_tools.finishAll();
        return Chunk{Chunk::Kind::done, event.framed()};
    }
    std::optional<Payload> payload = event.name == "error" ? readErrorPayload(event.data) : readPayload(event.data);
    if (!payload) return tl::unexpected(malformed("malformed_event", "sent an event that is no JSON object"));
    if (payload->error) return tl::unexpected(errorFrame(*payload->error, event.data));
    if (payload->usage) count(*payload->usage);
    m_indices.settle(payload->tools);
    addTools(*payload, m_tools);
    writeIndices(event.data, payload->tools);  // after all that refers to the text
    m_sawFinish = m_sawFinish || payload->hasFinish;
    m_sawChoices = m_sawChoices || payload->listsChoices;
    if (payload->hasContent) return Chunk{Chunk::Kind::content, event.framed()};
    const bool usageOnly = payload->usage && !payload->hasChoices;
    return Chunk{usageOnly ? Chunk::Kind::usage : Chunk::Kind::metadata, event.framed()};
}

std::optional<PayloadError> OpenAiStream::errorIn(std::string& body) const {
    const std::optional<Payload> payload = readPayload(body);
    return payload ? payload->error : std::nullopt;
}

}  // namespace signalbox::upstream
