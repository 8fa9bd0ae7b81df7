// SPDX-License-Identifier: MIT
#include "router/upstream/translate/answer_json.h"

#include "router/upstream/translate/request_value.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace signalbox::upstream::translate {

namespace {

/// Writing JSON out recurses.
constexpr std::size_t kMaxAnswerDepth = 256;
/// As many as of a request.
constexpr std::size_t kMaxAnswerValues = 1'000'000;
constexpr std::size_t kEscapeBytes = 6;  // \uXXXX
constexpr std::string_view kReplacement = "\\ufffd";

/// Builds the tree. nlohmann's own builder looks through all members for each new one, so that an event of 1 MiB could take
/// minutes, and rounds numbers that no double holds.
class AnswerBuilder {
public:
    explicit AnswerBuilder(OrderedJson& into) : m_root(&into) {}

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(std::int64_t value) { return put(value); }
    bool number_unsigned(std::uint64_t value) { return put(value); }
    bool number_float(double /*rounded*/, const std::string& digits) { return put(verbatim(digits)); }
    bool string(std::string& value) { return put(std::move(value)); }
    bool binary(OrderedJson::binary_t& /*none in JSON*/) { return false; }
    bool start_object(std::size_t /*unknown*/) { return begin(OrderedJson::object()); }
    bool start_array(std::size_t /*unknown*/) { return begin(OrderedJson::array()); }
    bool key(std::string& name) {
        m_open.back()->get_ref<OrderedJson::object_t&>().emplace_back(std::move(name), nullptr);
        return true;
    }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool parse_error(std::size_t /*byte*/, const std::string& /*token*/, const nlohmann::detail::exception& /*why*/) { return false; }

private:
    OrderedJson& place() {
        if (m_open.empty()) return *m_root;
        if (m_open.back()->is_object()) return m_open.back()->get_ref<OrderedJson::object_t&>().back().second;
        return m_open.back()->get_ref<OrderedJson::array_t&>().emplace_back();
    }
    bool put(OrderedJson value) {
        place() = std::move(value);
        return true;
    }
    bool begin(OrderedJson empty) {
        OrderedJson& container = place();
        container = std::move(empty);
        m_open.push_back(&container);  // it moves only when its own container grows, which waits for its end
        return true;
    }
    bool end() {
        m_open.pop_back();
        return true;
    }

    OrderedJson* m_root;
    std::vector<OrderedJson*> m_open;
};

/// Deeper than we take, or of more values: each takes some fifty bytes, however short it is.
bool isTooMuch(std::string_view text) {
    std::size_t depth = 0, values = 1;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inString) {
            if (c == '\\') ++at;
            else inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == ',') {
            if (++values > kMaxAnswerValues) return true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxAnswerDepth || ++values > kMaxAnswerValues) return true;
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

}  // namespace

std::optional<OrderedJson> readAnswerObject(std::string_view text) {
    if (isTooMuch(text)) return std::nullopt;
    OrderedJson value;
    AnswerBuilder builder(value);
    if (!OrderedJson::sax_parse(text, &builder) || !value.is_object()) return std::nullopt;
    return value;
}

bool isAnswerObject(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' && !isTooMuch(text) && OrderedJson::accept(text);
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

const OrderedJson* memberIn(const OrderedJson& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto& members = object.get_ref<const OrderedJson::object_t&>();
    const auto isIt = [&](const auto& member) { return member.first == key; };
    const auto found = std::find_if(members.rbegin(), members.rend(), isIt);
    return found == members.rend() ? nullptr : &found->second;
}

const OrderedJson* objectIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = memberIn(object, key);
    return member != nullptr && member->is_object() ? member : nullptr;
}

const OrderedJson* arrayIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = memberIn(object, key);
    return member != nullptr && member->is_array() ? member : nullptr;
}

std::string_view textIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = memberIn(object, key);
    return member != nullptr && member->is_string() ? std::string_view(member->get_ref<const std::string&>()) : std::string_view();
}

std::optional<std::uint64_t> countIn(const OrderedJson& object, const char* key) {
    const OrderedJson* member = memberIn(object, key);
    if (member == nullptr || !member->is_number_integer()) return std::nullopt;
    if (!member->is_number_unsigned() && member->get<std::int64_t>() < 0) return std::nullopt;
    return member->get<std::uint64_t>();
}

}  // namespace signalbox::upstream::translate
