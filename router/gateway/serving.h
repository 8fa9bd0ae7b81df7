// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/endpoint_book.h"
#include "router/gateway/access.h"
#include "router/policy/callable.h"
#include "router/policy/snapshot.h"
#include "router/strategy/registry.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace signalbox::gateway {

/// What GET /v1/models and /v1/models/{id} answer one caller.
struct ModelCatalogue {
    std::string list;                                  ///< the whole body
    std::unordered_map<std::string, std::string> byId; ///< id -> its object
};

using policy::ProviderIds;
/// What keeps a provider from being called.
struct ProviderLack {
    std::string key; ///< of its section in gateway.toml: `api_key_env`, `base_url`, …
    std::string why; ///< a sentence; names variables, never their values
};
using ProviderLacks = std::map<std::string, ProviderLack, std::less<>>;

/// A policy and what is known about its endpoints: what can be looked at without holding any of its connections.
struct RunningPolicy {
    std::shared_ptr<const policy::PolicySnapshot> snapshot;
    std::shared_ptr<const capacity::EndpointBook> endpoints;
    std::shared_ptr<const ProviderIds> callableProviders; ///< that have an adapter
    std::shared_ptr<const capacity::CapacityBook> capacity;
    std::shared_ptr<const strategy::PoolRouters> pools; ///< of `[models]`, by id
    std::shared_ptr<const ProviderLacks> lacks;         ///< of all providers without an adapter
};

/// One policy ready to serve: what a request takes at its start and keeps to its end. Immutable; the last
/// request that holds it ends it, adapters included.
struct Serving : RunningPolicy {
    std::shared_ptr<strategy::Router> router;
    strategy::AdapterMap adapters;                          ///< for questions that are no requests, such as counting tokens
    AccessPolicy access;
    std::vector<std::vector<bool>> callable;                ///< by group and candidate: its provider has an adapter
    Timestamp createdAt{};                                  ///< what the model objects state as `created`
    ModelCatalogue models;                                  ///< for whoever may use everything
};

struct ServingParts {
    std::shared_ptr<const policy::PolicySnapshot> snapshot;
    AccessPolicy access;
    std::shared_ptr<capacity::ProcessState> process; ///< what outlives policies
    strategy::AdapterMap adapters;
    strategy::NotCallable notCallable; ///< providers without one, and why
    ProviderLacks lacks{};             ///< the same, with the key to blame
};

/// Takes over the runtime of the policy version and candidate set, which starts empty when either is new (choice S17), and
/// builds the routers of all models. Error: badInput naming the first strategy or parameter that is wrong.
[[nodiscard]] Result<std::shared_ptr<const Serving>> makeServing(ServingParts parts, const Clock& clock);

/// The same adapters, router and endpoints under another snapshot of the same configuration that differs in its mode:
/// no connection is made anew and nothing is forgotten.
[[nodiscard]] std::shared_ptr<const Serving> withSnapshot(const Serving& serving,
                                                          std::shared_ptr<const policy::PolicySnapshot> snapshot);

/// For a caller who may not use everything; made anew, since it is asked for rarely.
[[nodiscard]] ModelCatalogue catalogueFor(const Serving& serving, const config::Principal& principal);

} // namespace signalbox::gateway
