// SPDX-License-Identifier: MIT
#include "router/base/json_reader.h"

#include "router/base/text.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <unordered_set>
#include <utility>

// Why a reader of our own beside two JSON libraries: simdjson on-demand refuses a text whose last token does not close
// the root without saying where, nlohmann's SAX reader gives up at 1e400 and knows no byte ranges, and neither sees
// duplicate keys. A finding needs code, pointer, line and column for each of these. tst_json_document holds this
// reader against both libraries.
namespace signalbox::detail {
namespace {

/// Members while they are collected. The ordered map itself copies its values whenever it grows, since its keys are
/// const, and searches all keys at each insertion; so it is filled once, at the end.
using Members = std::vector<std::pair<std::string, OrderedJson>>;

OrderedJson toObject(Members&& members) {
    OrderedJson out = OrderedJson::object();
    OrderedJson::object_t::Container& container = out.get_ref<OrderedJson::object_t&>();
    container.reserve(members.size());
    for (auto& [key, value] : members) container.emplace_back(std::move(key), std::move(value));
    return out;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void appendUtf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put(0xe0 | code >> 12);
        } else {
            put(0xf0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3f));
        }
        put(0x80 | (code >> 6 & 0x3f));
    }
    put(0x80 | (code & 0x3f));
}

/// The double for a number that no normal double holds. Too large becomes infinity, which no check of an integer or a
/// range lets pass; too small becomes nearly zero. from_chars does not tell the two apart, a stream does.
double outOfRange(std::string text) {
    std::istringstream in(std::move(text));
    in.imbue(std::locale::classic());
    double real = 0;
    in >> real;
    return in.fail() ? std::numeric_limits<double>::infinity() : real;
}

class Reader {
public:
    Reader(std::string_view text, std::size_t begin, std::size_t maxDepth, std::size_t maxValues)
        : m_text(text), m_at(begin), m_maxDepth(maxDepth), m_maxValues(maxValues) {}

    tl::expected<JsonTree, JsonFault> read() {
        skipSpace();
        if (atEnd()) {
            fault("empty_document", m_at, "the text holds no JSON value", "Check that it is the right file.");
        } else if (readValue(m_tree.root, 0)) {
            skipSpace();
            if (!atEnd())
                fault("trailing_data", m_at, "there is more text after the end of the JSON value",
                      "Remove everything after it; one file holds one value.");
        }
        if (m_failed) return tl::unexpected(std::move(m_fault));
        return std::move(m_tree);
    }

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    bool startsWith(std::string_view word) const { return m_text.substr(m_at).starts_with(word); }

    void skipSpace() {
        while (!atEnd() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++m_at;
    }

    bool fault(std::string code, std::size_t byte, std::string message, std::string hint) {
        m_failed = true;
        m_fault = {std::move(code), {}, byte, std::move(message), std::move(hint)};
        return false;
    }

    bool readValue(OrderedJson& out, std::size_t depth);
    bool readArray(OrderedJson& out, std::size_t depth);
    bool readObject(OrderedJson& out, std::size_t depth);
    bool readMember(Members& members, std::unordered_set<std::string>& seen, std::size_t depth);
    bool readString(std::string& out);
    bool readEscape(std::string& out);
    bool readCodePoint(std::string& out, std::size_t escape);
    bool readHex4(unsigned& out);
    bool readNumber(OrderedJson& out);
    bool readDigits(std::size_t begin);
    bool readWord(OrderedJson& out);
    bool unexpected(std::string_view wanted);
    std::string found() const;

    std::string_view m_text;
    std::size_t m_at;
    std::size_t m_maxDepth;
    std::size_t m_maxValues;
    JsonTree m_tree;
    JsonFault m_fault;
    bool m_failed = false;
};

std::string Reader::found() const {
    if (atEnd()) return "the end of the text";
    const auto byte = static_cast<unsigned char>(peek());
    if (byte < 0x20 || byte == 0x7f) {
        char name[16];
        std::snprintf(name, sizeof name, "U+%04X", byte);
        return name;
    }
    std::size_t length = 1;
    while (m_at + length < m_text.size() && (static_cast<unsigned char>(m_text[m_at + length]) & 0xc0) == 0x80)
        ++length;
    return "'" + std::string(m_text.substr(m_at, length)) + "'";
}

bool Reader::unexpected(std::string_view wanted) {
    std::string hint = "Check the text at this place.";
    if (atEnd()) hint = "The file seems to be cut off; fetch or save it again.";
    else if (peek() == '/' || peek() == '#') hint = "JSON has no comments; remove it.";
    else if (peek() == '\'') hint = "Use double quotes.";
    return fault("json_syntax", m_at, "expected " + std::string(wanted) + ", found " + found(), std::move(hint));
}

bool Reader::readValue(OrderedJson& out, std::size_t depth) {
    const std::size_t node = m_tree.nodes.size();
    if (node >= m_maxValues)
        return fault("too_many_values", m_at, "the text holds more than " + std::to_string(m_maxValues) + " values", "Send fewer.");
    m_tree.nodes.push_back({{m_at, m_at}, 0});
    bool ok = false;
    switch (peek()) {
    case '{': ok = readObject(out, depth + 1); break;
    case '[': ok = readArray(out, depth + 1); break;
    case '"': {
        std::string text;
        ok = readString(text);
        out = std::move(text);
        break;
    }
    default: ok = (peek() == '-' && !startsWith("-Infinity")) || isDigit(peek()) ? readNumber(out) : readWord(out);
    }
    m_tree.nodes[node].range.end = m_at;
    m_tree.nodes[node].next = m_tree.nodes.size();
    return ok;
}

bool Reader::readArray(OrderedJson& out, std::size_t depth) {
    if (depth > m_maxDepth)
        return fault("nesting_too_deep", m_at, "values are nested deeper than " + std::to_string(m_maxDepth) + " levels",
                     "Flatten the value.");
    out = OrderedJson::array();
    auto& items = out.get_ref<OrderedJson::array_t&>();
    ++m_at;
    skipSpace();
    if (peek() == ']') return ++m_at, true;
    for (;;) {
        skipSpace();
        if (peek() == ']')
            return fault("json_syntax", m_at, "an array ends with a comma", "Remove the comma before ']'.");
        OrderedJson item;
        if (!readValue(item, depth)) {
            m_fault.pointer.insert(0, "/" + std::to_string(items.size()));
            return false;
        }
        items.push_back(std::move(item));
        skipSpace();
        if (peek() == ']') return ++m_at, true;
        if (peek() != ',') return unexpected("',' or ']' after a list item");
        ++m_at;
    }
}

bool Reader::readObject(OrderedJson& out, std::size_t depth) {
    if (depth > m_maxDepth)
        return fault("nesting_too_deep", m_at, "values are nested deeper than " + std::to_string(m_maxDepth) + " levels",
                     "Flatten the value.");
    Members members;
    std::unordered_set<std::string> seen;
    ++m_at;
    skipSpace();
    if (peek() == '}') return ++m_at, out = OrderedJson::object(), true;
    for (;;) {
        skipSpace();
        if (peek() == '}' && !members.empty())
            return fault("json_syntax", m_at, "an object ends with a comma", "Remove the comma before '}'.");
        if (!readMember(members, seen, depth)) return false;
        skipSpace();
        if (peek() == '}') return ++m_at, out = toObject(std::move(members)), true;
        if (peek() != ',') return unexpected("',' or '}' after a member");
        ++m_at;
    }
}

bool Reader::readMember(Members& members, std::unordered_set<std::string>& seen, std::size_t depth) {
    const std::size_t begin = m_at;
    if (peek() != '"') return unexpected("a key in double quotes");
    std::string key;
    if (!readString(key)) return false;
    const std::string token = "/" + pointerToken(key);
    if (!seen.insert(key).second) {
        fault("duplicate_json_key", begin, "the key \"" + elided(key, 80) + "\" appears twice in one object",
              "Remove one of them: readers disagree on which one counts.");
        m_fault.pointer = token;
        return false;
    }
    skipSpace();
    if (peek() != ':') return unexpected("':' after a key");
    ++m_at;
    skipSpace();
    OrderedJson value;
    if (!readValue(value, depth)) {
        m_fault.pointer.insert(0, token);
        return false;
    }
    members.emplace_back(std::move(key), std::move(value));
    return true;
}

bool Reader::readString(std::string& out) {
    const std::size_t begin = m_at++;
    for (;;) {
        const std::size_t plain = m_at;
        while (!atEnd() && peek() != '"' && peek() != '\\' && static_cast<unsigned char>(peek()) >= 0x20) ++m_at;
        out.append(m_text.substr(plain, m_at - plain));
        if (atEnd())
            return fault("json_syntax", begin, "a text in double quotes never ends",
                         "Add the closing quote; if the file is cut off, fetch it again.");
        if (peek() == '"') return ++m_at, true;
        if (peek() != '\\')
            return fault("json_syntax", m_at, "a raw control character " + found() + " stands in a text",
                         "Write it as an escape, such as \\n or \\u0001.");
        if (!readEscape(out)) return false;
    }
}

bool Reader::readEscape(std::string& out) {
    const std::size_t escape = m_at++;
    const char kind = peek();
    if (kind == 'u') return readCodePoint(out, escape);
    static constexpr std::string_view kKinds = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = atEnd() ? std::string_view::npos : kKinds.find(kind);
    if (which == std::string_view::npos)
        return fault("json_syntax", escape, "an unknown escape in a text: \\ followed by " + found(),
                     "JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX.");
    out += kMeanings[which];
    ++m_at;
    return true;
}

bool Reader::readHex4(unsigned& out) {
    ++m_at;
    if (m_at + 4 > m_text.size()) return false;
    const char* first = m_text.data() + m_at;
    const auto [last, error] = std::from_chars(first, first + 4, out, 16);
    m_at += 4;
    return error == std::errc{} && last == first + 4;
}

bool Reader::readCodePoint(std::string& out, std::size_t escape) {
    const auto loneSurrogate = [&] {
        return fault("lone_surrogate", escape, "half of a surrogate pair stands alone in a text",
                     "Write the character itself or both halves; this text cannot be stored as UTF-8.");
    };
    const auto malformed = [&] {
        return fault("json_syntax", escape, "\\u needs four hexadecimal digits", "Write it as \\uXXXX.");
    };
    unsigned code = 0;
    if (!readHex4(code)) return malformed();
    if (code >= 0xdc00 && code <= 0xdfff) return loneSurrogate();
    if (code >= 0xd800 && code <= 0xdbff) {
        unsigned low = 0;
        if (!startsWith("\\u")) return loneSurrogate();
        ++m_at;
        if (!readHex4(low)) return malformed();
        if (low < 0xdc00 || low > 0xdfff) return loneSurrogate();
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    appendUtf8(out, code);
    return true;
}

// At least one digit; the caller has checked what may stand before it.
bool Reader::readDigits(std::size_t begin) {
    if (!isDigit(peek()))
        return fault("json_syntax", begin, "this is not a JSON number: a digit is missing before " + found(),
                     "Write it as in -12, 0.5 or 1e9.");
    while (isDigit(peek())) ++m_at;
    return true;
}

bool Reader::readNumber(OrderedJson& out) {
    const std::size_t begin = m_at;
    if (peek() == '-') ++m_at;
    if (peek() == '0' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1]))
        return fault("json_syntax", begin, "a number starts with a needless zero", "Remove the leading zero.");
    if (!readDigits(begin)) return false;
    bool integral = true;
    if (peek() == '.') {
        integral = false;
        ++m_at;
        if (!readDigits(begin)) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
        integral = false;
        ++m_at;
        if (peek() == '+' || peek() == '-') ++m_at;
        if (!readDigits(begin)) return false;
    }
    const char* first = m_text.data() + begin;
    const char* last = m_text.data() + m_at;
    if (integral) {
        std::int64_t whole = 0;
        if (std::from_chars(first, last, whole).ec == std::errc{}) return out = whole, true;
        std::uint64_t large = 0;
        if (std::from_chars(first, last, large).ec == std::errc{}) return out = large, true;
    }
    double real = 0;
    if (std::from_chars(first, last, real).ec == std::errc::result_out_of_range) real = outOfRange({first, last});
    out = real;
    return true;
}

bool Reader::readWord(OrderedJson& out) {
    static constexpr std::pair<std::string_view, int> kWords[] = {{"null", 0}, {"true", 1}, {"false", 2}};
    for (const auto& [word, meaning] : kWords) {
        if (!startsWith(word)) continue;
        m_at += word.size();
        if (meaning == 0) out = nullptr;
        else out = meaning == 1;
        return true;
    }
    for (const std::string_view word : {"NaN", "nan", "Infinity", "-Infinity", "inf"})
        if (startsWith(word))
            return fault("non_finite_literal", m_at, std::string(word) + " is not a JSON number",
                         "Write a finite number, or null where that is allowed.");
    return unexpected("a value");
}

}  // namespace

tl::expected<JsonTree, JsonFault> readJson(std::string_view text, std::size_t begin, std::size_t maxDepth, std::size_t maxValues) {
    return Reader(text, begin, maxDepth, maxValues).read();
}

std::string pointerToken(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~') out += "~0";
        else if (c == '/') out += "~1";
        else out += c;
    }
    return out;
}

}  // namespace signalbox::detail
