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
      m_permit(std::move(other.m_permit)), m_blame(std::move(other.m_blame)),
      m_reservations(std::move(other.m_reservations)), m_profile(std::move(other.m_profile)), m_profiles(std::move(other.m_profiles)),
      m_observers(std::move(other.m_observers)), m_usage(other.m_usage), m_headMs(other.m_headMs) {
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

void AttemptRecord::headSeen(const dispatch::ResponseHead& head) {
    entry().status = head.status;
    entry().leftOut = head.leftOut;
    m_headMs = elapsedMs() - entry().startedMs;
}

void AttemptRecord::contentSeen() {
    if (entry().firstContentMs) return;
    entry().firstContentMs = elapsedMs();
    const double ms = *entry().firstContentMs - entry().startedMs;
    const auto ttft = std::chrono::round<std::chrono::microseconds>(std::chrono::duration<double, std::milli>(ms));
    const Steady now = m_clock->steady();
    if (m_profile != nullptr) m_profile->addFirstContent(now, ttft);
    for (const auto& profile : m_profiles) profile->addFirstContent(now, ttft);
    for (const auto& observer : m_observers) observer->firstContent(ms);
}

void AttemptRecord::counted(const dispatch::Usage& usage) {
    if (!m_open) return;
    m_usage = usage;
    entry().inputTokens = usage.inputTokens;
    entry().outputTokens = usage.outputTokens;
}

void AttemptRecord::served() {
    if (!m_open) return;
    close(AttemptOutcome::served, m_lastResort ? std::string(kLastResort) : std::string());
    if (m_permit) m_permit->succeeded(entry().endedMs - entry().startedMs);
    m_permit.reset();
    for (const auto& observer : m_observers) observer->served(m_usage);
}

void AttemptRecord::failed(const UpstreamFailure& failure) {
    if (!m_open) return;
    // The true status of a failure stays, also after a 200 head (F7); where it names none, the head's, which may have come
    // although nothing of the answer did. Nothing that was not sent has one.
    if (const int status = failure.status != 0 ? failure.status : failure.headStatus; status != 0 && failure.sent())
        entry().status = status;
    const AttemptOutcome outcome = outcomeOf(failure);
    const bool arrived = mayHaveArrived(failure);
    // No head may have said it. An upstream that was told nothing was not told less than the client said.
    if (arrived && !failure.leftOut.empty()) entry().leftOut = failure.leftOut;
    close(outcome, outcome == AttemptOutcome::cancelled ? "client_gone" : failure.code, arrived);
    const capacity::Fault fault = faultOf(failure);
    if (m_permit) m_permit->failed(fault, entry().endedMs - entry().startedMs, *m_blame);
    m_permit.reset();
    // A limit speaks of how much is asked of the endpoint, not of how fast it is.
    if (capacity::sampleOf(fault) != capacity::Sample::failure) return;
    if (m_profile != nullptr) m_profile->addFailure(m_clock->steady());
    for (const auto& profile : m_profiles) profile->addFailure(m_clock->steady());
    for (const auto& observer : m_observers) observer->failed();
}

void AttemptRecord::lost() {
    close(AttemptOutcome::cancelled, std::string(kHedgeLost));
    m_permit.reset();
}

double AttemptRecord::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(m_clock->steady() - m_admittedAt).count();
}

// What reached the upstream stays used of a quota; slots come back all the same.
void AttemptRecord::close(AttemptOutcome outcome, std::string reason, bool reached) {
    if (!std::exchange(m_open, false)) return;
    if (reached) m_reservations.markSpent();
    m_reservations.release();
    entry().outcome = outcome;
    entry().reason = std::move(reason);
    entry().endedMs = elapsedMs();
}

}  // namespace signalbox::strategy
