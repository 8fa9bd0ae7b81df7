// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/engine/wire_archive.h"

/// The members of what the admin API shows, named once for writing and reading. Names are part of the interface: add, and
/// never rename.
namespace signalbox::engine::wire {

[[nodiscard]] std::optional<GatewayState> parseState(std::string_view word);
[[nodiscard]] std::optional<evidence::StoreState> parseStoreState(std::string_view word);
[[nodiscard]] std::optional<capacity::EngineKind> parseEngineKind(std::string_view word);
[[nodiscard]] std::optional<evidence::Stage> parseStage(std::string_view word);
[[nodiscard]] std::optional<ErrorKind> parseErrorKind(std::string_view word);
[[nodiscard]] std::string_view wordOf(ErrorKind kind);

} // namespace signalbox::engine::wire

// Beside their types, where the archives find them by argument.

namespace signalbox {
template <class A>
void describe(A& a, typename A::template Value<Error>& v) {
    if constexpr (A::kWrites)
        a("kind", std::string(engine::wire::wordOf(v.kind)));
    else
        a.word("kind", v.kind, engine::wire::parseErrorKind);
    a("message", v.message);
    a("where", v.where);
    a("hint", v.hint);
}
} // namespace signalbox

namespace signalbox::evidence {

template <class A>
void describe(A& a, typename A::template Value<EvidenceStatus>& v) {
    a.word("state", v.state, engine::wire::parseStoreState);
    a("where", v.where);
    a("last_error", v.lastError);
    a("recorded", v.recorded);
    a("stored", v.stored);
    a("backlog_records", v.backlogRecords);
    a("journal_bytes", v.journalBytes);
    a("dropped", v.dropped);
    a("events_dropped", v.eventsDropped);
    a("damaged_bytes", v.damagedBytes);
}

template <class A>
void describe(A& a, typename A::template Value<RunningRequest>& v) {
    std::string id = A::kWrites ? v.id.text() : std::string();
    a("id", id);
    if constexpr (!A::kWrites)
        v.id = DecisionId::parse(id).value_or(DecisionId());
    a("created_at", v.createdAt);
    a("age_ms", v.admittedAt);
    a.word("edge", v.edge, parseEdge);
    a("principal", v.principal);
    a("model", v.requestedModel);
    a("stream", v.stream);
    a.word("stage", v.stage, engine::wire::parseStage);
    a("preset", v.presetKey);
    a("endpoint", v.endpointId);
    a("attempts", v.attempts);
    a("first_content_ms", v.firstContentMs);
}

template <class A>
void describe(A& a, typename A::template Value<RecordedPoolCandidate>& v) {
    a("endpoint", v.endpointId);
    a("excluded", v.excluded);
    a("cost_usd", v.costUsd);
    a("mean_ttft_ms", v.meanTtftMs);
    a("share", v.share);
}

template <class A>
void describe(A& a, typename A::template Value<RecordedPool>& v) {
    a("pool", v.poolId);
    a("router", v.router);
    a("drawn", v.drawn);
    a("candidates", v.candidates);
    a("candidates_total", v.candidatesTotal);
    a("affinity", v.affinity);
    a("mix_status", v.mixStatus);
    a("budget_usd", v.budgetUsd);
    a("expected_cost_usd", v.expectedCostUsd);
    a("objective_s", v.objectiveS);
    a("predicted_output_tokens", v.predictedOutputTokens);
    a("hedge", v.hedge);
    a("hedge_at_ms", v.hedgeAtMs);
    a("admission", v.admission);
    a("predicted_ttft_ms", v.predictedTtftMs);
    a("predicted_tpot_ms", v.predictedTpotMs);
}

} // namespace signalbox::evidence

namespace signalbox::capacity {

template <class A>
void describe(A& a, typename A::template Value<EnginePageState>& v) {
    a("url", v.url);
    a("interval_ms", v.interval);
    a.word("engine", v.engine, engine::wire::parseEngineKind);
    a("read_ms_ago", v.readAt);
    a("last_error", v.lastError);
    a("failing_since", v.failingSince);
    a("models", v.models);
}

template <class A>
void describe(A& a, typename A::template Value<EngineMetrics>& v) {
    a.word("engine", v.engine, engine::wire::parseEngineKind);
    a("model", v.model);
    a("running", v.running);
    a("waiting", v.waiting);
    a("kv_used", v.kvUsed);
    a("preemptions_total", v.preemptionsTotal);
    a("prefix_cache_hits", v.prefixCacheHits);
    a("draft_acceptance", v.draftAcceptance);
    a("prompt_tokens_total", v.promptTokensTotal);
    a("generation_tokens_total", v.generationTokensTotal);
    a("version", v.version);
    a("read_ms_ago", v.readAt);
}

} // namespace signalbox::capacity

namespace signalbox::policy::smart {

template <class A>
void describe(A& a, typename A::template Value<CandidateSignals>& v) {
    a("credential_ready", v.credentialReady);
    a("cooling", v.cooling);
    a("capable", v.capable);
    a("policy_allows", v.policyAllows);
    a("provider_attempts", v.providerAttempts);
    a("provider_successes", v.providerSuccesses);
    a("attempts", v.attempts);
    a("latency_ewma_ms", v.latencyEwmaMs);
}

template <class A>
void describe(A& a, typename A::template Value<Needs>& v) {
    for (const Capability capability : kCapabilities) {
        bool needed = v.features.contains(capability);
        a(std::string(toString(capability)).c_str(), needed);
        if constexpr (!A::kWrites)
            if (needed)
                v.features.add(capability);
    }
    a("input_and_output_tokens", v.contextTokens);
    a("output_tokens", v.outputTokens);
}

} // namespace signalbox::policy::smart

namespace signalbox::dispatch {

template <class A>
void describe(A& a, typename A::template Value<PoolMemberView>& v) {
    a("endpoint", v.endpointId);
    a("kind", v.kind);
    a("billing", v.billing);
    a("weight", v.weight);
    a("share", v.share);
    a("resources", v.resources);
    a("excluded", v.excluded);
    a("cost_usd", v.costUsd);
    a("mean_ttft_ms", v.meanTtftMs);
    a("ttft_basis", v.ttftBasis);
    a("ttft_samples", v.ttftSamples);
}

template <class A>
void describe(A& a, typename A::template Value<MixView>& v) {
    a("status", v.status);
    a("budget_usd", v.budgetUsd);
    a("alpha", v.alpha);
    a("expected_cost_usd", v.expectedCostUsd);
    a("objective_s", v.objectiveS);
    a("prompt_tokens", v.promptTokens);
    a("predicted_output_tokens", v.predictedOutputTokens);
    a("prediction_source", v.predictionSource);
    a("envelope_lower_usd", v.envelopeLowerUsd);
    a("envelope_upper_usd", v.envelopeUpperUsd);
    a("envelope_samples", v.envelopeSamples);
}

template <class A>
void describe(A& a, typename A::template Value<HedgeView>& v) {
    a("enabled", v.enabled);
    a("slo_ms", v.sloMs);
    a("requests", v.requests);
    a("sent", v.sent);
    a("won", v.won);
    a("lost", v.lost);
    a("failed", v.failed);
    a("skipped_for_spend", v.skippedForSpend);
    a("spent_last_hour_usd", v.spentLastHourUsd);
    a("spend_cap_usd", v.spendCapUsd);
}

template <class A>
void describe(A& a, typename A::template Value<LocalLoadView>& v) {
    a("running_requests", v.runningRequests);
    a("reserved_tokens", v.reservedTokens);
    a("max_running_requests", v.maxRunningRequests);
    a("max_reserved_tokens", v.maxReservedTokens);
    a("admitted", v.admitted);
    a("refused_by", v.refusedBy);
    a("uses_engine_metrics", v.usesEngineMetrics);
}

template <class A>
void describe(A& a, typename A::template Value<PoolView>& v) {
    a("id", v.id);
    a("aliases", v.aliases);
    a("router", v.router);
    a("members", v.members);
    a("mix", v.mix);
    a("hedge", v.hedge);
    a("local", v.local);
    a("requests", v.requests);
}

template <class A>
void describe(A& a, typename A::template Value<PoolQuestion>& v) {
    a("prompt_tokens", v.promptTokens);
    a("max_tokens", v.maxTokens);
    a("needs", v.needs);
    a("session", v.session);
    a("u", v.u);
}

template <class A>
void describe(A& a, typename A::template Value<HedgePlanView>& v) {
    a("slo_ms", v.sloMs);
    a("feasible_at_ms", v.feasibleAtMs);
    a("dispatch_at_ms", v.dispatchAtMs);
    a("backup", v.backup);
    a("probability", v.probability);
}

template <class A>
void describe(A& a, typename A::template Value<PoolForecast>& v) {
    a("choice", v.choice);
    a("hedge", v.hedge);
}

} // namespace signalbox::dispatch

namespace signalbox::engine {

template <class A>
void describe(A& a, typename A::template Value<TargetStatus>& v) {
    a("name", v.name);
    a.word("state", v.state, wire::parseState);
    a("address", v.address);
    a("base_url", v.baseUrl);
    a("last_error", v.lastError);
    a("started_at", v.startedAt);
    a("running_hash", v.runningHash);
    a("table_sha256", v.tableSha256);
    a("policy_version", v.policyVersion);
    a("mode", v.mode);
    a("activation_percent", v.activationPercent);
    a("mode_override", v.modeOverride);
    a("killed", v.killed);
    a("overrides", v.overrides);
    a("signed_by", v.signedBy);
    a("token_required", v.tokenRequired);
    a("in_flight", v.inFlight);
    a("decided", v.decided);
    a("dispatched", v.dispatched);
    a("served", v.served);
    a("evidence", v.evidence);
    a("version", v.version);
}

template <class A>
void describe(A& a, typename A::template Value<EndpointHealth>& v) {
    a("endpoint", v.endpointId);
    a("circuit", v.circuit);
    a("cause", v.cause);
    a("cools_for_ms", v.coolsFor);
    a("consecutive_failures", v.consecutiveFailures);
    a("opened_total", v.openedTotal);
    a("credential_ready", v.credentialReady);
    a("lacks", v.lacks);
    a("drained", v.drained);
    a("in_flight", v.inFlight);
    a("resources", v.resources);
    a("ttft_p50_ms", v.ttftP50Ms);
    a("ttft_p95_ms", v.ttftP95Ms);
    a("ttft_samples", v.ttftSamples);
    a("vllm_pin", v.vllmPin);
    a("engine_page", v.enginePage);
    a("engine", v.engine);
    a("engine_fresh", v.engineFresh);
    a("signals", v.signals);
}

template <class A>
void describe(A& a, typename A::template Value<ResourceView>& v) {
    a("name", v.name);
    a("kind", v.kind);
    a("limit", v.limit);
    a("used", v.used);
    a("resets_in_s", v.resetsIn);
    a("used_by", v.usedBy);
}

template <class A>
void describe(A& a, typename A::template Value<PrincipalUse>& v) {
    a("id", v.id);
    a("requests_this_minute", v.requestsThisMinute);
    a("spent_usd", v.spentUsd);
    a("spent_known", v.spentKnown);
}

template <class A>
void describe(A& a, typename A::template Value<RequestsUnderWay>& v) {
    a("requests", v.rows);
    a("left_out", v.leftOut);
}

template <class A>
void describe(A& a, typename A::template Value<RefusalCount>& v) {
    a("code", v.code);
    a("message", v.message);
    a("count", v.count);
    a("newest", v.newest);
    a("peer", v.peer);
    a("agent", v.agent);
    a("principal", v.principal);
    a("others", v.others);
}

} // namespace signalbox::engine
