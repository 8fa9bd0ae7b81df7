// SPDX-License-Identifier: MIT
#include "router/gateway/access.h"

#include "router/base/text.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <unistd.h>

namespace signalbox::gateway {

namespace {

/// The host of `host:port`, `[v6]:port` or `host`, without brackets; nothing where more than that is written, since
/// others might read another host in it.
std::optional<std::string_view> hostName(std::string_view authority) {
    const bool isBracketed = authority.starts_with('[');
    const auto end = std::min(authority.find(isBracketed ? ']' : ':'), authority.size());
    if (isBracketed && end == authority.size())
        return std::nullopt;
    std::string_view port = authority.substr(end + (isBracketed ? 1 : 0));
    if (!port.empty() && (port.front() != ':' || port.find_first_not_of("0123456789", 1) != std::string_view::npos))
        return std::nullopt;
    return isBracketed ? authority.substr(1, end - 1) : authority.substr(0, end);
}

bool isAddress(std::string_view text) {
    boost::system::error_code ec;
    boost::asio::ip::make_address(std::string(text), ec);
    return !ec;
}

std::string machineName() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? asciiLower(name.data()) : std::string();
}

/// `lower` has no capital letters.
bool equalsIgnoringCase(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

/// A last dot says that the name is whole, and changes nothing.
bool isListed(std::string_view name, const std::vector<std::string>& lowerNames) {
    if (name.ends_with('.'))
        name.remove_suffix(1);
    return std::any_of(lowerNames.begin(), lowerNames.end(),
                       [&](const std::string& one) { return equalsIgnoringCase(name, one); });
}

/// Of 64 hex digits, which the configuration has checked.
std::optional<Sha256> digestOf(std::string_view hex) {
    const auto bytes = fromHex(hex);
    Sha256 out;
    if (!bytes || bytes->size() != out.size())
        return std::nullopt;
    std::copy(bytes->begin(), bytes->end(), out.begin());
    return out;
}

std::string_view presentedToken(const HttpRequest& request) {
    const std::string_view value = trimmed(request.authorization);
    const auto space = value.find(' ');
    if (space != std::string_view::npos && equalsIgnoringCase(value.substr(0, space), "bearer")) {
        return trimmed(value.substr(space + 1));
    }
    return trimmed(request.apiKey);
}

constexpr const char* kAdminFile = "the token in the file admin-token of the gateway's state folder; "
                                   "`signalboxctl serve` names that file when it starts";

} // namespace

Caller callerOf(const config::GatewayConfig& config, const config::Principal& principal) {
    return {principal.id,
            principal.team,
            principal.mayPin,
            {principal.defaultExpectedLength, principal.defaultCategory, principal.defaultInputTokens},
            static_cast<std::size_t>(&principal - config.principals.data())};
}

bool isLoopbackHost(std::string_view host) {
    if (asciiLower(host) == "localhost")
        return true;
    boost::system::error_code ec;
    const auto address = boost::asio::ip::make_address(std::string(host), ec);
    return !ec && address.is_loopback();
}

Result<AccessPolicy> AccessPolicy::make(const config::GatewayConfig& config,
                                        const config::Environment& environment,
                                        const std::string& gatewayToken, const std::string& adminToken) {
    AccessPolicy policy;
    if (!adminToken.empty())
        policy.m_admin = sha256(adminToken);
    policy.m_adminPlace = config.server.adminTokenEnv
                              ? "the token that the gateway found in its environment as " + *config.server.adminTokenEnv
                              : std::string(kAdminFile);
    policy.m_adminRemote = config.server.adminRemote;
    policy.m_host = asciiLower(config.server.host);
    policy.m_hosts = config.server.hosts;
    policy.m_loopback = isLoopbackHost(config.server.host);
    if (config.server.auth == config::AuthMode::none) {
        if (!policy.m_loopback) {
            return fail(ErrorKind::badInput,
                        "without a token the gateway would be open to everyone who reaches this address",
                        "server.auth = \"none\" with bind " + config.server.host,
                        "Bind to 127.0.0.1, or remove auth = \"none\" so that clients need the token.");
        }
        // The operator's own machine, by deliberate setting: whoever may name an endpoint may also pin it.
        policy.m_anonymous = Caller{"anonymous", {}, true, {}, {}};
    }
    if (!gatewayToken.empty()) {
        policy.m_known.push_back({sha256(gatewayToken), Caller{"local", {}, true, {}, {}}});
    }
    for (const config::Principal& principal : config.principals) {
        if (const auto digest = principal.tokenSha256 ? digestOf(*principal.tokenSha256) : std::nullopt) {
            policy.m_known.push_back({*digest, callerOf(config, principal)});
        } else if (const auto token = principal.tokenEnv ? environment(*principal.tokenEnv) : std::nullopt;
                   token && !trimmed(*token).empty()) {
            policy.m_known.push_back({sha256(trimmed(*token)), callerOf(config, principal)});
        } else {
            policy.m_notices.push_back(
                "principal " + principal.id + " has no token" +
                (principal.tokenEnv ? ", since " + *principal.tokenEnv + " is not set" : std::string()));
        }
    }
    const bool isClients = std::any_of(policy.m_known.begin(), policy.m_known.end(),
                                       [&](const auto& known) { return policy.m_admin && known.token == *policy.m_admin; });
    if (isClients) {
        return fail(ErrorKind::badInput, "the admin token is a client's token, too, so that client could administer this gateway",
                    config.server.adminTokenEnv ? "admin.token_env" : "principals", "Let the two be different.");
    }
    return policy;
}

bool AccessPolicy::expectsHost(std::string_view name) const {
    if (name == m_host || isListed(name, m_hosts))
        return true;
    const std::string host = asciiLower(name);
    if (host == m_host || isLoopbackHost(host))
        return true;
    if (m_loopback)
        return false;
    // A name could have been rebound to our address by a web page; neither an address could, nor a name of the operator's.
    return isAddress(host) || host == machineName();
}

std::string AccessPolicy::hostAdvice(std::string_view name) const {
    const std::string use = m_loopback ? "Use localhost or " + (m_host == "localhost" ? "127.0.0.1" : m_host)
                                       : "Use " + m_host + " or an IP address of this machine";
    return use + (name.empty() || isAddress(name) ? "."
                                                  : "; if the name is this gateway's own, add it to hosts in [server] of gateway.toml.");
}

std::optional<EdgeError> AccessPolicy::checkBrowser(const HttpRequest& request) const {
    if (request.repeatedHost || (!request.hasHost && request.http11)) {
        return edgeError(400, "invalid_host", "The request must carry exactly one Host header.");
    }
    const auto name = hostName(request.host);
    if (request.hasHost && (!name || !expectsHost(*name))) {
        return edgeError(403, "unexpected_host",
                         "Host \"" + elided(request.host, 80) + "\" is not an address of this gateway. " +
                             hostAdvice(name.value_or(std::string_view())));
    }
    const std::string site = asciiLower(trimmed(request.secFetchSite));
    if (site == "cross-site" || site == "same-site") {
        return edgeError(403, "browser_refused",
                         "Sec-Fetch-Site: " + site +
                             " says that a web page sent this. Pages may not use the gateway; "
                             "call it from a program, without that header.");
    }
    // Of what has a name other pages may be served, too, by whoever stands before us.
    const bool mayHavePages = name && isListed(*name, m_hosts);
    if (request.hasOrigin && (mayHavePages || asciiLower(trimmed(request.origin)) != "http://" + asciiLower(request.host))) {
        return edgeError(403, "foreign_origin",
                         "Origin \"" + elided(request.origin, 80) +
                             "\" says that a web page sent this. Pages may not "
                             "use the gateway; call it from a program, without an Origin header.");
    }
    return std::nullopt;
}

const Caller* AccessPolicy::findCaller(const Sha256& token) const {
    const Caller* found = nullptr;
    for (const Known& known : m_known) {
        // Every token is compared, whether or not one matched already, so that time tells nothing.
        if (constantTimeEqual(known.token, token) && found == nullptr)
            found = &known.caller;
    }
    return found;
}

tl::expected<const Caller*, EdgeError> AccessPolicy::authenticate(const HttpRequest& request) const {
    const std::string_view token = presentedToken(request);
    if (const Caller* found = token.empty() ? nullptr : findCaller(sha256(token)))
        return found;
    if (m_anonymous)
        return &*m_anonymous;
    if (token.empty()) {
        return tl::unexpected(
            edgeError(401, "missing_token",
                      "This gateway needs its client token. Send it as \"Authorization: Bearer …\" (or "
                      "x-api-key). The console's Gateway page and `signalboxctl serve` show it."));
    }
    return tl::unexpected(
        edgeError(401, "invalid_token",
                  "The token is not one that this gateway knows. The console's Gateway page and "
                  "`signalboxctl serve` show the current one."));
}

std::optional<EdgeError> AccessPolicy::checkAdmin(const HttpRequest& request, bool peerIsLocal) const {
    if (!peerIsLocal && !m_adminRemote) {
        return edgeError(403, "admin_is_local",
                         "The admin paths answer on this machine only. Call them through 127.0.0.1 there, "
                         "over ssh if need be, or set remote = true in [admin] of gateway.toml.");
    }
    const std::string_view token = presentedToken(request);
    if (token.empty()) {
        return edgeError(401, "missing_admin_token",
                         "The admin paths need their own token. Send \"Authorization: Bearer …\" with " +
                             m_adminPlace + ".");
    }
    const Sha256 digest = sha256(token);
    if (m_admin && constantTimeEqual(*m_admin, digest))
        return std::nullopt;
    const bool isClients = findCaller(digest) != nullptr;
    return edgeError(isClients ? 403 : 401, isClients ? "client_token_refused" : "invalid_admin_token",
                     std::string(isClients ? "A client's token does not open the admin paths."
                                           : "The token is not this gateway's admin token.") +
                         " Send " + m_adminPlace + ".");
}

} // namespace signalbox::gateway
