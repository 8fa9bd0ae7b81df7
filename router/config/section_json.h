// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <toml++/toml.h>

namespace signalbox::config {

/// A TOML table as one JSON object, for parameters that a strategy of its own reads. Dates and times become text.
[[nodiscard]] std::string jsonOf(const toml::table& table);

}  // namespace signalbox::config
