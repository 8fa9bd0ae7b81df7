// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/gateway/serving.h"

namespace signalbox::engine {

struct BuiltServing {
    std::shared_ptr<const gateway::Serving> serving;
    /// What does not work although the gateway serves: providers without an adapter, principals without a
    /// token.
    std::vector<std::string> notices;
};

struct GatewayTokens {
    std::string client; ///< empty: none is required, or none but the principals'
    std::string admin;  ///< empty: the admin paths answer nobody
};

/// Adapters, router, access rules and model list of a policy. A provider whose adapter cannot be made does
/// not stop the others: its targets are refused with the reason. Errors: `auth = "none"` on an address that
/// others reach; a router strategy or parameter that is wrong.
[[nodiscard]] Result<BuiltServing> buildServing(std::shared_ptr<const policy::PolicySnapshot> snapshot,
                                                const config::Environment& environment,
                                                const GatewayTokens& tokens,
                                                std::shared_ptr<capacity::ProcessState> process,
                                                const Clock& clock);

} // namespace signalbox::engine
