// SPDX-License-Identifier: MIT
#include "router/upstream/translate/answer_frames.h"

namespace signalbox::upstream::translate {

std::string anthropicFrame(const OrderedJson& event) {
    std::string out = "event: ";
    out.append(textIn(event, "type")).append("\ndata: ").append(event.dump()).append("\n\n");
    return out;
}

std::string openAiFrame(const OrderedJson& chunk) { return "data: " + chunk.dump() + "\n\n"; }

void ObjectEnd::feed(std::string_view piece) {
    for (const char c : piece) {
        if (m_escaped) {
            m_escaped = false;
        } else if (m_inString) {
            m_escaped = c == '\\';
            m_inString = c != '"';
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            m_begun = true;
            ++m_depth;
        } else if ((c == '}' || c == ']') && m_depth > 0) {
            --m_depth;
        }
    }
}

AnswerProblem tooManyBlocks() {
    return {"too_many_blocks", "sent more than " + std::to_string(kMaxAnswerBlocks) + " parts or tool calls in one answer"};
}

}  // namespace signalbox::upstream::translate
