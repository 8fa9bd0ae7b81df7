// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"
#include "router/policy/carrying.h"
#include "router/strategy/fallback.h"
#include "router/strategy/pool_spec.h"

#include <span>
#include <string_view>
#include <vector>

namespace signalbox::strategy {

/// One route of a pool with what a router needs of it.
struct PoolMember {
    Member member;
    config::Route route;
    config::Capabilities capabilities;
    std::optional<config::Pricing> pricing;
    /// `provider:model`.
    std::string id;
    policy::Carrier carrier;
};

/// In the order of the file.
[[nodiscard]] std::vector<PoolMember> poolMembers(const config::Model& model, const RouterContext& context);

/// Why a member cannot take a request at all, before capacity and circuit are asked; empty when it can:
/// `out_of_scope`, `not_allowed`, `capability:WORD` (of smart::Capability, or of classify::Peculiarity for what its protocol cannot carry),
/// `provider_not_callable` (kNotCallable).
[[nodiscard]] std::string exclusionOf(const PoolMember& member, const dispatch::EndpointScope& scope,
                                      const dispatch::RequestRun& run);
/// The same where nobody asks: only what the request needs, and whether the provider can be called.
[[nodiscard]] std::string exclusionOf(const PoolMember& member, const policy::smart::Needs& needs);
/// What the exclusion of a member begins with that lacks what the request needs; the word of what it lacks follows.
inline constexpr std::string_view kLacking = "capability:";
inline constexpr std::string_view kOutOfScope = "out_of_scope";

/// What does not depend on the strategy: id, kind, billing, weight, resources.
[[nodiscard]] dispatch::PoolMemberView viewOf(const PoolMember& member);

}  // namespace signalbox::strategy
