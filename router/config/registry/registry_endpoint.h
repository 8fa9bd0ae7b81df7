// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/registry_section.h"
#include "router/config/registry/registry_types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::config {

/// What a `kind` of that system's adapters means here.
struct AdapterKind {
    Protocol protocol = Protocol::openaiCompat;
    std::string label;                ///< tells whose service it is; empty for general words such as `vllm`
    std::optional<RouteKind> where;   ///< of `local` and `cloud`, and of servers that one runs oneself
    bool appendsVersion = true;       ///< that adapter adds `/v1` to an address without a version
};
/// Nothing for kinds with a protocol that is not spoken here; the report says so. `key` is where the word stands.
[[nodiscard]] std::optional<AdapterKind> readAdapterKind(RegistrySection& section, std::string_view key, const std::string& word);

/// Fills in `baseUrl` and `baseUrlEnv` and says where the endpoint stands. False when no usable address is given.
[[nodiscard]] bool readRegistryAddress(RegistrySection& from, const AdapterKind& kind, RegistryRoute& out);

/// `api_key` and `api_keys`, those of the model when the route has none.
[[nodiscard]] std::vector<RegistryKey> readRegistryKeys(RegistrySection& route, RegistrySection& model);

/// A host as that system tells local from remote, and loopback addresses in general.
[[nodiscard]] bool isLocalHost(std::string_view host);
/// `example.net`, `127.0.0.1` or `::1` out of a base URL.
[[nodiscard]] std::string hostOf(std::string_view baseUrl);
/// Empty where the URL names none.
[[nodiscard]] std::string portOf(std::string_view baseUrl);

}  // namespace signalbox::config
