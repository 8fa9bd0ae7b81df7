// SPDX-License-Identifier: MIT
#include "tests/support/speaking_upstream.h"

#include <algorithm>
#include <array>
#include <set>

namespace signalbox::test {

namespace {

using Json = nlohmann::ordered_json;

struct Complaint {
    std::string text;
};

void demand(bool holds, const std::string& otherwise) {
    if (!holds) throw Complaint{otherwise};
}

/// F33: whatever is not on the list has no business here.
template <std::size_t N>
void demandKnown(const Json& object, const std::array<const char*, N>& known, const std::string& where) {
    demand(object.is_object(), where + " is no object");
    for (const auto& [key, value] : object.items())
        demand(std::find(known.begin(), known.end(), key) != known.end(), where + " has an unknown member " + key);
}

bool isBlankText(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

void carry(const Json& from, const char* key, Json& to, const char* as) {
    if (from.contains(key)) to[as] = from.at(key);
}

std::string imageOfDataUrl(const std::string& url) {
    if (!url.starts_with("data:")) return url;
    return url.substr(5, url.find(';') - 5) + ";" + std::to_string(url.size() - url.find(',') - 1);
}

Json emptyHeard() {
    Json heard;
    for (const char* list : {"turns", "texts", "images", "calls", "results", "tools"}) heard[list] = Json::array();
    return heard;
}

void dropEmpty(Json& heard) {
    for (const char* list : {"turns", "texts", "images", "calls", "results", "tools"})
        if (heard[list].empty()) heard.erase(list);
}

// ---- OpenAI -------------------------------------------------------------------------------------------------------

void hearOpenAiContent(const Json& content, Json& heard, std::string* into) {
    const auto say = [&](const std::string& text) { into != nullptr ? void(*into += text) : heard["texts"].push_back(text); };
    if (content.is_null()) return;
    if (content.is_string()) return say(content.get<std::string>());
    demand(content.is_array() && !content.empty(), "content is neither a text nor a list of parts");
    for (const Json& part : content) {
        if (part.at("type") == "text") say(part.at("text").get<std::string>());
        else if (part.at("type") == "image_url") heard["images"].push_back(imageOfDataUrl(part.at("image_url").at("url").get<std::string>()));
        else throw Complaint{"a part of type " + part.at("type").dump()};
    }
}

void hearOpenAiMessage(const Json& message, std::set<std::string>& open, Json& heard) {
    static constexpr std::array kKnown{"role", "content", "tool_calls", "tool_call_id"};
    demandKnown(message, kKnown, "a message");
    const std::string role = message.at("role").get<std::string>();
    demand(role == "tool" || open.empty(), "a call has no result: " + (open.empty() ? "" : *open.begin()));
    if (role != "system") heard["turns"].push_back(role);
    if (role == "system") {
        std::string text = heard.contains("system") ? heard["system"].get<std::string>() + "|" : "";
        hearOpenAiContent(message.at("content"), heard, &text);
        heard["system"] = text;
    } else if (role == "tool") {
        const std::string id = message.at("tool_call_id").get<std::string>();
        demand(open.erase(id) == 1, "a result of no call: " + id);
        std::string text;
        hearOpenAiContent(message.at("content"), heard, &text);
        heard["results"].push_back({id, text});
    } else {
        demand(role == "user" || role == "assistant", "role " + role);
        demand(role == "assistant" || !message.at("content").is_null(), "a user says nothing");
        hearOpenAiContent(message.value("content", Json()), heard, nullptr);
    }
    if (!message.contains("tool_calls")) return;
    demand(role == "assistant" && !message.at("tool_calls").empty(), "tool_calls of " + role);
    for (const Json& call : message.at("tool_calls")) {
        const Json& function = call.at("function");
        open.insert(call.at("id").get<std::string>());
        heard["calls"].push_back({call.at("id"), function.at("name"), Json::parse(function.at("arguments").get<std::string>())});
    }
}

void hearOpenAiTools(const Json& body, Json& heard) {
    if (!body.contains("tools")) return demand(!body.contains("tool_choice") && !body.contains("parallel_tool_calls"), "a choice without tools (F26)");
    demand(body.at("tools").is_array() && !body.at("tools").empty(), "tools is empty (F26)");
    for (const Json& tool : body.at("tools")) {
        const Json& function = tool.at("function");
        demand(function.at("parameters").at("type") == "object", "parameters are no object");
        heard["tools"].push_back({function.at("name"), function.value("description", Json()), function.value("strict", false)});
    }
    if (body.contains("tool_choice")) {
        const Json& choice = body.at("tool_choice");
        heard["choice"] = choice.is_string() ? choice : choice.at("function").at("name");
    }
    if (body.value("parallel_tool_calls", true) == false) heard["parallel"] = false;
}

void hearOpenAiBody(const Json& body, HeardRequest& out) {
    static constexpr std::array kKnown{"model", "messages", "tools", "tool_choice", "parallel_tool_calls", "max_completion_tokens", "temperature",
                                       "top_p", "stop", "user", "stream", "stream_options", "response_format", "reasoning_effort", "seed"};
    demandKnown(body, kKnown, "the body");  // F30: max_tokens is not among them
    std::set<std::string> open;
    for (const Json& message : body.at("messages")) hearOpenAiMessage(message, open, out.heard);
    demand(open.empty(), "a call has no result");
    hearOpenAiTools(body, out.heard);
    carry(body, "max_completion_tokens", out.heard, "max");
    for (const char* key : {"temperature", "top_p", "stop", "user"}) carry(body, key, out.heard, key);
    carry(body, "reasoning_effort", out.heard, "effort");
    if (body.contains("response_format")) {
        const Json& format = body.at("response_format").at("json_schema");
        demand(!format.at("name").get<std::string>().empty(), "a schema without a name");
        out.heard["schema"] = format.at("schema");
    }
    out.asksForUsage = body.contains("stream_options") && body.at("stream_options").value("include_usage", false);
}

// ---- Anthropic ----------------------------------------------------------------------------------------------------

std::string hearImage(const Json& block) {
    const Json& source = block.at("source");
    if (source.at("type") == "url") return source.at("url").get<std::string>();
    demand(source.at("type") == "base64", "source of an image");
    return source.at("media_type").get<std::string>() + ";" + std::to_string(source.at("data").get<std::string>().size());
}

std::string hearText(const Json& block) {
    const std::string text = block.at("text").get<std::string>();
    demand(!isBlankText(text), "text content blocks must be non-empty (F28)");
    return text;
}

void hearResult(const Json& block, std::set<std::string>& open, Json& heard) {
    const std::string id = block.at("tool_use_id").get<std::string>();
    demand(open.erase(id) == 1, "a result of no call: " + id);
    std::string text = block.value("is_error", false) ? "Error: " : "";
    const Json content = block.value("content", Json());
    if (content.is_string()) text += content.get<std::string>();
    else if (content.is_array())
        for (const Json& inner : content) {
            if (inner.at("type") == "text") text += hearText(inner);
            else if (inner.at("type") == "image") heard["images"].push_back(hearImage(inner));
            else throw Complaint{"in a result: " + inner.at("type").dump()};
        }
    heard["results"].push_back({id, text});
}

void hearBlock(const Json& block, const std::string& role, std::set<std::string>& open, Json& heard) {
    const std::string type = block.at("type").get<std::string>();
    if (type == "tool_result") {
        demand(role == "user", "a result of an assistant");
        return hearResult(block, open, heard);
    }
    demand(role == "assistant" || open.empty(), "results come first in a turn");
    if (type == "text") {
        heard["texts"].push_back(hearText(block));
    } else if (type == "image") {
        heard["images"].push_back(hearImage(block));
    } else {
        demand(type == "tool_use" && role == "assistant", "a block of type " + type);
        const std::string id = block.at("id").get<std::string>();
        const bool good = !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
        demand(good, "tool_use.id: String should match pattern");
        open.insert(id);
        heard["calls"].push_back({id, block.at("name"), block.at("input")});
    }
}

void hearAnthropicMessages(const Json& messages, Json& heard) {
    std::set<std::string> open;
    std::string last;
    for (const Json& message : messages) {
        static constexpr std::array kKnown{"role", "content"};
        demandKnown(message, kKnown, "a message");
        const std::string role = message.at("role").get<std::string>();
        demand(role == "user" || role == "assistant", "role " + role);
        demand(role != last, "roles must alternate");
        last = role;
        heard["turns"].push_back(role);
        const Json& content = message.at("content");
        if (content.is_string()) {
            demand(!isBlankText(content.get<std::string>()), "content must be non-empty (F28)");
            heard["texts"].push_back(content);
        } else {
            demand(content.is_array() && !content.empty(), "content must be non-empty");
            for (const Json& block : content) hearBlock(block, role, open, heard);
        }
        demand(role == "assistant" || open.empty(), "a call has no result");
    }
}

void hearAnthropicTools(const Json& body, Json& heard) {
    const bool calledBefore = heard.contains("calls") && !heard["calls"].empty();
    if (!body.contains("tools")) {
        demand(!calledBefore, "Requests which include `tool_use` or `tool_result` blocks must define tools");
        return demand(!body.contains("tool_choice"), "a choice without tools (F26)");
    }
    demand(body.at("tools").is_array() && !body.at("tools").empty(), "tools is empty (F26)");
    for (const Json& tool : body.at("tools")) {
        static constexpr std::array kKnown{"name", "description", "input_schema", "strict", "type", "cache_control"};
        demandKnown(tool, kKnown, "a tool");
        demand(tool.at("input_schema").at("type") == "object", "input_schema.type: Field required");
        heard["tools"].push_back({tool.at("name"), tool.value("description", Json()), tool.value("strict", false)});
    }
    if (!body.contains("tool_choice")) return;
    const Json& choice = body.at("tool_choice");
    const std::string type = choice.at("type").get<std::string>();
    heard["choice"] = type == "any" ? Json("required") : type == "tool" ? choice.at("name") : Json(type);
    if (choice.value("disable_parallel_tool_use", false)) heard["parallel"] = false;
}

void hearAnthropicBody(const Json& body, HeardRequest& out) {
    static constexpr std::array kKnown{"model", "messages", "system", "tools", "tool_choice", "max_tokens", "temperature", "top_p",
                                       "stop_sequences", "metadata", "stream", "output_config", "top_k"};
    demandKnown(body, kKnown, "the body");
    demand(body.contains("max_tokens"), "max_tokens: Field required");
    if (body.contains("system")) {
        std::string text;
        if (body.at("system").is_string()) text = body.at("system").get<std::string>();
        else
            for (const Json& block : body.at("system")) text += (text.empty() ? "" : "|") + hearText(block);
        out.heard["system"] = text;
    }
    hearAnthropicMessages(body.at("messages"), out.heard);
    hearAnthropicTools(body, out.heard);
    carry(body, "max_tokens", out.heard, "max");
    for (const char* key : {"temperature", "top_p"}) carry(body, key, out.heard, key);
    carry(body, "stop_sequences", out.heard, "stop");
    if (body.contains("metadata")) {
        static constexpr std::array kUser{"user_id"};
        demandKnown(body.at("metadata"), kUser, "metadata");
        out.heard["user"] = body.at("metadata").at("user_id");
    }
    if (!body.contains("output_config")) return;
    carry(body.at("output_config"), "effort", out.heard, "effort");
    if (body.at("output_config").contains("format")) out.heard["schema"] = body.at("output_config").at("format").at("schema");
}

template <class Hear>
HeardRequest heard(const ReceivedRequest& request, Hear hear) {
    HeardRequest out;
    out.heard = emptyHeard();
    try {
        const Json body = Json::parse(request.body);
        out.model = body.at("model").get<std::string>();
        out.stream = body.value("stream", false);
        // F39: whoever streams wants the bytes as they come.
        const std::string encoding = request.header("accept-encoding");
        demand(!out.stream || encoding.empty() || encoding == "identity", "Accept-Encoding of a stream: " + encoding);
        for (const char* name : {"x-signalbox-category", "x-signalbox-expected-length", "x-modelport-session-id", "cookie"})
            demand(request.header(name).empty(), std::string("a header of the gateway's: ") + name);
        hear(body, out);
    } catch (const Complaint& complaint) {
        out.complaint = complaint.text;
    } catch (const nlohmann::json::exception& error) {
        out.complaint = error.what();
    }
    dropEmpty(out.heard);
    return out;
}

}  // namespace

HeardRequest hearOpenAi(const ReceivedRequest& request) {
    HeardRequest out = heard(request, hearOpenAiBody);
    if (out.complaint.empty() && request.header("authorization") != "Bearer upstream-key") out.complaint = "no key";
    return out;
}

HeardRequest hearAnthropic(const ReceivedRequest& request) {
    HeardRequest out = heard(request, hearAnthropicBody);
    const bool known = request.header("x-api-key") == "upstream-key" && request.header("authorization").empty();
    if (out.complaint.empty() && !known) out.complaint = "no key";
    if (out.complaint.empty() && request.header("anthropic-version").empty()) out.complaint = "anthropic-version: header is required";
    return out;
}

}  // namespace signalbox::test
