// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/fault.h"
#include "router/dispatch/adapter.h"

namespace signalbox::strategy {

/// No connection ever stood, so that nothing can have reached the upstream: it refused, could not be found, or the limit
/// for connecting fired. By the failure's kind and its stable code.
[[nodiscard]] bool neverConnected(const dispatch::UpstreamFailure& failure);

/// What a failed attempt says to its circuit: by type and status alone, never by the text of a message (F54).
[[nodiscard]] capacity::Fault faultOf(const dispatch::UpstreamFailure& failure);

}  // namespace signalbox::strategy
