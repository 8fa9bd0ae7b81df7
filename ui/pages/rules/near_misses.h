// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/usual.h"
#include "ui/pages/rules/family_view.h"

#include <optional>

namespace signalbox::ui {

/// Recorded requests of a family that one rule nearly decided: all but one of its conditions held. Judged by the rule as
/// it stands in the draft, so that an edit shows at once what it would catch.
struct NearMisses {
    std::uint64_t family = 0;  ///< recorded requests of the family
    std::uint64_t byWorkload = 0, byLength = 0, byConcurrency = 0;
    std::uint64_t takenEarlier = 0;  ///< it permits them, and an earlier rule decided
    /// Of a sample of those missed by length alone: how many, and how many of them said no output cap.
    std::uint64_t lengthSample = 0, withoutCap = 0;
    bool operator==(const NearMisses&) const = default;
};
[[nodiscard]] NearMisses nearMisses(const FamilyView& view, std::size_t rule, const evidence::CellHits& hits, const std::optional<evidence::CellCaps>& caps);

/// "12.3 % of 22,000 missed it only by length; no cap 71 %": the largest reason; empty when there is none.
[[nodiscard]] QString largestMiss(const NearMisses& misses);
/// Every reason with its share, name first; those without a request are left out.
[[nodiscard]] std::vector<std::pair<QString, QString>> allMisses(const NearMisses& misses);

}  // namespace signalbox::ui
