// SPDX-License-Identifier: MIT
#include "router/policy/canonical.h"

#include "router/base/hashing.h"
#include "router/base/text.h"

#include <nlohmann/json.hpp>

namespace signalbox::policy {

namespace {

// Sorts its keys, unlike the ordered documents used elsewhere.
using Json = nlohmann::json;

template <class T>
Json memberOrNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::string digest(std::string_view secret) { return "sha256:" + sha256Hex(secret); }

Json pricing(const config::Pricing& price) {
    return {{"input_per_million", price.inputPerMillion},
            {"output_per_million", price.outputPerMillion},
            {"cache_write_per_million", price.cacheWritePerMillion},
            {"cache_read_per_million", price.cacheReadPerMillion}};
}

Json capabilities(const config::Capabilities& value) {
    return {{"tools", memberOrNull(value.tools)},
            {"parallel_tools", memberOrNull(value.parallelTools)},
            {"structured_output", memberOrNull(value.structuredOutput)},
            {"vision", memberOrNull(value.vision)},
            {"context_tokens", memberOrNull(value.contextTokens)},
            {"max_output_tokens", memberOrNull(value.maxOutputTokens)}};
}

Json simulated(const config::SimulatedBehaviour& behaviour) {
    return {{"first_token_delay_ms", behaviour.firstTokenDelay.count()},
            {"tokens_per_second", behaviour.tokensPerSecond},
            {"output_tokens", behaviour.outputTokens},
            {"fault_rate", behaviour.faultRate},
            {"fault", config::toString(behaviour.fault)},
            {"seed", behaviour.seed}};
}

Json provider(const config::Provider& value) {
    Json headers = Json::object();
    for (const auto& [name, text] : value.staticHeaders) headers[name] = digest(text);
    Json prices = Json::object();
    for (const auto& [model, price] : value.modelPricing) prices[model] = pricing(price);
    Json models = Json::object();
    for (const auto& [model, can] : value.modelCapabilities) models[model] = capabilities(can);
    Json out{{"id", value.id},
             {"display_name", value.displayName},
             {"protocol", config::toString(value.protocol)},
             {"base_url", value.baseUrl ? Json(withoutUrlSecrets(*value.baseUrl)) : Json(nullptr)},
             {"base_url_env", memberOrNull(value.baseUrlEnv)},
             {"base_url_env_fallbacks", value.baseUrlEnvFallbacks},
             {"api_key_env", memberOrNull(value.apiKeyEnv)},
             {"api_key_required", value.apiKeyRequired},
             {"models", value.models},
             {"model_prefixes", value.modelPrefixes},
             {"passthrough_unknown_models", value.passthroughUnknownModels},
             {"default_model", memberOrNull(value.defaultModel)},
             {"max_tokens_field", config::toString(value.maxTokensField)},
             {"stream_usage", value.streamUsage},
             {"static_headers", std::move(headers)},
             {"connect_timeout_ms", value.connectTimeout.count()},
             {"first_byte_timeout_ms", value.firstByteTimeout.count()},
             {"stream_idle_timeout_ms", value.streamIdleTimeout.count()},
             {"request_timeout_ms", value.requestTimeout.count()},
             {"ca_file", memberOrNull(value.caFile)},
             {"pricing", value.pricing ? pricing(*value.pricing) : Json(nullptr)},
             {"model_pricing", std::move(prices)},
             {"capabilities", capabilities(value.capabilities)},
             {"model_capabilities", std::move(models)},
             {"domain", config::toString(value.domain)},
             {"provider_type", config::toString(value.billing)},
             {"resource", memberOrNull(value.resource)}};
    if (value.protocol == config::Protocol::simulated) out["simulated"] = simulated(value.simulated);
    // Only where there is one, so that policies without keep the hash that their releases were signed with.
    if (value.maxStopSequences != config::kUsualStopSequences) out["max_stop_sequences"] = value.maxStopSequences;
    if (value.proxy) out["proxy"] = withoutUrlSecrets(*value.proxy);
    if (value.proxyAuthEnv) out["proxy_auth_env"] = *value.proxyAuthEnv;
    if (value.metricsUrl) {
        out["metrics_url"] = withoutUrlSecrets(*value.metricsUrl);
        if (value.metricsInterval != config::Provider().metricsInterval) out["metrics_interval_ms"] = value.metricsInterval.count();
    }
    return out;
}

Json routes(const config::Model& model) {
    Json out = Json::array();
    for (const config::Route& route : model.routes)
        out.push_back({{"provider", route.provider},
                       {"model", route.model},
                       {"kind", config::toString(route.kind)},
                       {"weight", route.weight},
                       {"provider_type", config::toString(route.billing)},
                       {"resources", route.resources}});
    return out;
}

Json models(const config::GatewayConfig& config) {
    Json out = Json::array();
    for (const config::Model& model : config.models)
        out.push_back({{"id", model.id},
                       {"aliases", model.aliases},
                       {"router", config::toString(model.router)},
                       {"router_params", model.parametersJson.empty() ? Json::object() : Json::parse(model.parametersJson)},
                       {"route", routes(model)}});
    return out;
}

Json resources(const config::GatewayConfig& config) {
    Json out = Json::object();
    for (const config::Resource& resource : config.resources)
        out[resource.name] = {{"kind", config::toString(resource.kind)},
                              {"limit", resource.limit},
                              {"window_s", resource.window ? Json(resource.window->count()) : Json(nullptr)}};
    return out;
}

Json circuits(const config::CircuitSettings& value) {
    return {{"consecutive_failures", value.consecutiveFailures},
            {"min_availability", value.minAvailability},
            {"window", value.window},
            {"min_attempts", value.minAttempts},
            {"cool_for_ms", value.coolFor.count()},
            {"max_retry_after_s", value.maxRetryAfter.count()}};
}

Json policies(const config::Routing& value) {
    Json out = Json::object();
    for (const config::NamedPolicy& policy : value.policies) {
        Json& profiles = out[policy.name] = Json::object();
        for (const auto& [profile, weights] : policy.profiles)
            profiles[profile] = {{"quality", weights.quality.value_or(0)},
                                 {"cost", weights.cost.value_or(0)},
                                 {"latency", weights.latency.value_or(0)},
                                 {"reliability", weights.reliability.value_or(0)}};
    }
    return out;
}

Json routing(const config::Routing& value) {
    Json groups = Json::array();
    for (const config::SmartGroup& group : value.groups) {
        Json candidates = Json::array();
        for (const config::Candidate& candidate : group.candidates) {
            Json one{{"quality", candidate.quality},
                     {"latency_hint_ms", candidate.latencyHintMs},
                     {"enabled", candidate.enabled}};
            if (candidate.pool) one["pool"] = *candidate.pool;
            else one.update({{"provider", candidate.provider}, {"model", candidate.model}});
            candidates.push_back(std::move(one));
        }
        groups.push_back({{"id", group.id},
                          {"aliases", group.aliases},
                          {"default_profile", memberOrNull(group.defaultProfile)},
                          {"candidates", std::move(candidates)}});
    }
    return {{"mode", config::toString(value.mode)},
            {"default_profile", value.defaultProfile},
            {"policy_version", value.policyVersion},
            {"activation_percent", value.activationPercent},
            {"groups", std::move(groups)},
            {"policies", policies(value)}};
}

Json presets(const config::GatewayConfig& config) {
    Json bindings = Json::object();
    for (const config::PresetBinding& binding : config.presetBindings)
        bindings[binding.presetKey] = {{"provider", binding.provider}, {"model", memberOrNull(binding.model)}, {"pool", memberOrNull(binding.pool)}};
    return {{"bindings", std::move(bindings)}, {"natural_for", config.naturalPresets}};
}

Json principals(const config::GatewayConfig& config) {
    Json out = Json::array();
    for (const config::Principal& principal : config.principals)
        out.push_back({{"id", principal.id},
                       {"team", principal.team},
                       {"token_env", memberOrNull(principal.tokenEnv)},
                       {"token", principal.tokenSha256 ? Json(digest(*principal.tokenSha256)) : Json(nullptr)},
                       {"may_pin", principal.mayPin},
                       {"default_expected_length", memberOrNull(principal.defaultExpectedLength)},
                       {"default_category", memberOrNull(principal.defaultCategory)},
                       {"default_input_tokens", memberOrNull(principal.defaultInputTokens)},
                       {"allowed_groups", memberOrNull(principal.allowedGroups)},
                       {"allowed_models", memberOrNull(principal.allowedModels)},
                       {"allowed_providers", memberOrNull(principal.allowedProviders)},
                       {"requests_per_minute", memberOrNull(principal.requestsPerMinute)},
                       {"monthly_budget_soft_usd", memberOrNull(principal.monthlyBudgetSoftUsd)},
                       {"monthly_budget_hard_usd", memberOrNull(principal.monthlyBudgetHardUsd)}});
    return out;
}

Json server(const config::Server& value) {
    Json out{{"auth", config::toString(value.auth)},
            {"token_env", memberOrNull(value.tokenEnv)},
            {"max_request_body_bytes", value.maxRequestBodyBytes},
            {"max_concurrent_requests", value.maxConcurrentRequests},
            {"concurrency_scope", config::toString(value.concurrencyScope)}};
    // Only where it is set: policies written before there was one keep their hash.
    if (value.requestBudget) out["request_budget_ms"] = value.requestBudget->count();
    if (value.heartbeat) out["heartbeat_ms"] = value.heartbeat->count();
    const config::Server usual{};
    if (value.headerTimeout != usual.headerTimeout) out["header_timeout_ms"] = value.headerTimeout.count();
    if (value.idleTimeout != usual.idleTimeout) out["idle_timeout_ms"] = value.idleTimeout.count();
    if (value.adminTokenEnv) out["admin_token_env"] = *value.adminTokenEnv;
    if (value.adminRemote) out["admin_remote"] = true;
    if (!value.hosts.empty()) out["hosts"] = value.hosts;
    return out;
}

}  // namespace

std::string withoutUrlSecrets(std::string_view url) {
    const std::size_t host = urlAuthorityBegin(url);
    const std::size_t query = std::min(url.find_first_of("?#", host), url.size());
    const std::size_t path = std::min(url.find('/', host), query);
    const std::string_view authority = url.substr(host, path - host);
    std::string out(url.substr(0, host));
    if (const auto at = lastUrlAtSign(authority)) {
        out += digest(authority.substr(0, at->begin)) + "@";
        out += url.substr(host + at->end, query - host - at->end);
    } else {
        out += url.substr(host, query - host);
    }
    if (query < url.size()) out += "?" + digest(url.substr(query));
    return out;
}

std::string canonicalPolicy(const table::RoutingTable& table, std::string_view tableSha256,
                            const config::GatewayConfig& config) {
    Json providers = Json::array();
    for (const config::Provider& value : config.providers) providers.push_back(provider(value));
    const Json policy{{"format", 1},
                      {"table", {{"sha256", tableSha256}, {"schema_version", table.schemaVersion}}},
                      {"default_provider", memberOrNull(config.defaultProvider)},
                      {"provider_order", config.providerOrder},
                      {"providers", std::move(providers)},
                      {"aliases", config.aliases},
                      {"presets", presets(config)},
                      {"routing", routing(config.routing)},
                      {"models", models(config)},
                      {"resources", resources(config)},
                      {"circuits", circuits(config.circuits)},
                      {"principals", principals(config)},
                      {"server", server(config.server)}};
    return policy.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace signalbox::policy
