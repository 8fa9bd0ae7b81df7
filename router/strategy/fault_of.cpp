// SPDX-License-Identifier: MIT
#include "router/strategy/fault_of.h"

namespace signalbox::strategy {

namespace {

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

}  // namespace

capacity::Fault faultOf(const dispatch::UpstreamFailure& failure) {
    return {kindOf(failure.kind), failure.status, failure.retryAfter};
}

}  // namespace signalbox::strategy
