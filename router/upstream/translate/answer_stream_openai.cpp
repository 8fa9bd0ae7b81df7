// SPDX-License-Identifier: MIT
// The events of an Anthropic message become chat completion chunks.
#include "router/upstream/translate/answer_frames.h"
#include "router/upstream/translate/request_value.h"

#include <map>
#include <utility>

namespace signalbox::upstream::translate {

namespace {

using ChunksResult = tl::expected<AnswerPieces, AnswerProblem>;

class OpenAiChunks final : public StreamTranslator {
public:
    explicit OpenAiChunks(AnswerFacts facts) : m_facts(std::move(facts)), m_model(m_facts.model) {}

    ChunksResult event(std::string data) override {
        m_out.clear();
        if (m_done) return std::move(m_out);
        const auto event = readAnswerObject(m_torn.mended(std::move(data)));
        if (!event) return tl::unexpected(AnswerProblem{"malformed_event", "sent an event that is no JSON object"});
        const std::string_view type = textIn(*event, "type");
        if (type == "message_start") start(*event);
        else if (type == "content_block_start") blockStart(*event);
        else if (type == "content_block_delta") blockDelta(*event);
        else if (type == "content_block_stop") blockStop(*event);
        else if (type == "message_delta") messageDelta(*event);
        else if (type == "message_stop") return finish(m_saidSomething);
        else if (type == "ping") m_out.push_back({AnswerPiece::Kind::metadata, ": ping\n\n"});
        // Others may be added to that protocol at any time and are to be ignored.
        return pieces();
    }

    ChunksResult end() override {
        m_out.clear();
        if (m_done) return std::move(m_out);
        return finish(false);
    }

private:
    struct Block {
        bool isTool = false;
        std::size_t call = 0;      ///< its index among the tool calls
        bool hasArguments = false;
        bool isWhole = false;      ///< its arguments came with its beginning, as some proxies send them
    };

    static AnswerProblem cutOff() { return {"ended_early", "ended its stream before the answer was finished"}; }

    ChunksResult pieces() {
        if (m_problem) return tl::unexpected(*m_problem);
        return std::move(m_out);
    }

    [[nodiscard]] OrderedJson envelope() const {
        return OrderedJson{{"id", m_id}, {"object", "chat.completion.chunk"}, {"created", m_facts.created}, {"model", m_model}};
    }

    void put(AnswerPiece::Kind kind, OrderedJson delta, OrderedJson finish = nullptr) {
        OrderedJson chunk = envelope();
        OrderedJson choice{{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(finish)}};
        chunk["choices"] = OrderedJson::array({std::move(choice)});
        m_out.push_back({kind, openAiFrame(chunk)});
    }

    void start(const OrderedJson& event) {
        if (std::exchange(m_started, true)) return;
        static const OrderedJson kNothing = OrderedJson::object();
        const OrderedJson* found = objectIn(event, "message");
        const OrderedJson& message = found != nullptr ? *found : kNothing;
        m_id = completionId(textIn(message, "id"), m_facts);
        if (const std::string_view model = textIn(message, "model"); !model.empty()) m_model = model;
        if (const OrderedJson* usage = objectIn(message, "usage")) m_usage.add(*usage);
        put(AnswerPiece::Kind::metadata, OrderedJson{{"role", "assistant"}, {"content", ""}});
    }

    void blockStart(const OrderedJson& event) {
        start(OrderedJson::object());  // some proxies leave it out
        const OrderedJson* content = objectIn(event, "content_block");
        if (content == nullptr) return;
        if (m_blocks.size() >= kMaxAnswerBlocks) return void(m_problem = tooManyBlocks());
        m_newest = countIn(event, "index").value_or(m_begun);
        ++m_begun;
        Block& block = m_blocks[m_newest] = Block{};
        const std::string_view type = textIn(*content, "type");
        if (isUntold(type) && !m_untold) m_untold = std::string(type.substr(0, kMaxNameBytes));
        if (type == "text" || isUntold(type)) text("content", textIn(*content, "text"));
        else if (type == "thinking") text("reasoning_content", textIn(*content, "thinking"));
        else if (type == "tool_use") toolStart(*content, block);
    }

    void toolStart(const OrderedJson& content, Block& block) {
        block.isTool = true;
        block.call = m_calls++;
        const std::string_view id = textIn(content, "id");
        putCall(OrderedJson{{"index", block.call},
                            {"id", id.empty() ? toolUseId(m_facts, block.call) : std::string(id)},
                            {"type", "function"},
                            {"function", OrderedJson{{"name", textIn(content, "name")}, {"arguments", ""}}}});
        if (const OrderedJson* input = objectIn(content, "input"); input != nullptr && !input->empty()) {
            arguments(block, written(*input));
            block.isWhole = true;
        }
    }

    void blockDelta(const OrderedJson& event) {
        const OrderedJson* delta = objectIn(event, "delta");
        if (delta == nullptr) return;
        start(OrderedJson::object());
        const std::string_view type = textIn(*delta, "type");
        if (type == "text_delta") text("content", textIn(*delta, "text"));
        else if (type == "thinking_delta") text("reasoning_content", textIn(*delta, "thinking"));
        else if (type == "input_json_delta") argumentsDelta(event, textIn(*delta, "partial_json"));
    }

    void argumentsDelta(const OrderedJson& event, std::string_view json) {
        const auto found = m_blocks.find(countIn(event, "index").value_or(m_newest));
        if (found == m_blocks.end())
            return void(m_problem = AnswerProblem{"malformed_tool_call", "sent arguments of a tool call that it never began"});
        // Of tools that the upstream runs itself nothing is told.
        const bool isTold = found->second.isTool && !found->second.isWhole;
        if (!json.empty() && isTold) arguments(found->second, json);
    }

    void arguments(Block& block, std::string_view json) {
        block.hasArguments = true;
        putCall(OrderedJson{{"index", block.call}, {"function", OrderedJson{{"arguments", json}}}});
    }

    void blockStop(const OrderedJson& event) {
        const auto found = m_blocks.find(countIn(event, "index").value_or(m_newest));
        if (found == m_blocks.end()) return;
        completeArguments(found->second);
        m_blocks.erase(found);
    }

    // A call without arguments has none on the wire; an OpenAI client parses what it got.
    void completeArguments(Block& block) {
        if (block.isTool && !block.hasArguments) arguments(block, "{}");
    }

    void text(const char* member, std::string_view said) {
        if (said.empty()) return;
        m_saidSomething = true;
        put(AnswerPiece::Kind::content, OrderedJson{{member, said}});
    }

    void putCall(OrderedJson call) {
        m_saidSomething = true;
        put(AnswerPiece::Kind::content, OrderedJson{{"tool_calls", OrderedJson::array({std::move(call)})}});
    }

    void messageDelta(const OrderedJson& event) {
        if (const OrderedJson* delta = objectIn(event, "delta"))
            if (const std::string_view reason = textIn(*delta, "stop_reason"); !reason.empty()) m_ending.reason = reason;
        if (const OrderedJson* usage = objectIn(event, "usage")) m_usage.add(*usage);
    }

    /// `mayLackReason`: it said that this is the end, if not why.
    ChunksResult finish(bool mayLackReason) {
        if (m_ending.reason.empty() && !mayLackReason) return tl::unexpected(cutOff());
        if (m_untold && !m_saidSomething) return tl::unexpected(onlyUntold(*m_untold));
        m_done = true;
        start(OrderedJson::object());
        for (auto& [index, block] : m_blocks) completeArguments(block);
        m_ending.hasTools = m_calls > 0;
        put(AnswerPiece::Kind::metadata, OrderedJson::object(), openAiFinishReason(m_ending));
        const TokenCounts counts = m_usage.counts();
        if (counts != TokenCounts{}) {
            OrderedJson chunk = envelope();
            chunk["choices"] = OrderedJson::array();
            chunk["usage"] = openAiUsage(counts);
            m_out.push_back({AnswerPiece::Kind::usage, openAiFrame(chunk)});
        }
        m_out.push_back({AnswerPiece::Kind::done, "data: [DONE]\n\n"});
        return pieces();
    }

    AnswerFacts m_facts;
    std::string m_id, m_model;
    TornPairs m_torn;
    AnthropicUsage m_usage;
    Ending m_ending;
    std::map<std::uint64_t, Block> m_blocks;  ///< that have begun and not ended
    std::uint64_t m_newest = 0, m_begun = 0;
    std::size_t m_calls = 0;
    bool m_started = false;
    bool m_done = false;
    bool m_saidSomething = false;
    std::optional<std::string> m_untold;  ///< the type of the first block of which nothing is told
    std::optional<AnswerProblem> m_problem;
    AnswerPieces m_out;
};

}  // namespace

std::unique_ptr<StreamTranslator> makeOpenAiChunks(AnswerFacts facts) { return std::make_unique<OpenAiChunks>(std::move(facts)); }

std::unique_ptr<StreamTranslator> makeStreamTranslator(classify::Dialect from, AnswerFacts facts) {
    return from == classify::Dialect::openai ? makeAnthropicEvents(std::move(facts)) : makeOpenAiChunks(std::move(facts));
}

}  // namespace signalbox::upstream::translate
