// SPDX-License-Identifier: MIT
#include "router/strategy/fault_of.h"

#include "router/dispatch/given_up.h"
#include "router/dispatch/untranslatable.h"

#include <string_view>

namespace signalbox::strategy {

namespace {

/// Of the four limits of a call, the one that fires before a connection stands.
constexpr std::string_view kConnectLimit = "timeout_connect";

capacity::FaultKind kindOf(dispatch::UpstreamFailure::Kind kind) {
    using Kind = dispatch::UpstreamFailure::Kind;
    switch (kind) {
    case Kind::refused:
    case Kind::composition: return capacity::FaultKind::notSent;
    case Kind::cancelled: return capacity::FaultKind::cancelled;
    case Kind::connect: return capacity::FaultKind::connect;
    case Kind::timeout: return capacity::FaultKind::timeout;
    case Kind::disconnected: return capacity::FaultKind::disconnected;
    case Kind::protocol: return capacity::FaultKind::protocol;
    case Kind::status: return capacity::FaultKind::status;
    case Kind::errorFrame: return capacity::FaultKind::errorFrame;
    }
    return capacity::FaultKind::protocol;
}

/// The upstream's own fault.
bool cannotBeReached(const dispatch::UpstreamFailure& failure) {
    using Kind = dispatch::UpstreamFailure::Kind;
    return failure.kind == Kind::connect || (failure.kind == Kind::timeout && failure.code == kConnectLimit);
}

}  // namespace

bool mayHaveArrived(const dispatch::UpstreamFailure& failure) {
    const bool gaveUpConnecting =
        failure.kind == dispatch::UpstreamFailure::Kind::cancelled && failure.code == dispatch::kGivenUpConnecting;
    return failure.sent() && !cannotBeReached(failure) && !gaveUpConnecting;
}

// A host that swallows connections speaks of itself as much as one that refuses them: no request is to blame for either.
capacity::Fault faultOf(const dispatch::UpstreamFailure& failure) {
    // The budget ends only what the endpoint's own limit would have let go on: nobody knows how it would have ended.
    if (failure.ranOutOfBudget()) return {capacity::FaultKind::cancelled, 0, std::nullopt};
    // Clients of the upstream's own protocol are served by such an answer: the requests of others must not cool it for them.
    if (failure.code == dispatch::kUntranslatableAnswer) return {capacity::FaultKind::cancelled, 0, std::nullopt};
    const auto kind = cannotBeReached(failure) ? capacity::FaultKind::connect : kindOf(failure.kind);
    return {kind, failure.status, failure.retryAfter};
}

}  // namespace signalbox::strategy
