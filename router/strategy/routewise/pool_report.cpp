// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/pool_report.h"

#include "router/strategy/routewise/backups.h"

#include <algorithm>

namespace signalbox::strategy::routewise {

using evidence::RecordedPool;

namespace {

std::string_view wordOf(capacity::ProfileBasis basis) {
    switch (basis) {
    case capacity::ProfileBasis::recent: return "recent";
    case capacity::ProfileBasis::prior: return "prior";
    case capacity::ProfileBasis::none: break;
    }
    return "none";
}

Choice choiceFor(const Pool& pool, const dispatch::PoolQuestion& question, Steady now) {
    std::vector<std::string> barred;
    for (const PoolMember& member : pool.members()) barred.push_back(exclusionOf(member, question.needs));
    return pool.choose({question.promptTokens, question.maxTokens}, barred, question.u, now);
}

dispatch::MixView mixOf(const Pool& pool, const dispatch::PoolQuestion& question, const Choice& choice) {
    dispatch::MixView out;
    out.status = toString(choice.mix.status);
    out.budgetUsd = choice.mix.budgetUsd;
    out.alpha = pool.parameters().budgetAlpha;
    out.expectedCostUsd = choice.mix.expectedCostUsd;
    out.objectiveS = choice.mix.objectiveS;
    out.promptTokens = question.promptTokens;
    out.predictedOutputTokens = choice.prediction.tokens;
    out.predictionSource = toString(choice.prediction.source);
    if (const auto& bounds = choice.input.bounds) {
        out.envelopeLowerUsd = bounds->lower;
        out.envelopeUpperUsd = bounds->upper;
        out.envelopeSamples = bounds->samples;
    }
    return out;
}

dispatch::HedgeView hedgeOf(const Pool& pool, Steady now) {
    const capacity::HedgeLedger::Counts counts = pool.hedges().counts();
    dispatch::HedgeView out;
    out.enabled = pool.parameters().hedgeMode == HedgeMode::probabilityTarget;
    out.sloMs = objectiveOf(pool.parameters()).sloMs;
    out.requests = counts.requests;
    out.sent = counts.sent;
    out.won = counts.won;
    out.lost = counts.lost;
    out.failed = counts.failed;
    out.skippedForSpend = counts.skippedForSpend;
    out.spentLastHourUsd = pool.hedges().spentLastHour(now);
    out.spendCapUsd = pool.parameters().hedgeSpendCapUsdPerHour;
    return out;
}

dispatch::HedgePlanView planFor(const Pool& pool, const Choice& choice, std::size_t primary, Steady now) {
    const HedgeObjective objective = objectiveOf(pool.parameters());
    const Backups backups = backupsFor(pool, choice, primary, now);
    const HedgePlan plan = planHedge(*pool.streamTimes(primary, now), backups.options, objective);
    const std::vector<double> checkpoints = hedgeCheckpoints(objective.sloMs);
    dispatch::HedgePlanView out;
    out.sloMs = objective.sloMs;
    for (const std::size_t at : plan.feasibleCheckpoints) out.feasibleAtMs.push_back(checkpoints[at] * 1000);
    if (!plan.dispatch) return out;
    out.dispatchAtMs = plan.dispatch->atMs;
    out.backup = backups.options[plan.dispatch->backup].id;
    out.probability = plan.dispatch->probability;
    return out;
}

}  // namespace

RecordedPool recorded(const Pool& pool, const Choice& choice) {
    RecordedPool out;
    out.poolId = pool.id();
    out.router = "routewise";
    out.affinity = "none";
    out.mixStatus = toString(choice.mix.status);
    out.budgetUsd = choice.mix.budgetUsd;
    out.expectedCostUsd = choice.mix.expectedCostUsd;
    out.objectiveS = choice.mix.objectiveS;
    out.predictedOutputTokens = choice.prediction.tokens;
    out.candidatesTotal = static_cast<std::uint32_t>(choice.members.size());
    if (choice.drawn) out.drawn = pool.members()[*choice.drawn].id;
    for (std::size_t i = 0; i < choice.members.size(); ++i) {
        // The drawn one keeps a place, wherever it stands.
        const std::size_t kept = choice.drawn && *choice.drawn > i ? 1 : 0;
        if (choice.drawn != i && out.candidates.size() + kept >= RecordedPool::kMostCandidates) continue;
        const Weighed& weighed = choice.members[i];
        evidence::RecordedPoolCandidate one;
        one.endpointId = pool.members()[i].id;
        one.excluded = weighed.excluded;
        one.costUsd = weighed.costUsd;
        one.meanTtftMs = weighed.mean.seconds() * 1000;
        one.share = weighed.share;
        out.candidates.push_back(std::move(one));
    }
    return out;
}

dispatch::PoolView viewOf(const Pool& pool, Steady now) {
    const dispatch::PoolQuestion usual;
    const Choice choice = choiceFor(pool, usual, now);
    dispatch::PoolView out;
    out.id = pool.id();
    out.aliases = pool.aliases();
    out.router = "routewise";
    for (std::size_t i = 0; i < choice.members.size(); ++i) {
        const Weighed& weighed = choice.members[i];
        dispatch::PoolMemberView one = strategy::viewOf(pool.members()[i]);
        one.share = weighed.share;
        one.excluded = weighed.excluded;
        one.costUsd = weighed.costUsd;
        one.meanTtftMs = weighed.mean.seconds() * 1000;
        one.ttftBasis = wordOf(weighed.mean.basis);
        one.ttftSamples = weighed.mean.samples;
        out.members.push_back(std::move(one));
    }
    out.mix = mixOf(pool, usual, choice);
    out.hedge = hedgeOf(pool, now);
    return out;
}

dispatch::PoolForecast forecastOf(const Pool& pool, const dispatch::PoolQuestion& question, Steady now) {
    const Choice choice = choiceFor(pool, question, now);
    dispatch::PoolForecast out;
    out.choice = recorded(pool, choice);
    const bool hedges = pool.parameters().hedgeMode == HedgeMode::probabilityTarget;
    if (!hedges) out.choice.hedge = "disabled";
    if (hedges && choice.drawn) out.hedge = planFor(pool, choice, *choice.drawn, now);
    return out;
}

}  // namespace signalbox::strategy::routewise
