// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/read_parts.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace signalbox::config {
namespace {

constexpr std::array kProtocols{Protocol::openaiCompat, Protocol::anthropic, Protocol::simulated};
constexpr std::array kTokensFields{TokensField::maxTokens, TokensField::maxCompletionTokens, TokensField::both};
/// More nobody sends; what an upstream takes without end is written as this.
constexpr std::int64_t kMostStopSequences = 1000;
using Fault = SimulatedBehaviour::Fault;
constexpr std::array kFaults{Fault::status500, Fault::status429, Fault::errorFrame, Fault::disconnect, Fault::stall};

bool isToken(std::string_view name) {
    static constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kOthers.find(c) != std::string_view::npos;
    });
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Values that are a credential by their form, whatever the header is called.
bool looksLikeCredential(std::string_view value) {
    const std::string lower = asciiLower(value.substr(0, 7));
    return lower.starts_with("bearer ") || lower.starts_with("basic ") || lower.starts_with("sk-");
}

/// Names by which a credential usually goes, such as `Ocp-Apim-Subscription-Key`. Names of others end so, too, hence no more than a warning.
bool soundsSecret(std::string_view lowerName) {
    static constexpr std::array<std::string_view, 6> kEnds{"key", "token", "secret", "password", "auth", "credential"};
    return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return lowerName.ends_with(end); });
}

void readStaticHeaders(Section& provider, Provider& out) {
    static constexpr std::array<std::string_view, 7> kSecret{"authorization", "proxy-authorization", "x-api-key",
                                                             "api-key", "x-goog-api-key", "cookie", "x-auth-token"};
    static constexpr std::array<std::string_view, 9> kOwn{
        "host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "trailer", "expect", "keep-alive"};
    auto section = provider.section("static_headers");
    if (!section) return;
    for (auto& [name, text] : section->allTexts()) {
        const std::string lower = asciiLower(name);
        if (contains(kSecret, lower) || looksLikeCredential(text.value))
            section->report(Severity::error, "literal_secret", name,
                            "a secret must not stand in this file, which is meant to be shared",
                            "Write api_key_env = \"NAME\"; the gateway sends that key in the header of the protocol.");
        else if (contains(kOwn, lower))
            section->report(Severity::error, "header_invalid", name, "the gateway sets this header itself",
                            "Remove it.");
        else if (!isToken(name) || hasControl(text.value))
            section->report(Severity::error, "header_invalid", name, "this is not a header that HTTP can carry",
                            "A name has letters, digits and hyphens; a value stands on one line.");
        else {
            if (soundsSecret(lower))
                section->report(Severity::warning, "header_may_be_secret", name,
                                "by its name this header carries a secret, which everybody who reads this file would have",
                                "Write api_key_env = \"NAME\" for a key; another secret header has to be added by a proxy of yours.");
            out.staticHeaders.emplace(std::move(name), std::move(text.value));
        }
    }
}

/// What stands behind the colon of `host:port`; empty without one.
std::string_view portBehind(std::string_view authority) {
    const std::size_t colon = authority.back() == ']' ? std::string_view::npos : authority.rfind(':');
    return colon == std::string_view::npos ? std::string_view{} : authority.substr(colon + 1);
}

bool isPort(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc{} && end == text.data() + text.size() && port != 0;
}

/// The gateway adds the path of an operation itself, so that of a base URL would stand there twice.
void checkOperation(Section& section, std::string_view url, std::size_t pathAt) {
    static constexpr std::array<std::string_view, 5> kOperations{"/chat/completions", "/completions", "/embeddings",
                                                                 "/messages/count_tokens", "/messages"};
    while (url.ends_with('/')) url.remove_suffix(1);
    const std::string_view path = url.substr(std::min(pathAt, url.size()));
    const auto operation = std::find_if(kOperations.begin(), kOperations.end(),
                                        [&](std::string_view one) { return path.ends_with(one); });
    if (operation == kOperations.end()) return;
    section.report(Severity::warning, "base_url_names_operation", "base_url",
                   "the gateway adds " + std::string(*operation) + " to the base URL itself, so requests would ask for it twice",
                   "Let base_url end before " + std::string(*operation) + ".");  // not repeated: a key may stand in its path
}

void readBaseUrl(Section& section, Provider& out) {
    const auto url = section.text("base_url");
    if (!url) return;
    const auto refuse = [&](std::string_view code, std::string message, std::string hint) {
        section.report(Severity::error, code, "base_url", std::move(message), std::move(hint));
    };
    const std::string_view text = *url;
    const std::size_t start = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
    if (start == 0)
        return refuse("base_url_invalid", "a base URL begins with http:// or https://",
                      "Write for example base_url = \"http://127.0.0.1:8000/v1\".");
    const std::string_view authority = text.substr(start, text.find_first_of("/?#", start) - start);
    if (authority.find('@') != std::string_view::npos)
        return refuse("literal_secret", "a user name or password must not stand in a base URL",
                      "Write api_key_env = \"NAME\" instead.");
    if (authority.empty() || authority.front() == ':' || hasControl(text) || text.find(' ') != std::string_view::npos)
        return refuse("base_url_invalid", "the base URL has no usable host", "Write http://HOST:PORT/PATH.");
    if (text.find_first_of("?#") != std::string_view::npos)
        return refuse("base_url_invalid", "a base URL has no query and no fragment", "End it with the path.");
    // Not repeated: what stands there may be a password.
    if (const std::string_view port = portBehind(authority); !port.empty() && !isPort(port))
        return refuse("base_url_invalid", "what stands behind the host is no port from 1 to 65535", "Write http://HOST:PORT/PATH.");
    checkOperation(section, text, start + authority.size());
    const std::size_t colon = authority.back() == ']' ? std::string_view::npos : authority.rfind(':');
    const bool plain = start == 7 && !isLoopbackHost(authority.substr(0, colon));
    if (plain && section.has("api_key_env"))
        section.report(Severity::warning, "key_over_plain_http", "base_url",
                       "the API key would cross the network unencrypted", "Use https:// if the upstream offers it.");
    out.baseUrl = *url;
}

/// Proxies come from here alone: what the environment says of them is not looked at.
void readProxy(Section& section, Provider& out) {
    out.proxyAuthEnv = section.environmentName("proxy_auth_env");
    const auto url = section.text("proxy");
    if (!url) {
        if (out.proxyAuthEnv && !section.has("proxy"))
            section.report(Severity::warning, "proxy_missing", "proxy_auth_env", "credentials are named for a proxy, but no proxy is",
                           "Add proxy = \"http://HOST:PORT\", or remove this line.");
        return;
    }
    const std::string_view text = *url;
    const std::string_view authority = text.substr(std::min(text.size(), text.find("://") == std::string_view::npos ? 0 : text.find("://") + 3));
    if (authority.find('@') != std::string_view::npos)
        return section.report(Severity::error, "literal_secret", "proxy", "a user name or password must not stand in a proxy's address",
                              "Name the variable with USER:PASSWORD in proxy_auth_env.");
    const bool isPlain = text.starts_with("http://") && !authority.empty() && authority.front() != ':' &&
                         authority.find_first_of("/?# ") == std::string_view::npos && !hasControl(text);
    if (!isPlain)
        return section.report(Severity::error, "proxy_invalid", "proxy", "a proxy is http://HOST:PORT, and nothing behind it",
                              "Write for example proxy = \"http://proxy.example:3128\"; an https upstream is encrypted inside of it.");
    if (out.protocol == Protocol::simulated)
        section.report(Severity::warning, "proxy_ignored", "proxy", "a simulated provider is not called over the network",
                       "Remove this line.");
    out.proxy = *url;
}

void readPlace(Section& section, Provider& out) {
    readBaseUrl(section, out);
    out.baseUrlEnv = section.environmentName("base_url_env");
    out.baseUrlEnvFallbacks = section.environmentNames("base_url_env_fallbacks");
    out.apiKeyEnv = section.environmentName("api_key_env");
    // Whoever names a variable means the key in it: a call without one would find out only at the upstream.
    out.apiKeyRequired = section.boolean("api_key_required").value_or(out.apiKeyEnv.has_value());
    if (out.apiKeyRequired && !section.has("api_key_env"))
        section.report(Severity::warning, "api_key_env_missing", "api_key_required",
                       "a key is required but no variable is named for it", "Add api_key_env = \"NAME\".");
    out.caFile = section.text("ca_file");
    readProxy(section, out);
    readStaticHeaders(section, out);
}

void readInventory(Section& section, Provider& out) {
    for (LocatedText& model : section.filledTexts("models")) {
        checkNameLength(section, model, out.id);
        out.models.push_back(std::move(model.value));
    }
    out.modelPrefixes = section.texts("model_prefixes");
    if (const auto pass = section.boolean("passthrough_unknown_models")) out.passthroughUnknownModels = *pass;
    auto defaultModel = section.text("default_model");
    if (defaultModel) checkNameLength(section, {*defaultModel, section.pathOf("default_model"), section.positionOf("default_model")}, out.id);
    if (defaultModel && !out.models.empty() && !out.accepts(*defaultModel))
        section.report(Severity::warning, "default_model_not_listed", "default_model",
                       inQuotes(*defaultModel) + " is neither in models nor accepted by a prefix",
                       didYouMean(*defaultModel, out.models));
    out.defaultModel = std::move(defaultModel);
}

void readTimes(Section& section, Provider& out) {
    section.milliseconds("connect_timeout_ms", out.connectTimeout);
    section.milliseconds("first_byte_timeout_ms", out.firstByteTimeout);
    section.milliseconds("stream_idle_timeout_ms", out.streamIdleTimeout);
    section.milliseconds("request_timeout_ms", out.requestTimeout);
}

Pricing readRates(Section& section) {
    Pricing pricing;
    const auto rate = [&](std::string_view key, double& value) {
        if (const auto read = section.number(key, 0, 1e6, "pricing_range")) value = *read;
    };
    rate("input_per_million", pricing.inputPerMillion);
    rate("output_per_million", pricing.outputPerMillion);
    rate("cache_write_per_million", pricing.cacheWritePerMillion);
    rate("cache_read_per_million", pricing.cacheReadPerMillion);
    pricing.effectiveAt = section.textOrDate("effective_at");
    pricing.source = section.text("source");
    return pricing;
}

void readPricing(Section& section, Provider& out) {
    if (auto pricing = section.section("pricing")) {
        out.pricing = readRates(*pricing);
        pricing->finish();
    }
    for (auto& [model, rates] : section.children("model_pricing")) {
        out.modelPricing.emplace(model, readRates(rates));
        if (const auto currency = rates.text("currency"); currency && *currency != "USD")
            rates.report(Severity::warning, "currency_not_usd", "currency",
                         "costs are estimated in US dollars; these rates are taken as such",
                         "Convert them to US dollars per million tokens.");
        for (const char* key : {"version", "service_tier", "evidence"}) rates.keep(key);
        rates.finish();
    }
}

void readSimulated(Section& section, Provider& out) {
    auto simulated = section.section("simulated");
    if (!simulated) return;
    SimulatedBehaviour& behaviour = out.simulated;
    simulated->milliseconds("first_token_ms", behaviour.firstTokenDelay, 0);
    if (const auto speed = simulated->number("tokens_per_second", 0.1, 1e6)) behaviour.tokensPerSecond = *speed;
    if (const auto tokens = simulated->integer("output_tokens", 0, 1'000'000))
        behaviour.outputTokens = static_cast<std::uint32_t>(*tokens);
    if (const auto rate = simulated->number("fault_rate", 0, 1)) behaviour.faultRate = *rate;
    if (const auto fault = simulated->word<Fault>("fault", kFaults)) behaviour.fault = *fault;
    if (const auto seed = simulated->integer("seed", 0, INT64_MAX)) behaviour.seed = static_cast<std::uint64_t>(*seed);
    simulated->finish();
    if (out.protocol != Protocol::simulated)
        section.report(Severity::warning, "simulated_ignored", "simulated",
                       "these settings have no effect on a provider that is not simulated",
                       "Write protocol = \"simulated\", or remove them.");
}

/// 0 stands for what is usual, as a missing key does.
void readStopSequences(Section& section, Provider& out) {
    const auto most = section.integer("max_stop_sequences", 0, kMostStopSequences);
    if (!most) return;
    if (*most > 0) out.maxStopSequences = static_cast<std::uint32_t>(*most);
    if (out.protocol != Protocol::openaiCompat)
        section.report(Severity::warning, "max_stop_sequences_ignored", "max_stop_sequences",
                       "only a provider that speaks OpenAI's protocol has such a limit", "Remove this line.");
}

void keepRest(Section& section) {
    section.keep("fidelity_mode", Kind::text);
    for (const char* key : {"deduplicate_stream_text", "buffer_stream_text", "trust_upstream_cost"})
        section.keep(key, Kind::boolean);
    for (const char* key : {"retry", "reasoning", "sampling", "model_profiles"})
        section.keep(key, Kind::table);
}

/// What routes through this provider have by default.
void readCapacity(Section& section, Provider& out, const GatewayConfig& config) {
    static constexpr std::array kDomains{RouteKind::local, RouteKind::cloud};
    static constexpr std::array kBillings{Billing::onDemand, Billing::quota, Billing::concurrency};
    if (const auto domain = section.word<RouteKind>("domain", kDomains)) out.domain = *domain;
    if (const auto billing = section.word<Billing>("provider_type", kBillings)) out.billing = *billing;
    const auto resource = section.text("resource");
    if (!resource) return;
    std::vector<std::string> known;
    for (const Resource& one : config.resources) known.push_back(one.name);
    if (config.findResource(*resource) == nullptr)
        section.report(Severity::error, "resource_missing", "resource",
                       "there is no [resources] entry " + inQuotes(*resource), didYouMean(*resource, known));
    out.resource = *resource;
}

void readMetricsPage(Section& section, Provider& out) {
    section.milliseconds("metrics_interval_ms", out.metricsInterval, 250);
    auto url = section.text("metrics_url");
    if (!url) return;
    if (*url != "auto" && !url->starts_with("http://") && !url->starts_with("https://"))
        section.report(Severity::error, "metrics_url_invalid", "metrics_url",
                       "a metrics page is \"auto\" or an address that begins with http:// or https://",
                       "Write metrics_url = \"auto\" for /metrics at the host of base_url.");
    else if (url->find('@') != std::string::npos)
        section.report(Severity::error, "literal_secret", "metrics_url",
                       "a user name or password must not stand in an address", "Remove it.");
    else
        out.metricsUrl = std::move(*url);
}

void checkId(Section& section, const std::string& id) {
    if (id == kPoolWord)
        return section.reportHere(Severity::error, "provider_id_reserved",
                                  "no provider may be called pool, for pool:MODEL names the pool of a model everywhere",
                                  "Rename it here and wherever it is used.");
    if (isBlank(id) || id.size() > 80 || hasControl(id) || id.find(':') != std::string::npos)
        section.reportHere(Severity::error, "provider_id_invalid",
                           "a provider id has 1 to 80 bytes on one line and no colon, for provider:model names one",
                           "Rename it here and wherever it is used.");
}

Provider readProvider(const std::string& id, Section& section, const GatewayConfig& config) {
    Provider out;
    out.id = id;
    checkId(section, id);
    out.displayName = section.text("display_name").value_or(id);
    const auto protocol = section.word<Protocol>("protocol", kProtocols);
    if (protocol) out.protocol = *protocol;
    readPlace(section, out);
    readInventory(section, out);
    if (const auto field = section.word<TokensField>("max_tokens_field", kTokensFields)) out.maxTokensField = *field;
    readStopSequences(section, out);
    if (const auto usage = section.boolean("stream_usage")) out.streamUsage = *usage;
    readTimes(section, out);
    readPricing(section, out);
    readCapabilities(section, out);
    readSimulated(section, out);
    readCapacity(section, out, config);
    readMetricsPage(section, out);
    keepRest(section);
    section.finish();
    if (!out.isCallable() && protocol.has_value() == section.has("protocol") && !section.has("base_url") && !section.has("base_url_env"))
        section.reportHere(Severity::note, "provider_not_callable", "without a base URL this provider cannot be called",
                           "Add base_url or base_url_env, or protocol = \"simulated\".");
    return out;
}

}  // namespace

void readProviders(Section& root, GatewayConfig& config) {
    for (auto& [id, section] : root.children("providers"))
        config.providers.push_back(readProvider(id, section, config));

    const auto ids = providerIds(config);
    const auto known = [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
    config.defaultProvider = root.text("default_provider");
    if (config.defaultProvider && !known(*config.defaultProvider))
        root.report(Severity::error, "provider_missing", "default_provider",
                    "there is no provider " + inQuotes(*config.defaultProvider), didYouMean(*config.defaultProvider, ids));
    for (const LocatedText& id : root.locatedTexts("provider_order")) {
        if (known(id.value))
            config.providerOrder.push_back(id.value);
        else
            root.reportAt(Severity::error, "provider_missing", id, "there is no provider " + inQuotes(id.value),
                          didYouMean(id.value, ids));
    }
}

}  // namespace signalbox::config
