// SPDX-License-Identifier: MIT
#include "app/shared/logging.h"

#include "app/shared/redact.h"

#include <array>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <utility>

namespace signalbox::app {
namespace {

/// Formats as usual, with the credentials taken out of the message first.
class RedactingFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        const std::string text = redacted(std::string_view(message.payload.data(), message.payload.size()));
        spdlog::details::log_msg clean = message;
        clean.payload = text;
        m_pattern.format(clean, out);
    }
    [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
        return std::make_unique<RedactingFormatter>();
    }

private:
    spdlog::pattern_formatter m_pattern{"%Y-%m-%dT%H:%M:%S.%eZ %^%-5l%$ %v", spdlog::pattern_time_type::utc};
};

constexpr std::array<std::pair<std::string_view, spdlog::level::level_enum>, 6> kLevels{{
    {"trace", spdlog::level::trace},
    {"debug", spdlog::level::debug},
    {"info", spdlog::level::info},
    {"warn", spdlog::level::warn},
    {"error", spdlog::level::err},
    {"off", spdlog::level::off},
}};

}  // namespace

Result<std::shared_ptr<spdlog::logger>> makeLogger(std::string_view level) {
    for (const auto& [name, value] : kLevels) {
        if (name != level) continue;
        auto logger = std::make_shared<spdlog::logger>("signalbox", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        logger->set_formatter(std::make_unique<RedactingFormatter>());
        logger->set_level(value);
        logger->flush_on(spdlog::level::trace);
        return logger;
    }
    return fail(ErrorKind::badInput, "\"" + std::string(level) + "\" is not a log level", {},
                "Use trace, debug, info, warn, error or off.");
}

}  // namespace signalbox::app
