// SPDX-License-Identifier: MIT
#include "router/upstream/translate/answer_json.h"

#include <charconv>
#include <utility>

namespace signalbox::upstream::translate {

namespace {

/// Writing JSON out recurses.
constexpr std::size_t kMaxAnswerDepth = 256;
constexpr std::size_t kEscapeBytes = 6;  // \uXXXX
constexpr std::string_view kReplacement = "\\ufffd";

bool isTooDeep(std::string_view text) {
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inString) {
            if (c == '\\') ++at;
            else inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxAnswerDepth) return true;
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return false;
}

/// The code unit of an escape that begins at `at`; nullopt when none does.
std::optional<unsigned> escapedUnit(std::string_view text, std::size_t at) {
    if (at > text.size() || !text.substr(at).starts_with("\\u") || text.size() - at < kEscapeBytes) return std::nullopt;
    unsigned unit = 0;
    const char* begin = text.data() + at + 2;
    const auto [end, ec] = std::from_chars(begin, begin + 4, unit, 16);
    return ec == std::errc{} && end == begin + 4 ? std::optional(unit) : std::nullopt;
}

bool isFirstHalf(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool isSecondHalf(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

/// Copies a text and puts its halves right. Escapes stand in strings only, so strings need no tracking.
class PairMender {
public:
    PairMender(std::string_view text, std::string& half) : m_text(text), m_half(&half) {}

    std::string run() {
        m_out.reserve(m_text.size() + kEscapeBytes);
        while (m_at < m_text.size()) {
            if (m_text[m_at] != '\\') m_out.push_back(m_text[m_at++]);
            else escape();
        }
        return std::move(m_out);
    }

private:
    void escape() {
        const auto unit = escapedUnit(m_text, m_at);
        if (isFirstHalf(unit)) return firstHalf();
        if (isSecondHalf(unit)) return secondHalf();
        copy(unit ? kEscapeBytes : std::min<std::size_t>(2, m_text.size() - m_at));
    }

    void firstHalf() {
        if (isSecondHalf(escapedUnit(m_text, m_at + kEscapeBytes))) return copy(2 * kEscapeBytes);
        const std::size_t after = m_at + kEscapeBytes;
        if (after < m_text.size() && m_text[after] == '"') *m_half = m_text.substr(m_at, kEscapeBytes);
        else m_out.append(kReplacement);
        m_at = after;
    }

    void secondHalf() {
        const bool begins = m_at > 0 && m_text[m_at - 1] == '"';
        if (begins && !m_half->empty()) {
            m_out.append(std::exchange(*m_half, {}));
            return copy(kEscapeBytes);
        }
        m_out.append(kReplacement);
        m_at += kEscapeBytes;
    }

    void copy(std::size_t bytes) {
        m_out.append(m_text.substr(m_at, bytes));
        m_at += bytes;
    }

    std::string_view m_text;
    std::string* m_half;
    std::string m_out;
    std::size_t m_at = 0;
};

bool mayHaveHalf(std::string_view text) {
    return text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos;
}

const OrderedJson* answerMember(const OrderedJson& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::optional<OrderedJson> readAnswerObject(std::string_view text) {
    if (isTooDeep(text)) return std::nullopt;
    OrderedJson value = OrderedJson::parse(text, nullptr, false);
    if (!value.is_object()) return std::nullopt;
    return value;
}

std::string TornPairs::mended(std::string text) {
    if (!mayHaveHalf(text)) return text;
    return PairMender(text, m_half).run();
}

// A first half at the end of a string has no later event to wait for.
std::string withoutHalfPairs(std::string text) {
    if (!mayHaveHalf(text)) return text;
    std::string half;
    return PairMender(text, half).run();
}

const OrderedJson* objectIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = answerMember(object, key);
    return member != nullptr && member->is_object() ? member : nullptr;
}

const OrderedJson* arrayIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = answerMember(object, key);
    return member != nullptr && member->is_array() ? member : nullptr;
}

std::string_view textIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = answerMember(object, key);
    return member != nullptr && member->is_string() ? std::string_view(member->get_ref<const std::string&>()) : std::string_view();
}

std::optional<std::uint64_t> countIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = answerMember(object, key);
    if (member == nullptr || !member->is_number_integer()) return std::nullopt;
    if (!member->is_number_unsigned() && member->get<std::int64_t>() < 0) return std::nullopt;
    return member->get<std::uint64_t>();
}

}  // namespace signalbox::upstream::translate
