// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/fault.h"
#include "router/dispatch/adapter.h"

namespace signalbox::strategy {

/// What a failed attempt says to its circuit: by type and status alone, never by the text of a message (F54).
[[nodiscard]] capacity::Fault faultOf(const dispatch::UpstreamFailure& failure);

}  // namespace signalbox::strategy
