// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/access.h"
#include "router/policy/snapshot.h"
#include "router/strategy/router.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace signalbox::gateway {

/// One policy ready to serve: what a request takes at its start and keeps to its end. Immutable; the last
/// request that holds it ends it, adapters included.
struct Serving {
    std::shared_ptr<const policy::PolicySnapshot> snapshot;
    std::shared_ptr<strategy::Router> router;
    AccessPolicy access;
    std::string modelList;                                  ///< body of GET /v1/models
    std::unordered_map<std::string, std::string> modelById; ///< id -> its object
};

/// `createdAt` is what the model objects state as `created`.
[[nodiscard]] std::shared_ptr<const Serving>
makeServing(std::shared_ptr<const policy::PolicySnapshot> snapshot, std::shared_ptr<strategy::Router> router,
            AccessPolicy access, Timestamp createdAt);

} // namespace signalbox::gateway
