// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace signalbox::policy::smart {

/// Why a candidate cannot serve a request: the first check that fails, in the order of contract B.
enum class Cut : std::uint8_t { none, disabled, missingProvider, credential, cooldown, capability, policy };
inline constexpr std::size_t kCutCount = 7;
/// `disabled`, `missing_provider`, `credential`, `provider_cooldown`, `capability`, `policy`; empty for none.
[[nodiscard]] std::string_view toString(Cut cut);

/// What is known about one candidate at the moment of planning, beside its configuration.
struct CandidateSignals {
    bool credentialReady = true;
    bool cooling = false;       ///< its endpoint's circuit is open
    bool capable = true;        ///< the model can serve this request
    bool policyAllows = true;   ///< principal, quota and budget
    std::uint64_t providerAttempts = 0;   ///< of the whole provider (choice S7)
    std::uint64_t providerSuccesses = 0;
    std::uint64_t attempts = 0;           ///< of this candidate, for its moving average
    double latencyEwmaMs = 0;
};

enum class Cooldown : std::uint8_t { cuts, ignored };
[[nodiscard]] Cut firstCut(bool enabled, bool providerKnown, const CandidateSignals& signals, Cooldown cooldown);

/// Candidates by their cut.
using CutCounts = std::array<std::size_t, kCutCount>;
[[nodiscard]] inline std::size_t countOf(const CutCounts& counts, Cut cut) {
    return counts[static_cast<std::size_t>(cut)];
}

/// Why a group has nothing to offer.
enum class PlanError : std::uint8_t { policyRefused, noCredentialReady, noEligibleCandidate };
[[nodiscard]] std::string_view toString(PlanError error);
/// A policy refusal wins; credentials are to blame only if they and `enabled` account for the whole group (choice S4).
[[nodiscard]] PlanError errorFor(const CutCounts& counts, std::size_t candidates);

}  // namespace signalbox::policy::smart
