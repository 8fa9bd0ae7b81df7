// SPDX-License-Identifier: MIT
#include "router/upstream/failures.h"

#include "router/base/text.h"

#include <nlohmann/json.hpp>

namespace signalbox::upstream {

namespace {

constexpr std::string_view kRedacted = "[redacted]";
/// Shorter configured values would blank ordinary words.
constexpr std::size_t kShortestSecret = 6;
/// Of the arrays and objects in an error's body: more is no error that anybody reads.
constexpr unsigned kMaxErrorDepth = 32;

using ErrorJson = nlohmann::ordered_json;

bool isKeyByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '*' || c == '+' || c == '/' || c == '=' || c == '~';
}

void replaceAll(std::string& text, std::string_view what) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + kRedacted.size()))
        text.replace(at, what.size(), kRedacted);
}

/// Blanks the run of key bytes that follows each `prefix` if the run is long enough to be a key.
void redactAfter(std::string& text, std::string_view prefix, std::size_t shortest, bool keepPrefix) {
    const std::string wanted = asciiLower(prefix);
    std::string lower = asciiLower(text);
    for (std::size_t at = lower.find(wanted); at != std::string::npos; at = lower.find(wanted, at + 1)) {
        if (!keepPrefix && at > 0 && isKeyByte(lower[at - 1])) continue;  // inside a word such as "task-…"
        std::size_t end = at + prefix.size();
        while (end < text.size() && isKeyByte(text[end])) ++end;
        if (end - at - prefix.size() < shortest) continue;
        const std::size_t from = keepPrefix ? at + prefix.size() : at;
        text.replace(from, end - from, kRedacted);
        lower.replace(from, end - from, kRedacted);
    }
}

std::string blanked(std::string_view text, const std::vector<std::string>& secrets) {
    std::string out(text);
    for (const std::string& secret : secrets)
        if (secret.size() >= kShortestSecret) replaceAll(out, secret);
    redactAfter(out, "sk-", 4, false);
    redactAfter(out, "bearer ", 4, true);
    return out;
}

ErrorJson blankedJson(const ErrorJson& value, const std::vector<std::string>& secrets, unsigned depth = 0) {
    if (value.is_string()) return blanked(value.get_ref<const std::string&>(), secrets);
    if (!value.is_structured()) return value;
    if (depth == kMaxErrorDepth) return kRedacted;
    ErrorJson out = value.is_array() ? ErrorJson::array() : ErrorJson::object();
    for (const auto& [name, member] : value.items()) {
        ErrorJson clean = blankedJson(member, secrets, depth + 1);
        if (value.is_array()) out.push_back(std::move(clean));
        else out[blanked(name, secrets)] = std::move(clean);
    }
    return out;
}

}  // namespace

dispatch::UpstreamFailure makeFailure(dispatch::UpstreamFailure::Kind kind, std::string code, std::string message) {
    dispatch::UpstreamFailure failure;
    failure.kind = kind;
    failure.code = std::move(code);
    failure.message = std::move(message);
    return failure;
}

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    return elided(blanked(text, secrets), kMaxUpstreamText);
}

std::string redactedBody(std::string_view body, const std::vector<std::string>& secrets) {
    const ErrorJson root = ErrorJson::parse(body, nullptr, false);
    if (root.is_discarded()) return redacted(body, secrets);
    const ErrorJson clean = blankedJson(root, secrets);
    if (clean == root) return redacted(body, secrets);
    return redacted(clean.dump(-1, ' ', false, ErrorJson::error_handler_t::replace), secrets);
}

}  // namespace signalbox::upstream
