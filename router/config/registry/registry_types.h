// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/import_report.h"
#include "router/config/types.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::config {

/// What one provider is called with: a variable, or a key that stands in the registry and must not leave it.
struct RegistryKey {
    std::optional<std::string> variable;
    std::string literal;
    RegistryPlace place;
};

/// A quota or a number of slots.
struct RegistryLimit {
    std::uint64_t limit = 1;
    std::optional<std::chrono::seconds> window;  ///< of a quota
    std::string pool;                            ///< that routes share by naming it; empty: the route's own
    RegistryPlace place;
};

struct RegistryPricing {
    Pricing rates;
    RegistryPlace place;
};

struct RegistryRoute {
    RegistryPlace place;
    // Who is called.
    std::string label;        ///< to name the provider by: `provider`, else a telling `kind`; may be empty
    std::string displayName;  ///< `provider_display_name`
    Protocol protocol = Protocol::openaiCompat;
    std::optional<std::string> baseUrl, baseUrlEnv;
    std::vector<RegistryKey> keys;
    // How the model calls it.
    std::string model;
    RouteKind kind = RouteKind::cloud;
    double weight = 1;
    Billing billing = Billing::onDemand;
    std::optional<RegistryLimit> quota, concurrency;
    // What the endpoint costs and can.
    std::optional<RegistryPricing> pricing;
    Capabilities capabilities;
};

struct RegistryModel {
    RegistryPlace place;
    std::string id;
    std::vector<std::pair<std::string, RegistryPlace>> aliases;
    RouterKind router = RouterKind::fixed;
    std::string parametersJson;  ///< one object; empty when there are none
    std::map<std::string, RegistryPlace> parameterPlaces;
    std::vector<RegistryRoute> routes;
};

}  // namespace signalbox::config
