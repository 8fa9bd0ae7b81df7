// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/engine/admin_client.h"
#include "router/engine/target.h"

namespace signalbox::engine {

struct RemoteOptions {
    std::string name;  ///< how its reader calls it
    AdminAccess access;
    /// The database in which that gateway keeps its history, when its reader may read it: its `evidence.dsn_env`.
    std::optional<evidence::EvidenceOptions> evidence;
    std::chrono::milliseconds interval{1'000};  ///< between two questions
    std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>();  ///< says when interest in a view has run out
};

/// A gateway elsewhere, through its admin API. What it says of itself is asked on a thread of its own, so that all views
/// answer at once with what was heard last; `status().unreachableSince` and `heardAt` say how old that is. Endpoints,
/// pools, resources, principals, refusals and requests under way are asked only while somebody looks at them; what was told before nobody did is
/// still given, but not as known.
///
/// `running` is null: a policy stays where it runs, its hash is in the status. `start` and `stop` are refused, since a
/// gateway elsewhere is started and stopped where it runs, and `apply` of a policy as well: it takes the files of a
/// release, whose signatures it verifies itself.
///
/// History is read from the gateway's database, not through the gateway: questions to history can be long, and a
/// gateway's threads serve requests. Without `evidence` every question gets an error that says so.
class RemoteTarget : public Target {
public:
    /// Blocks. Files by name as in `signalboxctl apply`.
    [[nodiscard]] virtual Result<void> applyFiles(const wire::ApplyRequest& release) = 0;
};

/// Asks nothing yet. Errors: address, CA file or token that cannot be used.
[[nodiscard]] Result<std::unique_ptr<RemoteTarget>> makeRemoteTarget(RemoteOptions options);

}  // namespace signalbox::engine
