// SPDX-License-Identifier: MIT
#include "router/evidence/copy_line.h"

#include "router/evidence/plain_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace signalbox::evidence {
namespace {

/// What stands behind the backslash; 0 for what goes as it is.
char copyEscape(char c) {
    switch (c) {
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\v': return 'v';
    default: return 0;
    }
}

void putEscaped(Appending& out, std::string_view text) {
    for (const char c : text) {
        const char behind = copyEscape(c);
        if (behind != 0) out.put('\\');
        out.put(behind != 0 ? behind : c);
    }
}

constexpr std::string_view kForNul = "\xEF\xBF\xBD";

void appendArray(std::string& out, const std::vector<std::string_view>& texts) {
    char before = '{';
    for (const std::string_view text : texts) {
        (out += before) += '"';
        before = ',';
        if (isPlainText(text)) out.append(text);
        else
            for (const char c : storable(text)) {
                if (c == '"' || c == '\\') out += '\\';
                out += c;
            }
        out += '"';
    }
    out += before == '{' ? "{}" : "}";
}

}  // namespace

std::string textArray(const std::vector<std::string_view>& texts) {
    std::string out;
    appendArray(out, texts);
    return out;
}

std::string storable(std::string_view text) {
    std::string out(text);
    for (auto at = out.find('\0'); at != std::string::npos; at = out.find('\0', at)) out.replace(at, 1, kForNul);
    return out;
}

void appendEscaped(std::string& out, std::string_view text) {
    Appending appending(out);
    putEscaped(appending, text);
}

void CopyLine::text(std::string_view value) {
    if (char* at = m_out.room(value.size() + 1)) {
        *at = '\t';
        at += m_notFirst ? 1 : 0;
        if (copyUnlessOdd<odd::NotPlain>(at, value)) {
            m_notFirst = true;
            return m_out.used(at + value.size());
        }
    }
    separate();
    if (value.find('\0') == std::string_view::npos) putEscaped(m_out, value);
    else putEscaped(m_out, storable(value));
}

void CopyLine::element(char before, std::string_view text) {
    if (char* const at = m_out.room(text.size() + 3)) {
        at[0] = before;
        at[1] = '"';
        if (copyUnlessOdd<odd::NotPlain>(at + 2, text)) {
            at[2 + text.size()] = '"';
            return m_out.used(at + text.size() + 3);
        }
    }
    m_out.put(before);
    std::string literal = "\"";
    for (const char c : storable(text)) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    putEscaped(m_out, literal += '"');
}

void CopyLine::textOrNull(const std::optional<std::string>& value) {
    if (value && !value->empty()) text(*value);
    else null();
}

void CopyLine::count(std::uint64_t value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    char* at = m_out.room(kMostDigits + 1);
    *at = '\t';
    at += m_notFirst ? 1 : 0;
    m_notFirst = true;
    m_out.used(writeDigits(at, std::min(value, kMost)));
}

void CopyLine::integer(std::int64_t value) { separate(), m_out.digits(value); }

void CopyLine::number(double value) {
    char* at = m_out.room(kMostDigits + 1);
    *at = '\t';
    at += m_notFirst ? 1 : 0;
    m_notFirst = true;
    // Adding 0 takes the sign of a negative zero, which a receipt does not keep.
    m_out.used(writeDigits(at, std::isfinite(value) ? value + 0.0 : 0.0));
}

void CopyLine::number(const std::optional<double>& value) {
    if (value && std::isfinite(*value)) number(*value);
    else null();
}

void CopyLine::written(std::string_view value) {
    separate();
    if (char* const at = m_out.room(value.size()); at != nullptr && copyUnlessOdd<odd::ForCopy>(at, value)) m_out.used(at + value.size());
    else putEscaped(m_out, value);
}

}  // namespace signalbox::evidence
