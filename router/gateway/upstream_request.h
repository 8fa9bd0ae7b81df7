// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"
#include "router/config/types.h"
#include "router/dispatch/adapter.h"
#include "router/gateway/http_request.h"
#include "router/policy/resolve.h"

namespace signalbox::gateway {

/// What one request says to whichever upstream gets it. Refers to what belongs to the request.
struct SaidRequest {
    const HttpRequest& head;
    const classify::ClassifiedRequest& classified;
    std::string_view body;
    std::string_view path; ///< after a provider's base URL
    DecisionId decisionId;
};

/// The client's body with our closed list of splices, still in its own dialect: an adapter whose upstream speaks the other
/// one translates it, and names the token limit as that upstream wants it.
[[nodiscard]] dispatch::UpstreamRequest upstreamRequest(const SaidRequest& said, const config::GatewayConfig& config,
                                                        const policy::RouteTarget& target);

} // namespace signalbox::gateway
