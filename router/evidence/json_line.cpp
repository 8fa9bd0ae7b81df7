// SPDX-License-Identifier: MIT
#include "router/evidence/json_line.h"

#include "router/base/text.h"
#include "router/evidence/plain_text.h"

#include <algorithm>

namespace signalbox::evidence {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void escape(Appending& out, char c) {
    static constexpr std::string_view kNamed = "\"\\\n\r\t", kNames = "\"\\nrt";
    out.put('\\');
    if (const auto at = kNamed.find(c); at != std::string_view::npos) return out.put(kNames[at]);
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    out.put(std::string_view("u00"));
    out.put(kDigits[byte >> 4]);
    out.put(kDigits[byte & 15]);
}

std::string repaired(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t length = 1;
        while (length <= std::min<std::size_t>(4, text.size()) && !isValidUtf8(text.substr(0, length))) ++length;
        const bool good = length <= std::min<std::size_t>(4, text.size());
        out += good ? text.substr(0, length) : kReplacement;
        text.remove_prefix(good ? length : 1);
    }
    return out;
}

}  // namespace

void JsonLine::quote(const char* behind, std::string_view text) {
    m_out.used(behind);
    if (char* const at = m_out.room(text.size() + 2)) {
        *at = '"';
        if (copyUnlessOdd<odd::NotPlain>(at + 1, text)) {  // nearly always
            at[1 + text.size()] = '"';
            return m_out.used(at + text.size() + 2);
        }
    }
    quoteEscaped(text);
}

void JsonLine::quoteEscaped(std::string_view text) {
    m_out.put('"');
    std::string mended;
    if (!isValidUtf8(text)) {
        mended = repaired(text);
        text = mended;
        m_mended = true;
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && c != '"' && c != '\\') m_out.put(c);
        else escape(m_out, c);
    }
    m_out.put('"');
}

}  // namespace signalbox::evidence
