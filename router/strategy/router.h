// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/evidence/record.h"
#include "router/policy/resolve.h"

#include <functional>

namespace signalbox::strategy {

/// An answer on its way to the client, and the attempts it took so far.
/// The router keeps feedback: reading `next` to its end (or dropping the answer) completes the last attempt.
class RoutedAnswer {
public:
    virtual ~RoutedAnswer() = default;
    [[nodiscard]] virtual const dispatch::ResponseHead& head() const = 0;
    [[nodiscard]] virtual dispatch::asio::awaitable<tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>>
    next() = 0;
    [[nodiscard]] virtual dispatch::Usage usage() const = 0;
    [[nodiscard]] virtual std::uint32_t toolCalls() const = 0;
    [[nodiscard]] virtual const std::string& endpointId() const = 0;
    [[nodiscard]] virtual const policy::RouteTarget& target() const = 0;
    /// True when the endpoint was cooling, and was tried because nothing else was left (F57).
    [[nodiscard]] virtual bool isLastResort() const = 0;
};

/// What a request needs beside its plan. `makeRequest` splices the body for a target; `attempts` and `whyNoFallback`
/// are filled as things happen and belong to the caller, so that they survive cancellation.
struct RouteCall {
    const policy::RoutePlan* plan = nullptr;
    std::function<dispatch::UpstreamRequest(const policy::RouteTarget&)> makeRequest;
    /// Asked before every attempt; a failure (refused) keeps it from being sent. May be empty.
    std::function<std::optional<dispatch::UpstreamFailure>(const policy::RouteTarget&)> mayTry;
    std::vector<evidence::Attempt>* attempts = nullptr;
    std::string* whyNoFallback = nullptr;  ///< words of FallbackVerdict while the last attempt is a failed one (F50); may be null
    Steady admittedAt{};
};

/// Selects, admits, retries and accounts. Streaming and not streaming take this one path: for a stream it returns
/// once the first content is in hand, so that fallback happens before anything is committed (F1, F2).
class Router {
public:
    virtual ~Router() = default;
    [[nodiscard]] virtual dispatch::asio::awaitable<tl::expected<std::unique_ptr<RoutedAnswer>, dispatch::UpstreamFailure>>
    route(RouteCall call) = 0;
};

}  // namespace signalbox::strategy
