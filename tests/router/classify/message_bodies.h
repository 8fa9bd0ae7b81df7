// SPDX-License-Identifier: MIT
// Bodies of Anthropic's Messages API, and what classification finds in a body, as words.
#pragma once

#include "router/classify/classify.h"

#include <QString>
#include <string>

namespace signalbox::test {

inline Result<classify::ClassifiedRequest> readMessages(std::string_view body, const classify::CallerHints& header = {}) {
    return classify::classifyBody(classify::Dialect::anthropic, body, header, {}, 1);
}

inline std::string messagesWith(const std::string& members) {
    return R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"}])" +
           (members.empty() ? std::string() : "," + members) + "}";
}

inline std::string userContent(const std::string& blocks) {
    return R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":)" + blocks + "}]}";
}

/// What a server's tool brought, of that source.
inline std::string fetched(const std::string& source) {
    return R"({"type":"web_fetch_tool_result","tool_use_id":"t","content":{"type":"web_fetch_result","url":"u","content":)"
           R"({"type":"document","source":)" + source + "}}}";
}

inline std::string wordsOf(const classify::PeculiaritySet& set) {
    std::string out;
    for (int i = 0; i < classify::kPeculiarities; ++i)
        if (const auto one = static_cast<classify::Peculiarity>(i); set.contains(one))
            out += (out.empty() ? "" : " ") + std::string(classify::toString(one));
    return out;
}

inline QString text(std::string_view value) { return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())); }

}  // namespace signalbox::test
