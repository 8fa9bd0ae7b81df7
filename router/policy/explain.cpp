// SPDX-License-Identifier: MIT
#include "router/policy/explain.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

std::vector<RuleVerdict> differingAxes(const table::When& when, const table::Cell& cell) {
    std::vector<RuleVerdict> differing;
    const auto excludes = [](std::uint8_t mask, auto value) { return (mask >> static_cast<unsigned>(value) & 1U) == 0; };
    if (excludes(when.workloadMask, cell.workload)) differing.push_back(RuleVerdict::workloadDiffers);
    if (excludes(when.lengthMask, cell.length)) differing.push_back(RuleVerdict::lengthDiffers);
    if (excludes(when.concurrencyMask, cell.concurrency)) differing.push_back(RuleVerdict::concurrencyDiffers);
    return differing;
}

using Presets = std::vector<std::string>;

std::vector<RuleExplanation> explainAmong(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                          const table::Cell& cell, const Presets* among) {
    std::vector<RuleExplanation> explanations;
    const TableIndex::FamilyRules* rules = family ? snapshot.index.rulesOf(*family) : nullptr;
    if (rules == nullptr) return explanations;
    bool hasMatched = false;
    for (const std::size_t index : rules->rules) {
        const table::RoutingRule& rule = snapshot.table->rules[index];
        RuleExplanation explanation{index, rule.presetKey, RuleVerdict::cannotMatch, {}, rule.evidence, rule.evidenceTag};
        const bool isElsewhere =
            among != nullptr && std::find(among->begin(), among->end(), rule.presetKey) == among->end();
        if (rule.when.canMatch) {
            explanation.differing = differingAxes(rule.when, cell);
            explanation.verdict = !explanation.differing.empty() ? explanation.differing.front()
                                  : isElsewhere                  ? RuleVerdict::presetElsewhere
                                  : hasMatched                   ? RuleVerdict::shadowed
                                                                 : RuleVerdict::matched;
            hasMatched = hasMatched || explanation.verdict == RuleVerdict::matched;
        }
        explanations.push_back(std::move(explanation));
    }
    return explanations;
}

}  // namespace

std::string_view toString(RuleVerdict verdict) {
    switch (verdict) {
        case RuleVerdict::matched: return "matched";
        case RuleVerdict::shadowed: return "shadowed";
        case RuleVerdict::workloadDiffers: return "workload_differs";
        case RuleVerdict::lengthDiffers: return "length_differs";
        case RuleVerdict::concurrencyDiffers: return "concurrency_differs";
        case RuleVerdict::cannotMatch: return "cannot_match";
        case RuleVerdict::presetElsewhere: return "preset_elsewhere";
    }
    return "cannot_match";
}

std::vector<RuleExplanation> explainRules(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                          const table::Cell& cell) {
    return explainAmong(snapshot, family, cell, nullptr);
}

std::vector<RuleExplanation> explainRules(const PolicySnapshot& snapshot, const RoutePlan& plan, const table::Cell& cell) {
    if (!plan.tableDecision) return {};
    const Presets* among = nullptr;
    if (plan.group) among = &snapshot.smart.groups()[plan.group->group].candidates[plan.group->plan.selected].boundPresets;
    return explainAmong(snapshot, plan.tableDecision->family, cell, among);
}

}  // namespace signalbox::policy
