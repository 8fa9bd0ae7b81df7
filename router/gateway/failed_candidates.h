// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/gateway/edge_error.h"

namespace signalbox::gateway {

/// Where several candidates came to nothing the message says of each how, in the order in which they were tried: status and
/// code are those of one of them, and the client would learn of that one only. Nothing else of the error changes.
void nameCandidates(EdgeError& error, const std::vector<evidence::Attempt>& attempts);

} // namespace signalbox::gateway
