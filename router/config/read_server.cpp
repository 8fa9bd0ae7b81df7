// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/read.h"
#include "router/config/read_parts.h"

#include <algorithm>
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

/// A DNS name as a certificate or a browser would have it; underscores, which names of containers hold, are let pass.
bool isDnsName(std::string_view name) {
    static constexpr std::size_t kMaxName = 253, kMaxLabel = 63;
    if (name.size() > kMaxName) return false;
    std::string_view last;
    for (std::size_t at = 0; at <= name.size(); at += last.size() + 1) {
        last = name.substr(at, name.find('.', at) - at);
        if (last.empty() || last.size() > kMaxLabel || last.front() == '-' || last.back() == '-') return false;
        if (last.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string_view::npos) return false;
    }
    return last.find_first_not_of("0123456789") != std::string_view::npos;  // else it would be read as an IPv4 address
}

std::string hostAdvice(std::string_view name) {
    if (name.find('*') != std::string_view::npos) return "Write each name in full: whoever owns a name below it could else come in.";
    const bool isAscii = std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!isAscii) return "Write the name as DNS has it, which begins its labels with xn--.";
    return "Write the name alone, such as \"gateway.example\": no https://, no port, no address. Where the gateway listens on an "
           "address of the network, addresses need no entry.";
}

/// What the file has is a name of the operator's own: a page cannot rebind it, unlike one that just arrives in `Host`.
void readHosts(Section& section, Server& server) {
    for (const LocatedText& text : section.filledTexts("hosts")) {
        if (isBlank(text.value)) continue;
        std::string name = asciiLower(text.value);
        if (name.ends_with('.')) name.pop_back();
        if (!isDnsName(name))
            section.reportAt(Severity::error, "host_invalid", text, inQuotes(text.value) + " is not the DNS name of a host", hostAdvice(text.value));
        else if (std::find(server.hosts.begin(), server.hosts.end(), name) == server.hosts.end())
            server.hosts.push_back(std::move(name));
    }
}

/// One commits the answer's status, so that a fallback's real error is lost: not what a short pause is worth.
constexpr std::chrono::milliseconds kUsefulHeartbeat{15'000};

void readHeartbeat(Section& section, Server& server) {
    if (!section.has("heartbeat_ms")) return;
    std::chrono::milliseconds every{0};
    section.milliseconds("heartbeat_ms", every, 1);
    if (every.count() == 0) return;
    server.heartbeat = every;
    if (every < kUsefulHeartbeat)
        section.report(Severity::warning, "heartbeat_early", "heartbeat_ms",
                       "a heartbeat after " + std::to_string(every.count()) +
                           " ms turns most failures before the first token into errors of a stream that began with 200",
                       "Use 15000 or more.");
}

void readLimits(Section& section, Server& server) {
    if (const auto threads = section.integer("threads", 0, 256)) server.threads = static_cast<std::uint32_t>(*threads);
    if (const auto bytes = section.integer("max_request_body_bytes", 1024, std::int64_t{1} << 30))
        server.maxRequestBodyBytes = static_cast<std::uint64_t>(*bytes);
    if (const auto requests = section.integer("max_concurrent_requests", 1, 100'000))
        server.maxConcurrentRequests = static_cast<std::uint32_t>(*requests);
    section.milliseconds("header_timeout_ms", server.headerTimeout);
    section.milliseconds("idle_timeout_ms", server.idleTimeout);
    if (section.has("request_budget_ms")) {
        std::chrono::milliseconds budget{0};
        section.milliseconds("request_budget_ms", budget);
        if (budget.count() > 0) server.requestBudget = budget;
    }
    readHeartbeat(section, server);
}

void readAdmin(Section& root, Server& server) {
    auto section = root.section("admin");
    if (!section) return;
    server.adminTokenEnv = section->environmentName("token_env");
    if (const auto remote = section->boolean("remote")) server.adminRemote = *remote;
    if (server.adminRemote && isLoopbackHost(server.host))
        section->report(Severity::warning, "admin_remote_unreachable", "remote",
                        "the gateway listens on " + inQuotes(server.host) + ", where no other machine reaches its admin paths",
                        "Listen on an address of the network, or remove remote and come over ssh.");
    else if (server.adminRemote)
        section->report(Severity::warning, "admin_remote_plain", "remote",
                        "the gateway speaks no TLS, so the admin token crosses the network in clear text",
                        "Let a TLS proxy stand before it and nothing else reach this port, or remove remote and come over ssh.");
    section->finish();
}

}  // namespace

void readServer(Section& root, GatewayConfig& config) {
    if (auto section = root.section("server")) {
        readAddress(*section, config.server);
        readHosts(*section, config.server);
        readLimits(*section, config.server);
        if (const auto auth = section->word<AuthMode>("auth", kAuthModes)) config.server.auth = *auth;
        if (const auto scope = section->word<ConcurrencyScope>("concurrency_scope", kScopes))
            config.server.concurrencyScope = *scope;
        if (config.server.auth == AuthMode::none && !isLoopbackHost(config.server.host))
            section->report(Severity::error, "auth_none_not_loopback", "auth",
                            "without a token everyone who reaches " + inQuotes(config.server.host) +
                                " could spend the keys of this gateway",
                            "Write auth = \"token\", or listen on 127.0.0.1.");
        if (config.server.auth == AuthMode::none && !config.server.hosts.empty())
            section->report(Severity::warning, "hosts_without_token", "hosts",
                            "whoever reaches the gateway by these names, through a proxy on this machine, may spend its keys without a token",
                            "Write auth = \"token\", unless that proxy asks who they are.");
        section->finish();
    }
    if (auto section = root.section("auth")) {
        config.server.tokenEnv = section->environmentName("token_env");
        section->finish();
    }
    readAdmin(root, config.server);
}

// A limit that the budget cuts short never speaks against its endpoint (F44), so a hanging one would stay in use.
void checkRequestBudget(Section& root, const GatewayConfig& config) {
    const auto& budget = config.server.requestBudget;
    auto section = budget ? root.section("server") : std::nullopt;
    if (!section) return;
    const auto isCut = [&](const Provider& one) { return one.protocol != Protocol::simulated && one.firstByteTimeout >= *budget; };
    const auto first = std::find_if(config.providers.begin(), config.providers.end(), isCut);
    if (first == config.providers.end()) return;
    const auto all = std::count_if(first, config.providers.end(), isCut);
    section->report(Severity::warning, "budget_hides_hanging", "request_budget_ms",
                    "an endpoint that hangs is never cooled: the budget of " + std::to_string(budget->count()) +
                        " ms is over before the first-byte limit of provider " + inQuotes(first->id) + " (" +
                        std::to_string(first->firstByteTimeout.count()) + " ms)" +
                        (all > 1 ? " and of " + std::to_string(all - 1) + " more" : ""),
                    "Set first_byte_timeout_ms of these providers below the budget.");
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
