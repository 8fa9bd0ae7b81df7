// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"
#include "router/policy/smart/what_if.h"
#include "ui/pages/simulator/asked_request.h"

#include <map>

namespace signalbox::ui {

/// What is supposed of one candidate instead of what is known. By endpoint, so that it holds in every policy.
struct CandidateWhatIf {
    std::optional<double> latencyHintMs;
    std::optional<bool> cooling;
    std::optional<std::uint64_t> attempts, successes;
    std::optional<double> latencyEwmaMs;
    [[nodiscard]] bool isEmpty() const { return *this == CandidateWhatIf(); }
    bool operator==(const CandidateWhatIf&) const = default;
};

/// Suppositions. The policy that runs and the draft stay as they are.
struct WhatIf {
    std::optional<config::RoutingMode> mode;
    std::optional<std::uint8_t> percent;
    std::optional<config::WrittenWeights> weights;  ///< of the profile that is used, in any scale
    std::map<std::string, CandidateWhatIf> candidates;
    [[nodiscard]] bool isEmpty() const { return !mode && !percent && !weights && candidates.empty(); }
    [[nodiscard]] bool changesPolicy() const;
};

/// A whole question, with everything that the answer depends on.
struct Question {
    AskedRequest asked;
    std::string principal = "local";  ///< id; one that the policy does not know may do everything
    std::optional<policy::smart::Profile> profile;
    std::optional<std::string> session;  ///< hashed at once
    std::string requestId;
    std::optional<std::uint8_t> bucket;  ///< of a recorded decision, whose session nobody kept
    WhatIf whatIf;
    /// What the gateway measured, by endpoint; empty: priors alone.
    std::map<std::string, policy::smart::CandidateSignals> measured;
};

/// Why one candidate is not the recommended one.
struct WhyNot {
    std::size_t candidate = 0;
    policy::smart::Cut cut = policy::smart::Cut::none;
    // Of eligible ones:
    policy::smart::Term term = policy::smart::Term::quality;  ///< that speaks most against it
    double behind = 0;                                        ///< in score
    std::optional<policy::smart::Flip> flip;                  ///< of least effort; nullopt: no single value is enough
};

/// The answer of one policy.
struct Simulated {
    std::shared_ptr<const policy::PolicySnapshot> policy;  ///< with the suppositions
    Result<policy::RoutePlan> plan = tl::unexpected(Error{});
    std::optional<policy::GroupRefusal> refused;
    std::vector<WhyNot> whyNot;  ///< the nearest losers first, then those that were cut
    /// What would turn the result with the least effort: a value of a loser.
    std::optional<WhyNot> nearest;
    bool isBucketKnown = false;  ///< by session, request id or record; else each such request has a bucket of its own
};

/// Losers for which the smallest change is searched, nearest first: it costs time with the square of the group.
inline constexpr std::size_t kMostFlips = 12;

/// Asks the policy the gateway's own question (design.md 1). Pure, takes below a millisecond for usual groups, never
/// counts as traffic (F74). The suppositions about the policy itself are applied when `supposePolicy`.
[[nodiscard]] Simulated simulate(std::shared_ptr<const policy::PolicySnapshot> policy, const Question& question, bool supposePolicy);

/// The policy with the suppositions about mode, percent, weights and hints. The hash stays that of the original.
[[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> suppose(std::shared_ptr<const policy::PolicySnapshot> policy, const WhatIf& whatIf,
                                                                    std::optional<policy::smart::Profile> profile);

}  // namespace signalbox::ui
