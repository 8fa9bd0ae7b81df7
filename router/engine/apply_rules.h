// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/config/read.h"
#include "router/signing/minisign.h"

#include <optional>
#include <vector>

namespace signalbox::engine {

namespace wire {
struct ApplyRequest;
}
struct Policy;

/// By what a gateway judges a policy that comes over the admin API: as it judged the one that it was started with.
struct ApplyRules {
    bool requireSignature = false;
    std::vector<signing::PublicKey> trusted;     ///< whose signatures count
    std::optional<config::ListenAddress> listen; ///< where it listens instead of where the file says
};

/// Both files verified, read, checked and joined; nothing else is touched. Error: badInput or denied, with the file, its
/// line and column, and of several findings the first ones.
[[nodiscard]] Result<Policy> policyFrom(const wire::ApplyRequest& request, const ApplyRules& rules,
                                        const config::Environment& environment, Timestamp now);

} // namespace signalbox::engine
