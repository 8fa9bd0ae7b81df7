// SPDX-License-Identifier: MIT
#include "router/table/lint.h"

#include "router/base/text.h"
#include "router/table/when.h"

#include <algorithm>
#include <array>
#include <set>

namespace signalbox::table {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::string rulePointer(std::size_t index) { return "/routing_rules/" + std::to_string(index); }

/// "/routing_rules/0 (amber-wide) and /routing_rules/1 (amber-k4)", at most five of them.
std::string listed(const RoutingTable& table, const std::set<std::size_t>& rules) {
    constexpr std::size_t kMost = 5;
    std::string out;
    std::size_t count = 0;
    for (const std::size_t rule : rules) {
        if (count == kMost) return out + " and " + std::to_string(rules.size() - kMost) + " more";
        if (count != 0) out += count + 1 == rules.size() ? " and " : ", ";
        out += rulePointer(rule) + " (" + elided(table.rules[rule].presetKey, 80) + ")";
        ++count;
    }
    return out;
}

/// Rules that earlier ones of the family, alone or together, leave nothing to match (F88).
void lintShadowed(const RoutingTable& table, const FamilyMembers& family, Remarks& remarks) {
    std::array<std::size_t, kCellCount> owner;
    owner.fill(kNone);
    for (const std::size_t index : family.rules) {
        const CellSet cells = cellsOf(table.rules[index].when);
        std::set<std::size_t> earlier;
        bool reached = cells == 0;
        for (std::size_t i = 0; i < kCellCount; ++i) {
            if ((cells >> i & 1U) == 0) continue;
            if (owner[i] == kNone) {
                owner[i] = index;
                reached = true;
            } else {
                earlier.insert(owner[i]);
            }
        }
        if (reached) continue;
        const bool several = earlier.size() > 1;
        remarks.warning("rule_shadowed", rulePointer(index),
                        "this rule is never reached: " + listed(table, earlier) +
                            (several ? " together take" : " takes") + " every request that it would match",
                        "Move it further up, narrow the earlier " + std::string(several ? "rules" : "rule") +
                            ", or remove it.");
    }
}

/// A rule for single streams only that stands before one for concurrent requests only, for the same workload and
/// length. Their order cannot change an answer, but the contract asks for the other one.
void lintOrder(const RoutingTable& table, const FamilyMembers& family, Remarks& remarks) {
    constexpr std::uint8_t kSingle = 1U << static_cast<unsigned>(ConcurrencyMode::singleStream);
    constexpr std::uint8_t kMulti = 1U << static_cast<unsigned>(ConcurrencyMode::multiConc);
    // The nearest later rule for concurrent requests, for each cell of workload and length (those with single_stream).
    std::array<std::size_t, kCellCount> later;
    later.fill(kNone);
    for (auto it = family.rules.rbegin(); it != family.rules.rend(); ++it) {
        When when = table.rules[*it].when;
        const std::uint8_t modes = when.concurrencyMask;
        if (modes != kSingle && modes != kMulti) continue;
        when.concurrencyMask = kSingle;
        const CellSet cells = cellsOf(when);
        std::size_t nearest = kNone;
        for (std::size_t i = 0; i < kCellCount; ++i) {
            if ((cells >> i & 1U) == 0) continue;
            if (modes == kMulti) later[i] = *it;
            else nearest = std::min(nearest, later[i]);
        }
        if (nearest != kNone)
            remarks.warning("single_stream_rule_before_multi_conc", rulePointer(*it),
                            "this single-stream rule stands before the multi-conc rule " + rulePointer(nearest) +
                                " for the same workload",
                            "Put the multi-conc rule first, as the contract asks.");
    }
}

void lintTarget(const RoutingTable& table, std::size_t index, const FamilyIndex& families, Remarks& remarks) {
    const RoutingRule& rule = table.rules[index];
    const FamilyMembers* family = families.find(rule.modelFamily);
    if (family == nullptr || family->presets.empty()) {
        remarks.warning("rule_family_unreachable", rulePointer(index) + "/model_family",
                        "no preset has the family \"" + elided(rule.modelFamily, 80) + "\", so no request reaches the rule",
                        "Correct the name of the family or give its presets this label.");
        return;
    }
    const Preset* target = table.findPreset(rule.presetKey);
    if (target != nullptr && target->modelFamily != rule.modelFamily)
        remarks.warning("rule_crosses_family", rulePointer(index) + "/preset_key",
                        "a rule of the family \"" + elided(rule.modelFamily, 80) + "\" sends requests to \"" +
                            elided(rule.presetKey, 80) + "\" of the family \"" + elided(target->modelFamily, 80) + "\"",
                        "Requests would be answered by another model; name a preset of the rule's own family.");
}

}  // namespace

void lintRules(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks) {
    for (std::size_t i = 0; i < table.rules.size(); ++i) lintTarget(table, i, families, remarks);
    for (const FamilyMembers& family : families.families()) {
        lintShadowed(table, family, remarks);
        lintOrder(table, family, remarks);
    }
}

}  // namespace signalbox::table
