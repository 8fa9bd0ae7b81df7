// SPDX-License-Identifier: MIT
#include "router/upstream/translated_answer.h"

#include "router/upstream/failures.h"

#include <utility>

namespace signalbox::upstream {

using classify::Dialect;
using dispatch::Chunk;
using dispatch::UpstreamFailure;
using translate::AnswerPiece;
using translate::AnswerProblem;

namespace {

/// Clients whose idle timers overlook comments get an event of their protocol (F18).
constexpr std::string_view kPingEvent = "event: ping\ndata: {\"type\":\"ping\"}\n\n";

Dialect otherThan(Dialect dialect) { return dialect == Dialect::openai ? Dialect::anthropic : Dialect::openai; }

Chunk::Kind chunkKind(AnswerPiece::Kind kind) {
    switch (kind) {
    case AnswerPiece::Kind::metadata: return Chunk::Kind::metadata;
    case AnswerPiece::Kind::content: return Chunk::Kind::content;
    case AnswerPiece::Kind::usage: return Chunk::Kind::usage;
    case AnswerPiece::Kind::done: return Chunk::Kind::done;
    }
    return Chunk::Kind::metadata;
}

}  // namespace

TranslatedAnswer::TranslatedAnswer(std::unique_ptr<dispatch::ResponseStream> answer, std::string providerId, Dialect client,
                                   translate::AnswerFacts facts, bool stream, std::string_view leftOut)
    : m_answer(std::move(answer)), m_providerId(std::move(providerId)), m_client(client), m_facts(std::move(facts)),
      m_head(m_answer->head()) {
    m_head.leftOut = leftOut;
    m_head.contentType = stream ? "text/event-stream" : "application/json";
    if (stream) m_translator = translate::makeStreamTranslator(otherThan(client), m_facts);
}

asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> TranslatedAnswer::next() {
    while (m_ready.empty()) {
        auto chunk = co_await m_answer->next();
        if (!chunk) {
            chunk.error().body = translate::errorAnswer(m_client, chunk.error().body, chunk.error().status);
            co_return tl::unexpected(std::move(chunk.error()));
        }
        if (!*chunk && std::exchange(m_ended, true)) co_return std::optional<Chunk>();
        Told told = *chunk ? tell(std::move(**chunk)) : tellEnd();
        if (!told) co_return tl::unexpected(std::move(told.error()));
        if (m_ended && m_ready.empty()) co_return std::optional<Chunk>();
    }
    Chunk next = std::move(m_ready.front());
    m_ready.pop_front();
    co_return std::optional<Chunk>(std::move(next));
}

TranslatedAnswer::Told TranslatedAnswer::tell(Chunk chunk) {
    return m_translator ? tellEvents(chunk.bytes) : tellWhole(chunk.bytes);
}

TranslatedAnswer::Told TranslatedAnswer::tellWhole(const std::string& body) {
    auto told = m_client == Dialect::anthropic ? translate::anthropicAnswer(body, m_facts) : translate::openAiAnswer(body, m_facts);
    if (!told) return tl::unexpected(untranslatable(told.error()));
    m_ready.push_back({Chunk::Kind::body, std::move(*told)});
    return {};
}

// A chunk is one framed event, so that nothing stays in the reader.
TranslatedAnswer::Told TranslatedAnswer::tellEvents(std::string_view bytes) {
    if (!m_events.feed(bytes))
        return tl::unexpected(untranslatable({"event_too_large", "sent an event of more than 1 MiB"}));
    while (auto event = m_events.next()) {
        if (event->isComment()) {
            m_ready.push_back({Chunk::Kind::metadata, m_client == Dialect::anthropic ? std::string(kPingEvent) : event->framed()});
            continue;
        }
        if (Told told = queue(m_translator->event(std::move(event->data))); !told) return told;
    }
    return {};
}

TranslatedAnswer::Told TranslatedAnswer::tellEnd() {
    return m_translator ? queue(m_translator->end()) : Told{};
}

TranslatedAnswer::Told TranslatedAnswer::queue(tl::expected<translate::AnswerPieces, AnswerProblem> pieces) {
    if (!pieces) return tl::unexpected(untranslatable(pieces.error()));
    for (AnswerPiece& piece : *pieces) m_ready.push_back({chunkKind(piece.kind), std::move(piece.bytes)});
    return {};
}

UpstreamFailure TranslatedAnswer::untranslatable(const AnswerProblem& problem) const {
    UpstreamFailure failure = makeFailure(UpstreamFailure::Kind::protocol, problem.code, "Provider " + m_providerId + " " + redacted(problem.what, {}));
    failure.headStatus = m_head.status;
    return failure;
}

}  // namespace signalbox::upstream
