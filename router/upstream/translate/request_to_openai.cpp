// SPDX-License-Identifier: MIT
#include "router/base/hashing.h"
#include "router/upstream/translate/request_openai_messages.h"
#include "router/upstream/translate/request_schemas.h"
#include "router/upstream/translate/request_tools.h"
#include "router/upstream/translate/request_translation.h"
#include "router/upstream/translate/request_value.h"

#include <algorithm>

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

/// That protocol asks for a name of the schema and shows it to the model; this one has none.
constexpr std::string_view kFormatName = "answer";
/// OpenAI refuses longer names of users. Coding agents send some 150 bytes.
constexpr std::size_t kMaxUserBytes = 64;

/// Leave to think, in tokens at most or as many as the model likes; another model thinks as it does.
bool isLeaveToThink(const Value& thinking) {
    const std::string& type = thinking.required("type").text();
    return type == "enabled" || type == "adaptive" || type == "disabled";
}

/// What clears thinking out of the context has nothing to do where none is told.
bool clearsThinkingOnly(const Value& management) {
    if (!management.isObject()) return false;
    const std::vector<Value::Member> members = management.members();
    if (members.size() != 1 || members.front().key != "edits" || !members.front().value.isArray()) return false;
    const std::vector<Value> edits = members.front().value.items();
    return !edits.empty() && std::ranges::all_of(edits, [](const Value& edit) {
        const auto type = edit.isObject() ? edit.member("type") : std::nullopt;
        return type && type->isText() && type->text().starts_with("clear_thinking_");
    });
}

void refuseAnthropicOnly(const Value& body) {
    for (const auto& [key, value] : body.members()) {
        if (!classify::knowsField(classify::Dialect::anthropic, key)) value.peculiar(Peculiarity::otherFields);
        if (key == "top_k") value.peculiar(Peculiarity::topK);
        if (key == "mcp_servers" && !(value.isArray() && value.empty())) value.peculiar(Peculiarity::mcpServers);
        if (key == "container") value.peculiar(Peculiarity::container);
        if (key == "context_management" && !clearsThinkingOnly(value)) value.peculiar(Peculiarity::contextManagement);
        if (key == "thinking" && !isLeaveToThink(value)) value.peculiar(Peculiarity::thinking);
    }
}

void carryTokens(const Value& body, config::TokensField field, OrderedJson& out) {
    const auto limit = body.member("max_tokens");
    if (!limit) return;
    const std::uint64_t count = limit->count();
    if (field != config::TokensField::maxCompletionTokens) out["max_tokens"] = count;
    if (field == config::TokensField::maxCompletionTokens || field == config::TokensField::both)
        out["max_completion_tokens"] = count;
}

void carrySampling(const Value& body, std::size_t maxStops, OrderedJson& out) {
    if (const auto temperature = body.member("temperature")) {
        const double value = temperature->number();
        if (!(value >= 0 && value <= 1)) temperature->refuse("must lie in 0 to 1");
        out["temperature"] = verbatim(*temperature);
    }
    if (const auto share = body.member("top_p")) out["top_p"] = sameNumber(*share);
    const auto stop = body.member("stop_sequences");
    if (!stop) return;
    OrderedJson sequences = OrderedJson::array();
    for (const Value& one : stop->items()) sequences.push_back(sameText(one));
    if (sequences.size() > maxStops) stop->hasNoWords("more than " + std::to_string(maxStops) + " stop words");
    if (!sequences.empty()) out["stop"] = std::move(sequences);
}

/// Only who asks is carried: what else stands in `metadata` is ours or private (F33).
void carryUserId(const Value& body, OrderedJson& out) {
    const auto metadata = body.member("metadata");
    if (!metadata) return;
    const auto user = metadata->member("user_id");
    if (!user || user->text().empty()) return;
    if (user->text().size() > kMaxUserBytes) out["user"] = sha256Hex(user->text());
    else out["user"] = verbatim(*user);
}

/// Anthropic keeps to every schema of an answer, so that each one asks for `strict`.
OrderedJson openAiFormat(const Value& format, LeftOut& leftOut) {
    const Value type = format.required("type");
    if (type.text() != "json_schema") type.refuse("is no format of an answer", "Use \"json_schema\".");
    const Value schema = format.required("schema").asObject();
    const bool isStrict = canBeStrict(schema);
    leftOut.strict = leftOut.strict || !isStrict;
    OrderedJson told = isStrict ? strictSchema(schema) : verbatim(schema);
    return {{"type", "json_schema"}, {"json_schema", {{"name", kFormatName}, {"schema", std::move(told)}, {"strict", isStrict}}}};
}

void carryEffortWord(const Value& effort, OrderedJson& out) {
    const std::string& word = effort.text();
    if (word != "low" && word != "medium" && word != "high" && word != "xhigh") effort.peculiar(Peculiarity::effort);
    out["reasoning_effort"] = word;
}

void carryOutput(const Value& body, OrderedJson& out, LeftOut& leftOut) {
    // The older name of `output_config.format`, which clients still send.
    if (const auto format = body.member("output_format")) out["response_format"] = openAiFormat(*format, leftOut);
    const auto config = body.member("output_config");
    if (!config) return;
    for (const auto& [key, value] : config->members()) {
        if (key == "effort") carryEffortWord(value, out);
        else if (key == "format") out["response_format"] = openAiFormat(value, leftOut);
        else value.peculiar(Peculiarity::otherFields);
    }
}

void carryStream(const Value& body, bool askForUsage, OrderedJson& out) {
    const auto stream = body.member("stream");
    if (!stream) return;
    out["stream"] = stream->flag();
    if (stream->flag() && askForUsage) out["stream_options"] = {{"include_usage", true}};
}

std::string toOpenAi(std::string_view text, const OpenAiWish& wish, LeftOut& leftOut) {
    const ReadText read = readText(text);
    const Value body(read);
    refuseAnthropicOnly(body);
    OpenAiConversation conversation;
    if (const auto system = body.member("system")) conversation.addSystem(*system);
    const Value messages = body.required("messages");
    conversation.add(messages);
    OrderedJson out{{"model", wish.model}, {"messages", conversation.write(messages)}};
    openAiTools(body, out, leftOut);
    carryTokens(body, wish.tokensField, out);
    carrySampling(body, wish.maxStopSequences, out);
    carryUserId(body, out);
    carryOutput(body, out, leftOut);
    carryStream(body, wish.askForUsage, out);
    return written(out);
}

}  // namespace
}  // namespace signalbox::upstream::translate

namespace signalbox::upstream {

Result<std::string> openAiRequest(std::string_view anthropicBody, const OpenAiWish& wish, LeftOut* leftOut) {
    try {
        LeftOut found;
        std::string body = translate::toOpenAi(anthropicBody, wish, found);
        if (leftOut != nullptr) *leftOut = found;
        return body;
    } catch (translate::Refused& refused) {
        return tl::unexpected(std::move(refused.error));
    }
}

}  // namespace signalbox::upstream
