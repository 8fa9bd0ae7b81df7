// SPDX-License-Identifier: MIT
#include "router/config/toml_layout.h"

#include <algorithm>
#include <toml++/toml.h>

namespace signalbox::config {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kLayoutSpace = " \t\r\n";

/// The name that a key's text stands for; the parser undoes the escapes of a quoted one.
std::string nameOf(std::string_view written) {
    if (written.front() != '"' && written.front() != '\'') return std::string(written);
    const toml::table table = toml::parse(std::string(written) + " = 0");
    return std::string(table.begin()->first.str());
}

class Scanner {
public:
    explicit Scanner(std::string_view text) { m_layout.text = text; }

    TomlLayout run() {
        const std::size_t newline = text().find('\n');
        if (newline != std::string_view::npos && newline > 0 && text()[newline - 1] == '\r') m_layout.newline = "\r\n";
        if (text().starts_with(kByteOrderMark)) m_at = kByteOrderMark.size();
        m_layout.blocks.emplace_back().headerEnd = m_at;
        while (skipSpaceAndComments(), m_at < text().size()) {
            if (text()[m_at] == '[') m_layout.blocks.push_back(header());
            else m_layout.blocks.back().assignments.push_back(assignment());
        }
        setRanges();
        return std::move(m_layout);
    }

private:
    [[nodiscard]] std::string_view text() const { return m_layout.text; }
    [[nodiscard]] char peek() const { return m_at < text().size() ? text()[m_at] : '\0'; }

    void skipBlanks() { m_at = std::min(text().find_first_not_of(" \t", m_at), text().size()); }

    void skipSpaceAndComments() {
        while (true) {
            m_at = std::min(text().find_first_not_of(kLayoutSpace, m_at), text().size());
            if (peek() != '#') return;
            m_at = std::min(text().find('\n', m_at), text().size());
        }
    }

    std::vector<TomlKey> keys() {
        std::vector<TomlKey> out;
        while (true) {
            skipBlanks();
            const std::size_t begin = m_at;
            if (peek() == '"' || peek() == '\'') string();
            else m_at = std::min(text().find_first_of(" \t.=]", m_at), text().size());
            const ByteRange range{begin, m_at};
            out.push_back({nameOf(m_layout.at(range)), range});
            skipBlanks();
            if (peek() != '.') return out;
            ++m_at;
        }
    }

    TomlBlock header() {
        TomlBlock block;
        block.headerBegin = m_at;
        block.isElement = text().substr(m_at).starts_with("[[");
        m_at += block.isElement ? 2 : 1;
        block.keys = keys();
        block.path = pathOf(block);
        block.headerEnd = m_layout.lineEnd(m_at);
        m_at = block.headerEnd;
        return block;
    }

    Path pathOf(const TomlBlock& block) {
        Path path;
        for (std::size_t i = 0; i < block.keys.size(); ++i) {
            path.emplace_back(block.keys[i].name);
            const bool last = i + 1 == block.keys.size();
            if (last && block.isElement) {
                const std::size_t index = m_elements[path]++;
                path.emplace_back(index);
            } else if (const auto array = m_elements.find(path); array != m_elements.end()) {
                path.emplace_back(array->second - 1);
            }
        }
        return path;
    }

    TomlAssignment assignment() {
        TomlAssignment out;
        out.keys = keys();
        ++m_at;  // =
        skipBlanks();
        out.value = value();
        return out;
    }

    TomlValue value() {
        TomlValue out;
        out.range.begin = m_at;
        switch (peek()) {
        case '"': case '\'': string(); break;
        case '[': array(out); break;
        case '{': table(out); break;
        default: {
            m_at = std::min(text().find_first_of(",]}#\r\n", m_at), text().size());
            m_at = text().find_last_not_of(" \t", m_at - 1) + 1;
        }
        }
        out.range.end = m_at;
        return out;
    }

    void comma(TomlValue& value) {
        skipSpaceAndComments();
        if (peek() == ',') value.comma = m_at++;
        skipSpaceAndComments();
    }

    void array(TomlValue& out) {
        out.kind = TomlValue::Kind::array;
        ++m_at;
        for (skipSpaceAndComments(); peek() != ']';) {
            out.elements.push_back(value());
            comma(out.elements.back());
        }
        ++m_at;
    }

    void table(TomlValue& out) {
        out.kind = TomlValue::Kind::table;
        ++m_at;
        for (skipSpaceAndComments(); peek() != '}';) {
            out.members.push_back(assignment());
            comma(out.members.back().value);
        }
        ++m_at;
    }

    /// A string of one of the four kinds.
    void string() {
        const char quote = peek();
        const std::string triple(3, quote);
        const bool severalLines = text().substr(m_at).starts_with(triple);
        for (m_at += severalLines ? 3 : 1; m_at < text().size(); ++m_at) {
            if (quote == '"' && peek() == '\\') {
                ++m_at;
                continue;
            }
            if (!severalLines && peek() == quote) break;
            if (severalLines && text().substr(m_at).starts_with(triple)) {
                // Up to two quotes may end the content, so that five stand in a row.
                m_at += 2;
                for (int i = 0; i < 2 && text().substr(m_at + 1).starts_with(quote); ++i) ++m_at;
                break;
            }
        }
        ++m_at;
    }

    void setRanges() {
        for (std::size_t i = 0; i < m_layout.blocks.size(); ++i) {
            TomlBlock& block = m_layout.blocks[i];
            const std::size_t before = i == 0 ? 0 : statementsEnd(m_layout.blocks[i - 1]);
            block.range.begin = i == 0 ? block.headerEnd : commentsAbove(block.headerBegin, before);
            if (i > 0) m_layout.blocks[i - 1].range.end = std::min(m_layout.blocks[i - 1].range.end, block.range.begin);
            block.range.end = commentsBelow(statementsEnd(block), i == 0 && block.assignments.empty());
        }
    }

    [[nodiscard]] std::size_t statementsEnd(const TomlBlock& block) const {
        return block.assignments.empty() ? block.headerEnd : m_layout.lineEnd(block.assignments.back().value.range.end);
    }

    [[nodiscard]] bool isComment(std::size_t line) const {
        const std::size_t first = text().find_first_not_of(" \t", line);
        return first != std::string_view::npos && text()[first] == '#';
    }

    [[nodiscard]] std::size_t commentsAbove(std::size_t header, std::size_t least) const {
        std::size_t line = m_layout.lineBegin(header);
        while (line > least) {
            const std::size_t above = m_layout.lineBegin(line - 1);
            if (above < least || !isComment(above)) break;
            line = above;
        }
        return std::max(line, least);
    }

    [[nodiscard]] std::size_t commentsBelow(std::size_t line, bool headless) const {
        while (!headless && line < text().size() && isComment(line)) line = m_layout.lineEnd(line);
        return line;
    }

    TomlLayout m_layout;
    std::size_t m_at = 0;
    std::map<Path, std::size_t> m_elements;  ///< how many elements each array of tables has so far
};

}  // namespace

std::size_t TomlLayout::lineBegin(std::size_t byte) const {
    const std::size_t before = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    if (before != std::string_view::npos) return before + 1;
    return text.starts_with(kByteOrderMark) ? std::min(byte, kByteOrderMark.size()) : 0;
}

std::size_t TomlLayout::lineEnd(std::size_t byte) const {
    const std::size_t next = text.find('\n', byte);
    return next == std::string_view::npos ? text.size() : next + 1;
}

std::size_t TomlLayout::skipBlankLines(std::size_t line) const {
    while (line < text.size()) {
        const std::size_t end = lineEnd(line);
        if (text.substr(line, end - line).find_first_not_of(kLayoutSpace) != std::string_view::npos) break;
        line = end;
    }
    return line;
}

std::string_view TomlLayout::indentAt(std::size_t byte) const {
    const std::size_t line = lineBegin(byte);
    return text.substr(line, std::min(text.find_first_not_of(" \t", line), byte) - line);
}

bool TomlLayout::isBlankLineAbove(std::size_t line) const {
    if (line == 0) return false;
    const std::size_t above = lineBegin(line - 1);
    return above < line && text.substr(above, line - above).find_first_not_of(kLayoutSpace) == std::string_view::npos;
}

TomlLayout layoutOf(std::string_view text) { return Scanner(text).run(); }

bool hasPrefix(const Path& path, const Path& prefix) {
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

std::size_t keyCount(const Path& path) {
    return static_cast<std::size_t>(
        std::count_if(path.begin(), path.end(), [](const PathStep& step) { return std::holds_alternative<std::string>(step); }));
}

}  // namespace signalbox::config
