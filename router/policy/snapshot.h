// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/policy/decide.h"
#include "router/policy/smart/group.h"

#include <memory>
#include <string>

namespace signalbox::policy {

/// One complete policy, immutable: what a gateway runs, a simulator asks and a backtest replays.
struct PolicySnapshot {
    std::shared_ptr<const table::RoutingTable> table;
    std::shared_ptr<const config::GatewayConfig> config;
    TableIndex index;
    smart::SmartPolicy smart;
    std::string tableSha256;    ///< of the table's bytes
    std::string canonicalJson;  ///< policy-snapshot.json; holds the table's digest and no secret
    std::string hash;           ///< SHA-256 of canonicalJson: the running hash, in every record
};

[[nodiscard]] std::shared_ptr<const PolicySnapshot> makeSnapshot(std::shared_ptr<const table::RoutingTable> table,
                                                                 std::string tableSha256,
                                                                 std::shared_ptr<const config::GatewayConfig> config);

}  // namespace signalbox::policy
