// SPDX-License-Identifier: MIT
#include "router/config/source.h"

#include "router/config/section.h"

#include <algorithm>

namespace signalbox::config {
namespace {

/// The variable that `effectiveBaseUrl` takes the URL from; empty when it is the file's.
std::string baseUrlVariable(const Provider& provider, const Environment& environment) {
    std::vector<std::string> asked = provider.baseUrlEnvFallbacks;
    if (provider.baseUrlEnv) asked.insert(asked.begin(), *provider.baseUrlEnv);
    for (const std::string& name : asked)
        if (const auto value = environment(name); value && !value->empty()) return name;
    return {};
}

const Provider* providerOfBaseUrl(const GatewayConfig& config, const Path& path) {
    if (path.size() != 3 || path[0] != PathStep("providers") || path[2] != PathStep("base_url")) return nullptr;
    const auto* id = std::get_if<std::string>(&path[1]);
    return id != nullptr ? config.findProvider(*id) : nullptr;
}

}  // namespace

std::string dottedPath(const Path& path) {
    std::string out;
    for (const PathStep& step : path) {
        if (const auto* key = std::get_if<std::string>(&step))
            out = joinPath(out, *key);
        else
            out += "[" + std::to_string(std::get<std::size_t>(step)) + "]";
    }
    return out;
}

Source sourceOf(const GatewayConfig& config, const std::vector<Override>& overrides, const Path& path,
                const Environment& environment) {
    const std::string dotted = dottedPath(path);
    Source out;
    if (const auto at = config.positions.find(dotted); at != config.positions.end()) {
        out.origin = Origin::file;
        out.position = at->second;
    }
    const auto over = std::find_if(overrides.begin(), overrides.end(), [&](const Override& o) { return o.path == dotted; });
    if (over != overrides.end()) out.variable = over->variable;
    if (const Provider* provider = providerOfBaseUrl(config, path); provider != nullptr && environment)
        out.variable = baseUrlVariable(*provider, environment);
    if (!out.variable.empty()) out.origin = Origin::environment;
    return out;
}

}  // namespace signalbox::config
