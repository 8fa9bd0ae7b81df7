// SPDX-License-Identifier: MIT
#include "router/upstream/failures.h"

#include "router/base/text.h"

namespace signalbox::upstream {

namespace {

constexpr std::string_view kRedacted = "[redacted]";
/// Shorter configured values would blank ordinary words.
constexpr std::size_t kShortestSecret = 6;

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

}  // namespace

dispatch::UpstreamFailure makeFailure(dispatch::UpstreamFailure::Kind kind, std::string code, std::string message) {
    dispatch::UpstreamFailure failure;
    failure.kind = kind;
    failure.code = std::move(code);
    failure.message = std::move(message);
    return failure;
}

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    std::string out(text);
    for (const std::string& secret : secrets)
        if (secret.size() >= kShortestSecret) replaceAll(out, secret);
    redactAfter(out, "sk-", 4, false);
    redactAfter(out, "bearer ", 4, true);
    return elided(out, kMaxUpstreamText);
}

}  // namespace signalbox::upstream
