// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/policy/smart/capability.h"
#include "router/policy/smart/formula.h"
#include "router/policy/smart/profile.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace signalbox::policy::smart {

/// One endpoint of a candidate that a pool serves.
struct PoolEndpoint {
    std::string provider;
    std::string model;
    std::string endpointId;
    config::Capabilities capabilities;
    bool callable = true;
    bool operator==(const PoolEndpoint&) const = default;
};

/// A candidate of a group with everything that planning needs from the configuration.
struct GroupCandidate {
    std::string provider;
    std::string model;
    std::string endpointId;  ///< `provider:model`
    double quality = 0.8;
    double latencyHintMs = 1000;
    bool enabled = true;
    bool providerKnown = true;
    bool providerCallable = true;
    config::Capabilities capabilities;
    std::vector<std::string> boundPresets;  ///< keys of the presets that its provider serves by configuration
    config::Pricing pricing = kDefaultPricing;
    std::string affinitySuffix;
    /// Of a candidate that a pool serves, its endpoints; `provider` is then empty, `model` the pool's id and `endpointId`
    /// `pool:ID`. Its price is the mean of theirs by weight, its abilities are judged by `missingOf`.
    std::vector<PoolEndpoint> pool;
    [[nodiscard]] bool isPool() const { return !pool.empty(); }
};
/// Fills in what follows from provider and model.
[[nodiscard]] GroupCandidate makeCandidate(std::string provider, std::string model);
/// `provider:model`, or `pool:ID`.
[[nodiscard]] std::string endpointIdOf(const config::Candidate& candidate);
/// What the candidate lacks for a request. A pool can do what one of its endpoints that can be called can do, which is then
/// the one that its router takes; if none can, it lacks what the first of them lacks.
[[nodiscard]] CapabilitySet missingOf(const Needs& needs, const GroupCandidate& candidate);

struct Group {
    std::string id;
    std::optional<Profile> defaultProfile;
    std::vector<GroupCandidate> candidates;  ///< in configured order
};
/// Prices: the model's, else the provider's, else the default.
[[nodiscard]] Group prepareGroup(const config::GatewayConfig& config, const config::SmartGroup& group);

/// What decides about a group's order beside the group itself.
struct Settings {
    config::RoutingMode mode = config::RoutingMode::off;
    Profile defaultProfile = Profile::balanced;
    std::string policyVersion{kBuiltinVersion};
    std::uint8_t activationPercent = 0;
    WeightTable weights = builtinWeights();
};

/// The weights of a policy version: those that `[routing.policies."NAME"]` writes, as shares, the built-in ones for the
/// profiles it does not name, for a version that nobody defines and for `builtin-v1`, which is read-only.
[[nodiscard]] WeightTable weightsOfVersion(const config::Routing& routing, std::string_view version);

/// The smart part of one configuration, prepared once. Immutable and safe to share between threads.
class SmartPolicy {
public:
    explicit SmartPolicy(const config::GatewayConfig& config);

    [[nodiscard]] const Settings& settings() const { return m_settings; }
    [[nodiscard]] const std::vector<Group>& groups() const { return m_groups; }
    [[nodiscard]] const Group* findByAlias(std::string_view alias) const;
    /// Each enabled candidate of any group once, as `provider:model`, sorted.
    [[nodiscard]] std::vector<std::string> enabledCandidates() const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    Settings m_settings;
    std::vector<Group> m_groups;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> m_byAlias;
};

}  // namespace signalbox::policy::smart
