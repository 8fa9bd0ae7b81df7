// SPDX-License-Identifier: MIT
#include "router/policy/explain.h"

#include <algorithm>

namespace signalbox::policy {

namespace {

/// Calls `differs(verdict)` for each axis that does.
template <class Differs>
void forEachDifferingAxis(const table::When& when, const table::Cell& cell, Differs differs) {
    const auto excludes = [](std::uint8_t mask, auto value) { return (mask >> static_cast<unsigned>(value) & 1U) == 0; };
    if (excludes(when.workloadMask, cell.workload)) differs(RuleVerdict::workloadDiffers);
    if (excludes(when.lengthMask, cell.length)) differs(RuleVerdict::lengthDiffers);
    if (excludes(when.concurrencyMask, cell.concurrency)) differs(RuleVerdict::concurrencyDiffers);
}

std::vector<RuleVerdict> differingAxes(const table::When& when, const table::Cell& cell) {
    std::vector<RuleVerdict> differing;
    forEachDifferingAxis(when, cell, [&](RuleVerdict axis) { differing.push_back(axis); });
    return differing;
}

using Presets = std::vector<std::string>;

std::vector<RuleJudgement> judgeAmong(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                      const table::Cell& cell, const Presets* among) {
    std::vector<RuleJudgement> judgements;
    const TableIndex::FamilyRules* rules = family ? snapshot.index.rulesOf(*family) : nullptr;
    if (rules == nullptr) return judgements;
    judgements.reserve(rules->rules.size());
    bool hasMatched = false;
    for (const std::size_t index : rules->rules) {
        const table::RoutingRule& rule = snapshot.table->rules[index];
        RuleJudgement& judgement = judgements.emplace_back(RuleJudgement{index, RuleVerdict::cannotMatch});
        if (!rule.when.canMatch) continue;
        std::optional<RuleVerdict> differing;
        forEachDifferingAxis(rule.when, cell, [&](RuleVerdict axis) { differing = differing.value_or(axis); });
        const auto isElsewhere = [&] { return among != nullptr && std::find(among->begin(), among->end(), rule.presetKey) == among->end(); };
        judgement.verdict = differing       ? *differing
                            : isElsewhere() ? RuleVerdict::presetElsewhere
                            : hasMatched    ? RuleVerdict::shadowed
                                            : RuleVerdict::matched;
        hasMatched = hasMatched || judgement.verdict == RuleVerdict::matched;
    }
    return judgements;
}

std::vector<RuleExplanation> explainAmong(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                          const table::Cell& cell, const Presets* among) {
    std::vector<RuleExplanation> explanations;
    for (const RuleJudgement& judgement : judgeAmong(snapshot, family, cell, among)) {
        const table::RoutingRule& rule = snapshot.table->rules[judgement.ruleIndex];
        explanations.push_back({judgement.ruleIndex, rule.presetKey, judgement.verdict,
                                rule.when.canMatch ? differingAxes(rule.when, cell) : std::vector<RuleVerdict>(), rule.evidence,
                                rule.evidenceTag});
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

std::vector<RuleJudgement> judgeRules(const PolicySnapshot& snapshot, const std::optional<std::string>& family,
                                      const table::Cell& cell) {
    return judgeAmong(snapshot, family, cell, nullptr);
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
