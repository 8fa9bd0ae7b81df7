// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/fixed/weighted_draw.h"
#include "router/strategy/pool_members.h"

#include <span>
#include <string>
#include <vector>

namespace signalbox::strategy {

/// How a fixed pool orders its members for one request.
struct FixedChoice {
    std::vector<std::size_t> order;     ///< those that can take it, as they are to be tried; resting ones last
    std::size_t ready = 0;              ///< how many of `order` do not rest
    std::vector<std::string> excluded;  ///< one for each member: why it cannot take the request, or rests; else empty
    std::vector<double> shares;         ///< likewise: chance of being drawn, over those that can take it
    std::string affinity;               ///< as in RecordedPool
};

/// Why nothing new should go to a member now: drained, or its circuit is open; else empty.
[[nodiscard]] std::string restingReason(const PoolMember& member, Steady now);

/// The weighted draw over the members that `excluded` (one for each) does not rule out, or the session's favourite where
/// `session` is set. A draw among those that rest would send requests away only to fail: they come behind the others.
[[nodiscard]] FixedChoice chooseFixed(std::span<const PoolMember> members, std::vector<std::string> excluded,
                                      const std::optional<std::string>& session, double u, Steady now, DrawSource& source,
                                      Random* ofThread);

/// `router` is left for the caller.
[[nodiscard]] evidence::RecordedPool recordOf(const FixedChoice& choice, std::span<const PoolMember> members,
                                              const std::string& poolId);

}  // namespace signalbox::strategy
