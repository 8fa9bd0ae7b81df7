// SPDX-License-Identifier: MIT
#include "router/base/hashing.h"
#include "router/upstream/translate/request_anthropic_messages.h"
#include "router/upstream/translate/request_tools.h"
#include "router/upstream/translate/request_translation.h"
#include "router/upstream/translate/request_value.h"

#include <algorithm>
#include <array>

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

/// Peculiar whatever they say.
struct OpenAiOnly {
    std::string_view field;
    Peculiarity what;
};
constexpr auto kOpenAiOnly = std::to_array<OpenAiOnly>({{"seed", Peculiarity::seed},
                                                        {"audio", Peculiarity::audio},
                                                        {"prediction", Peculiarity::prediction},
                                                        {"web_search_options", Peculiarity::webSearch},
                                                        {"guided_json", Peculiarity::grammar},
                                                        {"guided_regex", Peculiarity::grammar},
                                                        {"guided_choice", Peculiarity::grammar},
                                                        {"guided_grammar", Peculiarity::grammar},
                                                        {"structured_outputs", Peculiarity::grammar},
                                                        {"grammar", Peculiarity::grammar},
                                                        {"json_schema", Peculiarity::grammar}});

/// Anthropic refuses longer names of users, and addresses of mail.
constexpr std::size_t kMaxUserIdBytes = 256;

void refuseUnlessNumber(const Value& body, std::string_view field, double harmless, Peculiarity what) {
    if (const auto value = body.member(field); value && value->number() != harmless) value->peculiar(what);
}

void refuseUnlessEmpty(const Value& body, std::string_view field, Peculiarity what) {
    const auto value = body.member(field);
    if (!value) return;
    if (!value->isObject() && !value->isArray()) value->refuse("must be a list or an object", "Correct the value.");
    if (!value->empty()) value->peculiar(what);
}

/// Everything that the answer would silently lack.
void refuseOpenAiOnly(const Value& body) {
    for (const Value::Member& member : body.members()) {
        if (!classify::knowsField(classify::Dialect::openai, member.key)) member.value.peculiar(Peculiarity::otherFields);
        const auto isIt = [&](const OpenAiOnly& only) { return only.field == member.key; };
        const auto only = std::find_if(kOpenAiOnly.begin(), kOpenAiOnly.end(), isIt);
        if (only != kOpenAiOnly.end()) member.value.peculiar(only->what);
    }
    refuseUnlessNumber(body, "n", 1, Peculiarity::severalChoices);
    refuseUnlessNumber(body, "top_logprobs", 0, Peculiarity::logprobs);
    refuseUnlessNumber(body, "frequency_penalty", 0, Peculiarity::penalties);
    refuseUnlessNumber(body, "presence_penalty", 0, Peculiarity::penalties);
    refuseUnlessEmpty(body, "logit_bias", Peculiarity::logitBias);
    refuseUnlessEmpty(body, "functions", Peculiarity::legacyFunctions);
    if (const auto asked = body.member("logprobs"); asked && asked->flag()) asked->peculiar(Peculiarity::logprobs);
    if (const auto call = body.member("function_call"); call && !(call->isText() && call->text() != "required"))
        call->peculiar(Peculiarity::legacyFunctions);
    if (const auto modalities = body.member("modalities"))
        for (const Value& one : modalities->items())
            if (one.text() != "text") one.peculiar(Peculiarity::audio);
}

std::uint64_t maxTokensOf(const Value& body, std::uint64_t fallback) {
    // Where both stand the newer one counts, as in classification; the other is checked all the same.
    const auto older = body.member("max_tokens"), newer = body.member("max_completion_tokens");
    if (older) fallback = older->count();
    return newer ? newer->count() : fallback;
}

/// Both ranges begin at 0. Beyond 1 nothing on the other side says the same, and 1 would not be what was asked for.
void carryTemperature(const Value& body, OrderedJson& out) {
    const auto temperature = body.member("temperature");
    if (!temperature) return;
    const double value = temperature->number();
    if (!(value >= 0 && value <= 2)) temperature->refuse("must lie in 0 to 2");
    if (value > 1) temperature->peculiar(Peculiarity::temperature);
    out["temperature"] = verbatim(*temperature);
}

/// An empty one stops nothing; Anthropic refuses it as it does white space.
void carryStopWord(const Value& word, OrderedJson& sequences) {
    const std::string& text = word.text();
    if (text.empty()) return;
    if (isBlank(text)) word.peculiar(Peculiarity::stopWords);
    sequences.push_back(verbatim(word));
}

void carryStop(const Value& body, OrderedJson& out) {
    const auto stop = body.member("stop");
    if (!stop) return;
    OrderedJson sequences = OrderedJson::array();
    if (stop->isText()) carryStopWord(*stop, sequences);
    else
        for (const Value& one : stop->items()) carryStopWord(one, sequences);
    if (!sequences.empty()) out["stop_sequences"] = std::move(sequences);
}

void carryUser(const Value& body, OrderedJson& out) {
    auto user = body.member("user");
    if (!user) user = body.member("safety_identifier");
    if (!user || user->text().empty()) return;
    const bool isRefused = user->text().size() > kMaxUserIdBytes || user->text().find('@') != std::string::npos;
    out["metadata"] = {{"user_id", isRefused ? OrderedJson(sha256Hex(user->text())) : verbatim(*user)}};
}

/// What the schema is for is said to the model in the schema itself, there being no other place.
OrderedJson anthropicFormat(const Value& format) {
    const Value described = format.required("json_schema");
    const Value schema = described.required("schema").asObject();
    std::string bytes(schema.bytes());
    if (const auto text = described.member("description"); text && !schema.has("description"))
        bytes = "{\"description\":" + written(sameText(*text)) + (schema.empty() ? "" : ",") + bytes.substr(1);
    return {{"type", "json_schema"}, {"schema", verbatim(bytes)}};
}

/// The words that both protocols have mean the same. `none` is how thinking is switched off.
void carryEffort(const Value& body, OrderedJson& config, OrderedJson& out) {
    const auto effort = body.member("reasoning_effort");
    if (!effort) return;
    const std::string& word = effort->text();
    if (word == "none") out["thinking"] = {{"type", "disabled"}};
    else if (word == "low" || word == "medium" || word == "high" || word == "xhigh") config["effort"] = word;
    else effort->peculiar(Peculiarity::effort);
}

void carryOutputConfig(const Value& body, OrderedJson& out) {
    OrderedJson config = OrderedJson::object();
    carryEffort(body, config, out);
    if (const auto format = body.member("response_format")) {
        const Value type = format->required("type");
        const std::string& kind = type.text();
        if (kind == "json_object") format->peculiar(Peculiarity::jsonObject);
        if (kind == "json_schema") config["format"] = anthropicFormat(*format);
        else if (kind != "text") type.peculiar(Peculiarity::grammar);
    }
    if (!config.empty()) out["output_config"] = std::move(config);
}

std::string toAnthropic(std::string_view text, const AnthropicWish& wish) {
    const ReadText read = readText(text);
    const Value body(read);
    refuseOpenAiOnly(body);
    OrderedJson out{{"model", wish.model}, {"max_tokens", maxTokensOf(body, wish.defaultMaxTokens)}};
    const Value messages = body.required("messages");
    AnthropicConversation conversation;
    conversation.add(messages);
    conversation.write(messages, out);
    anthropicTools(body, conversation.calledNames(), out);
    carryTemperature(body, out);
    // 1 is no limit, and newer models refuse one beside a temperature.
    if (const auto share = body.member("top_p"); share && share->number() != 1) out["top_p"] = verbatim(*share);
    if (const auto few = body.member("top_k"); few && few->number() > 0) out["top_k"] = verbatim(*few);  // 0 and -1 switch it off
    carryStop(body, out);
    carryUser(body, out);
    carryOutputConfig(body, out);
    if (const auto stream = body.member("stream")) out["stream"] = stream->flag();
    return written(out);
}

}  // namespace
}  // namespace signalbox::upstream::translate

namespace signalbox::upstream {

Result<std::string> anthropicRequest(std::string_view openAiChatBody, const AnthropicWish& wish) {
    try {
        return translate::toAnthropic(openAiChatBody, wish);
    } catch (translate::Refused& refused) {
        return tl::unexpected(std::move(refused.error));
    }
}

}  // namespace signalbox::upstream
