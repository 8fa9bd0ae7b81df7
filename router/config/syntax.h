// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/base/finding.h"

#include <string_view>
#include <toml++/toml.h>

namespace signalbox::config {

/// Parses TOML. The finding never repeats a value of the file, which could be a secret.
[[nodiscard]] tl::expected<toml::table, Finding> parseToml(std::string_view text);

}  // namespace signalbox::config
