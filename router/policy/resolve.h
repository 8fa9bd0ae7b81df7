// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/classify/features.h"
#include "router/policy/smart/assignment.h"
#include "router/policy/smart/capability.h"
#include "router/policy/smart/plan.h"
#include "router/policy/snapshot.h"
#include "router/table/coverage.h"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace signalbox::policy {

/// How the `model` field was understood (design.md 1), first that applies.
enum class ResolvedBy : std::uint8_t { pin, explicitEndpoint, smartAlias, staticAlias, table, modelRouter, inventory };
[[nodiscard]] std::string_view toString(ResolvedBy by);

/// What `x-signalbox-coverage` says.
enum class CoverageMark : std::uint8_t { rule, familyDefault, gap, none };
[[nodiscard]] std::string_view toString(CoverageMark mark);  ///< rule | default | gap | none

/// One thing that may serve the request, perhaps on behalf of a preset: a model at a provider, or a pool whose router
/// chooses among its endpoints.
struct RouteTarget {
    std::string providerId;  ///< empty while a pool has not chosen yet
    std::string model;       ///< as the upstream calls it; of a pool its own name
    std::optional<std::string> presetKey;
    std::optional<std::string> pool;  ///< id in `[models]`; stays when its router has chosen
    [[nodiscard]] bool isPool() const { return providerId.empty(); }
    /// `provider:model`, the identity of the endpoint for circuits, capacity and records; `pool:NAME` while a pool has
    /// not chosen.
    [[nodiscard]] std::string endpointId() const { return (isPool() ? std::string("pool") : providerId) + ":" + model; }
    bool operator==(const RouteTarget&) const = default;
};

/// How the natural preset was found when the table answered none (contract A).
enum class NaturalBy : std::uint8_t { configured, onlyPreset, gapFallback, inventory };
[[nodiscard]] std::string_view toString(NaturalBy by);

/// What a smart group answered, and which of its candidates each target stands for.
struct GroupDecision {
    std::size_t group = 0;  ///< index in `PolicySnapshot::smart.groups()`
    smart::Plan plan;
    smart::Sizes sizes;
    smart::Assignment assignment;
    /// What the table answered for each candidate whose model it governs, restricted to the presets bound to that
    /// candidate's provider; one for each candidate of the group. Those without an answer serve as they are.
    std::vector<std::optional<TableDecision>> tableDecisions;
    std::vector<smart::CandidateSignals> signals;  ///< as judged, one for each candidate
    std::vector<smart::CapabilitySet> missing;     ///< what each candidate lacks for this request
    /// For each of `RoutePlan::targets` the position of the candidate that it stands for: what comes of the target is
    /// an outcome of that candidate. Follows `plan.attemptOrder`, but an endpoint that several candidates lead to is
    /// listed once (F62), under the first of them.
    std::vector<std::uint16_t> candidateOf;
};

/// A smart group that had nothing to offer, beside the error, so that its cuts can be shown and recorded.
struct GroupRefusal {
    std::size_t group = 0;  ///< index in `PolicySnapshot::smart.groups()`
    smart::Refusal refusal;
    smart::Sizes sizes;
    smart::Assignment assignment;
    std::vector<smart::CandidateSignals> signals;
    std::vector<smart::CapabilitySet> missing;
};

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
    std::optional<GroupDecision> group;   ///< when a smart alias was asked; `targets` then follow `plan.attemptOrder`
};

enum class PinKind : std::uint8_t { preset, endpoint };
struct Pin {
    PinKind kind = PinKind::preset;
    std::string id;
};
/// `preset/KEY` or `endpoint/ID`.
[[nodiscard]] Result<Pin> parsePin(std::string_view header);

/// What is known about a request beside its features. Everything that planning reads comes in here, so that the
/// simulator can ask the same question.
struct RequestContext {
    std::optional<Pin> pin;
    const config::Principal* principal = nullptr;  ///< what the caller may use; null does not restrict
    std::optional<smart::Profile> profile;         ///< from the request's header
    smart::Assignment assignment;
    smart::Sizes sizes;
    /// Fills what is measured about each candidate of group `index`, in its order: credentials, cooling, provider
    /// totals, outcomes, budget. Capability and the principal's lists are judged by `resolve` itself. Null: nothing is
    /// known, and every candidate is ready.
    std::function<void(std::size_t index, std::span<smart::CandidateSignals> out)> readSignals;
    /// Whether an endpoint's circuit is open. Asked where the table moves a candidate to another endpoint than its own
    /// (a preset's), which then decides whether the candidate is cooling. Null: `readSignals` alone says.
    std::function<bool(const std::string& endpointId)> isCooling;
};

/// Pure: same snapshot, features and context, same plan. Errors are notFound with near names (404 at the edge), badInput
/// (400), denied (403, naming what the principal may not use) or unavailable when a preset has no callable endpoint or a
/// group no candidate (503), each saying what was tried. `refused`, if given, is filled when a group was asked and had
/// nothing to offer (denied or unavailable), and else emptied.
///
/// A principal's lists hold on every way: `allowed_groups` for groups by id; `allowed_providers`; `allowed_models` for
/// the name that the client sent, a preset's key or names, the upstream's name or the endpoint. What a pin names must be
/// allowed by itself.
[[nodiscard]] Result<RoutePlan> resolve(const PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                                        const RequestContext& context = {}, std::optional<GroupRefusal>* refused = nullptr);

using ProviderIds = std::set<std::string, std::less<>>;

/// Everything that GET /v1/models lists, in a stable order: table models and served names that an endpoint serves,
/// preset keys, static aliases, provider inventories; for a principal only what it may use. Owned by the provider that would be
/// called where `callable` says which can be (null: not known), else by the first.
struct ListedModel {
    std::string id;
    std::string ownedBy;
};
[[nodiscard]] std::vector<ListedModel> listModels(const PolicySnapshot& snapshot,
                                                  const config::Principal* principal = nullptr,
                                                  const ProviderIds* callable = nullptr);

/// The key under which in-flight requests are counted for this model: its family, or the endpoint of the family's
/// default (`concurrency_scope`); nullopt when unknown.
[[nodiscard]] std::optional<std::string> concurrencyKey(const PolicySnapshot& snapshot, std::string_view model);

}  // namespace signalbox::policy
