// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/config/types.h"

#include <optional>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// A name of token bytes and a value without control bytes (RFC 9110 5).
[[nodiscard]] bool isSendable(std::string_view name, std::string_view value);

/// Headers that belong to a connection, to the framing of its messages, or that the adapter itself decides (F41).
[[nodiscard]] bool isReserved(std::string_view name);

/// The provider's key from its environment variable; nullopt when it names none or may do without.
/// A missing required key is an error that names the variable.
[[nodiscard]] Result<std::optional<std::string>> readApiKey(const config::Provider& provider,
                                                            const config::Environment& environment);

/// The header lines that every request to the provider carries: host, encoding, credential, static headers.
[[nodiscard]] Result<std::string> fixedHeaderLines(const config::Provider& provider, std::string_view hostHeader,
                                                   const std::optional<std::string>& apiKey);

}  // namespace signalbox::upstream
