// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"
#include "router/base/finding.h"
#include "router/config/types.h"
#include "router/table/types.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::config {

/// Looks up an environment variable; tests pass their own.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
[[nodiscard]] Environment processEnvironment();

/// What reading gateway.toml gave; `config` is null exactly when `findings` holds an error.
struct LoadedConfig {
    std::shared_ptr<const GatewayConfig> config;
    Findings findings;
    std::string text;    ///< the bytes as read
    std::string sha256;  ///< of those bytes
};

/// Reads and validates (contract B). All errors are reported, not only the first.
[[nodiscard]] LoadedConfig readConfig(std::string text);
[[nodiscard]] Result<LoadedConfig> readConfigFile(const std::filesystem::path& path);

/// What only shows when configuration and table are seen together: bindings of unknown presets, presets without an
/// endpoint, aliases that hide a preset or table model.
[[nodiscard]] Findings crossCheck(const GatewayConfig& config, const table::RoutingTable& table);

/// Mode, profile and percent from `SIGNALBOX_…` or `MODELPORT_…` (contract B). A bad value is an error.
/// Of the two spellings of one variable the first wins; modes and profiles may be in any case.
struct Override {
    std::string variable;
    std::string value;
    std::string path;  ///< what it replaces: `routing.mode`, `routing.default_profile`, `routing.activation_percent`
};
[[nodiscard]] Result<std::vector<Override>> applyEnvironmentOverrides(GatewayConfig& config, const Environment& env);

/// The base URL a provider is called at: the first set of `base_url_env` and its fallbacks, else `base_url`.
[[nodiscard]] std::optional<std::string> effectiveBaseUrl(const Provider& provider, const Environment& env);

struct ListenAddress {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const ListenAddress&) const = default;
};
/// `HOST:PORT`, an IPv6 host in brackets; the brackets are not part of the result.
[[nodiscard]] Result<ListenAddress> parseListenAddress(std::string_view text);

/// A workspace folder: routing-table.json and gateway.toml.
struct WorkspacePaths {
    std::filesystem::path folder;
    [[nodiscard]] std::filesystem::path table() const { return folder / "routing-table.json"; }
    [[nodiscard]] std::filesystem::path config() const { return folder / "gateway.toml"; }
};

}  // namespace signalbox::config
