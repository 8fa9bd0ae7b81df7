// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/fault.h"
#include "router/dispatch/adapter.h"

namespace signalbox::strategy {

/// Whether anything of the request can have reached the upstream. Nothing can before a connection stands: it was not admitted,
/// the upstream refused or could not be found, the limit for connecting fired, or our side gave up by then. By the failure's
/// kind and its stable code.
[[nodiscard]] bool mayHaveArrived(const dispatch::UpstreamFailure& failure);

/// What a failed attempt says to its circuit: by type and status alone, never by the text of a message (F54).
[[nodiscard]] capacity::Fault faultOf(const dispatch::UpstreamFailure& failure);

}  // namespace signalbox::strategy
