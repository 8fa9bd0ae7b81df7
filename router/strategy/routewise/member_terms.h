// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/pool_members.h"
#include "router/strategy/routewise/effective_cost.h"

#include <optional>
#include <string>

namespace signalbox::strategy::routewise {

/// How the member is paid for, with what its resources have left at this moment. Of several resources of the kind it is
/// billed by, the scarcest counts.
[[nodiscard]] Terms termsOf(const PoolMember& member, Steady now);

/// USD per million tokens, where the member is paid per token and its provider names a price.
[[nodiscard]] std::optional<OnDemandTerms> tokenPriceOf(const PoolMember& member);

/// Why an attempt would be refused now although no price says so: `endpoint_drained`, or `no_free_slot` and
/// `quota_exhausted` of a resource that it is not billed by. Empty when it would not.
[[nodiscard]] std::string whyNotNow(const PoolMember& member, Steady now);

}  // namespace signalbox::strategy::routewise
