// SPDX-License-Identifier: MIT
#include "router/policy/explain.h"

#include "router/base/text.h"
#include "router/policy/explain_parts.h"
#include "router/policy/phrases.h"
#include "router/table/coverage.h"

namespace signalbox::policy {

namespace {

using classify::FoundBy;
using classify::RequestFeatures;

constexpr std::size_t kShownEvidenceBytes = 300;

std::string counted(std::uint64_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string sourceOf(FoundBy by, const std::string& typedIn) {
    if (!typedIn.empty() && (by == FoundBy::header || by == FoundBy::body)) return typedIn;
    switch (by) {
        case FoundBy::header: return "set by the client in a request header";
        case FoundBy::metadata: return "set by the client in the body's metadata";
        case FoundBy::principal: return "the principal's default";
        case FoundBy::body: return "read from the body";
        case FoundBy::estimate: return "estimated from the text";
        case FoundBy::fallback: return "assumed, because the request does not say";
    }
    return {};
}

std::string workloadLine(const RequestFeatures& features, const std::string& typedIn) {
    return "Workload: " + std::string(table::toString(features.cell.workload)) + ", " + sourceOf(features.workloadFoundBy, typedIn) +
           ". Input: " + counted(features.inputTokens, "token") + ", " + sourceOf(features.inputTokensFoundBy, typedIn) + ".";
}

std::string lengthLine(const RequestFeatures& features, const std::string& typedIn) {
    std::string line = "Expected output: " + std::string(table::toString(features.cell.length)) + ", ";
    if (features.lengthFoundBy == FoundBy::body && features.outputCap)
        line += "from its limit of " + counted(*features.outputCap, "token");
    else if (features.lengthFoundBy == FoundBy::fallback) line += "because the request sets no limit";
    else line += sourceOf(features.lengthFoundBy, typedIn);
    return line + ".";
}

std::string concurrencyLine(const RequestFeatures& features) {
    std::string line = "Concurrency: " + std::string(table::toString(features.cell.concurrency)) + ", ";
    if (!features.inFlight) return line + "because nobody counted the requests in flight.";
    if (*features.inFlight <= 1) return line + "no other request is in flight.";
    return line + std::to_string(*features.inFlight) + " requests are in flight, this one included.";
}

std::string causeSentence(NullCause cause) {
    switch (cause) {
        case NullCause::modelMissing: return "The request names no model.";
        case NullCause::modelNotListed: return "The routing table does not list this model.";
        case NullCause::familyLabelUnknown: return "The routing table gives this model the family \"unknown\", so no rule applies.";
        case NullCause::ambiguousFamily: return "The name stands for presets of several families, so no rule applies.";
        case NullCause::familyWithoutDefault: return "No rule matches, and the family has no default.";
        case NullCause::tableNotApplicable: return "The routing table has a schema version that is not known here, so it is not applied.";
    }
    return {};
}

/// `short or medium`: what one axis of a rule permits.
template <class Values>
std::string permitted(const Values& values, std::uint8_t mask) {
    std::string out;
    for (const auto value : values)
        if ((mask >> static_cast<unsigned>(value) & 1U) != 0) out += (out.empty() ? "" : " or ") + std::string(table::toString(value));
    return out;
}

std::string ruleSentence(const RuleExplanation& rule, const table::When& when) {
    std::string line = "Rule " + std::to_string(rule.ruleIndex + 1) + " (to " + inQuotes(rule.presetKey) + ") ";
    switch (rule.verdict) {
        case RuleVerdict::matched: {
            const std::string tag = rule.evidenceTag ? *rule.evidenceTag : "untagged";
            return line + "matches. Evidence (" + tag + "): " + elided(rule.evidence, kShownEvidenceBytes);
        }
        case RuleVerdict::shadowed: return line + "would match too, but an earlier rule came first.";
        case RuleVerdict::cannotMatch: return line + "can never match: one of its axes permits nothing.";
        case RuleVerdict::presetElsewhere:
            return line + "matches, but its preset is not bound to the provider that the group chose.";
        case RuleVerdict::workloadDiffers:
        case RuleVerdict::lengthDiffers:
        case RuleVerdict::concurrencyDiffers: break;
    }
    line += "does not match: it asks for ";
    for (std::size_t i = 0; i < rule.differing.size(); ++i) {
        if (i > 0) line += i + 1 == rule.differing.size() ? " and " : ", ";
        line += rule.differing[i] == RuleVerdict::workloadDiffers ? "workload " + permitted(table::kWorkloadClasses, when.workloadMask)
                : rule.differing[i] == RuleVerdict::lengthDiffers
                    ? "expected output " + permitted(table::kLengthBuckets, when.lengthMask)
                    : "concurrency " + permitted(table::kConcurrencyModes, when.concurrencyMask);
    }
    return line + ".";
}

void addTable(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const TableDecision& decision,
              const std::vector<RuleExplanation>& rules) {
    if (decision.family) lines.push_back("Family: " + inQuotes(*decision.family) + ".");
    for (const RuleExplanation& rule : rules)
        lines.push_back("  " + ruleSentence(rule, snapshot.table->rules[rule.ruleIndex].when));
    if (decision.nullCause) lines.push_back(causeSentence(*decision.nullCause));
    else if (decision.reason == DecisionReason::defaultForFamily)
        lines.push_back("No rule matches, so the family's default answers: " + inQuotes(decision.presetKey.value_or("")) + ".");
}

std::string naturalSentence(NaturalBy by) {
    switch (by) {
        case NaturalBy::configured: return "Natural preset: the one that gateway.toml names for this model.";
        case NaturalBy::onlyPreset: return "Natural preset: the only one of that name.";
        case NaturalBy::gapFallback: return "Natural preset: the fallback that every declared gap of the family names.";
        case NaturalBy::inventory: return "No natural preset: a provider lists the model.";
    }
    return {};
}

std::string resolvedSentence(const RoutePlan& plan) {
    switch (plan.resolvedBy) {
        case ResolvedBy::pin: return "The client pinned the target in a request header, so nothing else is looked at.";
        case ResolvedBy::explicitEndpoint: return "The name is provider:model, so exactly that endpoint is taken.";
        case ResolvedBy::smartAlias: return "The name is the alias of a smart group.";
        case ResolvedBy::staticAlias: return "The name is a static alias.";
        case ResolvedBy::table: return "The routing table knows the name.";
        case ResolvedBy::modelRouter: return "The model has a router of its own.";
        case ResolvedBy::inventory: return "A provider's inventory accepts the name.";
    }
    return {};
}

void addTargets(std::vector<std::string>& lines, const RoutePlan& plan) {
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        const RouteTarget& target = plan.targets[i];
        std::string line = i == 0 ? "Goes to " : "Then to ";
        if (target.presetKey) line += "preset " + inQuotes(*target.presetKey) + " at ";
        if (target.isPool()) lines.push_back(line + "the pool " + inQuotes(target.model) + ", whose router chooses the endpoint.");
        else lines.push_back(line + "endpoint " + inQuotes(target.endpointId()) + ".");
    }
    if (!plan.fallbackAllowed) lines.push_back("No other endpoint may answer instead.");
}

void addCoverage(std::vector<std::string>& lines, const PolicySnapshot& snapshot, const RoutePlan& plan, const table::Cell& cell) {
    lines.push_back("Coverage: " + std::string(toString(plan.coverage)) + ".");
    const auto declared = [&](std::size_t index, const char* how) {
        const table::CoverageGap& gap = snapshot.table->gaps[index];
        lines.push_back(how + gap.missingCell + ". Next: " + gap.nextPhase);
    };
    if (plan.gapIndex) return declared(*plan.gapIndex, "The table declares this gap: ");
    // Beside a default the gap is why no rule is there, which is what one asks of a default.
    if (plan.coverage != CoverageMark::familyDefault || !plan.tableDecision || !plan.tableDecision->family) return;
    for (const std::size_t index : table::gapsForCell(*snapshot.table, *plan.tableDecision->family, cell))
        declared(index, "The table declares a gap here too: ");
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

}  // namespace

std::string explainText(const PolicySnapshot& snapshot, const RequestFeatures& features, const Result<RoutePlan>& plan,
                        const GroupRefusal* refused, const std::string& typedIn) {
    std::vector<std::string> lines;
    lines.push_back(features.model.empty() ? "The request names no model." : "Model asked for: " + inQuotes(features.model) + ".");
    lines.push_back(workloadLine(features, typedIn));
    lines.push_back(lengthLine(features, typedIn));
    lines.push_back(concurrencyLine(features));
    if (!plan) {
        // A preset without an endpoint is known to the table: its rules are the better half of the answer.
        const TableDecision& decision = snapshot.index.decide(features.model, features.cell);
        if (decision.family) addTable(lines, snapshot, decision, explainRules(snapshot, decision.family, features.cell));
        if (refused != nullptr) addRefusedGroup(lines, snapshot, *refused);
        lines.push_back("Cannot be served: " + plan.error().text());
        return joined(lines);
    }
    lines.push_back(resolvedSentence(*plan));
    for (const std::string& step : plan->steps) lines.push_back("  Alias followed: " + inQuotes(step) + ".");
    if (plan->group) addGroup(lines, snapshot, *plan->group);
    if (plan->tableDecision) addTable(lines, snapshot, *plan->tableDecision, explainRules(snapshot, *plan, features.cell));
    if (plan->naturalBy) lines.push_back(naturalSentence(*plan->naturalBy));
    addTargets(lines, *plan);
    addCoverage(lines, snapshot, *plan, features.cell);
    return joined(lines);
}

}  // namespace signalbox::policy
