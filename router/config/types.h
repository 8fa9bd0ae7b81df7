// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "router/config/pool_types.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::config {

enum class Protocol : std::uint8_t { openaiCompat, anthropic, simulated };
enum class AuthMode : std::uint8_t { token, none };
enum class ConcurrencyScope : std::uint8_t { family, endpoint };
enum class TokensField : std::uint8_t { asSent, maxTokens, maxCompletionTokens, both };
/// So many OpenAI itself takes in one request.
inline constexpr std::uint32_t kUsualStopSequences = 4;

/// How the built-in simulated adapter behaves. Every answer it gives is labelled as simulated.
struct SimulatedBehaviour {
    std::chrono::milliseconds firstTokenDelay{120};
    double tokensPerSecond = 60.0;
    std::uint32_t outputTokens = 48;
    /// Share of requests in 0..1 that fail, and how.
    double faultRate = 0.0;
    enum class Fault : std::uint8_t { status500, status429, errorFrame, disconnect, stall } fault = Fault::status500;
    std::uint64_t seed = 1;
};

struct Pricing {  ///< US dollars per million tokens
    double inputPerMillion = 0, outputPerMillion = 0, cacheWritePerMillion = 0, cacheReadPerMillion = 0;
    std::optional<std::string> effectiveAt, source;  ///< as written; how old a price is and who says so
};

/// What a model can do and hold. Unset means that nobody has said, which cuts nothing.
struct Capabilities {
    std::optional<bool> tools, parallelTools, structuredOutput, vision;
    std::optional<std::uint64_t> contextTokens, maxOutputTokens;
    bool operator==(const Capabilities&) const = default;
};

/// `[providers.ID]`: a base URL, a credential and a protocol.
struct Provider {
    std::string id;
    std::string displayName;
    Protocol protocol = Protocol::openaiCompat;
    std::optional<std::string> baseUrl;
    std::optional<std::string> baseUrlEnv;
    std::vector<std::string> baseUrlEnvFallbacks;  ///< asked in order when `baseUrlEnv` is unset
    std::optional<std::string> apiKeyEnv;
    bool apiKeyRequired = false;
    std::vector<std::string> models;
    std::vector<std::string> modelPrefixes;
    bool passthroughUnknownModels = false;
    std::optional<std::string> defaultModel;
    TokensField maxTokensField = TokensField::asSent;
    /// How many stop sequences of a Messages request it can be told, when it speaks OpenAI's protocol.
    std::uint32_t maxStopSequences = kUsualStopSequences;
    bool streamUsage = true;  ///< may we ask it for a usage chunk
    std::map<std::string, std::string> staticHeaders;
    std::chrono::milliseconds connectTimeout{5'000};
    std::chrono::milliseconds firstByteTimeout{120'000};
    std::chrono::milliseconds streamIdleTimeout{120'000};
    std::chrono::milliseconds requestTimeout{600'000};
    std::optional<std::string> caFile;
    std::optional<Pricing> pricing;
    std::map<std::string, Pricing> modelPricing;
    Capabilities capabilities;
    std::map<std::string, Capabilities> modelCapabilities;  ///< what is set here wins over `capabilities`
    SimulatedBehaviour simulated;
    /// The engine's own Prometheus page: an address, or `auto` for `/metrics` at the host of the base URL.
    std::optional<std::string> metricsUrl;
    std::chrono::milliseconds metricsInterval{5'000};
    // What routes that name this provider have by default.
    RouteKind domain = RouteKind::cloud;
    Billing billing = Billing::onDemand;
    std::optional<std::string> resource;  ///< of `[resources]`; every call to this provider takes it
    std::optional<std::string> proxy;         ///< `http://host:port` through which it is reached; unset: directly
    std::optional<std::string> proxyAuthEnv;  ///< the variable with `USER:PASSWORD` for the proxy

    /// False when it lacks what a call needs; shown as "not callable".
    [[nodiscard]] bool isCallable() const { return whyNotCallable().empty(); }
    /// Goes on after the provider's name: "has no base URL"; empty when it can be called.
    [[nodiscard]] std::string_view whyNotCallable() const;
    /// Inventory, default model, prefix or passthrough accepts the model.
    [[nodiscard]] bool accepts(std::string_view model) const;
    [[nodiscard]] bool lists(std::string_view model) const;
    /// The model's own, filled up from the provider's.
    [[nodiscard]] Capabilities capabilitiesOf(std::string_view model) const;
    /// The model's price, else the provider's.
    [[nodiscard]] std::optional<Pricing> pricingOf(std::string_view model) const;
};

/// `[presets."KEY"]`: which endpoint, or which pool, serves a preset.
struct PresetBinding {
    std::string presetKey;
    std::string provider;              ///< empty when a pool serves it
    std::optional<std::string> pool;   ///< a model of `[models]`, whose router then chooses the endpoint
    std::optional<std::string> model;  ///< upstream name; default the preset's served name, else its model
};

struct Candidate {
    std::string provider;
    std::string model;
    double quality = 0.8;
    std::uint32_t latencyHintMs = 1000;
    bool enabled = true;
    std::optional<std::string> pool;  ///< a model of `[models]` whose router then chooses the endpoint; `provider` is empty
};

struct SmartGroup {
    std::string id;
    std::vector<std::string> aliases;
    std::optional<std::string> defaultProfile;
    std::vector<Candidate> candidates;
};

enum class RoutingMode : std::uint8_t { off, shadow, active };

/// The four shares of a score as somebody wrote them, in any scale; an absent one counts as 0.
struct WrittenWeights {
    std::optional<double> quality, cost, latency, reliability;
};

/// `[routing.policies."NAME"]`: weights of a policy version of our own, by profile; a profile that is not named has
/// the built-in ones.
struct NamedPolicy {
    std::string name;
    std::map<std::string, WrittenWeights> profiles;
};

struct Routing {
    RoutingMode mode = RoutingMode::off;
    std::string defaultProfile = "balanced";
    std::string policyVersion = "builtin-v1";
    std::uint8_t activationPercent = 0;
    std::vector<SmartGroup> groups;
    std::vector<NamedPolicy> policies;
};

struct Principal {
    std::string id;
    std::string team;
    std::optional<std::string> tokenEnv;
    std::optional<std::string> tokenSha256;
    bool mayPin = false;
    std::optional<std::string> defaultExpectedLength, defaultCategory, defaultInputTokens;
    /// Unset does not restrict; an empty list allows nothing. Models also match the name that a client sends.
    std::optional<std::vector<std::string>> allowedGroups, allowedModels, allowedProviders;
    std::optional<std::uint32_t> requestsPerMinute;
    /// Estimated US dollars in a calendar month (UTC): from `soft` on a warning, from `hard` on 429.
    std::optional<double> monthlyBudgetSoftUsd, monthlyBudgetHardUsd;
};

struct Server {
    std::string host = "127.0.0.1";
    std::uint16_t port = 38082;  ///< 0 lets the system choose
    /// DNS names by which clients reach it, as `Host` gives them: lower case, no port, no last dot.
    std::vector<std::string> hosts;
    std::uint32_t threads = 0;   ///< 0: one per core
    std::uint64_t maxRequestBodyBytes = std::uint64_t{32} << 20;
    std::uint32_t maxConcurrentRequests = 64;
    AuthMode auth = AuthMode::token;
    std::optional<std::string> tokenEnv;  ///< `[auth] token_env`
    std::chrono::milliseconds headerTimeout{15'000};
    std::chrono::milliseconds idleTimeout{75'000};
    ConcurrencyScope concurrencyScope = ConcurrencyScope::family;
    /// From arrival to the last byte, over all attempts (F44). Unset: only the providers' own limits hold.
    std::optional<std::chrono::milliseconds> requestBudget;
    /// Pause after which a waiting client of a stream hears a comment or ping (F17, F18). Unset: never.
    std::optional<std::chrono::milliseconds> heartbeat;
    std::optional<std::string> adminTokenEnv;   ///< `[admin] token_env`; without it a token is made at first start
    bool adminRemote = false;                   ///< `[admin] remote`: whether other machines may use the admin API with that token
};

struct Evidence {
    bool enabled = true;
    std::optional<std::string> dsnEnv;  ///< without it: the private cluster
    std::uint64_t journalMaxBytes = std::uint64_t{4} << 30;
    std::uint32_t retentionDays = 90;
    std::string target = "local";
    std::string environment = "workstation";
};

/// gateway.toml, understood.
struct GatewayConfig {
    std::optional<std::string> defaultProvider;
    std::vector<std::string> providerOrder;
    Server server;
    Evidence evidence;
    std::vector<Provider> providers;  ///< in the order of the file
    std::map<std::string, std::string> aliases;        ///< static: name -> "provider:model"
    std::vector<PresetBinding> presetBindings;
    /// Where every key of the file stands, by dotted path; a value without an entry is a default.
    std::map<std::string, TextPosition> positions;
    std::map<std::string, std::string> naturalPresets; ///< model -> preset, from `[presets."KEY"] natural_for = [model…]`
    Routing routing;
    std::vector<Principal> principals;
    std::vector<Model> models;        ///< in the order of the file
    std::vector<Resource> resources;  ///< likewise
    CircuitSettings circuits;

    [[nodiscard]] const Provider* findProvider(std::string_view id) const;
    [[nodiscard]] const PresetBinding* findBinding(std::string_view presetKey) const;
    [[nodiscard]] const Resource* findResource(std::string_view name) const;
    /// By its id or one of its aliases.
    [[nodiscard]] const Model* findModel(std::string_view name) const;
    /// The group that a smart alias belongs to.
    [[nodiscard]] const SmartGroup* findGroupByAlias(std::string_view alias) const;
    /// False when the value at this dotted path is a default.
    [[nodiscard]] bool isInFile(const std::string& path) const { return positions.contains(path); }
};

/// True for 127.0.0.0/8, ::1 (with or without brackets) and localhost.
[[nodiscard]] bool isLoopbackHost(std::string_view host);

/// The word of the file for a value, as in `protocol = "openai_compat"`.
[[nodiscard]] std::string_view toString(Protocol value);
[[nodiscard]] std::string_view toString(AuthMode value);
[[nodiscard]] std::string_view toString(ConcurrencyScope value);
[[nodiscard]] std::string_view toString(RoutingMode value);
[[nodiscard]] std::string_view toString(TokensField value);
[[nodiscard]] std::string_view toString(SimulatedBehaviour::Fault value);

}  // namespace signalbox::config
