// SPDX-License-Identifier: MIT
// Chat completion chunks become the events of an Anthropic message.
#include "router/upstream/translate/request_value.h"
#include "router/upstream/translate/tool_blocks.h"

namespace signalbox::upstream::translate {

namespace {

using PiecesResult = tl::expected<AnswerPieces, AnswerProblem>;

/// Where nobody counted: bytes of text and arguments that make about a token.
constexpr std::uint64_t kBytesPerOutputToken = 4;
/// Of white space that is held; a model that writes more is told as it is.
constexpr std::size_t kMaxBlankBytes = 4096;

class AnthropicEvents final : public StreamTranslator {
public:
    explicit AnthropicEvents(AnswerFacts facts) : m_facts(std::move(facts)) {}

    PiecesResult event(std::string data) override {
        m_out.clear();
        if (m_done) return std::move(m_out);
        if (data == "[DONE]") return finish();
        const auto chunk = readAnswerObject(m_torn.mended(std::move(data)));
        if (!chunk) return tl::unexpected(AnswerProblem{"malformed_event", "sent an event that is no JSON object"});
        if (const OrderedJson* usage = objectIn(*chunk, "usage")) countOpenAiUsage(*usage, m_counts);
        start(*chunk);
        if (const OrderedJson* choices = arrayIn(*chunk, "choices")) {
            std::uint64_t place = 0;
            for (const OrderedJson& one : *choices)
                if (countIn(one, "index").value_or(place++) == 0) choice(one);
        }
        return pieces();
    }

    PiecesResult end() override {
        m_out.clear();
        if (m_done) return std::move(m_out);
        if (m_ending.reason.empty()) return tl::unexpected(endedEarly());
        return finish();
    }

private:
    static AnswerProblem endedEarly() { return {"ended_early", "ended its stream before the answer was finished"}; }

    PiecesResult pieces() {
        if (m_problem) return tl::unexpected(*m_problem);
        return std::move(m_out);
    }

    void put(AnswerPiece::Kind kind, const OrderedJson& event) { m_out.push_back({kind, anthropicFrame(event)}); }

    void start(const OrderedJson& chunk) {
        if (std::exchange(m_started, true)) return;
        const std::string_view model = textIn(chunk, "model");
        const OrderedJson message{{"id", messageId(textIn(chunk, "id"), m_facts)},
                                  {"type", "message"},
                                  {"role", "assistant"},
                                  {"model", model.empty() ? std::string_view(m_facts.model) : model},
                                  {"content", OrderedJson::array()},
                                  {"stop_reason", nullptr},
                                  {"stop_sequence", nullptr},
                                  {"usage", anthropicUsage(m_counts, m_facts.inputTokens, 0)}};
        put(AnswerPiece::Kind::metadata, OrderedJson{{"type", "message_start"}, {"message", message}});
    }

    void choice(const OrderedJson& choice) {
        if (const OrderedJson* delta = objectIn(choice, "delta")) {
            text(contentText(*delta));
            if (m_untold.empty()) m_untold = untoldIn(*delta).substr(0, kMaxNameBytes);
            m_reasoned = m_reasoned || tellsReasoning(*delta);
            const std::string_view refusal = textIn(*delta, "refusal");
            m_ending.refused = m_ending.refused || !refusal.empty();
            text(refusal);
            if (const OrderedJson* calls = arrayIn(*delta, "tool_calls")) {
                std::uint64_t place = 0;
                for (const OrderedJson& call : *calls) tool(call, objectIn(call, "function"), place++);
            }
            if (const OrderedJson* call = objectIn(*delta, "function_call")) tool(*call, call, 0);
        }
        if (const std::string_view reason = textIn(choice, "finish_reason"); !reason.empty()) m_ending.reason = reason;
        if (const std::string_view sequence = textIn(choice, "stop_reason"); !sequence.empty()) m_ending.stopSequence = sequence;
        if (m_ending.reason == "error") m_problem = AnswerProblem{"failed_generation", "says that the generation failed"};
    }

    /// White space is held until there is a text that it belongs to: a block of nothing else is refused by Anthropic when the
    /// client sends it back, and servers write line breaks beside calls (F28).
    void text(std::string_view said) {
        if (said.empty()) return;
        if (!m_textBlock && isBlank(said) && m_blank.size() + said.size() <= kMaxBlankBytes) return void(m_blank += said);
        if (m_blank.empty()) return say(said);
        say(std::exchange(m_blank, {}).append(said));
    }

    void say(std::string_view said) {
        if (!m_textBlock) {
            m_tools.close(false, m_out);
            if (m_nextBlock >= kMaxAnswerBlocks) return void(m_problem = tooManyBlocks());
            m_textBlock = m_nextBlock++;
            const OrderedJson block{{"type", "text"}, {"text", ""}};
            put(AnswerPiece::Kind::metadata,
                OrderedJson{{"type", "content_block_start"}, {"index", *m_textBlock}, {"content_block", block}});
        }
        m_textBytes += said.size();
        const OrderedJson delta{{"type", "text_delta"}, {"text", said}};
        put(AnswerPiece::Kind::content, OrderedJson{{"type", "content_block_delta"}, {"index", *m_textBlock}, {"delta", delta}});
    }

    void tool(const OrderedJson& call, const OrderedJson* function, std::uint64_t place) {
        static const OrderedJson kNothing = OrderedJson::object();
        if (!call.is_object()) return;
        m_blank.clear();
        closeText();
        m_ending.hasTools = true;
        if (auto added = m_tools.add(call, function != nullptr ? *function : kNothing, place, m_nextBlock, m_out); !added)
            m_problem = std::move(added.error());
    }

    void closeText() {
        if (!m_textBlock) return;
        put(AnswerPiece::Kind::metadata, OrderedJson{{"type", "content_block_stop"}, {"index", *m_textBlock}});
        m_textBlock.reset();
    }

    PiecesResult finish() {
        const bool saidNothing = m_nextBlock == 0 && m_ending.reason.empty();
        if (!m_started || saidNothing) return tl::unexpected(endedEarly());
        if (m_nextBlock == 0 && !m_untold.empty()) return tl::unexpected(onlyUntold(m_untold));
        if (m_nextBlock == 0 && m_reasoned && !mayEndUnsaid(m_ending)) return tl::unexpected(onlyReasoned());
        if (m_tools.hasNameless() && m_ending.reason != "length")
            return tl::unexpected(AnswerProblem{"malformed_tool_call", "sent a tool call without a name"});
        m_done = true;
        closeText();
        m_tools.close(true, m_out);
        const std::string_view reason = anthropicStopReason(m_ending);
        const OrderedJson delta{{"stop_reason", reason},
                                {"stop_sequence", reason == "stop_sequence" ? OrderedJson(m_ending.stopSequence) : OrderedJson(nullptr)}};
        const std::uint64_t guess = (m_textBytes + m_tools.bytes() + kBytesPerOutputToken - 1) / kBytesPerOutputToken;
        put(AnswerPiece::Kind::metadata, OrderedJson{{"type", "message_delta"},
                                                     {"delta", delta},
                                                     {"usage", anthropicUsage(m_counts, m_facts.inputTokens, guess)}});
        put(AnswerPiece::Kind::done, OrderedJson{{"type", "message_stop"}});
        return pieces();
    }

    AnswerFacts m_facts;
    TornPairs m_torn;
    TokenCounts m_counts;
    Ending m_ending;
    ToolBlocks m_tools{m_facts};
    std::optional<std::size_t> m_textBlock;
    std::string m_blank;  ///< said, but not yet told
    std::string m_untold; ///< the first of what has no words here
    std::size_t m_nextBlock = 0;
    std::uint64_t m_textBytes = 0;
    bool m_reasoned = false;
    bool m_started = false;
    bool m_done = false;
    std::optional<AnswerProblem> m_problem;
    AnswerPieces m_out;
};

}  // namespace

std::unique_ptr<StreamTranslator> makeAnthropicEvents(AnswerFacts facts) {
    return std::make_unique<AnthropicEvents>(std::move(facts));
}

}  // namespace signalbox::upstream::translate
