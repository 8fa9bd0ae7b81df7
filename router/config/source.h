// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/edit.h"
#include "router/config/read.h"

#include <string>
#include <vector>

namespace signalbox::config {

/// The path as findings and `GatewayConfig::positions` write it: `routing.groups."a b".candidates[0].model`.
[[nodiscard]] std::string dottedPath(const Path& path);

enum class Origin : std::uint8_t { file, environment, byDefault };
/// Where a value comes from (F83).
struct Source {
    Origin origin = Origin::byDefault;
    TextPosition position;  ///< in gateway.toml, also of a value that the environment replaces; line 0: not in the file
    std::string variable;   ///< that replaces what the file says; only its name, for the value may be a secret
    bool operator==(const Source&) const = default;
};

/// `overrides` are those that were applied to `config`. With `environment` a provider's `base_url` is followed to the
/// variable that stands in for it now. A path that nothing is known about has its default.
[[nodiscard]] Source sourceOf(const GatewayConfig& config, const std::vector<Override>& overrides, const Path& path,
                              const Environment& environment = {});

}  // namespace signalbox::config
