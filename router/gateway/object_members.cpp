// SPDX-License-Identifier: MIT
#include "router/gateway/object_members.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

class Scanner {
public:
    Scanner(std::string_view text, std::size_t at) : m_text(text), m_at(at) {}

    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    void skipSpace() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }

    bool take(char wanted) {
        skipSpace();
        if (peek() != wanted)
            return false;
        ++m_at;
        return true;
    }

    std::optional<ByteRange> string() {
        skipSpace();
        const std::size_t begin = m_at;
        if (peek() != '"')
            return std::nullopt;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '\\') {
                ++m_at;
            } else if (m_text[m_at] == '"') {
                ++m_at;
                return ByteRange{begin, m_at};
            }
        }
        return std::nullopt;
    }

    std::optional<ByteRange> value() {
        skipSpace();
        const std::size_t begin = m_at;
        if (peek() == '"')
            return string();
        const bool scalar = peek() != '{' && peek() != '[';
        if (scalar) {
            m_at = std::min(m_text.find_first_of(",}] \t\r\n", m_at), m_text.size());
            return m_at > begin ? std::optional(ByteRange{begin, m_at}) : std::nullopt;
        }
        for (std::size_t depth = 0; m_at < m_text.size();) {
            const char c = m_text[m_at];
            if (c == '"') {
                if (!string())
                    return std::nullopt;
                continue;
            }
            ++m_at;
            if (c == '{' || c == '[')
                ++depth;
            if ((c == '}' || c == ']') && --depth == 0)
                return ByteRange{begin, m_at};
        }
        return std::nullopt;
    }

private:
    std::string_view m_text;
    std::size_t m_at;
};

} // namespace

std::optional<std::vector<ObjectMember>> objectMembers(std::string_view text, std::size_t begin) {
    Scanner scanner(text, begin);
    if (!scanner.take('{'))
        return std::nullopt;
    std::vector<ObjectMember> members;
    if (scanner.take('}'))
        return members;
    do {
        const auto key = scanner.string();
        if (!key || !scanner.take(':'))
            return std::nullopt;
        const auto value = scanner.value();
        if (!value)
            return std::nullopt;
        members.push_back({*key, *value});
    } while (scanner.take(','));
    if (!scanner.take('}'))
        return std::nullopt;
    return members;
}

std::vector<ByteRange> erasures(const std::vector<ObjectMember>& members,
                                const std::vector<std::size_t>& indexes) {
    std::vector<ByteRange> ranges;
    for (auto it = indexes.begin(); it != indexes.end();) {
        const std::size_t first = *it;
        std::size_t last = first;
        while (++it != indexes.end() && *it == last + 1)
            ++last;
        if (last + 1 < members.size()) {
            ranges.push_back({members[first].key.begin, members[last + 1].key.begin});
        } else if (first > 0) {
            ranges.push_back({members[first - 1].value.end, members[last].value.end});
        } else {
            ranges.push_back({members[first].key.begin, members[last].value.end});
        }
    }
    return ranges;
}

} // namespace signalbox::gateway
