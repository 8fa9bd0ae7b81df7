// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"

namespace signalbox::dispatch {

/// Hands requests to a router inside a declared range of its endpoints. Checks the instruction, narrows the scope, and
/// adds no accounting of its own.
class TreeBackend {
public:
    /// The whole pool of the router.
    explicit TreeBackend(std::shared_ptr<PoolRouter> router);
    /// A part of it. `endpoints` that the router does not have are left out.
    TreeBackend(std::shared_ptr<PoolRouter> router, const EndpointScope::Ids& endpoints);

    [[nodiscard]] const PoolGrant& grant() const { return m_grant; }
    [[nodiscard]] asio::awaitable<AnswerResult> execute(PoolCall call, const RequestRun& run) const;
    [[nodiscard]] const std::shared_ptr<PoolRouter>& router() const { return m_router; }

private:
    std::shared_ptr<PoolRouter> m_router;
    PoolGrant m_grant;
};

}  // namespace signalbox::dispatch
