// SPDX-License-Identifier: MIT
#include "router/classify/text_tokens.h"
#include "router/classify/tokens.h"
#include "router/classify/walk.h"

namespace signalbox::classify {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr unsigned kMaxPromptDepth = 256;
/// A token id in a prompt is one token, and the estimate takes four bytes for one.
constexpr std::uint64_t kBytesPerToken = 4;
/// Of a temperature, in Anthropic's protocol.
constexpr double kAnthropicMaxTemperature = 1;
/// Deeper nobody puts the bytes of a part, and the rest is only checked.
constexpr unsigned kMaxPartDepth = 16;
/// A file of text is a text, though it is written as base64.
constexpr std::string_view kTextFile = "\"data:text";
/// What comes before `,` in a URL of data is a type of media and little else.
constexpr std::size_t kMostMediaType = 256;

bool isEffortOfBoth(std::string_view word) {
    return word == "none" || word == "low" || word == "medium" || word == "high" || word == "xhigh";
}

bool isBase64Url(std::string_view token) {
    return token.starts_with("\"data:") && token.substr(0, kMostMediaType).find(";base64,") != std::string_view::npos;
}

}  // namespace

void OpenAiWalk::visit(Key key, std::string_view name, Value value) {
    const std::string_view token = tokenOf(value);
    switch (key) {
        case Key::model:
            if (auto text = textIn(value)) m_facts.model = std::move(*text);
            else check(value, 1);
            return;
        case Key::messages: return messages(value);
        case Key::prompt:
        case Key::input:
            if (token != "null") add(key == Key::prompt ? Peculiarity::legacyCompletion : Peculiarity::embeddings);
            return prompt(value, 1);
        case Key::tools:
            return eachTool(value, [this](Value tool) {
                if (typeIs(tool, 2, [](std::string_view type) { return type != "function"; })) add(Peculiarity::customTools);
            });
        case Key::responseFormat: return responseFormat(value);
        case Key::streamOptions: return streamOptions(value);
        case Key::metadata: return metadata(value);
        case Key::modalities: return modalities(value);
        case Key::functionCall: return functionCall(value);
        case Key::maxTokens: m_facts.maxTokens = integerIn(token); break;
        case Key::maxCompletionTokens: m_facts.maxCompletionTokens = integerIn(token); break;
        case Key::stream: noteStream(token); break;
        case Key::parallelToolCalls: m_facts.parallelTools = token == "true"; break;
        case Key::toolChoice: return toolChoice(value);
        default:
            noteUnlessKnown(Dialect::openai, key, name, value);
            if (visitPeculiar(key, value)) return;
    }
    check(value, 1);
}

/// True when it read the value.
bool OpenAiWalk::visitPeculiar(Key key, Value& value) {
    const std::string_view token = tokenOf(value);
    const auto addUnlessNumber = [&](double harmless, Peculiarity what) {
        if (const auto number = numberIn(token); number && *number != harmless) add(what);
        return false;
    };
    const auto addUnlessNull = [&](Peculiarity what) {
        if (token != "null") add(what);
        return false;
    };
    const auto addUnlessEmpty = [&](Peculiarity what) {
        if (countChecked(value, 1) > 0) add(what);
        return true;
    };
    switch (key) {
        case Key::n: return addUnlessNumber(1, Peculiarity::severalChoices);
        case Key::topLogprobs: return addUnlessNumber(0, Peculiarity::logprobs);
        case Key::frequencyPenalty:
        case Key::presencePenalty: return addUnlessNumber(0, Peculiarity::penalties);
        case Key::logprobs:  // completions count them, chats only ask
            if (token == "true") add(Peculiarity::logprobs);
            return addUnlessNumber(0, Peculiarity::logprobs);
        case Key::logitBias: return addUnlessEmpty(Peculiarity::logitBias);
        case Key::functions: return functions(value), true;
        case Key::seed: return addUnlessNull(Peculiarity::seed);
        case Key::audio: return addUnlessNull(Peculiarity::audio);
        case Key::prediction: return addUnlessNull(Peculiarity::prediction);
        case Key::webSearchOptions: return addUnlessNull(Peculiarity::webSearch);
        case Key::guidedJson:
        case Key::guidedRegex:
        case Key::guidedChoice:
        case Key::guidedGrammar:
        case Key::structuredOutputs:
        case Key::grammar:
        case Key::jsonSchema:
            if (token != "null") add(Peculiarity::grammar, nameOf(key));
            return false;
        case Key::temperature:
            if (numberIn(token).value_or(0) > kAnthropicMaxTemperature) add(Peculiarity::temperature);
            return false;
        case Key::stop: return stopWords(value), true;
        case Key::reasoningEffort: {
            if (!isString(value)) return false;
            if (!isEffortOfBoth(value.get_string())) add(Peculiarity::effort);
            return true;
        }
        default: return false;
    }
}

/// Offered by a list alone: what else speaks of functions tells of earlier calls, or chooses among them.
void OpenAiWalk::functions(Value value) {
    const bool isList = isArray(value);
    const std::size_t count = countChecked(value, 1);
    if (count > 0) add(Peculiarity::legacyFunctions);
    if (isList) m_facts.functions = static_cast<std::uint32_t>(count);
}

void OpenAiWalk::messages(Value value) {
    if (!isArray(value)) return check(value, 1);
    bool isEmpty = true;
    for (auto one : value.get_array()) {
        isEmpty = false;
        message(std::move(one).take_value());
    }
    if (!isEmpty && !m_hasTurn) add(Peculiarity::onlySystem);
}

void OpenAiWalk::message(Value value) {
    if (!isObject(value)) return check(value, 2);
    bool isNamed = false, isTool = false, isSystem = false, isAssistant = false, saysSomething = false, showsPicture = false;
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "content") {
            const Told told = content(item);
            saysSomething = saysSomething || told.any;
            showsPicture = showsPicture || told.picture;
            continue;
        }
        if (key == "role" && isString(item)) {
            const std::string_view role = item.get_string();
            isTool = role == "tool";
            isSystem = role == "system" || role == "developer";
            isAssistant = role == "assistant";
            if (role == "function") add(Peculiarity::legacyFunctions);
            continue;
        }
        if (key == "tool_calls" && isArray(item)) {
            saysSomething = toolCalls(item) || saysSomething;
            continue;
        }
        if (key == "images") {
            saysSomething = images(item) || saysSomething;
            continue;
        }
        const bool isNull = tokenOf(item) == "null";
        if (key == "name") isNamed = !isNull;
        if (key == "function_call" && !isNull) {
            add(Peculiarity::legacyFunctions);
            saysSomething = true;
        }
        if (key == "audio" && !isNull) add(Peculiarity::audio);
        if (key == "refusal") saysSomething = saysSomething || !isBlankToken(tokenOf(item));
        check(item, 3);
    }
    m_hasTurn = m_hasTurn || isTool || (saysSomething && !isSystem);
    if (isNamed && !isTool) add(Peculiarity::participantNames);
    // Anthropic knows pictures of a user, and in results.
    if (showsPicture && (isSystem || isAssistant)) add(Peculiarity::otherParts);
}

/// As some providers answer, and clients tell again. True when there are any.
bool OpenAiWalk::images(Value value) {
    bool any = false;
    if (isArray(value)) {
        for (auto one : value.get_array()) {
            any = true;
            m_facts.mediaBytes += mediaBytes(std::move(one).take_value(), 4).all;
        }
    } else {
        any = tokenOf(value) != "null";
        m_facts.mediaBytes += mediaBytes(value, 3).all;
    }
    if (any) add(Peculiarity::messageImages);
    return any;
}

bool OpenAiWalk::toolCalls(Value value) {
    bool any = false;
    for (auto call : value.get_array()) {
        any = true;
        toolCall(std::move(call).take_value());
    }
    return any;
}

void OpenAiWalk::toolCall(Value value) {
    if (!isObject(value)) return check(value, 4);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "type" && isString(item)) {
            if (std::string_view(item.get_string()) != "function") add(Peculiarity::customTools);
        } else if (key == "function" && isObject(item)) {
            calledFunction(item);
        } else {
            check(item, 5);
        }
    }
}

/// Arguments are text, which may be anything; Anthropic's are JSON, and an object.
void OpenAiWalk::calledFunction(Value value) {
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isArguments = std::string_view(field.unescaped_key()) == "arguments";
        Value item = field.value();
        const std::string_view token = tokenOf(item);
        check(item, 6);
        if (isArguments && token != "null" && !isObjectInText(token)) add(Peculiarity::callArguments);
    }
}

OpenAiWalk::Told OpenAiWalk::content(Value value) {
    if (isString(value)) {
        const std::string_view token = tokenOf(value);
        m_facts.textBytes += lengthOf(value);
        return {!isBlankToken(token), false};
    }
    Told told;
    if (!isArray(value)) {
        check(value, 3);
        return told;
    }
    for (auto part : value.get_array()) told += contentPart(std::move(part).take_value());
    return told;
}

OpenAiWalk::Told OpenAiWalk::contentPart(Value value) {
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
        return {true, false};
    }
    if (!isObject(value)) {
        check(value, 4);
        return {true, false};
    }
    bool isText = false, isPicture = false, isMedia = false, isBlank = true;
    MediaBytes besideText;
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const std::string_view key = field.unescaped_key();
        Value item = field.value();
        if (key == "text" && isString(item)) {
            isBlank = isBlankToken(tokenOf(item));
            m_facts.textBytes += lengthOf(item);
        } else if (key == "type" && isString(item)) {
            const std::string_view type = item.get_string();
            isText = type == "text";
            isPicture = type == "image_url";
            const bool isVideo = type == "video_url" || type == "video";  // as engines take it
            const bool isSeen = isVideo || isPicture || type == "input_image" || type == "image";
            const bool isHeard = type == "input_audio" || type == "audio" || type == "audio_url";
            const bool isFile = type == "file" || type == "input_file" || isVideo;
            m_facts.vision = m_facts.vision || isSeen;
            if (isHeard) add(Peculiarity::audio);
            if (isFile) add(Peculiarity::files);
            if (!isText && !isPicture && !isHeard && !isFile && type != "refusal") add(Peculiarity::otherParts);
            isMedia = isSeen || isHeard || isFile || type == "document_url" || type == "image_embeds" || type == "audio_embeds";
        } else {
            besideText += mediaBytes(item, 5);
        }
    }
    m_facts.mediaBytes += isMedia ? besideText.all : besideText.sure;
    return {!isText || !isBlank, isPicture};
}

/// Wherever the kind of part, or the engine, has its picture stand.
OpenAiWalk::MediaBytes OpenAiWalk::mediaBytes(Value value, unsigned depth) {
    if (isString(value)) {
        const std::string_view token = tokenOf(value);
        const bool isTextFile = token.starts_with(kTextFile);
        const bool isSure = isBase64Url(token);
        const std::uint64_t length = lengthOf(value);
        return isTextFile ? MediaBytes{} : MediaBytes{length, isSure ? length : 0};
    }
    MediaBytes bytes;
    if (isObject(value) && depth < kMaxPartDepth) {
        for (auto result : value.get_object()) {
            ondemand::field field = std::move(result).take_value();
            if (const auto error = field.unescaped_key().error()) throw simdjson::simdjson_error(error);
            bytes += mediaBytes(field.value(), depth + 1);
        }
    } else if (isArray(value) && depth < kMaxPartDepth) {
        for (auto item : value.get_array()) bytes += mediaBytes(std::move(item).take_value(), depth + 1);
    } else {
        check(value, depth);
    }
    return bytes;
}

void OpenAiWalk::stopWords(Value value) {
    if (!isArray(value)) return stopWord(value, 1);
    for (auto one : value.get_array()) stopWord(std::move(one).take_value(), 2);
}

/// An empty one stops nothing.
void OpenAiWalk::stopWord(Value value, unsigned depth) {
    if (!isString(value)) return check(value, depth);
    const std::string text = textIn(value).value_or(std::string());
    if (!text.empty() && text.find_first_not_of(" \t\r\n\v\f") == std::string::npos) add(Peculiarity::stopWords);
}

void OpenAiWalk::prompt(Value value, unsigned depth) {
    if (depth > kMaxPromptDepth) throw BodyProblem{tokenOf(value).data(), "is nested too deeply"};
    if (isString(value)) {
        m_facts.textBytes += lengthOf(value);
    } else if (isArray(value)) {
        for (auto item : value.get_array()) prompt(std::move(item).take_value(), depth + 1);
    } else {
        if (depth > 1 && integerIn(tokenOf(value))) m_facts.textBytes += kBytesPerToken;
        check(value, depth);
    }
}

void OpenAiWalk::responseFormat(Value value) {
    m_facts.hasResponseFormat = value.type() != ondemand::json_type::null;
    const bool isAsked = typeIs(value, 1, [this](std::string_view type) {
        if (type == "json_object") add(Peculiarity::jsonObject);
        else if (type != "json_schema" && type != "text") add(Peculiarity::grammar, nameOf(Key::responseFormat));
        return type == "json_object" || type == "json_schema";
    });
    m_facts.structuredOutput = isAsked;
}

void OpenAiWalk::streamOptions(Value value) {
    if (!isObject(value)) return check(value, 1);
    for (auto result : value.get_object()) {
        ondemand::field field = std::move(result).take_value();
        const bool isUsage = std::string_view(field.unescaped_key()) == "include_usage";
        Value item = field.value();
        const std::string_view token = tokenOf(item);
        check(item, 2);
        if (!isUsage) continue;
        const bool container = token.front() == '{' || token.front() == '[';
        m_facts.includeUsage = token == "true";
        m_facts.map.includeUsageValue =
            BodyMap::Range{offset(token.data()), container ? lastEnd() : offset(token.data()) + token.size()};
    }
}

void OpenAiWalk::modalities(Value value) {
    if (!isArray(value)) return check(value, 1);
    for (auto one : value.get_array()) {
        Value item = std::move(one).take_value();
        if (!isString(item)) check(item, 2);
        else if (std::string_view(item.get_string()) != "text") add(Peculiarity::audio);
    }
}

/// Of those that are no word Anthropic knows one: a function by its name.
void OpenAiWalk::toolChoice(Value value) {
    m_choosesOtherwise = typeIs(value, 1, [this](std::string_view type) {
        if (type == "custom") m_choosesCustomTool = true;
        return type != "custom" && type != "function";
    });
}

/// A choice among no tools goes with them (F26), whatever it says.
void OpenAiWalk::conclude() {
    if (toolsIsEmpty()) return;
    if (m_choosesCustomTool) add(Peculiarity::customTools);
    if (m_choosesOtherwise) add(Peculiarity::otherFields, nameOf(Key::toolChoice));
}

/// `none` and `auto` ask for nothing.
void OpenAiWalk::functionCall(Value value) {
    if (isString(value)) {
        if (std::string_view(value.get_string()) == "required") add(Peculiarity::legacyFunctions);
        return;
    }
    if (tokenOf(value) != "null") add(Peculiarity::legacyFunctions);
    check(value, 1);
}

}  // namespace signalbox::classify
