// SPDX-License-Identifier: MIT
#include "router/config/read.h"
#include "router/config/read_parts.h"

#include <array>
#include <charconv>

namespace signalbox::config {
namespace {

constexpr std::array kAuthModes{AuthMode::token, AuthMode::none};
constexpr std::array kScopes{ConcurrencyScope::family, ConcurrencyScope::endpoint};

void readAddress(Section& section, Server& server) {
    const auto listen = section.text("listen");
    const auto bind = section.text("bind");
    const std::string_view key = listen ? "listen" : "bind";
    if (listen && bind)
        section.report(Severity::error, "listen_and_bind", "bind", "listen and bind are two names of one setting",
                       "Keep one of them.");
    const auto& text = listen ? listen : bind;
    if (!text) return;
    auto address = parseListenAddress(*text);
    if (!address) {
        section.report(Severity::error, "address_invalid", key, address.error().message, address.error().hint);
        return;
    }
    server.host = address->host;
    server.port = address->port;
}

void readLimits(Section& section, Server& server) {
    if (const auto threads = section.integer("threads", 0, 256)) server.threads = static_cast<std::uint32_t>(*threads);
    if (const auto bytes = section.integer("max_request_body_bytes", 1024, std::int64_t{1} << 30))
        server.maxRequestBodyBytes = static_cast<std::uint64_t>(*bytes);
    if (const auto requests = section.integer("max_concurrent_requests", 1, 100'000))
        server.maxConcurrentRequests = static_cast<std::uint32_t>(*requests);
    section.milliseconds("header_timeout_ms", server.headerTimeout);
    section.milliseconds("idle_timeout_ms", server.idleTimeout);
}

}  // namespace

void readServer(Section& root, GatewayConfig& config) {
    if (auto section = root.section("server")) {
        readAddress(*section, config.server);
        readLimits(*section, config.server);
        if (const auto auth = section->word<AuthMode>("auth", kAuthModes)) config.server.auth = *auth;
        if (const auto scope = section->word<ConcurrencyScope>("concurrency_scope", kScopes))
            config.server.concurrencyScope = *scope;
        if (config.server.auth == AuthMode::none && !isLoopbackHost(config.server.host))
            section->report(Severity::error, "auth_none_not_loopback", "auth",
                            "without a token everyone who reaches " + inQuotes(config.server.host) +
                                " could spend the keys of this gateway",
                            "Write auth = \"token\", or listen on 127.0.0.1.");
        section->finish();
    }
    if (auto section = root.section("auth")) {
        config.server.tokenEnv = section->environmentName("token_env");
        section->finish();
    }
}

void readEvidence(Section& root, GatewayConfig& config) {
    auto section = root.section("evidence");
    if (!section) return;
    Evidence& evidence = config.evidence;
    if (const auto enabled = section->boolean("enabled")) evidence.enabled = *enabled;
    evidence.dsnEnv = section->environmentName("dsn_env");
    if (const auto bytes = section->integer("journal_max_bytes", 64 << 10, std::int64_t{1} << 44))
        evidence.journalMaxBytes = static_cast<std::uint64_t>(*bytes);
    if (const auto days = section->integer("retention_days", 1, 3650))
        evidence.retentionDays = static_cast<std::uint32_t>(*days);
    const auto label = [&](std::string_view key, std::string& value) {
        const auto text = section->text(key);
        if (!text) return;
        if (isBlank(*text) || text->size() > 80 || hasControl(*text))
            section->report(Severity::error, "label_invalid", key, "a label of 1 to 80 bytes on one line is needed",
                            "Shorten it, or remove the line to take the default.");
        else
            value = *text;
    };
    label("target", evidence.target);
    label("environment", evidence.environment);
    section->finish();
}

Result<ListenAddress> parseListenAddress(std::string_view text) {
    const auto refuse = [&](std::string message) {
        return fail(ErrorKind::badInput, std::move(message), {},
                    "Write HOST:PORT such as 127.0.0.1:38082 or [::1]:38082; port 0 lets the system choose.");
    };
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return refuse(inQuotes(text) + " has no port");
    std::string_view host = text.substr(0, colon);
    const std::string_view digits = text.substr(colon + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string_view::npos)
        return refuse("an IPv6 address needs brackets");
    if (host.empty() || host.find_first_of(" \t/[]@") != std::string_view::npos)
        return refuse(inQuotes(text) + " has no usable host");
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || end != digits.data() + digits.size())
        return refuse(inQuotes(digits) + " is not a port number from 0 to 65535");
    return ListenAddress{std::string(host), port};
}

}  // namespace signalbox::config
