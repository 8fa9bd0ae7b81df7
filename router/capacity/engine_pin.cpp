// SPDX-License-Identifier: MIT
#include "router/capacity/engine_pin.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace signalbox::capacity {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return c >= 'a' && c <= 'z'; }
bool isSeparator(char c) { return c == '.' || c == '-' || c == '_'; }

std::string withoutZeros(std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return std::string(digits);
}

/// Runs of digits and runs of letters, the separators between them dropped; nullopt where anything else stands.
std::optional<std::vector<std::string>> tokensOf(std::string_view text) {
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (isSeparator(text[at])) {
            ++at;
            continue;
        }
        const auto belongs = isDigit(text[at]) ? isDigit : isLetter;
        while (at < text.size() && belongs(text[at])) ++at;
        if (at == begin) return std::nullopt;
        const std::string_view token = text.substr(begin, at - begin);
        tokens.push_back(isDigit(token.front()) ? withoutZeros(token) : std::string(token));
    }
    return tokens;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSpellings{
    {{"alpha", "a"}, {"beta", "b"}, {"c", "rc"}, {"pre", "rc"}, {"preview", "rc"}, {"rev", "post"}}};

struct Version {
    std::vector<std::string> release;  ///< without zeros at its end
    std::vector<std::string> suffix;   ///< `rc`, `1`, `dev`, `210`
    std::vector<std::string> local;
};

/// A number with at least one dot: a commit such as `7c8d1e2` begins with a digit too.
std::optional<Version> parse(std::string_view text) {
    if (text.starts_with('v')) text.remove_prefix(1);
    const std::size_t plus = text.find('+');
    const std::string_view own = text.substr(0, plus);
    std::size_t end = 0;
    while (end < own.size() && (isDigit(own[end]) || (own[end] == '.' && end + 1 < own.size() && isDigit(own[end + 1])))) ++end;
    const std::string_view release = own.substr(0, end);
    if (release.empty() || !isDigit(release.front()) || release.find('.') == std::string_view::npos) return std::nullopt;
    auto numbers = tokensOf(release), suffix = tokensOf(own.substr(end));
    auto local = tokensOf(plus == std::string_view::npos ? std::string_view() : text.substr(plus + 1));
    if (!suffix || !local) return std::nullopt;
    while (numbers->size() > 1 && numbers->back() == "0") numbers->pop_back();
    for (std::string& word : *suffix)
        for (const auto& [spelling, meaning] : kSpellings)
            if (word == spelling) {
                word = meaning;
                break;
            }
    return Version{std::move(*numbers), std::move(*suffix), std::move(*local)};
}

}  // namespace

PinState pinState(const std::optional<std::string>& version, const std::optional<std::string>& pin) {
    const std::string is = asciiLower(trimmed(version.value_or("")));
    std::string wanted = asciiLower(trimmed(pin.value_or("")));
    if (wanted.starts_with("==")) wanted = trimmed(std::string_view(wanted).substr(2));
    if (is.empty() || wanted.empty()) return PinState::cannotTell;
    if (is == wanted) return PinState::verified;
    const auto a = parse(is), b = parse(wanted);
    if (!a || !b) return PinState::cannotTell;
    const bool same = a->release == b->release && a->suffix == b->suffix && (b->local.empty() || a->local == b->local);
    return same ? PinState::verified : PinState::differs;
}

}  // namespace signalbox::capacity
