// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/capacity/endpoint_book.h"
#include "router/strategy/attempt_record.h"
#include "router/strategy/course.h"
#include "router/strategy/router.h"

#include <map>
#include <memory>
#include <string>

namespace signalbox::strategy {

/// Provider id -> its adapter.
using AdapterMap = std::map<std::string, std::shared_ptr<dispatch::Adapter>, std::less<>>;
/// Provider id -> why it has no adapter, for the message of a refused attempt.
using NotCallable = std::map<std::string, std::string, std::less<>>;

/// The reason of an attempt that was not made because its endpoint was cooling.
inline constexpr std::string_view kCircuitOpen = "circuit_open";

/// Tries the plan's targets in the order of a `Course`, each through a leaf of its own and with the permission of its
/// circuit, until one delivers content.
///
/// While nothing was delivered a failure moves on to the next target as `kFallbackTable` says (F50). When all fail, the
/// first attempt that reached an upstream decides the error; when none did, the error is a refusal with Retry-After.
/// Stateless but for what it was built with: any I/O thread may route, each call staying on its own.
class FixedRouter final : public Router {
public:
    /// `endpoints` knows the groups that plans speak of.
    FixedRouter(AdapterMap adapters, const Clock& clock, std::shared_ptr<const capacity::EndpointBook> endpoints,
                NotCallable notCallable = {});

    /// `call.plan`, `call.attempts` and `call.whyNoFallback` must live until the answer is destroyed.
    [[nodiscard]] dispatch::asio::awaitable<tl::expected<std::unique_ptr<RoutedAnswer>, dispatch::UpstreamFailure>>
    route(RouteCall call) override;

private:
    [[nodiscard]] AttemptRecord openRecord(const RouteCall& call, const Course::Step& step) const;
    [[nodiscard]] tl::expected<std::shared_ptr<dispatch::Adapter>, dispatch::UpstreamFailure>
    mayBegin(const RouteCall& call, const policy::RouteTarget& target) const;
    [[nodiscard]] tl::expected<std::shared_ptr<dispatch::Adapter>, dispatch::UpstreamFailure>
    adapterFor(const policy::RouteTarget& target) const;
    [[nodiscard]] capacity::Endpoint endpointOf(const policy::RoutePlan& plan, std::size_t target) const;

    AdapterMap m_adapters;
    NotCallable m_notCallable;
    std::shared_ptr<const capacity::EndpointBook> m_endpoints;
    const Clock& m_clock;
};

}  // namespace signalbox::strategy
