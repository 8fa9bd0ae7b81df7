// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/import_plan.h"

namespace signalbox::config {

/// Quotas and slots as `[resources]`: shared by name where the registry shares them, else one for each endpoint.
class ResourcePlanner {
public:
    ResourcePlanner(const GatewayConfig& existing, RegistryContext& context) : m_existing(existing), m_report(context.report) {}

    /// The name of the resource; `endpoint` names it where the registry does not.
    std::string of(const RegistryLimit& limit, Resource::Kind kind, const std::string& endpoint);
    /// A model that is carried takes it.
    void use(const std::string& name);
    [[nodiscard]] std::deque<PlannedResource> take();

private:
    const GatewayConfig& m_existing;
    ImportReport& m_report;
    std::deque<PlannedResource> m_planned;
};

}  // namespace signalbox::config
