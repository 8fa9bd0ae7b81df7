// SPDX-License-Identifier: MIT
#include "router/strategy/course.h"

#include <algorithm>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

namespace {

/// When nothing could be admitted and nobody said when to come back.
constexpr std::chrono::seconds kDefaultRetryAfter{5};

bool saysAllCooling(const policy::RoutePlan& plan) {
    return plan.group && plan.group->plan.facts.reasons.contains(policy::smart::Reason::allCandidatesCooling);
}

}  // namespace

Course::Course(const policy::RoutePlan& plan, std::string* whyNoFallback)
    : m_targets(plan.targets), m_fallbackAllowed(plan.fallbackAllowed), m_whyNoFallback(whyNoFallback),
      m_allCooling(saysAllCooling(plan)) {}

Course::Course(std::span<const policy::RouteTarget> targets, bool fallbackAllowed, std::string* whyNoFallback)
    : m_targets(targets), m_fallbackAllowed(fallbackAllowed), m_whyNoFallback(whyNoFallback), m_allCooling(false) {}

std::optional<Course::Step> Course::next() {
    if (m_ended) return std::nullopt;
    while (m_at < m_targets.size()) {
        const std::size_t target = m_at++;
        if (isRepeated(target)) continue;
        note(FallbackVerdict::next);
        return Step{target, m_allCooling, std::nullopt};
    }
    // What was sent on the way to the last resort rules it out; the last resort itself goes through all of its own.
    if ((m_sent && !m_resuming) || m_resumeAt == m_passed.size()) return std::nullopt;
    m_resuming = true;
    note(FallbackVerdict::next);
    const Passed& passed = m_passed[m_resumeAt++];
    return Step{passed.target, true, passed.entry};
}

bool Course::isRepeated(std::size_t target) const {
    const policy::RouteTarget& asked = m_targets[target];
    return std::any_of(m_targets.begin(), m_targets.begin() + static_cast<std::ptrdiff_t>(target),
                       [&](const policy::RouteTarget& earlier) {
                           return earlier.providerId == asked.providerId && earlier.model == asked.model;
                       });
}

std::size_t Course::remaining() const {
    return m_resuming ? m_passed.size() - m_resumeAt : m_targets.size() - m_at;
}

void Course::passedOver(const Step& step, std::size_t entry, UpstreamFailure failure) {
    m_passed.push_back({step.target, entry});
    judge(failure);
    keep(std::move(failure));
}

void Course::failed(UpstreamFailure failure) {
    if (endsRequest(failure)) {
        m_ended = true;
        // Who left needs no reason.
        const bool left = failure.kind == UpstreamFailure::Kind::cancelled;
        note(left ? FallbackVerdict::next : fallbackVerdict(failure, m_fallbackAllowed, remaining()));
        m_failure = endedBy(std::move(failure), m_failure);
        return;
    }
    m_sent = m_sent || failure.sent();
    judge(failure);
    keep(std::move(failure));
}

void Course::judge(const UpstreamFailure& failure) {
    const bool allowed = m_fallbackAllowed || failure.kind == UpstreamFailure::Kind::refused;
    FallbackVerdict verdict = fallbackVerdict(failure, allowed, remaining());
    // The last of those that were named: others there may be, and they were not to be asked.
    if (verdict == FallbackVerdict::lastTarget && !m_fallbackAllowed) verdict = FallbackVerdict::notAllowed;
    note(verdict);
    if (verdict == FallbackVerdict::next) return;
    if (m_resuming) m_ended = true;
    m_at = m_targets.size();
}

void Course::keep(UpstreamFailure failure) {
    if (!m_failure || outranks(failure, *m_failure)) m_failure = std::move(failure);
}

void Course::note(FallbackVerdict verdict) {
    if (m_whyNoFallback == nullptr) return;
    if (verdict == FallbackVerdict::next) m_whyNoFallback->clear();
    else *m_whyNoFallback = toString(verdict);
}

UpstreamFailure Course::failure() {
    const bool hasTime = !m_failure->ranOutOfBudget();
    if (hasTime && !m_failure->sent() && m_failure->kind != UpstreamFailure::Kind::composition && !m_failure->retryAfter)
        m_failure->retryAfter = kDefaultRetryAfter;
    return std::move(*m_failure);
}

}  // namespace signalbox::strategy
