// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/random.h"
#include "router/capacity/circuits.h"
#include "router/dispatch/adapter.h"
#include "router/evidence/record.h"
#include "router/policy/resolve.h"
#include "router/policy/smart/capability.h"

#include <functional>
#include <memory>

namespace signalbox::dispatch {

/// What all attempts of one request share, whichever router makes them. What it points to belongs to the caller and
/// lives until the answer is destroyed, so that it survives cancellation.
struct RequestRun {
    /// Splices the body for a target.
    std::function<UpstreamRequest(const policy::RouteTarget&)> makeRequest;
    /// Asked before every attempt; a failure (refused) keeps it from being sent. May be empty.
    std::function<std::optional<UpstreamFailure>(const policy::RouteTarget&)> mayTry;
    std::vector<evidence::Attempt>* attempts = nullptr;
    std::string* whyNoFallback = nullptr;  ///< words of FallbackVerdict while the last attempt is a failed one (F50); may be null
    std::optional<evidence::RecordedPool>* pool = nullptr;  ///< how a pool's router chose; may be null
    Steady admittedAt{};

    // For routers that weigh the request; the defaults say that nothing is known.
    std::uint64_t promptTokens = 0;               ///< estimate
    std::optional<std::uint64_t> maxTokens;       ///< the request's own cap
    policy::smart::Needs needs;
    std::optional<std::string> session;           ///< pseudonymous; never the client's own words
    /// Whether the principal may use an endpoint. Empty: it may use all.
    std::function<bool(const policy::RouteTarget&)> mayUse;
    Random* random = nullptr;                     ///< of the I/O thread; null: the first of equals
    std::shared_ptr<capacity::RequestBlame> blame;///< of the whole request; made by the first router when null
    std::optional<Steady> endsBy;                 ///< the request's budget: nothing is begun from then on, no wait lasts longer (F44)
    double* queueMs = nullptr;                    ///< grows by the time spent waiting for a local server's turn; may be null
};

}  // namespace signalbox::dispatch
