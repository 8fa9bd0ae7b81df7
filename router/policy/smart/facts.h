// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/reasons.h"

#include <optional>
#include <string>

namespace signalbox::policy::smart {

/// How a decision was served.
enum class ServedMode : std::uint8_t { offStatic, shadow, canaryControl, active, explicitStatic };
/// `off_static`, `shadow`, `canary_control`, `active`, `static`.
[[nodiscard]] std::string_view toString(ServedMode mode);
/// Only in these two may what was selected and what is recommended differ.
[[nodiscard]] constexpr bool mayDisagree(ServedMode mode) {
    return mode == ServedMode::shadow || mode == ServedMode::canaryControl;
}

/// What the evidence table keeps of a decision beside the two routes.
struct Facts {
    ServedMode mode = ServedMode::offStatic;
    std::string_view profile;  ///< a word of Profile, or `explicit`; a constant
    std::string policyVersion;
    std::size_t candidateCount = 0;  ///< eligible ones
    double selectedScore = 0;        ///< four decimals
    double recommendedScore = 0;
    ReasonList reasons;
    bool sessionAffinity = false;
    bool shadowDisagreement = false;
};

/// The decision for a request that named its endpoint: fixed, whatever profile it asks for.
struct ExplicitSelection {
    std::string provider;
    std::string model;
    Facts facts;
};
/// `provider:model` split at the first colon; nullopt when a part is missing.
[[nodiscard]] std::optional<ExplicitSelection> explicitSelection(std::string_view selector);

}  // namespace signalbox::policy::smart
