// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/fallback.h"

#include <chrono>
#include <optional>
#include <string>

namespace signalbox::strategy::routewise {

/// Whether a request goes on to another endpoint after one did not deliver, and which failure the client gets in the end:
/// the first that was sent; if none was, a refusal with the smallest known Retry-After, one for good only if all are.
class PoolVerdict {
public:
    /// `fallbackAllowed` speaks of attempts that were sent; where nothing was sent another endpoint may always be asked.
    PoolVerdict(bool fallbackAllowed, std::string* whyNoFallback);

    void refused(dispatch::UpstreamFailure failure);
    void failed(dispatch::UpstreamFailure failure);
    /// True when no other endpoint may be asked.
    [[nodiscard]] bool ended() const { return m_ended; }
    [[nodiscard]] bool anythingSent() const { return m_sent; }
    /// Whether another endpoint may follow this failure.
    [[nodiscard]] bool mayFollow(const dispatch::UpstreamFailure& failure) const;

    void goesOn();
    /// No other endpoint is left.
    void nothingLeft();
    /// What else is known about when the pool can take requests again.
    void comesBackIn(std::chrono::seconds time);
    /// nullopt when nobody was even asked.
    [[nodiscard]] std::optional<dispatch::UpstreamFailure> failure() const;
    [[nodiscard]] std::optional<std::chrono::seconds> retryAfter() const { return m_retryAfter; }

private:
    void note(FallbackVerdict verdict);
    void keep(dispatch::UpstreamFailure failure);

    bool m_fallbackAllowed;
    std::string* m_whyNoFallback;
    std::optional<dispatch::UpstreamFailure> m_failure;
    std::optional<std::chrono::seconds> m_retryAfter;
    bool m_sent = false;
    bool m_ended = false;
};

}  // namespace signalbox::strategy::routewise
