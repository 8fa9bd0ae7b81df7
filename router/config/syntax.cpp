// SPDX-License-Identifier: MIT
#include "router/config/syntax.h"

#include "router/base/text.h"
#include "router/config/section.h"

#include <optional>
#include <string>

namespace signalbox::config {
namespace {

// Dots in one key and open brackets: no file of ours comes near. The library limits neither dotted keys nor table
// headers and destroys tables recursively, so a file of dots would exhaust the stack.
constexpr int kMaxDots = 16;
constexpr int kMaxBrackets = 32;

/// Walks over the text outside strings and comments and stops where it nests too deeply.
class DepthScan {
public:
    explicit DepthScan(std::string_view text) : m_text(text) {}

    [[nodiscard]] std::optional<TextPosition> tooDeepAt() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"' || c == '\'') {
                skipString(c);
                continue;
            }
            if (c == '#') {
                while (m_at < m_text.size() && m_text[m_at] != '\n') step();
                continue;
            }
            count(c);
            if (m_dots > kMaxDots || m_brackets > kMaxBrackets) return TextPosition{m_line, m_column};
            step();
        }
        return std::nullopt;
    }

private:
    void count(char c) {
        if (c == '.') ++m_dots;
        if (c == '\n' || c == '=' || c == ',') m_dots = 0;
        if (c == '[' || c == '{') ++m_brackets;
        if ((c == ']' || c == '}') && m_brackets > 0) --m_brackets;
    }

    void step() {
        if (m_text[m_at] == '\n') {
            ++m_line;
            m_column = 1;
        } else if ((static_cast<unsigned char>(m_text[m_at]) & 0xc0) != 0x80) {
            ++m_column;
        }
        ++m_at;
    }

    void skipString(char quote) {
        const std::string_view triple = quote == '"' ? R"(""")" : "'''";
        const bool multiLine = m_text.substr(m_at).starts_with(triple);
        for (int i = multiLine ? 3 : 1; i > 0; --i) step();
        while (m_at < m_text.size()) {
            if (quote == '"' && m_text[m_at] == '\\') {
                step();
                if (m_at < m_text.size()) step();
                continue;
            }
            if (multiLine && m_text.substr(m_at).starts_with(triple)) {
                for (int i = 0; i < 3; ++i) step();
                // Up to two quotes may end the content, so that five stand in a row.
                for (int i = 0; i < 2 && m_at < m_text.size() && m_text[m_at] == quote; ++i) step();
                return;
            }
            if (!multiLine && (m_text[m_at] == quote || m_text[m_at] == '\n')) {
                step();
                return;
            }
            step();
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::uint32_t m_line = 1;
    std::uint32_t m_column = 1;
    int m_dots = 0;
    int m_brackets = 0;
};

/// The library's sentence as far as it speaks of the grammar. What it repeats of a value is left out.
std::string grammarMessage(std::string_view description) {
    for (const std::string_view repeating : {"not representable", "trying to interpret", "could not be interpreted"})
        if (description.find(repeating) != std::string_view::npos)
            return "this is not valid TOML: the number is not one that TOML can hold";
    static constexpr std::string_view kPrefix = "Error while ";
    if (description.starts_with(kPrefix)) description.remove_prefix(kPrefix.size());
    // One character between quotes, perhaps escaped, is no secret; more could be.
    static constexpr std::string_view kSaw = ", saw '";
    static constexpr std::size_t kLongestEscape = 10;
    if (const auto saw = description.find(kSaw);
        saw != std::string_view::npos && description.size() - saw - kSaw.size() > kLongestEscape + 1)
        description = description.substr(0, saw);
    return "this is not valid TOML: " + std::string(description);
}

/// Where the first byte stands that is no UTF-8; the library names the character before it.
std::optional<TextPosition> badUtf8At(std::string_view text) {
    if (isValidUtf8(text)) return std::nullopt;
    TextPosition at{1, 1};
    for (std::size_t i = 0; i < text.size();) {
        std::size_t length = 1;
        while (length <= 4 && !isValidUtf8(text.substr(i, length))) ++length;
        if (length > 4) break;
        at = text[i] == '\n' ? TextPosition{at.line + 1, 1} : TextPosition{at.line, at.column + 1};
        i += length;
    }
    return at;
}

std::string syntaxHint(std::string_view description) {
    if (description.find("redefine") != std::string_view::npos)
        return "Each key and each [table] may stand once; repeat only [[lists of tables]].";
    return "Look at this line and the one above it.";
}

}  // namespace

tl::expected<toml::table, Finding> parseToml(std::string_view text) {
    if (const auto at = badUtf8At(text))
        return tl::unexpected(Finding{Severity::error, "toml_syntax", {}, *at, "the file is not UTF-8 here",
                                      "Save it with the encoding UTF-8."});
    if (const auto at = DepthScan(text).tooDeepAt())
        return tl::unexpected(Finding{Severity::error, "toml_syntax", {}, *at, "the values are nested too deeply",
                                      "A key may have 16 dots and a value 32 open brackets."});
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        const std::string_view description = error.description();
        return tl::unexpected(Finding{Severity::error, "toml_syntax", {}, toPosition(error.source()),
                                      grammarMessage(description), syntaxHint(description)});
    }
}

}  // namespace signalbox::config
