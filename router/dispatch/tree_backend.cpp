// SPDX-License-Identifier: MIT
#include "router/dispatch/tree_backend.h"

#include <utility>

namespace signalbox::dispatch {

TreeBackend::TreeBackend(std::shared_ptr<PoolRouter> router) : m_router(std::move(router)), m_grant(m_router->grant()) {}

TreeBackend::TreeBackend(std::shared_ptr<PoolRouter> router, const EndpointScope::Ids& endpoints)
    : TreeBackend(std::move(router)) {
    std::erase_if(m_grant.endpoints, [&](const std::string& id) { return !endpoints.contains(id); });
}

asio::awaitable<AnswerResult> TreeBackend::execute(PoolCall call, const RequestRun& run) const {
    // The coroutine owns the router until the first content is in hand, whatever happens to this backend meanwhile.
    const std::shared_ptr<PoolRouter> router = m_router;
    if (auto wrong = checkDispatch(call.instruction, m_grant, call.scope)) co_return tl::unexpected(std::move(*wrong));
    call.scope = call.scope.intersectedWith(EndpointScope::only(m_grant.endpoints));
    co_return co_await router->route(std::move(call), run);
}

}  // namespace signalbox::dispatch
