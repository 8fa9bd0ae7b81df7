// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/import_plan.h"

#include <set>

namespace signalbox::config {

/// One provider for every address, key and protocol; one that gateway.toml has already is taken as it is.
class ProviderPlanner {
public:
    ProviderPlanner(const std::vector<RegistryModel>& models, const GatewayConfig& existing, RegistryContext& context);

    /// `key` is null for a route without one. The result stays where it is.
    PlannedProvider& of(const RegistryRoute& route, const RegistryKey* key);
    /// A model that is carried calls `model` there: lists it, with what it costs and can.
    void use(PlannedProvider& provider, const RegistryRoute& route);
    [[nodiscard]] std::deque<PlannedProvider> take();

private:
    [[nodiscard]] const Provider* findExisting(const Provider& like) const;
    [[nodiscard]] std::string variableFor(const std::string& name, const Provider& like) const;
    [[nodiscard]] bool isTaken(const std::string& id) const;
    void settle(PlannedProvider& provider);

    const GatewayConfig& m_existing;
    ImportReport& m_report;
    std::set<std::string> m_variables;  ///< that the registry itself names
    std::deque<PlannedProvider> m_planned;
};

}  // namespace signalbox::config
