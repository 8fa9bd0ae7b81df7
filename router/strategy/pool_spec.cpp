// SPDX-License-Identifier: MIT
#include "router/strategy/pool_spec.h"

namespace signalbox::strategy {

dispatch::PoolGrant grantOf(const config::Model& model) {
    dispatch::PoolGrant out{model.id, {}};
    for (const config::Route& route : model.routes) out.endpoints.insert(route.endpointId());
    return out;
}

dispatch::EndpointScope::Ids endpointsOf(const config::Model& model, config::RouteKind kind) {
    return grantOf(restrictedTo(model, kind)).endpoints;
}

config::Model restrictedTo(const config::Model& model, config::RouteKind kind) {
    config::Model out = model;
    std::erase_if(out.routes, [&](const config::Route& route) { return route.kind != kind; });
    return out;
}

}  // namespace signalbox::strategy
