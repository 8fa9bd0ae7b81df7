// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/pool_verdict.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy::routewise {

using dispatch::UpstreamFailure;

namespace {

constexpr std::chrono::seconds kDefaultRetryAfter{5};
/// How many are left is known only when they have been weighed again.
constexpr std::size_t kSome = 1;

}  // namespace

PoolVerdict::PoolVerdict(bool fallbackAllowed, std::string* whyNoFallback)
    : m_fallbackAllowed(fallbackAllowed), m_whyNoFallback(whyNoFallback) {}

void PoolVerdict::refused(UpstreamFailure failure) {
    if (failure.retryAfter) comesBackIn(*failure.retryAfter);
    const FallbackVerdict verdict = fallbackVerdict(failure, true, kSome);
    note(verdict);
    m_ended = verdict != FallbackVerdict::next;
    keep(std::move(failure));
}

void PoolVerdict::failed(UpstreamFailure failure) {
    m_sent = m_sent || failure.sent();
    const FallbackVerdict verdict = fallbackVerdict(failure, m_fallbackAllowed, kSome);
    // Who left needs no reason.
    note(failure.kind == UpstreamFailure::Kind::cancelled ? FallbackVerdict::next : verdict);
    m_ended = m_ended || verdict != FallbackVerdict::next;
    keep(std::move(failure));
}

bool PoolVerdict::mayFollow(const UpstreamFailure& failure) const {
    return !m_ended && fallbackVerdict(failure, m_fallbackAllowed, kSome) == FallbackVerdict::next;
}

void PoolVerdict::goesOn() { note(FallbackVerdict::next); }

void PoolVerdict::nothingLeft() {
    if (!m_ended && m_failure) note(FallbackVerdict::lastTarget);
}

void PoolVerdict::comesBackIn(std::chrono::seconds time) { m_retryAfter = std::min(m_retryAfter.value_or(time), time); }

void PoolVerdict::keep(UpstreamFailure failure) {
    if (endsRequest(failure)) m_failure = endedBy(std::move(failure), m_failure);
    else if (!m_failure || outranks(failure, *m_failure)) m_failure = std::move(failure);
}

void PoolVerdict::note(FallbackVerdict verdict) {
    if (m_whyNoFallback == nullptr) return;
    if (verdict == FallbackVerdict::next) m_whyNoFallback->clear();
    else *m_whyNoFallback = toString(verdict);
}

std::optional<UpstreamFailure> PoolVerdict::failure() const {
    std::optional<UpstreamFailure> out = m_failure;
    if (out && out->kind == UpstreamFailure::Kind::refused && !out->ranOutOfBudget()) out->retryAfter = m_retryAfter.value_or(kDefaultRetryAfter);
    return out;
}

}  // namespace signalbox::strategy::routewise
