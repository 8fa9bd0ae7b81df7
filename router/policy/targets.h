// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"

#include <functional>

namespace signalbox::policy {

/// The providers in the order in which they are asked: `provider_order`, then the others as the file has them.
[[nodiscard]] std::vector<const config::Provider*> providersInOrder(const config::GatewayConfig& config);

/// Who serves a preset: its binding (an endpoint or a pool), else the first callable provider that lists its served name or model.
/// `because` completes "preset X (…)". Error: unavailable, naming the binding to add.
[[nodiscard]] Result<RouteTarget> targetOfPreset(const PolicySnapshot& snapshot, std::string_view presetKey,
                                                 std::string_view because);
/// The same; `because` is called for an error only.
[[nodiscard]] Result<RouteTarget> targetOfPreset(const PolicySnapshot& snapshot, std::string_view presetKey,
                                                 const std::function<std::string()>& because);

/// `provider:model` split at its first colon; nullopt unless the first part names a configured provider.
struct EndpointName {
    const config::Provider* provider;
    std::string model;
};
[[nodiscard]] std::optional<EndpointName> parseEndpoint(const config::GatewayConfig& config, std::string_view text);
/// Exactly this endpoint. Errors: notFound when the provider does not accept the model, unavailable when it cannot
/// be called.
[[nodiscard]] Result<RouteTarget> targetOfEndpoint(const EndpointName& name);

/// Exact match, else prefix, else passthrough (the default provider first); callable providers before others.
/// nullopt when no provider accepts the model. Error: unavailable when those that do cannot be called.
[[nodiscard]] std::optional<Result<RouteTarget>> targetInInventory(const config::GatewayConfig& config,
                                                                   std::string_view model);

/// Who else offers what the target was chosen for, in the order in which providers are asked: of a preset that nothing binds
/// whoever lists it, of a plain model name whoever offers it in the same way. Empty for what only one can be meant by, which are
/// presets with a binding; of pins and explicit endpoints it must not be asked.
[[nodiscard]] std::vector<RouteTarget> othersFor(const PolicySnapshot& snapshot, const RouteTarget& target);

/// The pool of a model of `[models]`, whose router chooses the endpoint. Error: unavailable when none of its routes can
/// be called.
[[nodiscard]] Result<RouteTarget> targetOfPool(const config::GatewayConfig& config, const config::Model& model);

/// What to write into gateway.toml so that the preset has an endpoint.
[[nodiscard]] std::string bindingAdvice(std::string_view presetKey);

}  // namespace signalbox::policy
