// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace signalbox::app {

/// A thread-safe logger to stderr, UTC times, every line redacted. `level` is trace, debug, info, warn, error or off.
[[nodiscard]] Result<std::shared_ptr<spdlog::logger>> makeLogger(std::string_view level);

}  // namespace signalbox::app
