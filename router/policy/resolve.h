// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/classify/features.h"
#include "router/policy/snapshot.h"
#include "router/table/coverage.h"

#include <optional>
#include <string>
#include <vector>

namespace signalbox::policy {

/// How the `model` field was understood (design.md 1), first that applies.
enum class ResolvedBy : std::uint8_t { pin, explicitEndpoint, smartAlias, staticAlias, table, modelRouter, inventory };
[[nodiscard]] std::string_view toString(ResolvedBy by);

/// What `x-signalbox-coverage` says.
enum class CoverageMark : std::uint8_t { rule, familyDefault, gap, none };
[[nodiscard]] std::string_view toString(CoverageMark mark);  ///< rule | default | gap | none

/// One thing that may serve the request: a model at a provider, perhaps on behalf of a preset.
struct RouteTarget {
    std::string providerId;
    std::string model;  ///< as the upstream calls it
    std::optional<std::string> presetKey;
    /// `provider:model`, the identity of the endpoint for circuits, capacity and records.
    [[nodiscard]] std::string endpointId() const { return providerId + ":" + model; }
    bool operator==(const RouteTarget&) const = default;
};

/// How the natural preset was found when the table answered none (contract A).
enum class NaturalBy : std::uint8_t { configured, onlyPreset, gapFallback, inventory };
[[nodiscard]] std::string_view toString(NaturalBy by);

/// The answer to "which target should serve it?" with everything that explains it.
struct RoutePlan {
    ResolvedBy resolvedBy = ResolvedBy::table;
    std::vector<RouteTarget> targets;  ///< in the order in which they may be tried; never empty
    bool fallbackAllowed = true;       ///< false for pins and explicit endpoints
    std::optional<TableDecision> tableDecision;
    std::optional<NaturalBy> naturalBy;
    CoverageMark coverage = CoverageMark::none;
    std::optional<std::size_t> gapIndex;  ///< declared gap that the request hit
    std::vector<std::string> steps;       ///< aliases followed on the way, as written
};

enum class PinKind : std::uint8_t { preset, endpoint };
struct Pin {
    PinKind kind = PinKind::preset;
    std::string id;
};
/// `preset/KEY` or `endpoint/ID`.
[[nodiscard]] Result<Pin> parsePin(std::string_view header);

/// Pure: same snapshot and features, same plan. Errors are notFound with near names (404 at the edge), badInput
/// (400) or unavailable when a preset has no callable endpoint (503), each saying what was tried.
[[nodiscard]] Result<RoutePlan> resolve(const PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                                        const std::optional<Pin>& pin = std::nullopt);

/// Everything that GET /v1/models lists, in a stable order: table models and served names that an endpoint serves,
/// preset keys, static aliases, provider inventories.
struct ListedModel {
    std::string id;
    std::string ownedBy;
};
[[nodiscard]] std::vector<ListedModel> listModels(const PolicySnapshot& snapshot);

/// The key under which in-flight requests are counted for this model: its family, or the endpoint of the family's
/// default (`concurrency_scope`); nullopt when unknown.
[[nodiscard]] std::optional<std::string> concurrencyKey(const PolicySnapshot& snapshot, std::string_view model);

}  // namespace signalbox::policy
