// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/registry_types.h"

#include <functional>
#include <string>
#include <string_view>

namespace signalbox::config {

/// A readable name for the provider of a route: its label, else the service in the host's name, `local-8000` for a
/// local server, else what its variable is called after. Lower case, digits, `-` and `_`, at most 40 bytes.
[[nodiscard]] std::string providerName(const RegistryRoute& route);
/// The variable for a key that the registry spelled out: `OPENROUTER_API_KEY`.
[[nodiscard]] std::string keyVariable(std::string_view providerName);
/// Lower case, every other byte a single hyphen.
[[nodiscard]] std::string asName(std::string_view text, std::size_t most);
/// `name`, or the first of `name-2`, `name-3`… that is not taken.
[[nodiscard]] std::string freeName(const std::string& name, std::string_view separator, const std::function<bool(const std::string&)>& isTaken);

}  // namespace signalbox::config
