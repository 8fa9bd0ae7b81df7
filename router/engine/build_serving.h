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

/// Adapters, router, access rules and model list of a policy. A provider whose adapter cannot be made does
/// not stop the others: its targets are refused with the reason. Errors: `auth = "none"` on an address that
/// others reach.
[[nodiscard]] Result<BuiltServing> buildServing(std::shared_ptr<const policy::PolicySnapshot> snapshot,
                                                const config::Environment& environment,
                                                const std::string& clientToken, const Clock& clock);

} // namespace signalbox::engine
