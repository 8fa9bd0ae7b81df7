// SPDX-License-Identifier: MIT
#include "router/policy/snapshot.h"

#include "router/base/hashing.h"
#include "router/policy/canonical.h"

namespace signalbox::policy {

std::shared_ptr<const PolicySnapshot> makeSnapshot(std::shared_ptr<const table::RoutingTable> table,
                                                   std::string tableSha256,
                                                   std::shared_ptr<const config::GatewayConfig> config) {
    std::string canonical = canonicalPolicy(*table, tableSha256, *config);
    std::string hash = sha256Hex(canonical);
    TableIndex index(table);
    smart::SmartPolicy smart(*config);
    return std::make_shared<const PolicySnapshot>(PolicySnapshot{std::move(table), std::move(config), std::move(index), std::move(smart),
                                                                 std::move(tableSha256), std::move(canonical),
                                                                 std::move(hash)});
}

}  // namespace signalbox::policy
