// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/strategy/router.h"

#include <map>
#include <memory>
#include <string>

namespace signalbox::strategy {

/// Provider id -> its adapter.
using AdapterMap = std::map<std::string, std::shared_ptr<dispatch::Adapter>, std::less<>>;
/// Provider id -> why it has no adapter, for the message of a refused attempt.
using NotCallable = std::map<std::string, std::string, std::less<>>;

/// Tries the plan's targets in their order, each through a leaf of its own, until one delivers content.
///
/// While nothing was delivered a failure moves on to the next target as `kFallbackTable` says (F50). When all fail, the
/// first attempt that reached an upstream decides the error; when none did, the error is a refusal with Retry-After.
/// Stateless but for what it was built with: any I/O thread may route, each call staying on its own.
class FixedRouter final : public Router {
public:
    FixedRouter(AdapterMap adapters, const Clock& clock, NotCallable notCallable = {});

    /// `call.plan` and `call.attempts` must live until the answer is destroyed.
    [[nodiscard]] dispatch::asio::awaitable<tl::expected<std::unique_ptr<RoutedAnswer>, dispatch::UpstreamFailure>>
    route(RouteCall call) override;

private:
    [[nodiscard]] tl::expected<std::shared_ptr<dispatch::Adapter>, dispatch::UpstreamFailure>
    adapterFor(const policy::RouteTarget& target) const;

    AdapterMap m_adapters;
    NotCallable m_notCallable;
    const Clock& m_clock;
};

}  // namespace signalbox::strategy
