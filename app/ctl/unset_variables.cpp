// SPDX-License-Identifier: MIT
#include "app/ctl/unset_variables.h"

#include "router/base/text.h"
#include "router/config/section.h"

namespace signalbox::ctl {
namespace {

constexpr const char* kPassedOver =
    "Until it is set, this provider is not called: groups and pools pass over it, and requests that name it are refused.";

struct Search {
    const config::GatewayConfig& config;
    const config::Environment& environment;
    Findings findings;

    void look(const std::optional<std::string>& variable, const std::string& path, Severity severity, const char* without) {
        if (!variable) return;
        // The gateway takes blanks around a secret away, so that nothing may be left.
        const auto value = environment(*variable);
        if (value && !trimmed(*value).empty()) return;
        const auto at = config.positions.find(path);
        findings.push_back({severity, "variable_not_set", path,
                            at == config.positions.end() ? TextPosition{} : at->second,
                            "the variable $" + *variable + (value ? " is empty here" : " is not set here"),
                            std::string(without) + " Export it where the gateway runs."});
    }
};

}  // namespace

Findings unsetVariables(const config::GatewayConfig& config, const config::Environment& environment) {
    Search search{config, environment, {}};
    if (config.server.auth == config::AuthMode::token)
        search.look(config.server.tokenEnv, "auth.token_env", Severity::warning, "The gateway will not start without its token.");
    search.look(config.server.adminTokenEnv, "admin.token_env", Severity::warning, "The gateway will not start without its admin token.");
    if (config.evidence.enabled)
        search.look(config.evidence.dsnEnv, "evidence.dsn_env", Severity::warning,
                    "The gateway will not start without its database.");
    for (const auto& provider : config.providers) {
        const std::string path = config::joinPath("providers", provider.id);
        if (provider.protocol == config::Protocol::simulated) continue;  // calls nobody
        search.look(provider.apiKeyEnv, path + ".api_key_env", Severity::note,
                    provider.apiKeyRequired ? kPassedOver : "It is then called without a key.");
        if (provider.proxy) search.look(provider.proxyAuthEnv, path + ".proxy_auth_env", Severity::note, kPassedOver);
        if (!config::effectiveBaseUrl(provider, environment))
            search.look(provider.baseUrlEnv, path + ".base_url_env", Severity::note, "This provider cannot be called without it.");
    }
    for (const auto& principal : config.principals)
        if (!principal.tokenSha256) search.look(principal.tokenEnv, config::joinPath("principals", principal.id) + ".token_env", Severity::note,
                    "This principal cannot authenticate.");
    return std::move(search.findings);
}

}  // namespace signalbox::ctl
