// SPDX-License-Identifier: MIT
#include "router/upstream/prometheus_text.h"

#include "router/base/text.h"

#include <algorithm>
#include <charconv>

namespace signalbox::upstream {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Line and column of a byte, in code points from 1.
std::string placeOf(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::string_view ofLine = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto column =
        std::ranges::count_if(ofLine, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }) + 1;
    return std::to_string(line) + ":" + std::to_string(column);
}

struct TextFault {
    std::size_t byte = 0;  ///< of the line
    const char* message = "";
};
using Read = tl::expected<void, TextFault>;

/// One line, without its line feed.
class LineReader {
public:
    explicit LineReader(std::string_view line) : m_line(line) {}

    [[nodiscard]] bool isSample() {
        skipBlanks();
        return m_at < m_line.size() && m_line[m_at] != '#';
    }

    [[nodiscard]] Read read(PrometheusSample& out) {
        if (!readName(out.name, true)) return fault("No metric name begins here");
        skipBlanks();
        if (peek() == '{')
            if (Read labels = readLabels(out); !labels) return labels;
        skipBlanks();
        if (Read value = readValue(out.value); !value) return value;
        skipBlanks();
        if (m_at == m_line.size()) return {};
        if (Read timestamp = readTimestamp(out.timestampMs); !timestamp) return timestamp;
        skipBlanks();
        return m_at == m_line.size() ? Read{} : fault("Something follows the timestamp");
    }

private:
    [[nodiscard]] char peek() const { return m_at < m_line.size() ? m_line[m_at] : '\0'; }
    void skipBlanks() {
        while (m_at < m_line.size() && isBlank(m_line[m_at])) ++m_at;
    }
    [[nodiscard]] Read fault(const char* message) const { return tl::unexpected(TextFault{m_at, message}); }

    [[nodiscard]] bool readName(std::string& out, bool withColons) {
        const std::size_t begin = m_at;
        const auto belongs = [&](char c) {
            return isLetter(c) || (withColons && c == ':') || (m_at > begin && isDigit(c));
        };
        while (m_at < m_line.size() && belongs(m_line[m_at])) ++m_at;
        out = m_line.substr(begin, m_at - begin);
        return !out.empty();
    }

    [[nodiscard]] Read readLabels(PrometheusSample& out) {
        ++m_at;  // the brace
        for (;;) {
            skipBlanks();
            if (peek() == '}') break;
            std::pair<std::string, std::string> label;
            const std::size_t begin = m_at;
            if (!readName(label.first, false)) return fault("No label name begins here");
            const auto same = [&](const auto& earlier) { return earlier.first == label.first; };
            if (std::ranges::any_of(out.labels, same))
                return tl::unexpected(TextFault{begin, "The label stands twice in one sample"});
            skipBlanks();
            if (peek() != '=') return fault("An equals sign is missing after the label's name");
            ++m_at;
            skipBlanks();
            if (Read value = readQuoted(label.second); !value) return value;
            out.labels.push_back(std::move(label));
            skipBlanks();
            if (peek() == ',') ++m_at;
            else if (peek() != '}') return fault("A comma or closing brace is missing after the label");
        }
        ++m_at;
        return {};
    }

    [[nodiscard]] Read readQuoted(std::string& out) {
        if (peek() != '"') return fault("The label's value is not in quotes");
        for (++m_at; m_at < m_line.size(); ++m_at) {
            const char c = m_line[m_at];
            if (c == '"') {
                ++m_at;
                return {};
            }
            if (c != '\\') {
                out += c;
                continue;
            }
            const char escaped = m_at + 1 < m_line.size() ? m_line[m_at + 1] : '\0';
            if (escaped == 'n') out += '\n';
            else if (escaped == '"' || escaped == '\\') out += escaped;
            else return fault("Only \\\\, \\\" and \\n are escapes");
            ++m_at;
        }
        return fault("The quotes of the label's value are not closed");
    }

    [[nodiscard]] std::string_view token() {
        const std::size_t begin = m_at;
        while (m_at < m_line.size() && !isBlank(m_line[m_at])) ++m_at;
        return m_line.substr(begin, m_at - begin);
    }

    [[nodiscard]] Read readValue(double& out) {
        const std::size_t begin = m_at;
        std::string_view text = token();
        if (text.empty()) return fault("The sample has no value");
        // from_chars knows "nan" and "inf" in any case, but no plus sign, and also "nan(…)", which is none here.
        if (text.front() == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
        if (ec != std::errc{} || end != text.data() + text.size() || text.back() == ')')
            return tl::unexpected(TextFault{begin, "The sample's value is not a number"});
        return {};
    }

    [[nodiscard]] Read readTimestamp(std::optional<std::int64_t>& out) {
        const std::size_t begin = m_at;
        const std::string_view text = token();
        std::int64_t value = 0;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (ec != std::errc{} || end != text.data() + text.size())
            return tl::unexpected(TextFault{begin, "The timestamp is not a whole number of milliseconds"});
        out = value;
        return {};
    }

    std::string_view m_line;
    std::size_t m_at = 0;
};

tl::unexpected<Error> pageError(std::string_view text, std::size_t byte, std::string message) {
    return fail(ErrorKind::badInput, std::move(message), placeOf(text, byte),
                "The page must be in the Prometheus text format, version 0.0.4");
}

}  // namespace

std::string_view PrometheusSample::label(std::string_view labelName) const {
    const auto found = std::ranges::find(labels, labelName, [](const auto& label) { return std::string_view(label.first); });
    return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

Result<std::vector<PrometheusSample>> readPrometheusText(std::string_view text) {
    if (text.size() > kMaxPrometheusBytes)
        return fail(ErrorKind::badInput, "The page has more than " + std::to_string(kMaxPrometheusBytes >> 20) + " MiB");
    if (const std::size_t valid = validUtf8Prefix(text); valid != text.size())
        return pageError(text, valid, "The page is not in UTF-8");
    if (!text.empty() && text.back() != '\n') return pageError(text, text.size(), "The page ends within a line");
    std::vector<PrometheusSample> samples;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        LineReader line(text.substr(begin, end - begin));
        if (line.isSample()) {
            if (samples.size() == kMaxPrometheusSamples)
                return pageError(text, begin, "The page has more than " + std::to_string(kMaxPrometheusSamples) + " samples");
            if (const Read read = line.read(samples.emplace_back()); !read)
                return pageError(text, begin + read.error().byte, read.error().message);
        }
        begin = end + 1;
    }
    return samples;
}

}  // namespace signalbox::upstream
