// SPDX-License-Identifier: MIT
#include "router/strategy/stage_verdict.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

namespace {

constexpr std::chrono::seconds kDefaultRetryAfter{5};

std::optional<std::chrono::seconds> sooner(std::optional<std::chrono::seconds> a, std::optional<std::chrono::seconds> b) {
    return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace

StageVerdict::StageVerdict(bool fallbackAllowed, std::string* whyNoFallback)
    : m_fallbackAllowed(fallbackAllowed), m_whyNoFallback(whyNoFallback) {}

bool StageVerdict::mayGoOn(UpstreamFailure failure, std::size_t remaining) {
    const bool allowed = m_fallbackAllowed || failure.kind == UpstreamFailure::Kind::refused;
    const FallbackVerdict verdict = fallbackVerdict(failure, allowed, remaining);
    // A cancelled request was not denied a fallback: nobody is there to get it.
    const bool nothingToSay = verdict == FallbackVerdict::next || failure.kind == UpstreamFailure::Kind::cancelled;
    if (m_whyNoFallback != nullptr) *m_whyNoFallback = nothingToSay ? std::string_view() : toString(verdict);
    keep(std::move(failure));
    return verdict == FallbackVerdict::next;
}

void StageVerdict::keep(UpstreamFailure failure) {
    if (endsRequest(failure)) {
        m_failure = endedBy(std::move(failure), m_failure);
        return;
    }
    const bool nothingSent = !failure.sent() && !(m_failure && m_failure->sent());
    const auto retryAfter = sooner(m_failure ? m_failure->retryAfter : std::nullopt, failure.retryAfter);
    if (!m_failure || outranks(failure, *m_failure)) m_failure = std::move(failure);
    if (nothingSent) m_failure->retryAfter = retryAfter;
}

UpstreamFailure StageVerdict::failure() const {
    UpstreamFailure out = *m_failure;
    if (out.kind == UpstreamFailure::Kind::refused && !out.retryAfter && !out.ranOutOfBudget()) out.retryAfter = kDefaultRetryAfter;
    return out;
}

}  // namespace signalbox::strategy
