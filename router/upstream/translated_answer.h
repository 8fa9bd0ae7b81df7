// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/upstream/sse_reader.h"
#include "router/upstream/translate/answer_translation.h"

#include <deque>

namespace signalbox::upstream {

/// An answer told in the other protocol while it is read. What was counted and called is what the upstream's own answer saw.
class TranslatedAnswer final : public dispatch::ResponseStream {
public:
    /// `answer` is in the protocol that `client` is not; `leftOut` as its head will say.
    TranslatedAnswer(std::unique_ptr<dispatch::ResponseStream> answer, std::string providerId, classify::Dialect client,
                     translate::AnswerFacts facts, bool stream, std::string_view leftOut = {});

    [[nodiscard]] const dispatch::ResponseHead& head() const override { return m_head; }
    [[nodiscard]] asio::awaitable<tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>> next() override;
    [[nodiscard]] dispatch::Usage usage() const override { return m_answer->usage(); }
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_answer->toolCalls(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_answer->toolOutcome(); }

private:
    using Told = tl::expected<void, dispatch::UpstreamFailure>;
    [[nodiscard]] Told tell(dispatch::Chunk chunk);
    [[nodiscard]] Told tellWhole(const std::string& body);
    [[nodiscard]] Told tellEvents(std::string_view bytes);
    [[nodiscard]] Told tellEnd();
    [[nodiscard]] Told queue(tl::expected<translate::AnswerPieces, translate::AnswerProblem> pieces);
    [[nodiscard]] dispatch::UpstreamFailure untranslatable(const translate::AnswerProblem& problem) const;

    std::unique_ptr<dispatch::ResponseStream> m_answer;
    std::string m_providerId;
    classify::Dialect m_client;
    translate::AnswerFacts m_facts;
    dispatch::ResponseHead m_head;
    std::unique_ptr<translate::StreamTranslator> m_translator;  ///< null for a whole answer
    SseReader m_events;
    std::deque<dispatch::Chunk> m_ready;
    bool m_ended = false;
};

}  // namespace signalbox::upstream
