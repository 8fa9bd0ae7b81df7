// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/hashing.h"
#include "router/classify/features.h"
#include "router/config/read.h"
#include "router/gateway/edge_error.h"
#include "router/gateway/http_request.h"

#include <optional>
#include <string>
#include <vector>

namespace signalbox::gateway {

/// Who sends a request, as far as routing and records care.
struct Caller {
    std::string id;
    std::string team;
    bool mayPin = false;
    classify::CallerHints defaults;
    std::optional<std::size_t> principal; ///< position in the configuration; none for the gateway's own token
};

/// Who may come in: a web page never, a client with its token, or anybody on loopback where that was chosen.
/// Immutable; one per policy.
class AccessPolicy {
public:
    /// `gatewayToken` is the one token that needs no principal; empty means there is none. `adminToken` opens
    /// `/admin/`; empty means that nothing does.
    /// Errors: `auth = "none"` on an address that others can reach.
    [[nodiscard]] static Result<AccessPolicy> make(const config::GatewayConfig& config,
                                                   const config::Environment& environment,
                                                   const std::string& gatewayToken,
                                                   const std::string& adminToken = {});

    /// A page in a browser must not be able to spend the operator's keys, so foreign Origin, unexpected Host
    /// and cross-site fetches are refused; nullopt when all is well.
    [[nodiscard]] std::optional<EdgeError> checkBrowser(const HttpRequest& request) const;
    /// The caller whose token the request carries.
    [[nodiscard]] tl::expected<const Caller*, EdgeError> authenticate(const HttpRequest& request) const;

    /// Whether the request may use `/admin/`: with the admin token and no other, and from this machine only unless
    /// `[admin] remote` allows others. Messages name where the token is.
    [[nodiscard]] std::optional<EdgeError> checkAdmin(const HttpRequest& request, bool peerIsLocal) const;

    [[nodiscard]] bool isLoopback() const { return m_loopback; }
    [[nodiscard]] bool tokenRequired() const { return !m_anonymous; }
    /// Principals whose token is not in the environment, so that nobody can be them.
    [[nodiscard]] const std::vector<std::string>& notices() const { return m_notices; }

private:
    [[nodiscard]] bool expectsHost(std::string_view name) const;
    [[nodiscard]] std::string hostAdvice(std::string_view name) const;

    struct Known {
        Sha256 token; ///< its digest: tokens themselves are hashed as soon as they are seen
        Caller caller;
    };
    [[nodiscard]] const Caller* findCaller(const Sha256& token) const;

    std::vector<Known> m_known;
    std::optional<Sha256> m_admin; ///< digest of its token; none: nobody administers over HTTP
    std::string m_adminPlace;  ///< where its token is, for messages
    bool m_adminRemote = false;
    std::optional<Caller> m_anonymous;
    std::string m_host;
    std::vector<std::string> m_hosts; ///< further names, of `[server] hosts`
    bool m_loopback = true;
    std::vector<std::string> m_notices;
};

/// Whom a principal's token makes. `principal` is one of `config`.
[[nodiscard]] Caller callerOf(const config::GatewayConfig& config, const config::Principal& principal);

/// 127.0.0.0/8, ::1 or localhost.
[[nodiscard]] bool isLoopbackHost(std::string_view host);

} // namespace signalbox::gateway
