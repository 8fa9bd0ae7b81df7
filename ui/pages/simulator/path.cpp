// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/path.h"

#include "router/policy/explain.h"
#include "ui/models/attempt_words.h"
#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/pages/simulator/answer_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

namespace signalbox::ui {

namespace {

using policy::ResolvedBy;
using policy::RoutePlan;

struct PathWords {
    Q_DECLARE_TR_FUNCTIONS(SimulatorPath)
};

QString foundBy(const AskedRequest& asked, classify::FoundBy by) {
    const bool isSaid = by == classify::FoundBy::header || by == classify::FoundBy::body;
    return asked.isTyped && isSaid ? saidByForm() : words::foundBy(classify::toString(by));
}

/// What the name itself turned out to be; an alias is a step before that.
ResolvedBy meaningOf(const RoutePlan& plan) {
    if (plan.resolvedBy != ResolvedBy::staticAlias) return plan.resolvedBy;
    if (plan.group) return ResolvedBy::smartAlias;
    if (!plan.fallbackAllowed) return ResolvedBy::explicitEndpoint;
    const bool byTable = plan.naturalBy || (plan.tableDecision && plan.tableDecision->presetKey);
    return byTable ? ResolvedBy::table : ResolvedBy::inventory;
}

PathStage nameStage(const AskedRequest& asked, const Simulated& answer) {
    PathStage stage{PathWords::tr("Name"), format::text(asked.features.model), {}};
    const bool isRefusedGroup = answer.refused.has_value();
    if (!answer.plan && !isRefusedGroup) {
        stage.steps.push_back({format::text(asked.features.model), format::sentence(answer.plan.error().message), false, true, Tone::danger,
                               format::text(answer.plan.error().hint)});
        return stage;
    }
    const ResolvedBy meaning = answer.plan ? meaningOf(*answer.plan) : ResolvedBy::smartAlias;
    if (answer.plan)
        for (const std::string& alias : answer.plan->steps) stage.steps.push_back({format::text(alias), PathWords::tr("a static alias, followed"), true, true});
    struct Way {
        ResolvedBy by;
        QString title, taken, why;
    };
    const Way ways[] = {
        {ResolvedBy::explicitEndpoint, PathWords::tr("provider:model"), PathWords::tr("names exactly this endpoint"), PathWords::tr("no provider is named")},
        {ResolvedBy::smartAlias, PathWords::tr("smart alias"), PathWords::tr("a group chooses among its candidates"), PathWords::tr("no group has this alias")},
        {ResolvedBy::table, PathWords::tr("routing table"), PathWords::tr("the table knows the name"), PathWords::tr("the table does not list it")},
        {ResolvedBy::inventory, PathWords::tr("provider's inventory"), PathWords::tr("a provider accepts it"), PathWords::tr("not looked at: the name is found above")},
    };
    bool isFound = false;
    for (const Way& way : ways) {
        const bool isTaken = way.by == meaning;
        stage.steps.push_back({way.title, isTaken ? way.taken : isFound ? PathWords::tr("not looked at: the name is found above") : way.why, isTaken});
        isFound = isFound || isTaken;
    }
    return stage;
}

PathStage featureStage(const AskedRequest& asked) {
    const classify::RequestFeatures& features = asked.features;
    PathStage stage{PathWords::tr("Features"), {}, {}};
    const auto add = [&](const QString& title, const QString& detail) { stage.steps.push_back({title, detail, true}); };
    add(words::workload(features.cell.workload), foundBy(asked, features.workloadFoundBy));
    const QString cap = features.outputCap ? PathWords::tr("limit %1 tokens").arg(format::count(*features.outputCap)) : PathWords::tr("no output limit");
    add(words::length(features.cell.length), features.lengthFoundBy == classify::FoundBy::body || features.lengthFoundBy == classify::FoundBy::fallback
                                                 ? cap : foundBy(asked, features.lengthFoundBy));
    add(words::concurrency(features.cell.concurrency),
        features.inFlight ? PathWords::tr("%n in flight, this one included", nullptr, static_cast<int>(*features.inFlight)) : PathWords::tr("nobody counted"));
    add(PathWords::tr("%1 tokens in").arg(format::count(features.inputTokens)), foundBy(asked, features.inputTokensFoundBy));
    QStringList needs;
    const std::uint32_t tools = features.toolsOffered + features.functionsOffered;
    if (tools > 0) needs << PathWords::tr("%n tool(s)", nullptr, static_cast<int>(tools));
    if (features.functionsOffered > 0)
        needs << PathWords::tr("as functions (the older tools): %1").arg(format::count(features.functionsOffered));
    if (features.parallelTools) needs << PathWords::tr("parallel calls");
    if (features.structuredOutput) needs << PathWords::tr("structured output");
    if (features.vision) needs << PathWords::tr("vision");
    if (!needs.isEmpty()) add(PathWords::tr("needs"), needs.join(QStringLiteral(", ")));
    return stage;
}

PathStage candidateStage(const Simulated& answer) {
    const bool isPlanned = answer.plan && answer.plan->group;
    const auto& group = answer.policy->smart.groups()[isPlanned ? answer.plan->group->group : answer.refused->group];
    PathStage stage{PathWords::tr("Candidates of %1").arg(format::text(group.id)), {}, {}};
    if (isPlanned) stage.note = words::mode(toString(answer.plan->group->plan.facts.mode));
    for (std::size_t i = 0; i < group.candidates.size(); ++i) {
        const bool isTaken = isPlanned && answer.plan->group->plan.selected == i;
        PathStep step{format::text(group.candidates[i].endpointId), candidateReason(answer, i), isTaken, true};
        step.more = candidateHelp(answer, i);
        if (isPlanned && !answer.plan->group->plan.candidates[i].eligible()) step.tone = Tone::caution;
        stage.steps.push_back(std::move(step));
    }
    return stage;
}

PathStage tableStage(const AskedRequest& asked, const Simulated& answer) {
    const RoutePlan& plan = *answer.plan;
    const policy::TableDecision& decision = *plan.tableDecision;
    PathStage stage{decision.family ? PathWords::tr("Rules of %1").arg(format::text(*decision.family)) : PathWords::tr("Routing table"), {}, {}};
    if (plan.group) stage.note = PathWords::tr("only presets of its provider");
    for (const policy::RuleExplanation& rule : policy::explainRules(*answer.policy, plan, asked.features.cell)) {
        const bool isTaken = decision.ruleIndex == rule.ruleIndex;
        stage.steps.push_back({PathWords::tr("rule %1: %2").arg(rule.ruleIndex + 1).arg(format::text(rule.presetKey)),
                               isTaken ? PathWords::tr("matches first") : ruleReason(*answer.policy, rule), isTaken, false, std::nullopt,
                               format::text(rule.evidence)});
    }
    if (decision.reason == policy::DecisionReason::defaultForFamily)
        stage.steps.push_back({PathWords::tr("default: %1").arg(format::text(decision.presetKey.value_or(""))), PathWords::tr("no rule matches"), true});
    if (plan.naturalBy)
        stage.steps.push_back({plan.targets.front().presetKey ? format::text(*plan.targets.front().presetKey) : PathWords::tr("no preset"),
                               words::naturalBy(toString(*plan.naturalBy)), true});
    if (plan.gapIndex) {
        const table::CoverageGap& gap = answer.policy->table->gaps[*plan.gapIndex];
        stage.steps.push_back({PathWords::tr("declared gap"), format::text(gap.missingCell), true, false, Tone::gap, format::text(gap.nextPhase)});
    }
    if (stage.steps.empty() && decision.nullCause) stage.steps.push_back({PathWords::tr("no rule looked at"), words::nullCause(toString(*decision.nullCause)), false});
    return stage;
}

PathStage endpointStage(const Simulated& answer) {
    const RoutePlan& plan = *answer.plan;
    PathStage stage{PathWords::tr("Endpoint"), {}, {}};
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
        const policy::RouteTarget& target = plan.targets[i];
        QString detail = i == 0 ? PathWords::tr("tried first") : PathWords::tr("only if those above fail");
        if (target.presetKey) detail = PathWords::tr("preset %1, %2").arg(format::text(*target.presetKey), detail);
        stage.steps.push_back({words::target(target), detail, i == 0, true});
    }
    if (!plan.fallbackAllowed) stage.note = PathWords::tr("no other may answer");
    return stage;
}

}  // namespace

std::vector<PathStage> pathOf(const AskedRequest& asked, const Simulated& answer) {
    std::vector<PathStage> stages{nameStage(asked, answer), featureStage(asked)};
    if (answer.refused || (answer.plan && answer.plan->group)) stages.push_back(candidateStage(answer));
    if (!answer.plan) return stages;
    if (answer.plan->tableDecision) stages.push_back(tableStage(asked, answer));
    stages.push_back(endpointStage(answer));
    return stages;
}

}  // namespace signalbox::ui
