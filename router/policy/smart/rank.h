// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/score.h"

#include <cstdint>
#include <span>
#include <vector>

namespace signalbox::policy::smart {

/// Puts candidates in the order in which `isBetter` has them: higher score first, then configured order. `order` holds
/// positions in `terms`, ascending.
void rankByScore(std::span<const CandidateTerms> terms, std::vector<std::uint16_t>& order);

}  // namespace signalbox::policy::smart
