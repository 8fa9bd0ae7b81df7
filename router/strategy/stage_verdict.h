// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/fallback.h"

#include <optional>
#include <string>

namespace signalbox::strategy {

/// What came of the attempts so far, for a router that goes through stages of its own (a local server, a part of a
/// pool), by the same rules as a `Course`: after a failure the next one runs only as `kFallbackTable` says and where
/// fallback is allowed; after a refusal, with which nothing was sent, in any case.
class StageVerdict {
public:
    StageVerdict(bool fallbackAllowed, std::string* whyNoFallback);

    /// True when one of the `remaining` stages may run.
    [[nodiscard]] bool mayGoOn(dispatch::UpstreamFailure failure, std::size_t remaining);
    [[nodiscard]] bool failed() const { return m_failure.has_value(); }
    [[nodiscard]] bool sent() const { return m_failure && m_failure->sent(); }
    /// The first failure that was sent decides; if none was, it is a refusal with the smallest known Retry-After, else
    /// five seconds: one that may be repeated before one for good. Only after a failure.
    [[nodiscard]] dispatch::UpstreamFailure failure() const;

private:
    void keep(dispatch::UpstreamFailure failure);

    const bool m_fallbackAllowed;
    std::string* m_whyNoFallback;
    std::optional<dispatch::UpstreamFailure> m_failure;
};

}  // namespace signalbox::strategy
