// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/admission/local_model.h"

#include <span>

namespace signalbox::strategy::admission {

/// The subset of `chunk` (positions among `requests`, at most 20) with the highest total value; then with more
/// requests, then with the id sequence that sorts first (choice N3). Returned in order of dispatch: by deadline, then
/// arrival, then id. Feasibility depends on the path: each member must pass every check when its turn comes (N4).
[[nodiscard]] std::vector<std::size_t> bestSubset(const LocalModel& model, const Load& load,
                                                  std::span<const Request> requests, std::vector<std::size_t> chunk);

}  // namespace signalbox::strategy::admission
