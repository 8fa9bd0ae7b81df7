// SPDX-License-Identifier: MIT
#include "tests/support/speaking_upstream.h"

namespace signalbox::test {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kInput = 21, kCached = 5, kOutput = 9, kShortLimit = 5;

struct Call {
    std::string id, name, arguments;
};

/// What is to be said, in neither protocol.
struct Speech {
    std::string text;
    std::vector<Call> calls;
    bool cutShort = false;
    bool withIndex = true;
};

Speech speechFor(const HeardRequest& heard) {
    Speech speech;
    speech.withIndex = heard.model.find("no-index") == std::string::npos;
    speech.cutShort = heard.heard.value("max", 0) == kShortLimit;
    const bool mayCall = heard.heard.contains("tools") && heard.heard.value("choice", Json()) != "none";
    if (heard.heard.contains("schema")) {
        speech.text = R"({"dock":3})";
    } else if (mayCall && heard.heard.at("turns").back() == "user" && !heard.heard.contains("results")) {
        const std::string name = heard.heard.at("tools").at(0).at(0).get<std::string>();
        speech.text = "Looking.";
        speech.calls.push_back({"call_3", name, R"({"dock":3})"});
        if (!heard.heard.contains("parallel")) speech.calls.push_back({"call_4", name, R"({"dock":4,"note":"駅 \"4\""})"});
    } else {
        speech.text = heard.heard.dump();
    }
    return speech;
}

/// Pieces of a text, none of which ends where a word does.
std::vector<std::string> pieces(const std::string& text, std::size_t count = 3) {
    std::vector<std::string> out;
    const std::size_t step = text.size() / count + 1;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.size(), at + step);
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
        out.push_back(text.substr(at, end - at));
        at = end;
    }
    return out;
}

// ---- OpenAI -------------------------------------------------------------------------------------------------------

Json openAiUsage() {
    return {{"prompt_tokens", kInput}, {"completion_tokens", kOutput}, {"total_tokens", kInput + kOutput},
            {"prompt_tokens_details", {{"cached_tokens", kCached}}}};
}

std::string openAiFinish(const Speech& speech) { return speech.cutShort ? "length" : speech.calls.empty() ? "stop" : "tool_calls"; }

Json openAiChunk(const Json& delta, const Json& finish = nullptr) {
    Json choice{{"index", 0}, {"delta", delta}, {"finish_reason", finish}};
    return {{"id", "chatcmpl-1"}, {"object", "chat.completion.chunk"}, {"created", 1}, {"model", "m"}, {"choices", Json::array({choice})}};
}

Json callDelta(const Call& call, std::size_t index, bool withIndex) {
    Json delta = withIndex ? Json{{"index", index}} : Json::object();
    delta["id"] = call.id;
    delta["type"] = "function";
    delta["function"] = {{"name", call.name}, {"arguments", ""}};
    return delta;
}

/// The arguments of all calls in turns, as real engines interleave them (F23).
std::vector<Json> openAiCallDeltas(const Speech& speech) {
    std::vector<Json> out;
    Json all = Json::array();
    for (std::size_t i = 0; i < speech.calls.size(); ++i) {
        all.push_back(callDelta(speech.calls[i], i, speech.withIndex));
        if (!speech.withIndex) all.back()["function"]["arguments"] = speech.calls[i].arguments;
    }
    if (!all.empty()) out.push_back({{"tool_calls", all}});
    if (!speech.withIndex) return out;
    for (std::size_t part = 0; part < 3; ++part)
        for (std::size_t i = 0; i < speech.calls.size(); ++i)
            if (const auto parts = pieces(speech.calls[i].arguments); part < parts.size())
                out.push_back({{"tool_calls", Json::array({{{"index", i}, {"function", {{"arguments", parts[part]}}}}})}});
    return out;
}

std::vector<std::string> openAiContent(const Speech& speech) {
    std::vector<std::string> frames;
    for (const std::string& piece : pieces(speech.text)) frames.push_back("data: " + openAiChunk({{"content", piece}}).dump() + "\n\n");
    for (const Json& delta : openAiCallDeltas(speech)) frames.push_back("data: " + openAiChunk(delta).dump() + "\n\n");
    return frames;
}

std::vector<std::string> openAiEnd(const Speech& speech, bool usage) {
    std::vector<std::string> frames{"data: " + openAiChunk(Json::object(), openAiFinish(speech)).dump() + "\n\n"};
    if (usage) {  // F9
        Json chunk = openAiChunk(Json::object());
        chunk["choices"] = Json::array();
        chunk["usage"] = openAiUsage();
        frames.push_back("data: " + chunk.dump() + "\n\n");
    }
    frames.push_back("data: [DONE]\n\n");
    return frames;
}

std::string openAiWhole(const Speech& speech) {
    Json message{{"role", "assistant"}, {"content", speech.text}};
    for (const Call& call : speech.calls)
        message["tool_calls"].push_back({{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
    const Json choice{{"index", 0}, {"message", message}, {"finish_reason", openAiFinish(speech)}};
    return Json{{"id", "chatcmpl-1"}, {"object", "chat.completion"}, {"created", 1}, {"model", "m"},
                {"choices", Json::array({choice})}, {"usage", openAiUsage()}}.dump();
}

std::string openAiError(const std::string& message, int status) {
    return Json{{"error", {{"message", message}, {"type", status == 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error"},
                           {"code", status}, {"param", nullptr}}}}.dump();
}

// ---- Anthropic ----------------------------------------------------------------------------------------------------

std::string anthropicEvent(const Json& data) {
    return "event: " + data.at("type").get<std::string>() + "\ndata: " + data.dump() + "\n\n";
}

Json anthropicUsage(int output) {
    return {{"input_tokens", kInput - kCached}, {"cache_creation_input_tokens", 0}, {"cache_read_input_tokens", kCached}, {"output_tokens", output}};
}

std::string anthropicStop(const Speech& speech) { return speech.cutShort ? "max_tokens" : speech.calls.empty() ? "end_turn" : "tool_use"; }

Json anthropicMessage(const Json& content, const Json& stop, int output) {
    return {{"id", "msg_1"}, {"type", "message"}, {"role", "assistant"}, {"model", "m"}, {"content", content},
            {"stop_reason", stop}, {"stop_sequence", nullptr}, {"usage", anthropicUsage(output)}};
}

std::string anthropicStart() {
    return anthropicEvent({{"type", "message_start"}, {"message", anthropicMessage(Json::array(), nullptr, 1)}}) + anthropicEvent({{"type", "ping"}});
}

void anthropicBlock(std::vector<std::string>& frames, int index, const Json& block, const char* delta, const char* key, const std::vector<std::string>& parts) {
    frames.push_back(anthropicEvent({{"type", "content_block_start"}, {"index", index}, {"content_block", block}}));
    for (const std::string& part : parts)
        frames.push_back(anthropicEvent({{"type", "content_block_delta"}, {"index", index}, {"delta", {{"type", delta}, {key, part}}}}));
    frames.push_back(anthropicEvent({{"type", "content_block_stop"}, {"index", index}}));
}

std::vector<std::string> anthropicContent(const Speech& speech) {
    std::vector<std::string> frames;
    anthropicBlock(frames, 0, {{"type", "text"}, {"text", ""}}, "text_delta", "text", pieces(speech.text));
    int index = 1;
    for (const Call& call : speech.calls)
        anthropicBlock(frames, index++, {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", Json::object()}}, "input_json_delta",
                       "partial_json", pieces(call.arguments));
    return frames;
}

std::vector<std::string> anthropicEnd(const Speech& speech) {
    return {anthropicEvent({{"type", "message_delta"}, {"delta", {{"stop_reason", anthropicStop(speech)}, {"stop_sequence", nullptr}}},
                            {"usage", {{"output_tokens", kOutput}}}}),
            anthropicEvent({{"type", "message_stop"}})};
}

std::string anthropicWhole(const Speech& speech) {
    Json content = Json::array({{{"type", "text"}, {"text", speech.text}}});
    for (const Call& call : speech.calls)
        content.push_back({{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", Json::parse(call.arguments)}});
    return anthropicMessage(content, anthropicStop(speech), kOutput).dump();
}

Json anthropicError(const std::string& message, int status) {
    const char* type = status == 429 ? "rate_limit_error" : status == 529 ? "overloaded_error" : status < 500 ? "invalid_request_error" : "api_error";
    return {{"type", "error"}, {"error", {{"type", type}, {"message", message}}}};
}

// ---- both ---------------------------------------------------------------------------------------------------------

struct Voice {
    bool anthropic;
    [[nodiscard]] std::string error(const std::string& message, int status) const {
        return anthropic ? anthropicError(message, status).dump() : openAiError(message, status);
    }
    [[nodiscard]] std::string errorFrame() const {
        return anthropic ? anthropicEvent(anthropicError("overloaded", 529)) : "data: " + openAiError("overloaded", 503) + "\n\n";
    }
    [[nodiscard]] std::string start() const {
        return anthropic ? anthropicStart() : "data: " + openAiChunk({{"role", "assistant"}, {"content", ""}}).dump() + "\n\n";
    }
    [[nodiscard]] std::string whole(const Speech& speech) const { return anthropic ? anthropicWhole(speech) : openAiWhole(speech); }
    [[nodiscard]] std::vector<std::string> content(const Speech& speech) const { return anthropic ? anthropicContent(speech) : openAiContent(speech); }
    [[nodiscard]] std::vector<std::string> end(const Speech& speech, bool usage) const { return anthropic ? anthropicEnd(speech) : openAiEnd(speech, usage); }
};

std::string faultOf(const std::string& model) {
    constexpr std::string_view kPrefix = "fault-";
    if (!model.starts_with(kPrefix)) return {};
    const std::size_t end = model.find('-', kPrefix.size());
    return model.substr(kPrefix.size(), end == std::string::npos ? end : end - kPrefix.size());
}

Reply faultyStream(const Voice& voice, const Speech& speech, const std::string& fault) {
    Reply reply = Reply::stream();
    if (fault == "frame") return std::move(reply.chunk(voice.errorFrame()).end());
    reply.chunk(voice.start());
    if (fault == "early") return std::move(reply.close());
    if (fault == "stall") return std::move(reply.stall());
    const auto content = voice.content(speech);
    for (std::size_t i = 0; i < 2 && i < content.size(); ++i) reply.chunk(content[i]);
    if (fault == "late") return std::move(reply.close());
    if (fault == "latestall") return std::move(reply.stall());
    return std::move(reply.chunk(voice.errorFrame()).end());
}

Reply faultyWhole(const Voice& voice, const Speech& speech, const std::string& fault) {
    if (fault == "frame") return Reply::json(voice.error("overloaded", voice.anthropic ? 529 : 503));
    if (fault == "early") return std::move(Reply::nothing().close());
    if (fault == "stall") return std::move(Reply::nothing().stall());
    const std::string body = voice.whole(speech);
    Reply reply = Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                             body.substr(0, body.size() / 2));
    return fault == "latestall" ? std::move(reply.stall()) : std::move(reply.close());
}

Reply answer(const Voice& voice, const HeardRequest& heard) {
    const Speech speech = speechFor(heard);
    const std::string fault = faultOf(heard.model);
    if (!fault.empty() && std::isdigit(static_cast<unsigned char>(fault.front())) != 0) {
        const int status = std::stoi(fault);
        return Reply::json(voice.error("scripted " + fault, status), status, status == 429 ? "Retry-After: 7\r\n" : "");
    }
    if (!fault.empty()) return heard.stream ? faultyStream(voice, speech, fault) : faultyWhole(voice, speech, fault);
    if (!heard.stream) return Reply::json(voice.whole(speech));
    Reply reply = Reply::stream();
    reply.inPieces(7).chunk(voice.start());  // F14
    for (const std::string& frame : voice.content(speech)) reply.chunk(frame);
    for (const std::string& frame : voice.end(speech, heard.asksForUsage)) reply.chunk(frame);
    return std::move(reply.end());
}

}  // namespace

Reply speak(const ReceivedRequest& request) {
    const std::string line = request.requestLine();
    if (line.starts_with("POST /v1/messages/count_tokens ")) return Reply::json(R"({"input_tokens":42})");
    const Voice voice{line.starts_with("POST /v1/messages ")};
    if (!voice.anthropic && !line.starts_with("POST /v1/chat/completions ")) return Reply::json(voice.error("no such path: " + line, 404), 404);
    const HeardRequest heard = voice.anthropic ? hearAnthropic(request) : hearOpenAi(request);
    if (!heard.complaint.empty()) return Reply::json(voice.error("strict: " + heard.complaint, 400), 400);
    return answer(voice, heard);
}

}  // namespace signalbox::test
