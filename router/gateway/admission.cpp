// SPDX-License-Identifier: MIT
#include "router/gateway/admission.h"

#include "router/gateway/recording.h"

namespace signalbox::gateway {

Admission::Admission(ThreadState& thread, std::shared_ptr<const Serving> serving, InFlightLedger::Guard all,
                     Steady admittedAt)
    : m_thread(thread), m_serving(std::move(serving)), m_all(std::move(all)), m_admittedAt(admittedAt),
      m_running(thread.running, *m_record, admittedAt) {
    const policy::PolicySnapshot& snapshot = *m_serving->snapshot;
    m_record->createdAt = thread.shared.clock.now();
    m_record->id = DecisionId::make(m_record->createdAt, thread.random);
    m_record->target = snapshot.config->evidence.target;
    m_record->environment = snapshot.config->evidence.environment;
    m_record->policyHash = snapshot.hash;
    m_record->tableSha256 = snapshot.tableSha256;
    m_record->policyVersion = snapshot.config->routing.policyVersion;
    m_record->coverage = policy::toString(policy::CoverageMark::none);
    ++thread.underWay;
}

double Admission::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(m_thread.shared.clock.steady() - m_admittedAt).count();
}

void Admission::decided(const policy::RoutePlan& plan) {
    if (plan.group) {
        const policy::smart::Facts& facts = plan.group->plan.facts;
        const auto& group = m_serving->snapshot->smart.groups()[plan.group->group];
        const auto& selected = group.candidates[plan.group->plan.selected];
        m_decided = Decided{facts.mode, std::string(facts.profile),
                            selected.isPool() ? selected.endpointId : selected.provider};
    } else if (plan.resolvedBy == policy::ResolvedBy::explicitEndpoint) {
        m_decided = Decided{policy::smart::ServedMode::explicitStatic, "explicit",
                            plan.targets.front().providerId};
    }
}

/// Counters, metrics and the record agree because this is the only place where any of them moves (F76).
void Admission::count() const {
    if (!m_decided)
        return m_thread.metrics.finished(*m_record, nullptr, m_firstByteMs);
    capacity::DecisionCount decision{m_decided->mode, m_decided->profile, m_decided->provider, {}, {}, false};
    if (m_record->group) {
        decision.selected = m_record->group->selected;
        decision.recommended = m_record->group->recommended;
        decision.shadowDisagreement = m_record->group->shadowDisagreement;
    }
    m_serving->endpoints->runtime()->decisions.count(decision);
    m_thread.metrics.finished(*m_record, &decision, m_firstByteMs);
}

void Admission::finish(evidence::Outcome outcome, int status, std::string errorCode) {
    complete(outcome, status, std::move(errorCode));
    if (evidence::RecordSink* const records = sink())
        records->append(*m_record);
    settle();
}

bool Admission::finishServed(int status, boost::asio::io_context::executor_type executor) {
    complete(evidence::Outcome::served, status, {});
    evidence::RecordSink* const records = sink();
    bool isWaitedFor = false;
    if (records != nullptr && m_thread.underWay > 0)
        isWaitedFor = m_thread.commits.add(m_record, *records, executor);
    else if (records != nullptr)
        records->append(*m_record);
    settle();
    return isWaitedFor;
}

/// The record as it will be kept.
void Admission::complete(evidence::Outcome outcome, int status, std::string errorCode) {
    m_finished = true;
    --m_thread.underWay;
    m_running.leave();
    m_record->outcome = outcome;
    m_record->status = status;
    m_record->errorCode = std::move(errorCode);
    m_record->totalMs = elapsedMs();
    priceAttempts(*m_record, *m_serving->snapshot->config);
}

/// Null when nothing is to be kept.
evidence::RecordSink* Admission::sink() const {
    return m_serving->snapshot->config->evidence.enabled ? m_thread.sink.get() : nullptr;
}

/// Everything else that moves with the record.
void Admission::settle() {
    count();
    if (m_account && m_record->costUsd)
        m_account->spend(*m_record->costUsd);
    if (m_thread.shared.onDecision)
        m_thread.shared.onDecision(m_record);
    // The client may send its next request as soon as it has read this answer; it must not count as a second
    // one.
    m_family = {};
    m_all = {};
}

} // namespace signalbox::gateway
