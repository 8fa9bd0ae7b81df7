// SPDX-License-Identifier: MIT
#include "app/shared/logging.h"

#include "app/shared/redact.h"
#include "app/shared/visible_text.h"
#include "router/base/text.h"
#include "router/evidence/json_line.h"

#include <array>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <utility>

namespace signalbox::app {
namespace {

std::string cleanPayload(const spdlog::details::log_msg& message) {
    return visibleText(redacted(std::string_view(message.payload.data(), message.payload.size())));
}

/// Formats by a pattern, with the credentials and whatever a terminal would obey taken out of the message first.
class RedactingFormatter final : public spdlog::formatter {
public:
    explicit RedactingFormatter(std::string pattern)
        : m_words(pattern), m_pattern(std::move(pattern), spdlog::pattern_time_type::utc) {}
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        const std::string text = cleanPayload(message);
        spdlog::details::log_msg clean = message;
        clean.payload = text;
        m_pattern.format(clean, out);
    }
    [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
        return std::make_unique<RedactingFormatter>(m_words);
    }

private:
    std::string m_words;
    spdlog::pattern_formatter m_pattern;
};

class JsonFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        std::string text;
        evidence::JsonLine line(text);
        line.beginObject();
        line.put("time", toIso8601(std::chrono::time_point_cast<Timestamp::duration>(message.time)));
        const auto level = spdlog::level::to_string_view(message.level);
        line.put("level", std::string_view(level.data(), level.size()));
        line.put("message", redacted(std::string_view(message.payload.data(), message.payload.size())));
        line.endObject();
        text = visibleText(text) + '\n';
        out.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }
};

// Its objects were redacted value by value: what is cut out of encoded JSON can leave none.
class ObjectFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        const std::string text = visibleText(std::string_view(message.payload.data(), message.payload.size())) + '\n';
        out.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<ObjectFormatter>(); }
};

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %^%-5l%$ %v";

constexpr std::array<std::pair<std::string_view, spdlog::level::level_enum>, 6> kLevels{{
    {"trace", spdlog::level::trace},
    {"debug", spdlog::level::debug},
    {"info", spdlog::level::info},
    {"warn", spdlog::level::warn},
    {"error", spdlog::level::err},
    {"off", spdlog::level::off},
}};

std::shared_ptr<spdlog::logger> loggerTo(std::unique_ptr<spdlog::formatter> formatter, spdlog::level::level_enum level) {
    auto logger = std::make_shared<spdlog::logger>("signalbox", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_formatter(std::move(formatter));
    logger->set_level(level);
    logger->flush_on(spdlog::level::trace);
    return logger;
}

}  // namespace

Result<LogFormat> parseLogFormat(std::string_view word) {
    if (word == "text") return LogFormat::text;
    if (word == "json") return LogFormat::json;
    return fail(ErrorKind::badInput, "\"" + std::string(word) + "\" is not a log format", {}, "Use text or json.");
}

Result<std::shared_ptr<spdlog::logger>> makeLogger(std::string_view level, LogFormat format) {
    for (const auto& [name, value] : kLevels) {
        if (name != level) continue;
        if (format == LogFormat::json) return loggerTo(std::make_unique<JsonFormatter>(), value);
        return loggerTo(std::make_unique<RedactingFormatter>(kTextPattern), value);
    }
    return fail(ErrorKind::badInput, "\"" + std::string(level) + "\" is not a log level", {},
                "Use trace, debug, info, warn, error or off.");
}

std::shared_ptr<spdlog::logger> makeObjectLogger(const spdlog::logger& log) {
    return loggerTo(std::make_unique<ObjectFormatter>(), log.level());
}

}  // namespace signalbox::app
