// SPDX-License-Identifier: MIT
#include "router/capacity/fault.h"

namespace signalbox::capacity {
namespace {

constexpr int kRequestTimeout = 408;
constexpr int kTooEarly = 425;
constexpr int kTooManyRequests = 429;
constexpr int kUnavailable = 503;

Sample sampleOfStatus(int status) {
    if (status == kTooManyRequests) return Sample::rateLimited;
    if (status == kRequestTimeout || status == kTooEarly) return Sample::failure;
    return status >= 400 && status < 500 ? Sample::none : Sample::failure;
}

}  // namespace

Sample sampleOf(const Fault& fault) {
    switch (fault.kind) {
    case FaultKind::notSent:
    case FaultKind::cancelled: return Sample::none;
    case FaultKind::connect:
    case FaultKind::timeout:
    case FaultKind::disconnected:
    case FaultKind::protocol: return Sample::failure;
    case FaultKind::status:
    case FaultKind::errorFrame: return sampleOfStatus(fault.status);
    }
    return Sample::none;
}

bool mayBlameRequest(const Fault& fault) {
    return sampleOf(fault) == Sample::failure && fault.kind != FaultKind::connect && fault.status != kUnavailable;
}

}  // namespace signalbox::capacity
