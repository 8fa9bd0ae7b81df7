// SPDX-License-Identifier: MIT
#include "router/classify/features.h"

#include "router/classify/hints.h"

namespace signalbox::classify {

void CallerHints::fillFrom(const CallerHints& weaker) {
    if (!parseLengthHint(expectedLength)) expectedLength = weaker.expectedLength;
    if (!parseCodeHint(category)) category = weaker.category;
    if (!parseTokensHint(inputTokens)) inputTokens = weaker.inputTokens;
}

std::string_view toString(FoundBy by) {
    switch (by) {
        case FoundBy::header: return "header";
        case FoundBy::metadata: return "metadata";
        case FoundBy::principal: return "principal";
        case FoundBy::body: return "body";
        case FoundBy::estimate: return "estimate";
        case FoundBy::fallback: return "fallback";
    }
    return "fallback";
}

}  // namespace signalbox::classify
