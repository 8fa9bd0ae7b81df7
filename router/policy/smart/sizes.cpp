// SPDX-License-Identifier: MIT
#include "router/policy/smart/sizes.h"

#include "router/policy/smart/json_chars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace signalbox::policy::smart {
namespace {

constexpr std::uint64_t kCharsPerToken = 4;
constexpr std::array<std::string_view, 5> kAlwaysPresent{"model", "messages", "max_completion_tokens", "max_tokens", "stream"};
constexpr std::size_t kMaxCompletionTokens = 2;
constexpr std::size_t kMaxTokens = 3;

std::optional<std::uint64_t> integerIn(std::string_view token) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

/// Walks over the tokens of a body, of which only the top level's keys matter.
class SizeWalk {
public:
    explicit SizeWalk(std::string_view body) : m_at(body.data()), m_end(body.data() + body.size()) {}

    ChatSizes run() {
        while (m_at != m_end) step();
        addMissing();
        ChatSizes out;
        out.serializedChars = m_chars;
        out.sizes.inputTokens = m_chars / kCharsPerToken + (m_chars % kCharsPerToken != 0 ? 1 : 0);
        out.sizes.outputTokens = m_limits[kMaxCompletionTokens].value_or(m_limits[kMaxTokens].value_or(kDefaultOutputTokens));
        return out;
    }

private:
    void step() {
        switch (*m_at) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': ++m_at; return;
        case '{':
        case '[':
            m_expectKey = ++m_depth == 1;
            return punctuation();
        case '}':
        case ']': --m_depth; return punctuation();
        case ',':
            m_expectKey = m_depth == 1;
            return punctuation();
        case ':': return punctuation();
        case '"': return text();
        default: return literal();
        }
    }

    void punctuation() {
        ++m_at;
        ++m_chars;
    }

    void text() {
        const StringChars counted = countString(m_at, m_end);
        if (m_expectKey) key(counted);
        m_chars += counted.chars;
        m_at = counted.end;
    }

    void key(const StringChars& counted) {
        m_expectKey = false;
        m_hasMembers = true;
        const std::string_view token(m_at, counted.end);
        const bool isPlain = token.size() >= 2 && token.find('\\') == std::string_view::npos;
        m_key = isPlain ? placeOf(token.substr(1, token.size() - 2)) : placeOf(unescapedKey(token));
        if (m_key < kAlwaysPresent.size()) m_present[m_key] = true;
    }

    static std::size_t placeOf(std::string_view key) {
        return static_cast<std::size_t>(std::find(kAlwaysPresent.begin(), kAlwaysPresent.end(), key) - kAlwaysPresent.begin());
    }

    void literal() {
        const char* begin = m_at;
        while (m_at != m_end && std::string_view(" \t\r\n,:{}[]\"").find(*m_at) == std::string_view::npos) ++m_at;
        const std::string_view token(begin, m_at);
        m_chars += literalChars(token);
        if (m_depth == 1 && m_key < kAlwaysPresent.size()) m_limits[m_key] = integerIn(token);
    }

    void addMissing() {
        std::uint64_t separators = m_hasMembers ? 0 : std::uint64_t(-1);  // the first member of all has no comma
        bool any = false;
        for (std::size_t i = 0; i < kAlwaysPresent.size(); ++i) {
            if (m_present[i]) continue;
            m_chars += kAlwaysPresent[i].size() + std::string_view("\"\":null").size();
            ++separators;
            any = true;
        }
        if (any) m_chars += separators;
    }

    const char* m_at;
    const char* m_end;
    std::uint64_t m_chars = 0;
    std::size_t m_depth = 0;
    bool m_expectKey = false;
    bool m_hasMembers = false;
    std::size_t m_key = kAlwaysPresent.size();
    std::array<bool, kAlwaysPresent.size()> m_present{};
    std::array<std::optional<std::uint64_t>, kAlwaysPresent.size()> m_limits{};
};

}  // namespace

ChatSizes chatSizes(std::string_view body) { return SizeWalk(body).run(); }

}  // namespace signalbox::policy::smart
