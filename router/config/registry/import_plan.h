// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/registry_section.h"
#include "router/config/registry/registry_types.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace signalbox::config {

/// A provider that routes of the registry lead to.
struct PlannedProvider {
    const Provider* existing = nullptr;  ///< of gateway.toml: the same address, key and protocol
    Provider made;                       ///< its id, and what is to be written when it is new
    std::string literal;                 ///< the key itself, where the registry spells it out: never to leave the memory
    RegistryPlace place;
    bool needed = false;  ///< a model that is carried leads here
    std::vector<std::string> newModels;  ///< to be added to what exists
    std::map<std::string, RegistryPricing> pricing;
    std::map<std::string, std::pair<Capabilities, RegistryPlace>> capabilities;
};

struct PlannedResource {
    Resource resource;
    RegistryPlace place;
    bool exists = false;
    bool needed = false;
};

/// What is to be added to gateway.toml.
struct ImportPlan {
    std::deque<PlannedProvider> providers;
    std::deque<PlannedResource> resources;
    std::vector<Model> models;  ///< new ones
};

/// Joins the registry with what gateway.toml says already; whatever differs there stays and is reported as a conflict.
[[nodiscard]] ImportPlan planImport(const std::vector<RegistryModel>& models, const GatewayConfig& existing, const ModelJudge& judge,
                                    RegistryContext& context);

}  // namespace signalbox::config
