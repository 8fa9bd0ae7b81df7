// SPDX-License-Identifier: MIT
#include "router/gateway/recording.h"

#include "router/gateway/group_recording.h"
#include "router/policy/explain.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

/// A record stays near a kilobyte; families with more rules keep the matched one and the first of the others.
constexpr std::size_t kMaxRules = 64;
constexpr std::size_t kMaxRequestIdBytes = 128;

void recordRules(evidence::DecisionRecord& record, const policy::PolicySnapshot& snapshot) {
    const auto rules = policy::judgeRules(snapshot, record.family, record.features.cell);
    record.rules.reserve(std::min(rules.size(), kMaxRules + 1));
    for (const policy::RuleJudgement& rule : rules) {
        if (record.rules.size() >= kMaxRules && rule.verdict != policy::RuleVerdict::matched)
            continue;
        record.rules.push_back({static_cast<std::uint32_t>(rule.ruleIndex), snapshot.table->rules[rule.ruleIndex].presetKey,
                                std::string(policy::toString(rule.verdict))});
    }
}

std::optional<config::Pricing> pricingOf(const config::GatewayConfig& config,
                                         const policy::RouteTarget& target) {
    const config::Provider* provider = config.findProvider(target.providerId);
    return provider == nullptr ? std::nullopt : provider->pricingOf(target.model);
}

double costOf(const config::Pricing& price, const dispatch::Usage& usage) {
    const std::uint64_t input = usage.inputTokens.value_or(0);
    const std::uint64_t cached = std::min(usage.cachedTokens.value_or(0), input);
    return (static_cast<double>(input - cached) * price.inputPerMillion +
            static_cast<double>(cached) * price.cacheReadPerMillion +
            static_cast<double>(usage.outputTokens.value_or(0)) * price.outputPerMillion) /
           1e6;
}

} // namespace

void recordPlan(evidence::DecisionRecord& record, const policy::PolicySnapshot& snapshot,
                const policy::RoutePlan& plan) {
    record.resolvedBy = policy::toString(plan.resolvedBy);
    record.coverage = policy::toString(plan.coverage);
    if (plan.naturalBy)
        record.naturalBy = policy::toString(*plan.naturalBy);
    if (plan.gapIndex)
        record.gapIndex = static_cast<std::uint32_t>(*plan.gapIndex);
    if (!plan.targets.empty())
        record.presetKey = plan.targets.front().presetKey;
    if (plan.group) {
        record.mode = policy::smart::toString(plan.group->plan.facts.mode);
        record.group = recordedGroup(snapshot, *plan.group);
    }
    if (!plan.tableDecision)
        return;
    record.family = plan.tableDecision->family;
    record.reason = policy::toString(plan.tableDecision->reason);
    if (plan.tableDecision->ruleIndex)
        record.ruleIndex = static_cast<std::uint32_t>(*plan.tableDecision->ruleIndex);
    if (plan.tableDecision->nullCause)
        record.nullCause = policy::toString(*plan.tableDecision->nullCause);
    recordRules(record, snapshot);
}

void recordAnswer(evidence::DecisionRecord& record, const config::GatewayConfig& config,
                  const policy::RouteTarget& target, const dispatch::Usage& usage, const dispatch::ToolOutcome& tools) {
    record.endpointId = target.endpointId();
    record.presetKey = target.presetKey;
    record.inputTokens = usage.inputTokens;
    record.cachedTokens = usage.cachedTokens;
    record.outputTokens = usage.outputTokens;
    record.toolsCalled = tools.called;
    record.toolsValidJson = tools.validJson;
    record.toolsFitSchema = tools.fitSchema;
    record.toolsUnchecked = tools.unchecked;
    const bool counted = usage.inputTokens || usage.outputTokens;
    if (const auto price = pricingOf(config, target); price && counted)
        record.costUsd = costOf(*price, usage);
}

void priceAttempts(evidence::DecisionRecord& record, const config::GatewayConfig& config) {
    double others = 0;
    for (evidence::Attempt& attempt : record.attempts) {
        if (attempt.outcome == evidence::AttemptOutcome::served && record.costUsd) {
            attempt.costUsd = record.costUsd;
            continue;
        }
        // A leg that another one overtook has its estimate from the pool, which knows what had been sent to it.
        if (attempt.costUsd) {
            others += *attempt.costUsd;
            continue;
        }
        const std::size_t colon = attempt.endpointId.find(':');
        if (colon == std::string::npos || !(attempt.inputTokens || attempt.outputTokens))
            continue;
        const policy::RouteTarget target{attempt.endpointId.substr(0, colon), attempt.endpointId.substr(colon + 1), {}, {}};
        if (const auto price = pricingOf(config, target)) {
            attempt.costUsd = costOf(*price, {attempt.inputTokens, std::nullopt, attempt.outputTokens});
            // What was answered in part and then failed is in the request's own cost already.
            if (attempt.endpointId != record.endpointId || attempt.role == evidence::AttemptRole::hedge)
                others += *attempt.costUsd;
        }
    }
    if (others > 0)
        record.costUsd = record.costUsd.value_or(0) + others;
}

std::string_view boundedRequestId(std::string_view text) {
    const bool visible = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    return visible && text.size() <= kMaxRequestIdBytes ? text : std::string_view();
}

} // namespace signalbox::gateway
