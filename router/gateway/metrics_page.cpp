// SPDX-License-Identifier: MIT
#include "router/gateway/metric_families.h"
#include "router/gateway/metrics.h"
#include "router/gateway/serving.h"

namespace signalbox::gateway {

namespace {

using Shards = std::vector<const MetricShard*>;

template <class Enum>
std::string_view wordAt(std::size_t place) {
    return toString(static_cast<Enum>(place));
}

void countRequests(MetricFamilies& out, const Metrics& metrics, const Shards& shards) {
    out.counter("signalbox_decisions_total", "Admitted requests by preset, coverage and outcome");
    for (const MetricShard* shard : shards)
        shard->presets.forEach([&](const auto& labels, const PresetCells& cells) {
            for (std::size_t coverage = 0; coverage < kCoverages; ++coverage)
                for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
                    if (const auto count = cells.decisions[coverage][outcome].value())
                        out.add({{"coverage", kCoverageWords[coverage]},
                                 {"outcome", wordAt<evidence::Outcome>(outcome)},
                                 {"preset", labels[0]}},
                                static_cast<double>(count));
        });
    const auto plain = [&](const char* name, const char* help, std::uint64_t value) {
        out.counter(name, help);
        out.add({}, static_cast<double>(value));
    };
    plain("signalbox_decided_total", "Requests for which a target was decided", metrics.decided());
    plain("signalbox_dispatched_total", "Requests of which at least one attempt reached an upstream", metrics.dispatched());
    plain("signalbox_served_total", "Requests answered in full", metrics.served());
    plain("signalbox_planning_failures_total", "Requests served in configured order because scoring failed",
          metrics.planningFailures());
}

void countEdges(MetricFamilies& out, const Shards& shards) {
    const auto forEachEdge = [&](auto&& visit) {
        for (const MetricShard* shard : shards)
            for (std::size_t edge = 0; edge < kEdges; ++edge)
                visit(wordAt<evidence::Edge>(edge), shard->edges[edge]);
    };
    out.counter("signalbox_requests_total", "Admitted requests by edge and outcome");
    forEachEdge([&](std::string_view edge, const EdgeCells& cells) {
        for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
            out.add({{"edge", edge}, {"outcome", wordAt<evidence::Outcome>(outcome)}},
                    static_cast<double>(cells.requests[outcome].value()));
    });
    // A zero must be seen (F72).
    out.counter("signalbox_shadow_decisions_total",
                "Decisions in which a recommendation was compared, by edge; 0 for an hour with traffic is a warning");
    forEachEdge([&](std::string_view edge, const EdgeCells& cells) {
        out.add({{"edge", edge}}, static_cast<double>(cells.compared.value()));
    });
    out.counter("signalbox_shadow_disagreements_total", "Of these, decisions in which the recommendation differed");
    forEachEdge([&](std::string_view edge, const EdgeCells& cells) {
        out.add({{"edge", edge}}, static_cast<double>(cells.disagreements.value()));
    });
    out.histogram("signalbox_first_content_seconds",
                  "Admission to first content; of an answer that is no stream, to its whole body");
    forEachEdge([&](std::string_view edge, const EdgeCells& cells) {
        for (std::size_t stream = 0; stream < 2; ++stream)
            out.add<kRequestBounds>({{"edge", edge}, {"stream", stream == 1 ? "true" : "false"}}, cells.firstContent[stream]);
    });
    out.histogram("signalbox_request_seconds", "Admission to the end of the answer");
    forEachEdge([&](std::string_view edge, const EdgeCells& cells) {
        for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
            out.add<kRequestBounds>({{"edge", edge}, {"outcome", wordAt<evidence::Outcome>(outcome)}}, cells.seconds[outcome]);
    });
}

void countRouting(MetricFamilies& out, const Shards& shards) {
    out.counter("modelport_routing_decisions_total", "Decisions of smart groups and explicit endpoints");
    for (const MetricShard* shard : shards)
        shard->routing.forEach([&](const auto& labels, const CountCell& cell) {
            out.add({{"mode", labels[0]}, {"profile", labels[1]}, {"provider", labels[2]}}, static_cast<double>(cell.value()));
        });
    out.counter("signalbox_gap_hits_total", "Requests that landed in a declared coverage gap");
    for (const MetricShard* shard : shards)
        shard->gaps.forEach([&](const auto& labels, const CountCell& cell) {
            out.add({{"cell", labels[0]}, {"family", labels[1]}}, static_cast<double>(cell.value()));
        });
    out.counter("signalbox_budget_soft_total", "Requests of principals beyond their soft monthly budget");
    for (const MetricShard* shard : shards)
        shard->softBudgets.forEach([&](const auto& labels, const CountCell& cell) {
            out.add({{"principal", labels[0]}}, static_cast<double>(cell.value()));
        });
    out.histogram("signalbox_decision_seconds", "Classification and decision");
    for (const MetricShard* shard : shards)
        out.add<kDecisionBounds>({}, shard->decisionSeconds);
}

void countProviders(MetricFamilies& out, const Shards& shards) {
    const auto forEachProvider = [&](auto&& visit) {
        for (const MetricShard* shard : shards)
            shard->providers.forEach([&](const auto& labels, const ProviderCells& cells) { visit(labels[0], cells); });
    };
    out.counter("signalbox_attempts_total", "Tries at an upstream, by provider, role and outcome");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        for (std::size_t role = 0; role < kRoles; ++role)
            for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome)
                if (const auto count = cells.attempts[role][outcome].value())
                    out.add({{"outcome", wordAt<evidence::AttemptOutcome>(outcome)},
                             {"provider", provider},
                             {"role", wordAt<evidence::AttemptRole>(role)}},
                            static_cast<double>(count));
    });
    out.histogram("signalbox_upstream_first_byte_seconds",
                  "Of the attempt that answered: its start to the upstream's head, or of a stream to its first frame");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        out.add<kRequestBounds>({{"provider", provider}}, cells.firstByte);
    });
    out.histogram("signalbox_answer_output_tokens", "Output tokens of one answer, as the upstream counted");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        out.add<kTokenBounds>({{"provider", provider}}, cells.outputTokens);
    });
    out.counter("signalbox_tokens_total", "Tokens as upstreams counted them; cached ones are input, too");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        const auto add = [&](std::string_view kind, const CountCell& cell) {
            out.add({{"kind", kind}, {"provider", provider}}, static_cast<double>(cell.value()));
        };
        add("input", cells.inputTokens);
        add("cached", cells.cachedTokens);
        add("output", cells.writtenTokens);
    });
    out.counter("signalbox_estimated_cost_usd_total", "What attempts cost by the configured prices, overtaken and failed ones included, estimate");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        out.add({{"provider", provider}}, cells.costUsd.value());
    });
    out.counter("signalbox_tool_calls_total",
                "Tool calls of answers by whether their arguments fit the offered schema; unchecked: nobody can say");
    forEachProvider([&](std::string_view provider, const ProviderCells& cells) {
        for (std::size_t verdict = 0; verdict < kToolVerdicts; ++verdict)
            out.add({{"provider", provider}, {"verdict", wordAt<ToolVerdict>(verdict)}},
                    static_cast<double>(cells.toolCalls[verdict].value()));
    });
}

void showProcess(MetricFamilies& out, const PageFacts& facts) {
    out.counter("signalbox_refusals_total", "Requests refused by the gateway itself, by code");
    for (const RefusalTotal& refusal : facts.refusals)
        out.add({{"code", refusal.code}}, static_cast<double>(refusal.count));
    out.counter("signalbox_edge_refusals_total", "Requests refused by the gateway itself, by edge");
    for (std::size_t edge = 0; edge < kEdges; ++edge)
        out.add({{"edge", wordAt<evidence::Edge>(edge)}}, static_cast<double>(facts.refusedByEdge[edge]));
    out.gauge("signalbox_in_flight_requests", "Requests being handled now");
    out.add({}, facts.inFlight);
    out.gauge("signalbox_edge_in_flight_requests", "Requests being handled now, by edge");
    for (std::size_t edge = 0; edge < kEdges; ++edge)
        out.add({{"edge", wordAt<evidence::Edge>(edge)}}, facts.inFlightByEdge[edge]);
    out.gauge("signalbox_draining", "1 while no new requests are taken");
    out.add({}, facts.draining ? 1 : 0);
    out.gauge("signalbox_build_info", "1, with the version that runs");
    out.add({{"version", SIGNALBOX_VERSION}}, 1);
}

void showEvidence(MetricFamilies& out, const std::optional<evidence::EvidenceStatus>& status) {
    using evidence::StoreState;
    out.gauge("signalbox_evidence_state", "1 for the state that the evidence store is in, 0 for the others");
    for (const StoreState state : {StoreState::off, StoreState::starting, StoreState::ready, StoreState::catchingUp,
                                   StoreState::unavailable, StoreState::journalFull})
        out.add({{"state", toString(state)}}, state == (status ? status->state : StoreState::off) ? 1 : 0);
    const evidence::EvidenceStatus shown = status.value_or(evidence::EvidenceStatus{});
    out.gauge("signalbox_evidence_backlog_records", "Decisions in the journal that are still to be stored in the database");
    out.add({}, static_cast<double>(shown.backlogRecords));
    out.gauge("signalbox_evidence_journal_bytes", "Size of the journal on disk");
    out.add({}, static_cast<double>(shown.journalBytes));
    out.counter("signalbox_evidence_recorded_total", "Decisions written to the journal");
    out.add({}, static_cast<double>(shown.recorded));
    out.counter("signalbox_evidence_stored_total", "Decisions committed to the database");
    out.add({}, static_cast<double>(shown.stored));
    out.counter("signalbox_evidence_dropped_total", "Decisions lost because the journal was full");
    out.add({}, static_cast<double>(shown.dropped));
    out.counter("signalbox_evidence_damaged_bytes_total", "Bytes of the journal found damaged; the decisions and events in them are lost");
    out.add({}, static_cast<double>(shown.damagedBytes));
    out.counter("signalbox_events_dropped_total", "Events of the gateway (mode changes, circuits, notes) that could not be written down");
    out.add({}, static_cast<double>(shown.eventsDropped));
}

struct ResourceUse {
    double used, limit;
};

ResourceUse useOf(const capacity::CapacityBook::Named& named, Steady now) {
    if (const auto* slots = std::get_if<std::shared_ptr<capacity::Slots>>(&named.resource))
        return {static_cast<double>((*slots)->inUse()), static_cast<double>((*slots)->limit())};
    const auto state = std::get<std::shared_ptr<capacity::Quota>>(named.resource)->state(now);
    const auto limit = static_cast<double>(named.config.limit);
    return {state ? limit - std::min(limit, static_cast<double>(state->remaining)) : 0, limit};
}

void showResources(MetricFamilies& out, const RunningPolicy* policy, Steady now) {
    const auto forEachOf = [&](bool isQuota, auto&& visit) {
        if (policy == nullptr)
            return;
        for (const capacity::CapacityBook::Named& named : policy->capacity->resources())
            if (std::holds_alternative<std::shared_ptr<capacity::Quota>>(named.resource) == isQuota)
                visit(named.config.name, useOf(named, now));
    };
    const auto show = [&](bool isQuota, const char* usedName, const char* usedHelp, const char* limitName, const char* limitHelp) {
        out.gauge(usedName, usedHelp);
        forEachOf(isQuota, [&](const std::string& name, ResourceUse use) { out.add({{"resource", name}}, use.used); });
        out.gauge(limitName, limitHelp);
        forEachOf(isQuota, [&](const std::string& name, ResourceUse use) { out.add({{"resource", name}}, use.limit); });
    };
    show(false, "signalbox_slots_in_use", "Concurrency slots taken now", "signalbox_slots_limit", "Concurrency slots there are");
    show(true, "signalbox_quota_used", "Quota units used in this window", "signalbox_quota_limit", "Quota units of a window");
}

void showCircuits(MetricFamilies& out, const RunningPolicy* policy) {
    std::vector<capacity::CircuitView> circuits;
    if (policy != nullptr)
        for (const auto& [id, endpoint] : policy->endpoints->named()) {
            circuits.push_back(endpoint.circuit()->view());
            circuits.back().endpointId = id;
        }
    const auto show = [&](auto&& value) {
        for (const capacity::CircuitView& circuit : circuits)
            out.add({{"endpoint", circuit.endpointId}}, static_cast<double>(value(circuit)));
    };
    out.gauge("signalbox_circuit_open", "1 while the circuit of an endpoint is open or half open: it cools");
    show([](const capacity::CircuitView& circuit) { return circuit.state != capacity::CircuitState::closed ? 1 : 0; });
    out.counter("signalbox_circuit_opened_total", "How often the circuit of an endpoint has opened");
    show([](const capacity::CircuitView& circuit) { return circuit.openedTotal; });
    out.gauge("signalbox_endpoint_drained", "1 while an operator keeps new attempts away from an endpoint");
    show([](const capacity::CircuitView& circuit) { return circuit.drained ? 1 : 0; });
    out.gauge("signalbox_endpoint_attempts_in_flight", "Attempts on their way at an endpoint");
    show([](const capacity::CircuitView& circuit) { return circuit.inFlight; });
}

void showPolicy(MetricFamilies& out, const RunningPolicy* policy) {
    out.gauge("signalbox_in_flight_limit", "Requests beyond this many at once are refused");
    if (policy != nullptr)
        out.add({}, policy->snapshot->config->server.maxConcurrentRequests);
    out.gauge("signalbox_policy_info", "1, with the policy that runs");
    if (policy == nullptr)
        return;
    const config::Routing& routing = policy->snapshot->config->routing;
    out.add({{"mode", config::toString(routing.mode)}, {"policy_hash", policy->snapshot->hash}, {"policy_version", routing.policyVersion}}, 1);
}

} // namespace

std::string metricsPage(const Metrics& metrics, const PageFacts& facts) {
    const Shards shards = metrics.shards();
    MetricFamilies out;
    countRequests(out, metrics, shards);
    countEdges(out, shards);
    countRouting(out, shards);
    countProviders(out, shards);
    showProcess(out, facts);
    showEvidence(out, facts.evidence);
    showResources(out, facts.policy, facts.now);
    showCircuits(out, facts.policy);
    showPolicy(out, facts.policy);
    return out.text();
}

} // namespace signalbox::gateway
