// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace signalbox::app {

/// How a line is written: for a person, or as one JSON object with `time`, `level` and `message`.
enum class LogFormat : std::uint8_t { text, json };
/// `text` or `json`.
[[nodiscard]] Result<LogFormat> parseLogFormat(std::string_view word);

/// A thread-safe logger to stderr, UTC times, every line redacted. `level` is trace, debug, info, warn, error or off.
[[nodiscard]] Result<std::shared_ptr<spdlog::logger>> makeLogger(std::string_view level, LogFormat format = LogFormat::text);

/// Beside `log`, with its level: for whole JSON objects, which are only redacted and ended.
[[nodiscard]] std::shared_ptr<spdlog::logger> makeObjectLogger(const spdlog::logger& log);

}  // namespace signalbox::app
