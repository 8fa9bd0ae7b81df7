// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/routewise/hedge.h"
#include "router/strategy/routewise/pool.h"

#include <memory>
#include <vector>

namespace signalbox::strategy::routewise {

/// The members that could take the hedge leg of a request, with their profiles as they are. Refers to the pool.
struct Backups {
    std::vector<HedgeBackup> options;
    std::vector<std::size_t> members;  ///< position in the pool, one for each option
    std::vector<std::shared_ptr<const capacity::TtftDistribution>> profiles;  ///< what the options point to
};

/// Those that `choice` gave a price, but for the primary.
[[nodiscard]] Backups backupsFor(const Pool& pool, const Choice& choice, std::size_t primary, Steady now);

/// Time to first content that hedging works towards; dispatch costs no time of its own in this process (choice R6).
[[nodiscard]] HedgeObjective objectiveOf(const Parameters& parameters);

}  // namespace signalbox::strategy::routewise
