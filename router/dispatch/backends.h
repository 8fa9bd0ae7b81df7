// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/dispatch/tree_backend.h"

#include <span>
#include <string>

namespace signalbox::dispatch {

// The parts of a model's pool as compositions name them. Each is a TreeBackend with a declared range, and refuses to be
// made over a router of another model.

/// The local endpoints of a model, run by a router that has the whole pool and is shared with other parts.
class LocalBackend : public TreeBackend {
public:
    [[nodiscard]] static Result<LocalBackend> make(std::shared_ptr<PoolRouter> shared, const config::Model& model);

private:
    using TreeBackend::TreeBackend;
};

/// The cloud endpoints, likewise.
class FixedCloudBackend : public TreeBackend {
public:
    [[nodiscard]] static Result<FixedCloudBackend> make(std::shared_ptr<PoolRouter> shared, const config::Model& model);

private:
    using TreeBackend::TreeBackend;
};

/// The cloud endpoints, run by a router whose own pool is that part. Scopes travel with requests, but retries, hedge legs
/// and probes are the router's own doing: a router that knows other endpoints could leave the part, and is refused.
class RouteWiseCloudBackend : public TreeBackend {
public:
    [[nodiscard]] static Result<RouteWiseCloudBackend> make(std::shared_ptr<PoolRouter> router, const config::Model& model);

private:
    using TreeBackend::TreeBackend;
};

/// The call narrowed to what the labels (providers or endpoint ids) name among the endpoints of `grant`. Labels that
/// name none of them leave an empty scope, which is refused.
[[nodiscard]] PoolCall narrowedTo(PoolCall call, std::span<const std::string> labels, const PoolGrant& grant);

}  // namespace signalbox::dispatch
