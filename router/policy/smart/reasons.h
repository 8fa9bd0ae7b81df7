// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/eligibility.h"
#include "router/policy/smart/profile.h"

#include <array>
#include <cassert>

namespace signalbox::policy::smart {

/// How a decision was reached, in the words of the evidence table.
enum class Reason : std::uint8_t {
    profileQuality, profileBalanced, profileEconomy, profileLatency,  // as Profile
    qualityPrior, expectedCost, latencyHint, runtimeReliability, sessionAffinity,
    allCandidatesCooling, providerCooldownFiltered,
    smartRoutingOff, shadowNoRouteChange, canaryControlNoRouteChange,
    filteredCapability, filteredCredential, filteredDisabled, filteredMissingProvider, filteredPolicy,
    filteredProviderCooldown,  // alphabetical
    explicitProviderModel,
};
[[nodiscard]] std::string_view toString(Reason reason);
[[nodiscard]] constexpr Reason profileReason(Profile profile) { return static_cast<Reason>(profile); }

/// At most 16 codes, as the evidence table allows; holds no memory of its own.
class ReasonList {
public:
    void add(Reason reason) {
        assert(m_size < m_reasons.size());
        m_reasons[m_size++] = reason;
    }
    [[nodiscard]] const Reason* begin() const { return m_reasons.data(); }
    [[nodiscard]] const Reason* end() const { return m_reasons.data() + m_size; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool contains(Reason reason) const;

private:
    std::array<Reason, 16> m_reasons{};
    std::uint8_t m_size = 0;
};

/// Adds `filtered_*` for the kinds of cuts that occurred: the first three in alphabetical order (choice S6).
void addFiltered(const CutCounts& counts, ReasonList& reasons);

}  // namespace signalbox::policy::smart
