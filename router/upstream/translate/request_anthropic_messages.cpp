// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_anthropic_messages.h"

#include "router/classify/text_tokens.h"
#include "router/upstream/translate/request_images.h"

#include <algorithm>

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

using Blocks = std::vector<OrderedJson>;

/// `text` is a JSON text; nothing is added for white space.
void addTextBlock(const Value& text, Blocks& blocks) {
    if (!isBlank(text.text())) blocks.push_back({{"type", "text"}, {"text", verbatim(text)}});
}

[[noreturn]] void refusePart(const Value& part, const std::string& kind) {
    if (kind == "input_audio" || kind == "audio" || kind == "audio_url") part.peculiar(Peculiarity::audio);
    if (kind == "file" || kind == "input_file" || kind == "video_url" || kind == "video") part.peculiar(Peculiarity::files);
    part.required("type").hasNoWords("a part of this type");
}

/// A text or a list of parts.
void addContent(const Value& content, bool mayHaveImages, Blocks& blocks) {
    if (content.isText()) return addTextBlock(content, blocks);
    if (!content.isArray()) content.refuse("must be a text or a list of parts", "Correct the value.");
    for (const Value& part : content.items()) {
        const std::string& kind = part.required("type").text();
        if (kind == "text") addTextBlock(part.required("text"), blocks);
        else if (kind == "refusal") addTextBlock(part.required("refusal"), blocks);
        else if (kind == "image_url" && mayHaveImages) blocks.push_back(anthropicImage(part));
        else refusePart(part, kind);
    }
}

bool isIdCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

OrderedJson asArray(Blocks&& blocks) {
    OrderedJson out = OrderedJson::array();
    for (OrderedJson& block : blocks) out.push_back(std::move(block));
    return out;
}

/// One text is written as itself and several blocks as a list.
OrderedJson asContent(Blocks&& blocks) {
    if (blocks.size() == 1 && blocks.front()["type"] == "text") return std::move(blocks.front()["text"]);
    return asArray(std::move(blocks));
}

/// The arguments that a model wrote: a JSON text with an object, or nothing when there are none.
OrderedJson argumentsOf(const Value& arguments) {
    if (!classify::isObjectInText(arguments.bytes())) arguments.peculiar(Peculiarity::callArguments);
    const std::string& text = arguments.text();
    if (isBlank(text)) return OrderedJson::object();
    try {
        const ReadText read = readText(text);
        if (Value(read).isObject()) return verbatim(Value(read));
    } catch (const Refused&) {
        // Said below, at the place in the body.
    }
    // An object that is not read the same by everybody: a name twice in it, for instance.
    arguments.refuse("are not a JSON object that the upstream would read the same", "Correct or remove the call.");
}

}  // namespace

CallIds::Given& CallIds::givenFor(const Value& id) {
    if (id.text().empty()) id.refuse("is empty", "Give every call of a tool a name of its own.");
    return m_given[id.text()];
}

std::string CallIds::fresh(const std::string& said) {
    std::string name = said;
    std::replace_if(name.begin(), name.end(), [](char c) { return !isIdCharacter(c); }, '_');
    if (m_taken.insert(name).second) return name;
    // Counting goes on where it ended: thousands of ids may have one stem.
    std::size_t& number = m_lastNumber.try_emplace(name, 1).first->second;
    const std::string stem = name + "_";
    do name = stem + std::to_string(++number);
    while (!m_taken.insert(name).second);
    return name;
}

std::string CallIds::ofCall(const Value& id, std::size_t turn) {
    Given& given = givenFor(id);
    const bool wasCalled = given.turn != 0;
    if (wasCalled && given.turn != turn) given.names.clear();
    if (given.turn != turn) given.results = 0;
    given.turn = turn;
    if (wasCalled || given.names.empty()) given.names.push_back(fresh(id.text()));
    return given.names.back();
}

std::string CallIds::ofResult(const Value& id) {
    Given& given = givenFor(id);
    if (given.names.empty()) given.names.push_back(fresh(id.text()));
    return given.names[std::min(given.results++, given.names.size() - 1)];
}

void AnthropicConversation::add(const Value& messages) {
    for (const Value& message : messages.items()) addMessage(message);
}

void AnthropicConversation::addMessage(const Value& message) {
    const Value role = message.required("role");
    const std::string& who = role.text();
    if (who == "function") message.peculiar(Peculiarity::legacyFunctions);
    const auto images = message.member("images");
    if (images && !(images->isArray() && images->empty())) images->peculiar(Peculiarity::messageImages);
    if (who == "tool") return addResult(message);
    if (const auto name = message.member("name")) name->peculiar(Peculiarity::participantNames);
    if (who == "system" || who == "developer") addContent(message.required("content"), false, m_system);
    else if (who == "user") addUser(message);
    else if (who == "assistant") addAssistant(message);
    else role.refuse("is no role", "Roles are system, developer, user, assistant and tool.");
}

AnthropicConversation::Turn& AnthropicConversation::turn(std::string_view role) {
    if (m_turns.empty() || m_turns.back().role != role) m_turns.push_back({role, {}, {}});
    return m_turns.back();
}

std::size_t AnthropicConversation::assistantsTurn() const {
    const bool goesOn = !m_turns.empty() && m_turns.back().role == "assistant";
    return m_turns.size() + (goesOn ? 0 : 1);
}

void AnthropicConversation::addUser(const Value& message) {
    Blocks blocks;
    addContent(message.required("content"), true, blocks);
    if (blocks.empty()) return;
    Blocks& all = turn("user").blocks;
    std::move(blocks.begin(), blocks.end(), std::back_inserter(all));
}

void AnthropicConversation::addAssistant(const Value& message) {
    if (const auto call = message.member("function_call")) call->peculiar(Peculiarity::legacyFunctions);
    if (const auto audio = message.member("audio")) audio->peculiar(Peculiarity::audio);
    Blocks blocks;
    if (const auto content = message.member("content")) addContent(*content, false, blocks);
    if (const auto refusal = message.member("refusal")) addTextBlock(*refusal, blocks);
    if (const auto calls = message.member("tool_calls"))
        for (const Value& call : calls->items()) addCall(call, blocks);
    if (blocks.empty()) return;
    Blocks& all = turn("assistant").blocks;
    std::move(blocks.begin(), blocks.end(), std::back_inserter(all));
}

void AnthropicConversation::addCall(const Value& call, Blocks& blocks) {
    if (const auto kind = call.member("type"); kind && kind->text() != "function") kind->peculiar(Peculiarity::customTools);
    const Value function = call.required("function");
    const Value name = function.required("name");
    if (name.text().empty()) name.refuse("is empty");
    const auto arguments = function.member("arguments");
    blocks.push_back({{"type", "tool_use"},
                      {"id", m_ids.ofCall(call.required("id"), assistantsTurn())},
                      {"name", verbatim(name)},
                      {"input", arguments ? argumentsOf(*arguments) : OrderedJson::object()}});
    if (m_called.insert(name.text()).second) m_calledNames.push_back(name.text());
}

void AnthropicConversation::addResult(const Value& message) {
    OrderedJson result{{"type", "tool_result"}, {"tool_use_id", m_ids.ofResult(message.required("tool_call_id"))}};
    Blocks blocks;
    if (const auto content = message.member("content")) addContent(*content, true, blocks);
    if (!blocks.empty()) result["content"] = asContent(std::move(blocks));
    turn("user").results.push_back(std::move(result));
}

void AnthropicConversation::write(const Value& messages, OrderedJson& out) {
    if (m_turns.empty())
        messages.refuse("hold no turn of a user or an assistant with content", "Add a user message that says something.");
    if (!m_system.empty()) out["system"] = asContent(std::move(m_system));
    OrderedJson turns = OrderedJson::array();
    for (Turn& one : m_turns) {
        Blocks blocks = std::move(one.results);
        std::move(one.blocks.begin(), one.blocks.end(), std::back_inserter(blocks));
        turns.push_back({{"role", one.role}, {"content", asContent(std::move(blocks))}});
    }
    out["messages"] = std::move(turns);
}

}  // namespace signalbox::upstream::translate
