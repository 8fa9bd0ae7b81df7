// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_openai_messages.h"

#include "router/upstream/translate/request_images.h"

#include <algorithm>

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

using Parts = std::vector<OrderedJson>;

void refuseCitations(const Value& block) {
    const auto citations = block.member("citations");
    if (citations && !(citations->isArray() && citations->empty())) citations->peculiar(Peculiarity::citations);
}

/// Its words; empty when they are only white space.
std::string textOf(const Value& block) {
    refuseCitations(block);
    const std::string& text = block.required("text").text();
    return isBlank(text) ? std::string() : text;
}

[[noreturn]] void refuseBlock(const Value& block, const std::string& kind) {
    if (kind == "document" || kind == "search_result") block.peculiar(Peculiarity::documents);
    const bool ofServer = kind.starts_with("server_") || kind.starts_with("mcp_") || kind.starts_with("web_") ||
                          kind.find("code_execution") != std::string::npos || kind == "container_upload";
    if (ofServer) block.peculiar(Peculiarity::serverTools);
    block.required("type").hasNoWords("a block of this type");
}

/// Signed or hidden for the upstream that thought it; nobody else can read it or should.
bool isThought(const std::string& kind) { return kind == "thinking" || kind == "redacted_thinking"; }

OrderedJson textPart(std::string text) { return {{"type", "text"}, {"text", std::move(text)}}; }

OrderedJson asList(Parts&& parts) {
    OrderedJson out = OrderedJson::array();
    for (OrderedJson& part : parts) out.push_back(std::move(part));
    return out;
}

void append(std::string& text, std::string_view more) {
    if (more.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += more;
}

/// Texts are written as one: not every engine reads lists. Beside images all parts stand in one.
OrderedJson asMessageContent(Parts&& parts) {
    const auto isText = [](const OrderedJson& part) { return part.at("type") == "text"; };
    if (!std::ranges::all_of(parts, isText)) return asList(std::move(parts));
    std::string text;
    for (const OrderedJson& part : parts) append(text, part.at("text").get_ref<const std::string&>());
    return text;
}

/// Texts and images of a result; a text is content, too.
void addResultContent(const Value& content, Parts& texts, Parts& images) {
    if (content.isText()) {
        if (!isBlank(content.text())) texts.push_back(textPart(content.text()));
        return;
    }
    if (!content.isArray()) content.refuse("must be a text or a list of blocks", "Correct the value.");
    for (const Value& block : content.items()) {
        const std::string& kind = block.required("type").text();
        if (kind == "image") images.push_back(openAiImage(block));
        else if (kind != "text") refuseBlock(block, kind);
        else if (std::string text = textOf(block); !text.empty()) texts.push_back(textPart(std::move(text)));
    }
}

OrderedJson callOf(const Value& block) {
    const Value id = block.required("id"), name = block.required("name"), input = block.required("input");
    if (id.text().empty()) id.refuse("is empty", "Give every call of a tool a name of its own.");
    if (name.text().empty()) name.refuse("is empty");
    return {{"id", verbatim(id)},
            {"type", "function"},
            {"function", {{"name", verbatim(name)}, {"arguments", std::string(input.asObject().bytes())}}}};
}

}  // namespace

void OpenAiConversation::addSystem(const Value& system) {
    std::string text;
    if (system.isText()) {
        append(text, isBlank(system.text()) ? "" : system.text());
    } else {
        if (!system.isArray()) system.refuse("must be a text or a list of text blocks", "Correct the value.");
        for (const Value& block : system.items()) {
            const std::string& kind = block.required("type").text();
            if (kind != "text") refuseBlock(block, kind);
            append(text, textOf(block));
        }
    }
    if (!text.empty()) m_messages.push_back({{"role", "system"}, {"content", std::move(text)}});
}

void OpenAiConversation::add(const Value& messages) {
    for (const Value& message : messages.items()) addMessage(message);
}

void OpenAiConversation::addMessage(const Value& message) {
    const Value role = message.required("role"), content = message.required("content");
    if (!content.isText() && !content.isArray()) content.refuse("must be a text or a list of blocks", "Correct the value.");
    if (role.text() == "user") addUser(content);
    else if (role.text() == "assistant") addAssistant(content);
    else if (role.text() == "system") addSystem(content);
    else role.refuse("is no role", "Roles are user and assistant; the system prompt stands in `system`.");
}

void OpenAiConversation::addUser(const Value& content) {
    Parts behind, parts;
    if (content.isText()) {
        if (!isBlank(content.text())) parts.push_back(textPart(content.text()));
    } else {
        for (const Value& block : content.items()) {
            const std::string& kind = block.required("type").text();
            if (kind == "tool_result") addResult(block, behind);
            else if (kind == "image") parts.push_back(openAiImage(block));
            else if (kind != "text") refuseBlock(block, kind);
            else if (std::string text = textOf(block); !text.empty()) parts.push_back(textPart(std::move(text)));
        }
    }
    std::move(parts.begin(), parts.end(), std::back_inserter(behind));
    if (behind.empty()) return;
    m_messages.push_back({{"role", "user"}, {"content", asMessageContent(std::move(behind))}});
    m_hasTurn = true;
}

void OpenAiConversation::addResult(const Value& result, Parts& imagesBehind) {
    const Value id = result.required("tool_use_id");
    if (id.text().empty()) id.refuse("is empty");
    Parts texts, images;
    if (const auto content = result.member("content")) addResultContent(*content, texts, images);
    if (const auto failed = result.member("is_error"); failed && failed->flag()) {
        if (texts.empty()) texts.push_back(textPart("Error"));
        else texts.front()["text"] = "Error: " + texts.front()["text"].get<std::string>();
    }
    for (OrderedJson& image : images) {
        imagesBehind.push_back(textPart("Image in the result of the call " + id.text() + ":"));
        imagesBehind.push_back(std::move(image));
    }
    m_messages.push_back({{"role", "tool"}, {"tool_call_id", verbatim(id)}, {"content", asMessageContent(std::move(texts))}});
    m_hasTurn = true;
}

void OpenAiConversation::addAssistant(const Value& content) {
    std::string text;
    OrderedJson calls = OrderedJson::array();
    if (content.isText()) {
        append(text, isBlank(content.text()) ? "" : content.text());
    } else {
        for (const Value& block : content.items()) {
            const std::string& kind = block.required("type").text();
            if (isThought(kind)) continue;
            if (kind == "tool_use") calls.push_back(callOf(block));
            else if (kind != "text") refuseBlock(block, kind);
            else append(text, textOf(block));
        }
    }
    if (text.empty() && calls.empty()) return;
    OrderedJson message{{"role", "assistant"}, {"content", text.empty() ? OrderedJson() : OrderedJson(std::move(text))}};
    if (!calls.empty()) message["tool_calls"] = std::move(calls);
    m_messages.push_back(std::move(message));
    m_hasTurn = true;
}

OrderedJson OpenAiConversation::write(const Value& messages) {
    if (!m_hasTurn)
        messages.refuse("hold no turn of a user or an assistant with content", "Add a user message that says something.");
    return std::move(m_messages);
}

}  // namespace signalbox::upstream::translate
