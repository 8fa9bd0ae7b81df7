// SPDX-License-Identifier: MIT
#include "router/strategy/attempt_record.h"

#include <utility>

namespace signalbox::strategy {

using evidence::AttemptOutcome;
using dispatch::UpstreamFailure;

AttemptRecord::AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt,
                             std::string endpointId, evidence::AttemptRole role)
    : m_attempts(&attempts), m_clock(&clock), m_admittedAt(admittedAt), m_index(attempts.size()) {
    evidence::Attempt attempt;
    attempt.endpointId = std::move(endpointId);
    attempt.role = role;
    attempt.startedMs = elapsedMs();
    attempts.push_back(std::move(attempt));
}

AttemptRecord::AttemptRecord(AttemptRecord&& other) noexcept
    : m_attempts(other.m_attempts), m_clock(other.m_clock), m_admittedAt(other.m_admittedAt),
      m_index(other.m_index), m_open(std::exchange(other.m_open, false)) {}

AttemptRecord::~AttemptRecord() {
    if (m_open) close(AttemptOutcome::cancelled, "client_gone");
}

void AttemptRecord::headSeen(int status) { entry().status = status; }

void AttemptRecord::contentSeen() {
    if (!entry().firstContentMs) entry().firstContentMs = elapsedMs();
}

void AttemptRecord::served() { close(AttemptOutcome::served, {}); }

void AttemptRecord::failed(const UpstreamFailure& failure) {
    // The true status of a failure stays, also after a 200 head (F7).
    if (failure.status != 0) entry().status = failure.status;
    switch (failure.kind) {
    case UpstreamFailure::Kind::refused:
    case UpstreamFailure::Kind::composition: return close(AttemptOutcome::refused, failure.code);
    case UpstreamFailure::Kind::cancelled: return close(AttemptOutcome::cancelled, "client_gone");
    case UpstreamFailure::Kind::connect:
    case UpstreamFailure::Kind::timeout:
    case UpstreamFailure::Kind::status:
    case UpstreamFailure::Kind::errorFrame:
    case UpstreamFailure::Kind::protocol:
    case UpstreamFailure::Kind::disconnected: return close(AttemptOutcome::failed, failure.code);
    }
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
