// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/pool_spec.h"

#include <cstdint>
#include <optional>

namespace signalbox::strategy {

/// The `router_params` of a model with `router = "fixed"`.
struct FixedParameters {
    /// The same seed gives the same sequence of draws.
    std::optional<std::uint64_t> randomSeed;
    /// Requests of one session lean to one endpoint, as long as it can serve.
    bool sessionAffinity = true;
    /// Experimental: plan over the local and the cloud part of the pool apart (HybridRouter).
    bool hybridComposition = false;
};

/// Unknown names and senseless values are findings below `spec.parametersPath`.
[[nodiscard]] tl::expected<FixedParameters, Findings> readFixedParameters(const PoolSpec& spec);
[[nodiscard]] Findings checkFixedPool(const PoolSpec& spec);
/// `hybrid_composition` is on and the model has both local and cloud routes; other models keep the FixedRouter.
[[nodiscard]] bool asksForComposition(const PoolSpec& spec);

/// Draws among the endpoints that can serve the request, by weight (all weights 0: equal shares), the same endpoint for
/// the same session; falls back over the rest as `kFallbackTable` says. Endpoints that lack what the request needs
/// (images, tools, …) are left out.
[[nodiscard]] PoolResult makeFixedPool(const PoolSpec& spec, const RouterContext& context);

}  // namespace signalbox::strategy
