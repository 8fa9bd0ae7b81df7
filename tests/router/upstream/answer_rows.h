// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/sse_reader.h"
#include "router/upstream/translate/answer_translation.h"

#include <map>
#include <nlohmann/json.hpp>
#include <QTest>

namespace signalbox::test {

namespace translate = upstream::translate;
using nlohmann::json;

inline translate::AnswerFacts answerFacts() { return {"0abc", "asked-model", 1700000000, 42}; }

/// A translated stream, or the problem it ended with, as text that is compared once.
struct TranslatedStream {
    std::vector<translate::AnswerPiece> pieces;
    std::string problem;  ///< its code

    /// One letter a piece: m metadata, c content, u usage, d done.
    [[nodiscard]] std::string kinds() const {
        std::string all;
        for (const auto& piece : pieces) all += "mcud"[static_cast<std::size_t>(piece.kind)];
        return all;
    }
    [[nodiscard]] std::vector<upstream::SseEvent> events() const {
        upstream::SseReader reader;
        std::vector<upstream::SseEvent> out;
        for (const auto& piece : pieces) {
            if (!reader.feed(piece.bytes)) break;
            while (auto event = reader.next()) out.push_back(std::move(*event));
        }
        return out;
    }
};

inline TranslatedStream translatedStream(classify::Dialect from, const std::vector<std::string>& events, bool ends = true,
                                         translate::AnswerFacts facts = answerFacts()) {
    TranslatedStream out;
    const auto translator = translate::makeStreamTranslator(from, std::move(facts));
    const auto take = [&](tl::expected<translate::AnswerPieces, translate::AnswerProblem> pieces) {
        if (!pieces) out.problem = pieces.error().code;
        else for (auto& piece : *pieces) out.pieces.push_back(std::move(piece));
        return pieces.has_value();
    };
    for (const std::string& event : events)
        if (!take(translator->event(event))) return out;
    if (ends) take(translator->end());
    return out;
}

/// What a client makes of Anthropic events, read strictly: blocks begin, go on and end by their index, one message around
/// all of them. `broken` names the first rule that was not kept.
struct ReadMessage {
    json message = json::object();
    std::string broken;

    static ReadMessage of(const TranslatedStream& stream) {
        ReadMessage out;
        for (const upstream::SseEvent& event : stream.events()) {
            const json data = json::parse(event.data);
            if (event.name != data["type"]) out.breaks("the event's name is not its type");
            out.take(data);
        }
        if (stream.problem.empty() && !out.m_stopped) out.breaks("the message does not stop");
        return out;
    }

    void take(const json& event) {
        const std::string type = event["type"];
        if (type == "ping") return;
        if (m_stopped) return breaks("something follows message_stop");
        if ((type == "message_start") == m_started) return breaks("message_start is not first, or comes twice");
        if (type == "message_start") {
            m_started = true;
            message = event["message"];
        } else if (type == "content_block_start") {
            begin(event["index"], event["content_block"]);
        } else if (type == "content_block_delta") {
            goOn(event["index"], event["delta"]);
        } else if (type == "content_block_stop") {
            if (m_open.erase(event["index"].get<std::size_t>()) == 0) breaks("a block stops that is not open");
        } else if (type == "message_delta") {
            if (!m_open.empty()) breaks("a block is open at the end");
            message["stop_reason"] = event["delta"]["stop_reason"];
            message["stop_sequence"] = event["delta"]["stop_sequence"];
            message["usage"].update(event["usage"]);
            m_delta = true;
        } else if (type == "message_stop") {
            if (!m_delta) breaks("no message_delta before message_stop");
            m_stopped = true;
            finish();
        }
    }

private:
    void begin(std::size_t index, const json& block) {
        if (index != message["content"].size()) return breaks("indices do not count up");
        message["content"].push_back(block);
        m_open[index] = {};
    }

    void goOn(std::size_t index, const json& delta) {
        if (!m_open.contains(index)) return breaks("a delta of a block that is not open");
        json& block = message["content"][index];
        if (delta["type"] == "text_delta") block["text"] = block["text"].get<std::string>() + delta["text"].get<std::string>();
        else if (delta["type"] == "input_json_delta") m_arguments[index] += delta["partial_json"];
    }

    void finish() {
        for (const auto& [index, text] : m_arguments) message["content"][index]["input"] = json::parse(text, nullptr, false);
    }

    void breaks(const char* rule) {
        if (broken.empty()) broken = rule;
    }

    bool m_started = false, m_stopped = false, m_delta = false;
    std::map<std::size_t, bool> m_open;
    std::map<std::size_t, std::string> m_arguments;
};

/// What a client makes of OpenAI chunks: one choice put together, and the rest as it came.
struct ReadCompletion {
    json message{{"content", ""}};
    json usage;
    std::string finish, broken;
    std::string id, model;
    bool done = false;

    static ReadCompletion of(const TranslatedStream& stream) {
        ReadCompletion out;
        for (const upstream::SseEvent& event : stream.events()) {
            if (event.isComment()) continue;
            if (out.done) out.broken = "something follows [DONE]";
            if (event.data == "[DONE]") out.done = true;
            else out.take(json::parse(event.data));
        }
        return out;
    }

private:
    void take(const json& chunk) {
        if (chunk["object"] != "chat.completion.chunk") broken = "not a chunk";
        id = chunk["id"];
        model = chunk["model"];
        if (chunk.contains("usage")) usage = chunk["usage"];
        for (const json& choice : chunk["choices"]) {
            const json& delta = choice["delta"];
            for (const char* key : {"content", "reasoning_content"})
                if (delta.contains(key)) message[key] = message.value(key, "") + delta[key].get<std::string>();
            if (delta.contains("role")) message["role"] = delta["role"];
            if (delta.contains("tool_calls"))
                for (const json& call : delta["tool_calls"]) takeCall(call);
            if (!choice["finish_reason"].is_null()) finish = choice["finish_reason"];
        }
    }

    void takeCall(const json& call) {
        json& calls = message["tool_calls"];
        const std::size_t index = call["index"];
        if (index > calls.size()) return void(broken = "a call before the one before it");
        if (index == calls.size()) {
            if (!call.contains("id") || call["type"] != "function") broken = "a call begins without its id";
            calls.push_back(json{{"id", call.value("id", "")}, {"name", call["function"].value("name", "")}, {"arguments", ""}});
        }
        calls[index]["arguments"] = calls[index]["arguments"].get<std::string>() + call["function"].value("arguments", "");
    }
};

}  // namespace signalbox::test
