// SPDX-License-Identifier: MIT
#include "router/upstream/failures.h"

#include "router/base/key_forms.h"
#include "router/base/text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace signalbox::upstream {

namespace {

constexpr std::string_view kRedacted = "[redacted]";
/// Shorter configured values would blank ordinary words.
constexpr std::size_t kShortestSecret = 6;
/// Of the arrays and objects in an error's body: more is no error that anybody reads.
constexpr unsigned kMaxErrorDepth = 32;

using ErrorJson = nlohmann::ordered_json;

bool isWordByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool isKeyByte(char c) {
    return isWordByte(c) || c == '-' || c == '_' ||
           c == '.' || c == '*' || c == '+' || c == '/' || c == '=' || c == '~';
}

/// How much of the beginning of `text` is this character, plain or as JSON may write it: behind backslashes, of which a string
/// within a string has more, or as a number. 0: it is another one.
std::size_t lengthOf(char wanted, std::string_view text) {
    constexpr std::size_t kMostBackslashes = 7;  // of a string in a string in a string
    std::size_t at = 0;
    while (at < std::min(text.size(), kMostBackslashes) && text[at] == '\\') ++at;
    if (wanted == '\\') return at;
    if (at < text.size() && text[at] == wanted) return at + 1;
    constexpr std::size_t kNumber = 5;  // u and four digits
    if (at == 0 || text.size() < at + kNumber || text[at] != 'u') return 0;
    unsigned code = 0;
    const char* const first = text.data() + at + 1;
    const auto [end, wrong] = std::from_chars(first, first + 4, code, 16);
    return wrong == std::errc() && end == first + 4 && code == static_cast<unsigned char>(wanted) ? at + kNumber : 0;
}

/// How much of the beginning of `text` is all of `what`; 0: it does not begin so.
std::size_t lengthOf(std::string_view what, std::string_view text) {
    std::size_t length = 0;
    for (const char wanted : what) {
        const std::size_t step = lengthOf(wanted, text.substr(length));
        if (step == 0) return 0;
        length += step;
    }
    return length;
}

void replaceAll(std::string& text, std::string_view what) {
    std::string out;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = lengthOf(what, std::string_view(text).substr(at));
        if (length == 0) {
            ++at;
            continue;
        }
        out.append(text, kept, at - kept).append(kRedacted);
        kept = at += length;
    }
    if (kept > 0) text = out.append(text, kept);
}

/// Blanks the run of key bytes that follows each `prefix` if the run is long enough to be a key.
void redactAfter(std::string& text, std::string_view prefix, std::size_t shortest, bool keepPrefix) {
    const std::string wanted = asciiLower(prefix);
    std::string lower = asciiLower(text);
    for (std::size_t at = lower.find(wanted); at != std::string::npos; at = lower.find(wanted, at + 1)) {
        if (!keepPrefix && at > 0 && isWordByte(lower[at - 1])) continue;  // inside a word such as "task-…"
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
    redactAfter(out, "sk-", 4, false); // an upstream quotes keys cut, too
    for (const KeyForm& form : kKeyForms) redactAfter(out, form.prefix, form.shortest, false);
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

std::string printableBeginning(std::string_view body, const std::vector<std::string>& secrets) {
    constexpr std::size_t kMostBytes = 160;
    constexpr std::size_t kLooksAt = 64 * 1024;  // before anything is cut: half a key would not be known as one
    const std::string clean = redactedBody(body.substr(0, kLooksAt), secrets);
    std::string out;
    for (std::string_view rest = clean; !rest.empty();) {
        const std::size_t good = validUtf8Prefix(rest);
        for (const char c : rest.substr(0, good)) {
            const bool space = static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
            if (!space) out += c;
            else if (!out.empty() && out.back() != ' ') out += ' ';
        }
        rest.remove_prefix(good);
        if (rest.empty()) break;
        out += "\xEF\xBF\xBD";
        rest.remove_prefix(1);
    }
    // The control characters beyond ASCII, which a terminal obeys, too.
    for (std::size_t at = out.find('\xC2'); at != std::string::npos; at = out.find('\xC2', at + 1))
        if (static_cast<unsigned char>(out[at + 1]) < 0xA0) out.replace(at, 2, " ");
    return elided(trimmed(out), kMostBytes);
}

}  // namespace signalbox::upstream
