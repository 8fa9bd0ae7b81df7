// SPDX-License-Identifier: MIT
#include "app/shared/redact.h"

#include "router/base/key_forms.h"
#include "router/base/text.h"

#include <array>

namespace signalbox::app {
namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::array<std::string_view, 8> kSecretFields{"password", "passwd", "api_key", "api-key",
                                                        "apikey",   "secret", "token",   "authorization"};

bool isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isTokenChar(char c) { return isLetterOrDigit(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos; }
bool endsValue(char c) { return std::string_view(" \t\r\n\"'&,;)}]").find(c) != std::string_view::npos; }

std::size_t endOfToken(std::string_view text, std::size_t at) {
    while (at < text.size() && isTokenChar(text[at])) ++at;
    return at;
}

/// A stretch to replace; empty when nothing secret starts here.
struct Stretch {
    std::size_t begin = 0, end = 0;
};

Stretch afterBearer(std::string_view lower, std::size_t at) {
    constexpr std::string_view kWord = "bearer ";
    if (!lower.substr(at).starts_with(kWord)) return {};
    return {at + kWord.size(), endOfToken(lower, at + kWord.size())};
}

Stretch providerKey(std::string_view lower, std::size_t at) {
    if (at > 0 && isLetterOrDigit(lower[at - 1])) return {};
    for (const KeyForm& form : kKeyForms) {
        if (!lower.substr(at).starts_with(form.prefix)) continue;
        const std::size_t begin = at + form.prefix.size(), end = endOfToken(lower, at);
        return end < begin + form.shortest ? Stretch{} : Stretch{begin, end};
    }
    return {};
}

/// `name=value`, `name: value`, `"name": "value"`.
Stretch namedValue(std::string_view lower, std::size_t at) {
    for (const std::string_view field : kSecretFields) {
        if (!lower.substr(at).starts_with(field) || (at > 0 && isLetterOrDigit(lower[at - 1]))) continue;
        std::size_t i = at + field.size();
        if (i < lower.size() && (lower[i] == '"' || lower[i] == '\'')) ++i;
        while (i < lower.size() && lower[i] == ' ') ++i;
        if (i >= lower.size() || (lower[i] != '=' && lower[i] != ':')) return {};
        ++i;
        while (i < lower.size() && (lower[i] == ' ' || lower[i] == '"' || lower[i] == '\'')) ++i;
        if (lower.substr(i).starts_with("bearer ")) return {};  // found by its own rule
        std::size_t end = i;
        while (end < lower.size() && !endsValue(lower[end])) ++end;
        return {i, end};
    }
    return {};
}

/// `://user:password@host`.
Stretch urlPassword(std::string_view text, std::size_t at) {
    constexpr std::string_view kMarker = "://";
    if (!text.substr(at).starts_with(kMarker)) return {};
    const std::size_t begin = at + kMarker.size();
    const std::size_t end = text.find_first_of("/ \t\r\n\"'?#", begin);
    const std::string_view authority = text.substr(begin, end == std::string_view::npos ? end : end - begin);
    const std::size_t sign = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (sign == std::string_view::npos || colon == std::string_view::npos || colon > sign) return {};
    return {begin + colon + 1, begin + sign};
}

/// First letters of everything that is looked for: a line of the log is mostly something else.
bool mayBegin(char c) { return std::string_view(":abghpstx").find(c) != std::string_view::npos; }

}  // namespace

std::string redacted(std::string_view text) {
    const std::string lower = asciiLower(text);
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!mayBegin(lower[at])) continue;
        for (const auto find : {afterBearer, providerKey, namedValue, urlPassword}) {
            const Stretch secret = find(lower, at);
            if (secret.end <= secret.begin || secret.begin < copied) continue;
            out += text.substr(copied, secret.begin - copied);
            out += kMark;
            copied = secret.end;
            at = secret.end - 1;
            break;
        }
    }
    out += text.substr(copied);
    return out;
}

}  // namespace signalbox::app
