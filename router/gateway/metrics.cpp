// SPDX-License-Identifier: MIT
#include "router/gateway/metrics.h"

#include <algorithm>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sstream>

namespace signalbox::gateway {

namespace {

using Buckets = prometheus::Histogram::BucketBoundaries;
const Buckets& decisionBuckets() {
    static const Buckets buckets{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 1e-2};
    return buckets;
}
const Buckets& requestBuckets() {
    static const Buckets buckets{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
                                 2.5,   5,    10,    30,   60,  120,  300, 600};
    return buckets;
}

template <class Builder>
auto& family(Builder builder, const char* name, const char* help, prometheus::Registry& registry) {
    return builder.Name(name).Help(help).Register(registry);
}

std::string cellWords(const table::Cell& cell) {
    return std::string(table::toString(cell.workload)) + "/" + std::string(table::toString(cell.length)) +
           "/" + std::string(table::toString(cell.concurrency));
}

} // namespace

struct Metrics::Parts {
    prometheus::Registry registry;
    prometheus::Family<prometheus::Counter>& decisions =
        family(prometheus::BuildCounter(), "signalbox_decisions_total",
               "Admitted requests by preset, coverage and outcome", registry);
    prometheus::Family<prometheus::Counter>& gaps =
        family(prometheus::BuildCounter(), "signalbox_gap_hits_total",
               "Requests that landed in a declared coverage gap", registry);
    prometheus::Family<prometheus::Counter>& refusals =
        family(prometheus::BuildCounter(), "signalbox_refusals_total",
               "Requests refused by the gateway itself, by code", registry);
    prometheus::Family<prometheus::Counter>& routing =
        family(prometheus::BuildCounter(), "modelport_routing_decisions_total",
               "Decisions of smart groups and explicit endpoints", registry);
    prometheus::Family<prometheus::Counter>& shadow =
        family(prometheus::BuildCounter(), "signalbox_shadow_decisions_total",
               "Decisions in which a recommendation was compared, by edge; 0 for an hour with traffic is a warning",
               registry);
    prometheus::Family<prometheus::Counter>& softBudgets =
        family(prometheus::BuildCounter(), "signalbox_budget_soft_total",
               "Requests of principals beyond their soft monthly budget", registry);
    prometheus::Counter& planningFailures =
        family(prometheus::BuildCounter(), "signalbox_planning_failures_total",
               "Requests served in configured order because scoring failed", registry)
            .Add({});
    prometheus::Counter& decided = family(prometheus::BuildCounter(), "signalbox_decided_total",
                                          "Requests for which a target was decided", registry)
                                       .Add({});
    prometheus::Counter& dispatched =
        family(prometheus::BuildCounter(), "signalbox_dispatched_total",
               "Requests of which at least one attempt reached an upstream", registry)
            .Add({});
    prometheus::Counter& served =
        family(prometheus::BuildCounter(), "signalbox_served_total", "Requests answered in full", registry)
            .Add({});
    prometheus::Gauge& inFlight = family(prometheus::BuildGauge(), "signalbox_in_flight_requests",
                                         "Requests being handled now", registry)
                                      .Add({});
    prometheus::Histogram& decisionSeconds =
        family(prometheus::BuildHistogram(), "signalbox_decision_seconds", "Classification and decision",
               registry)
            .Add({}, decisionBuckets());
    prometheus::Histogram& firstContentSeconds =
        family(prometheus::BuildHistogram(), "signalbox_first_content_seconds", "Admission to first content",
               registry)
            .Add({}, requestBuckets());
    prometheus::Histogram& totalSeconds = family(prometheus::BuildHistogram(), "signalbox_request_seconds",
                                                 "Admission to the end of the answer", registry)
                                              .Add({}, requestBuckets());
};

namespace {
prometheus::Labels edgeLabel(evidence::Edge edge) {
    return {{"edge", std::string(toString(edge))}};
}
} // namespace

Metrics::Metrics() : m_parts(std::make_unique<Parts>()) {
    // A zero must be seen (F72).
    for (const evidence::Edge edge : {evidence::Edge::openai, evidence::Edge::anthropic})
        m_parts->shadow.Add(edgeLabel(edge));
}
Metrics::~Metrics() = default;

bool wasDispatched(const evidence::DecisionRecord& record) {
    return std::any_of(record.attempts.begin(), record.attempts.end(), [](const evidence::Attempt& attempt) {
        return attempt.outcome != evidence::AttemptOutcome::refused;
    });
}

void Metrics::refused(const std::string& code) {
    m_parts->refusals.Add({{"code", code}}).Increment();
}

void Metrics::planningFailed() {
    m_parts->planningFailures.Increment();
}

void Metrics::softBudget(const std::string& principal) {
    m_parts->softBudgets.Add({{"principal", principal}}).Increment();
}

void Metrics::finished(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision) {
    if (decision != nullptr) {
        m_parts->routing
            .Add({{"mode", std::string(toString(decision->mode))},
                  {"profile", std::string(decision->profile)},
                  {"provider", std::string(decision->provider)}})
            .Increment();
        if (mayDisagree(decision->mode))
            m_parts->shadow.Add(edgeLabel(record.edge)).Increment();
    }
    m_parts->decisions
        .Add({{"preset", record.presetKey.value_or("")},
              {"coverage", record.coverage},
              {"outcome", std::string(toString(record.outcome))}})
        .Increment();
    if (record.gapIndex && record.coverage == "gap") {
        m_parts->gaps.Add({{"family", record.family.value_or("")}, {"cell", cellWords(record.features.cell)}})
            .Increment();
    }
    if (!record.resolvedBy.empty())
        m_parts->decided.Increment();
    if (wasDispatched(record))
        m_parts->dispatched.Increment();
    if (record.outcome == evidence::Outcome::served)
        m_parts->served.Increment();
    m_parts->decisionSeconds.Observe(record.decideUs / 1e6);
    if (record.firstContentMs)
        m_parts->firstContentSeconds.Observe(*record.firstContentMs / 1e3);
    m_parts->totalSeconds.Observe(record.totalMs / 1e3);
}

std::uint64_t Metrics::decided() const {
    return static_cast<std::uint64_t>(m_parts->decided.Value());
}
std::uint64_t Metrics::dispatched() const {
    return static_cast<std::uint64_t>(m_parts->dispatched.Value());
}
std::uint64_t Metrics::served() const {
    return static_cast<std::uint64_t>(m_parts->served.Value());
}

std::string Metrics::text(std::uint32_t inFlight) const {
    m_parts->inFlight.Set(inFlight);
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, m_parts->registry.Collect());
    return std::move(out).str();
}

} // namespace signalbox::gateway
