// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"

namespace signalbox::policy {

/// Why one rule of the family did or did not match.
enum class RuleVerdict : std::uint8_t {
    matched,
    shadowed,
    workloadDiffers,
    lengthDiffers,
    concurrencyDiffers,
    cannotMatch,
    presetElsewhere,  ///< matches, but its preset is not bound to the provider that a group chose
};
[[nodiscard]] std::string_view toString(RuleVerdict verdict);

struct RuleExplanation {
    std::size_t ruleIndex = 0;
    std::string presetKey;
    RuleVerdict verdict = RuleVerdict::cannotMatch;
    /// Every axis that differed, so that a near miss (exactly one) can be told.
    std::vector<RuleVerdict> differing;
    std::string evidence;
    std::optional<std::string> evidenceTag;
};

/// The verdict on one rule and nothing else, for whoever asks at every request.
struct RuleJudgement {
    std::size_t ruleIndex = 0;
    RuleVerdict verdict = RuleVerdict::cannotMatch;
};
/// As `explainRules`, in the same order.
[[nodiscard]] std::vector<RuleJudgement> judgeRules(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                                    const table::Cell& cell);

/// Every rule of the request's family, in order.
[[nodiscard]] std::vector<RuleExplanation> explainRules(const PolicySnapshot& snapshot,
                                                        const std::optional<std::string>& family,
                                                        const table::Cell& cell);

/// The same for a plan, which restricts the presets where a group chose the provider. Empty when no table was asked.
[[nodiscard]] std::vector<RuleExplanation> explainRules(const PolicySnapshot& snapshot, const RoutePlan& plan,
                                                        const table::Cell& cell);

/// One decision written out for a person, several lines, no trailing newline. `refused` tells of a group that had nothing
/// to offer, where `resolve` gave it. `typedIn`: how to say where the features are from when somebody typed them in and no
/// client has sent anything.
[[nodiscard]] std::string explainText(const PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                                      const Result<RoutePlan>& plan, const GroupRefusal* refused = nullptr,
                                      const std::string& typedIn = {});
/// The same for a program. `group` holds what a smart group judged each candidate by; null when none was asked.
[[nodiscard]] OrderedJson explainJson(const PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                                      const Result<RoutePlan>& plan, const GroupRefusal* refused = nullptr);

/// A target that cannot be called where the decision is made.
struct NotCallableHere {
    std::string endpointId;
    std::string why;  ///< what its provider lacks; names variables, never their values
};
/// Says it in what `explainJson` gave (`not_callable_here`), in that order; nothing where all can be called.
void addNotCallable(OrderedJson& explained, const std::vector<NotCallableHere>& targets);

}  // namespace signalbox::policy
