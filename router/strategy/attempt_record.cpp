// SPDX-License-Identifier: MIT
#include "router/strategy/attempt_record.h"

#include "router/strategy/fault_of.h"

#include <utility>

namespace signalbox::strategy {

using evidence::AttemptOutcome;
using dispatch::UpstreamFailure;

namespace {

AttemptOutcome outcomeOf(const UpstreamFailure& failure) {
    switch (failure.kind) {
    case UpstreamFailure::Kind::refused:
    case UpstreamFailure::Kind::composition: return AttemptOutcome::refused;
    case UpstreamFailure::Kind::cancelled: return AttemptOutcome::cancelled;
    case UpstreamFailure::Kind::connect:
    case UpstreamFailure::Kind::timeout:
    case UpstreamFailure::Kind::status:
    case UpstreamFailure::Kind::errorFrame:
    case UpstreamFailure::Kind::protocol:
    case UpstreamFailure::Kind::disconnected: break;
    }
    return AttemptOutcome::failed;
}

}  // namespace

AttemptRecord::AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt,
                             std::string endpointId, evidence::AttemptRole role)
    : m_attempts(&attempts), m_clock(&clock), m_admittedAt(admittedAt), m_index(attempts.size()) {
    evidence::Attempt attempt;
    attempt.endpointId = std::move(endpointId);
    attempt.role = role;
    attempt.startedMs = elapsedMs();
    attempts.push_back(std::move(attempt));
}

AttemptRecord::AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt,
                             std::size_t index)
    : m_attempts(&attempts), m_clock(&clock), m_admittedAt(admittedAt), m_index(index) {
    entry().reason.clear();
    entry().startedMs = elapsedMs();
}

AttemptRecord::AttemptRecord(AttemptRecord&& other) noexcept
    : m_attempts(other.m_attempts), m_clock(other.m_clock), m_admittedAt(other.m_admittedAt),
      m_index(other.m_index), m_open(std::exchange(other.m_open, false)), m_lastResort(other.m_lastResort),
      m_permit(std::move(other.m_permit)), m_blame(std::move(other.m_blame)) {
    other.m_permit.reset();
}

AttemptRecord::~AttemptRecord() {
    if (m_open) close(AttemptOutcome::cancelled, "client_gone");
}

void AttemptRecord::governBy(capacity::AttemptPermit permit, std::shared_ptr<capacity::RequestBlame> blame,
                             bool lastResort) {
    m_permit.emplace(std::move(permit));
    m_blame = std::move(blame);
    m_lastResort = lastResort;
}

void AttemptRecord::headSeen(int status) { entry().status = status; }

void AttemptRecord::contentSeen() {
    if (!entry().firstContentMs) entry().firstContentMs = elapsedMs();
}

void AttemptRecord::served() {
    if (!m_open) return;
    close(AttemptOutcome::served, m_lastResort ? std::string(kLastResort) : std::string());
    if (m_permit) m_permit->succeeded(entry().endedMs - entry().startedMs);
    m_permit.reset();
}

void AttemptRecord::failed(const UpstreamFailure& failure) {
    if (!m_open) return;
    // The true status of a failure stays, also after a 200 head (F7). Nothing that was not sent has one.
    if (failure.status != 0 && failure.sent()) entry().status = failure.status;
    const AttemptOutcome outcome = outcomeOf(failure);
    close(outcome, outcome == AttemptOutcome::cancelled ? "client_gone" : failure.code);
    if (m_permit) m_permit->failed(faultOf(failure), entry().endedMs - entry().startedMs, *m_blame);
    m_permit.reset();
}

double AttemptRecord::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(m_clock->steady() - m_admittedAt).count();
}

void AttemptRecord::close(AttemptOutcome outcome, std::string reason) {
    if (!std::exchange(m_open, false)) return;
    entry().outcome = outcome;
    entry().reason = std::move(reason);
    entry().endedMs = elapsedMs();
}

}  // namespace signalbox::strategy
