// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/gateway/edge_error.h"
#include "router/gateway/serving.h"

#include <tl/expected.hpp>

namespace signalbox::gateway {

/// What would be decided for the request in `order` (POST /admin/decide), by the functions that decide for real, with what
/// is measured now. Takes nothing, sends nothing and counts nothing (F74). Without `in_flight` the concurrency is that of
/// an unknown number. Answers the document of `signalboxctl decide --json`, with `policy_hash`; `not_callable_here` is said
/// of this gateway. A request that cannot be served is such an answer, too. Errors: an order that cannot be read.
[[nodiscard]] tl::expected<std::string, EdgeError> dryRun(const Serving& serving, std::string_view order, const Clock& clock);

} // namespace signalbox::gateway
