// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/table/types.h"

#include <string>
#include <string_view>

namespace signalbox::policy {

/// The text of policy-snapshot.json: everything that decides where a prompt or a key goes, keys sorted, two spaces,
/// final newline. Equal policies give equal bytes. Values that may be or hold a secret (static headers, user part
/// and query of a base URL) stand as their SHA-256; ports, threads and evidence are no policy and are left out.
[[nodiscard]] std::string canonicalPolicy(const table::RoutingTable& table, std::string_view tableSha256,
                                          const config::GatewayConfig& config);

/// A URL that can be shown: user part and query replaced by a digest.
[[nodiscard]] std::string withoutUrlSecrets(std::string_view url);

}  // namespace signalbox::policy
