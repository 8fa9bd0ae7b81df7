// SPDX-License-Identifier: MIT
#include "router/dispatch/backends.h"

#include "router/config/pool_types.h"

#include <algorithm>
#include <utility>

namespace signalbox::dispatch {
namespace {

EndpointScope::Ids partOf(const config::Model& model, config::RouteKind kind) {
    EndpointScope::Ids out;
    for (const config::Route& route : model.routes)
        if (route.kind == kind) out.insert(route.endpointId());
    return out;
}

std::optional<Error> problem(const std::shared_ptr<PoolRouter>& router, const config::Model& model) {
    if (router == nullptr)
        return Error{ErrorKind::internal, "The backend has no router", model.id, "Build the model's router first"};
    if (router->grant().poolId == model.id) return std::nullopt;
    return Error{ErrorKind::internal, "The router has the pool " + router->grant().poolId, model.id,
                 "Give the backend a router of its own model"};
}

}  // namespace

Result<LocalBackend> LocalBackend::make(std::shared_ptr<PoolRouter> shared, const config::Model& model) {
    if (auto wrong = problem(shared, model)) return tl::unexpected(std::move(*wrong));
    return LocalBackend(std::move(shared), partOf(model, config::RouteKind::local));
}

Result<FixedCloudBackend> FixedCloudBackend::make(std::shared_ptr<PoolRouter> shared, const config::Model& model) {
    if (auto wrong = problem(shared, model)) return tl::unexpected(std::move(*wrong));
    return FixedCloudBackend(std::move(shared), partOf(model, config::RouteKind::cloud));
}

Result<RouteWiseCloudBackend> RouteWiseCloudBackend::make(std::shared_ptr<PoolRouter> router, const config::Model& model) {
    if (auto wrong = problem(router, model)) return tl::unexpected(std::move(*wrong));
    const EndpointScope::Ids cloud = partOf(model, config::RouteKind::cloud);
    const EndpointScope::Ids& own = router->grant().endpoints;
    const auto beyond = std::find_if(own.begin(), own.end(), [&](const std::string& id) { return !cloud.contains(id); });
    if (beyond != own.end())
        return fail(ErrorKind::internal, "The router also has the endpoint " + *beyond + ", which is not a cloud route",
                    model.id, "Build it over the cloud part of the model");
    return RouteWiseCloudBackend(std::move(router), cloud);
}

PoolCall narrowedTo(PoolCall call, std::span<const std::string> labels, const PoolGrant& grant) {
    call.scope = call.scope.intersectedWith(EndpointScope::ofLabels(labels, grant.endpoints));
    return call;
}

}  // namespace signalbox::dispatch
