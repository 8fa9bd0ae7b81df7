// SPDX-License-Identifier: MIT
#include "router/policy/explain_parts.h"

#include "router/classify/peculiar_words.h"

#include <nlohmann/json.hpp>

namespace signalbox::policy {

namespace {

using classify::RequestFeatures;

template <class T>
OrderedJson orNull(const std::optional<T>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

template <class T>
OrderedJson wordOrNull(const std::optional<T>& value) {
    return value ? OrderedJson(toString(*value)) : OrderedJson(nullptr);
}

OrderedJson featuresJson(const RequestFeatures& features) {
    return {{"model", features.model},
            {"workload_class", table::toString(features.cell.workload)},
            {"workload_found_by", toString(features.workloadFoundBy)},
            {"expected_output_length", table::toString(features.cell.length)},
            {"length_found_by", toString(features.lengthFoundBy)},
            {"concurrency_mode", table::toString(features.cell.concurrency)},
            {"in_flight", orNull(features.inFlight)},
            {"input_tokens", features.inputTokens},
            {"input_tokens_found_by", toString(features.inputTokensFoundBy)},
            {"output_cap", orNull(features.outputCap)},
            {"stream", features.stream},
            {"tools_offered", features.toolsOffered},
            {"functions_offered", features.functionsOffered},
            {"parallel_tools", features.parallelTools},
            {"structured_output", features.structuredOutput},
            {"vision", features.vision},
            {"dialect", classify::toString(features.dialect)},
            {"peculiarities", classify::wordsOf(features.peculiarities)}};
}

OrderedJson rulesJson(const std::vector<RuleExplanation>& rules) {
    OrderedJson out = OrderedJson::array();
    for (const RuleExplanation& rule : rules) {
        OrderedJson differing = OrderedJson::array();
        for (const RuleVerdict axis : rule.differing) differing.push_back(toString(axis));
        out.push_back({{"rule_index", rule.ruleIndex},
                       {"preset_key", rule.presetKey},
                       {"verdict", toString(rule.verdict)},
                       {"differing", std::move(differing)},
                       {"evidence", rule.evidence},
                       {"evidence_tag", orNull(rule.evidenceTag)}});
    }
    return out;
}

OrderedJson planJson(const RoutePlan& plan) {
    OrderedJson targets = OrderedJson::array();
    for (const RouteTarget& target : plan.targets)
        targets.push_back({{"endpoint", target.isPool() ? OrderedJson(nullptr) : OrderedJson(target.endpointId())},
                           {"provider", target.isPool() ? OrderedJson(nullptr) : OrderedJson(target.providerId)},
                           {"model", target.model},
                           {"pool", orNull(target.pool)},
                           {"preset_key", orNull(target.presetKey)}});
    return {{"resolved_by", toString(plan.resolvedBy)},
            {"aliases_followed", plan.steps},
            {"targets", std::move(targets)},
            {"fallback_allowed", plan.fallbackAllowed},
            {"natural_by", wordOrNull(plan.naturalBy)},
            {"coverage", toString(plan.coverage)},
            {"gap_index", orNull(plan.gapIndex)}};
}

std::string_view kindWord(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::badInput: return "bad_input";
        case ErrorKind::notFound: return "not_found";
        case ErrorKind::conflict: return "conflict";
        case ErrorKind::denied: return "denied";
        case ErrorKind::unavailable: return "unavailable";
        case ErrorKind::cancelled: return "cancelled";
        case ErrorKind::internal: return "internal";
    }
    return "internal";
}

OrderedJson errorJson(const Error& error) {
    return {{"kind", kindWord(error.kind)}, {"message", error.message}, {"where", error.where}, {"hint", error.hint}};
}

}  // namespace

OrderedJson decisionJson(const TableDecision& decision) {
    return {{"model_family", orNull(decision.family)},
            {"rule_index", orNull(decision.ruleIndex)},
            {"preset_key", orNull(decision.presetKey)},
            {"reason", toString(decision.reason)},
            {"null_cause", wordOrNull(decision.nullCause)}};
}

OrderedJson explainJson(const PolicySnapshot& snapshot, const RequestFeatures& features, const Result<RoutePlan>& plan,
                        const GroupRefusal* refused) {
    std::optional<TableDecision> decision;
    if (plan) decision = plan->tableDecision;
    else decision = snapshot.index.decide(features.model, features.cell);
    OrderedJson out{{"policy_hash", snapshot.hash}, {"table_sha256", snapshot.tableSha256}, {"features", featuresJson(features)}};
    out["decision"] = decision ? decisionJson(*decision) : OrderedJson(nullptr);
    out["rules"] = rulesJson(plan ? explainRules(snapshot, *plan, features.cell)
                                  : explainRules(snapshot, decision ? decision->family : std::nullopt, features.cell));
    out["group"] = plan && plan->group                    ? groupJson(snapshot, *plan->group)
                   : !plan && refused != nullptr ? refusedGroupJson(snapshot, *refused)
                                                          : OrderedJson(nullptr);
    out["plan"] = plan ? planJson(*plan) : OrderedJson(nullptr);
    out["error"] = plan ? OrderedJson(nullptr) : errorJson(plan.error());
    return out;
}

void addNotCallable(OrderedJson& explained, const std::vector<NotCallableHere>& targets) {
    if (targets.empty()) return;
    OrderedJson all = OrderedJson::array();
    for (const NotCallableHere& one : targets) all.push_back({{"endpoint", one.endpointId}, {"why", one.why}});
    explained["not_callable_here"] = std::move(all);
}

}  // namespace signalbox::policy
