// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_router.h"
#include "router/strategy/attempt.h"
#include "router/strategy/pool_members.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace signalbox::strategy {

/// Besides role, entry and last resort, which follow from the order.
using TermsFor = std::function<AttemptTerms(std::size_t positionInOrder)>;

/// Tries members of a pool one after the other until one delivers content, by the rules of a `Course`: the next one only
/// where `kFallbackTable` says so and `call.allowFallback` is set, each endpoint once, cooling ones last and only when
/// nothing else was sent. `order` must not be empty; it and `call` and `run` must live until the coroutine has ended.
[[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult>
tryInOrder(std::vector<const Member*> order, const dispatch::PoolCall& call, const dispatch::RequestRun& run,
           const Clock& clock, TermsFor termsFor = {});

/// The binding of an ExecuteEndpoint still is what the pool would execute; else the failure `stale_binding`: admission
/// and execution must use the same adapter.
[[nodiscard]] std::optional<dispatch::UpstreamFailure> checkBinding(const dispatch::EndpointBinding& binding,
                                                                    const Member& member);

/// The code of the refusal below.
inline constexpr std::string_view kPoolUnavailable = "pool_unavailable";
/// Nothing of the pool can take the request: a refusal with Retry-After. `why` completes "No endpoint of the pool X …".
[[nodiscard]] dispatch::UpstreamFailure nothingAvailable(const std::string& poolId, const std::string& why);

/// Why a member was not asked, in the words of `exclusionOf`.
struct Exclusion {
    const PoolMember* member;
    std::string_view why;
};
/// What the providers of members lack that cannot be called, in sentences to go on with after another; empty where none is.
[[nodiscard]] std::string whatProvidersLack(std::span<const Exclusion> members);
/// The same when it is the request itself: each member that it may go to lacks something for it. A refusal for good (400)
/// that names them, and the field of `needs` where a word stands for many; nullopt when anything else keeps one away.
[[nodiscard]] std::optional<dispatch::UpstreamFailure> cutByRequest(const std::string& poolId, std::span<const Exclusion> members,
                                                                    const policy::smart::Needs& needs);
/// Of a pool of which no member was asked; `excluded` has the reason of each. Names what providers lack.
[[nodiscard]] dispatch::UpstreamFailure nobodyCanTake(const std::string& poolId, std::span<const PoolMember> members,
                                                      std::span<const std::string> excluded,
                                                      const policy::smart::Needs& needs);

}  // namespace signalbox::strategy
