// SPDX-License-Identifier: MIT
#include "router/evidence/json_line.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox::evidence {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void escape(std::string& out, char c) {
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    out += "\\u00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
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

void JsonLine::quote(std::string_view text) {
    const auto plain = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
    };
    m_out += '"';
    if (std::all_of(text.begin(), text.end(), plain)) {  // nearly always
        m_out.append(text) += '"';
        return;
    }
    std::string mended;
    if (!isValidUtf8(text)) {
        mended = repaired(text);
        text = mended;
    }
    for (const char c : text) {
        if (plain(c) || static_cast<unsigned char>(c) >= 0x80)
            m_out += c;
        else
            escape(m_out, c);
    }
    m_out += '"';
}

}  // namespace signalbox::evidence
