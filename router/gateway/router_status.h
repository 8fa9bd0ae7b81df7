// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/serving.h"

#include <string>

namespace signalbox::gateway {

/// The document of `GET /admin/router/status`, with exactly the keys of the smart-routing system (contract B).
/// Counts are of the policy version and candidate set that run (choice S17).
[[nodiscard]] std::string routerStatusJson(const RunningPolicy& running);

} // namespace signalbox::gateway
