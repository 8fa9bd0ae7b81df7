// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/gateway/admin_feed.h"
#include "router/gateway/refusal_feed.h"

namespace signalbox::engine {

/// What a log tells of besides decisions. Either may be null.
struct LogFeeds {
    std::shared_ptr<gateway::RefusalFeed> turnedAway; ///< requests that never become decisions
    std::shared_ptr<gateway::AdminFeed> admin;        ///< whether or not there is evidence
};

/// As the one in `target.h`, with feeds for a log.
[[nodiscard]] Result<std::unique_ptr<Target>> makeEmbeddedTarget(EmbeddedOptions options, LogFeeds feeds);

}  // namespace signalbox::engine
