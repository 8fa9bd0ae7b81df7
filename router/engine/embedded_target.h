// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/gateway/refusal_feed.h"

namespace signalbox::engine {

/// As the one in `target.h`; the feed is told, too, of the requests that the gateway turns away before they become
/// decisions: no subscriber to decisions hears of those.
[[nodiscard]] Result<std::unique_ptr<Target>> makeEmbeddedTarget(EmbeddedOptions options,
                                                                 std::shared_ptr<gateway::RefusalFeed> turnedAway);

}  // namespace signalbox::engine
