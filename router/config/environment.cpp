// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/credentials.h"
#include "router/config/read.h"
#include "router/config/section.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace signalbox::config {
namespace {

constexpr std::array kPrefixes{"SIGNALBOX_", "MODELPORT_"};

std::optional<Override> findOverride(const Environment& env, std::string_view name, std::string path) {
    for (const char* prefix : kPrefixes) {
        const std::string variable = prefix + std::string(name);
        if (auto value = env(variable)) return Override{variable, std::move(*value), std::move(path)};
    }
    return std::nullopt;
}

tl::unexpected<Error> refuse(const Override& bad, std::string message, std::string hint) {
    return fail(ErrorKind::badInput, std::move(message), bad.variable, std::move(hint) + " Or unset the variable.");
}

Result<void> applyMode(Routing& routing, const Override& with) {
    const std::string word = asciiLower(trimmed(with.value));
    for (const RoutingMode mode : {RoutingMode::off, RoutingMode::shadow, RoutingMode::active}) {
        if (word != toString(mode)) continue;
        if (mode != RoutingMode::off && routing.groups.empty())
            return refuse(with, "mode " + inQuotes(word) + " needs at least one group in gateway.toml",
                          "Add [routing.groups.NAME].");
        routing.mode = mode;
        return {};
    }
    return refuse(with, inQuotes(with.value) + " is not a routing mode", "Write off, shadow or active.");
}

Result<void> applyProfile(Routing& routing, const Override& with) {
    const std::string word = asciiLower(trimmed(with.value));
    for (const char* profile : {"quality", "balanced", "economy", "latency"}) {
        if (word != profile) continue;
        routing.defaultProfile = word;
        return {};
    }
    return refuse(with, inQuotes(with.value) + " is not a routing profile",
                  "Write quality, balanced, economy or latency.");
}

Result<void> applyPercent(Routing& routing, const Override& with) {
    const std::string_view digits = trimmed(with.value);
    int percent = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (error != std::errc{} || end != digits.data() + digits.size() || percent < 0 || percent > 100)
        return refuse(with, inQuotes(with.value) + " is not a percentage", "Write an integer from 0 to 100.");
    routing.activationPercent = static_cast<std::uint8_t>(percent);
    return {};
}

}  // namespace

Environment processEnvironment() {
    return withCredentials([](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return std::string(value);
    });
}

Result<std::vector<Override>> applyEnvironmentOverrides(GatewayConfig& config, const Environment& env) {
    using Apply = Result<void> (*)(Routing&, const Override&);
    struct Known {
        std::string_view name;
        const char* path;
        Apply apply;
    };
    static constexpr std::array<Known, 3> kKnown{{
        {"SMART_ROUTING_MODE", "routing.mode", applyMode},
        {"SMART_ROUTING_PROFILE", "routing.default_profile", applyProfile},
        {"SMART_ROUTING_ACTIVATION_PERCENT", "routing.activation_percent", applyPercent},
    }};
    Routing changed = config.routing;
    std::vector<Override> out;
    for (const Known& known : kKnown) {
        auto found = findOverride(env, known.name, known.path);
        if (!found) continue;
        if (auto applied = known.apply(changed, *found); !applied) return tl::unexpected(std::move(applied.error()));
        out.push_back(std::move(*found));
    }
    // Only now, so that a bad variable leaves the configuration as it was.
    config.routing = std::move(changed);
    return out;
}

std::optional<std::string> effectiveBaseUrl(const Provider& provider, const Environment& env) {
    const auto setVariable = [&](const std::string& name) -> std::optional<std::string> {
        auto value = env(name);
        return value && !value->empty() ? value : std::nullopt;
    };
    if (provider.baseUrlEnv)
        if (auto url = setVariable(*provider.baseUrlEnv)) return url;
    for (const std::string& name : provider.baseUrlEnvFallbacks)
        if (auto url = setVariable(name)) return url;
    return provider.baseUrl;
}

}  // namespace signalbox::config
