// SPDX-License-Identifier: MIT
#include "router/policy/smart/facts.h"

namespace signalbox::policy::smart {

std::string_view toString(ServedMode mode) {
    switch (mode) {
    case ServedMode::offStatic: return "off_static";
    case ServedMode::shadow: return "shadow";
    case ServedMode::canaryControl: return "canary_control";
    case ServedMode::active: return "active";
    case ServedMode::explicitStatic: return "static";
    }
    return {};
}

std::optional<ExplicitSelection> explicitSelection(std::string_view selector) {
    const std::size_t colon = selector.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == selector.size()) return std::nullopt;
    ExplicitSelection out;
    out.provider = selector.substr(0, colon);
    out.model = selector.substr(colon + 1);
    out.facts.mode = ServedMode::explicitStatic;
    out.facts.profile = "explicit";
    out.facts.policyVersion = "static-v1";
    out.facts.candidateCount = 1;
    out.facts.selectedScore = 1;
    out.facts.recommendedScore = 1;
    out.facts.reasons.add(Reason::explicitProviderModel);
    return out;
}

}  // namespace signalbox::policy::smart
