// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/resource_registry.h"
#include "router/config/types.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace signalbox::capacity {

/// What one call holds of all its resources. Move-only; ends as `Reservation` does.
class Reservations {
public:
    void add(Reservation one) { m_held.push_back(std::move(one)); }
    void markSpent() {
        for (Reservation& one : m_held) one.markSpent();
    }
    /// Idempotent.
    void release() { m_held.clear(); }
    [[nodiscard]] bool empty() const { return m_held.empty(); }

private:
    std::vector<Reservation> m_held;
};

/// A resource had nothing left. Nothing was taken.
struct CapacityRefusal {
    std::string resource;
    bool isQuota = false;
    std::optional<std::chrono::seconds> retryAfter;  ///< when units come back by themselves
};

/// The resources that a call to one endpoint takes: slots and quota units, one of each. Cheap to copy; thread safe.
class EndpointCapacity {
public:
    void add(ResourceRegistry::Entry resource) { m_resources.push_back(std::move(resource)); }
    /// All or nothing.
    [[nodiscard]] tl::expected<Reservations, CapacityRefusal> tryTake(Steady now) const;
    [[nodiscard]] std::span<const ResourceRegistry::Entry> resources() const { return m_resources; }

private:
    std::vector<ResourceRegistry::Entry> m_resources;
};

/// The resources of one policy, looked up once when it starts to run. They belong to the process and not to the policy:
/// calls of an earlier one are still counted.
class CapacityBook {
public:
    CapacityBook(const config::GatewayConfig& config, ResourceRegistry& registry, Steady now);

    /// Of a route: the resources it names, the provider's own among them.
    [[nodiscard]] EndpointCapacity of(const config::Route& route) const;
    /// Of a call to a provider outside any pool.
    [[nodiscard]] EndpointCapacity ofProvider(std::string_view providerId) const;
    struct Named {
        config::Resource config;
        ResourceRegistry::Entry resource;
    };
    /// In the order of the file.
    [[nodiscard]] std::span<const Named> resources() const { return m_resources; }

private:
    void addTo(EndpointCapacity& out, std::string_view name) const;
    std::vector<Named> m_resources;
    std::map<std::string, std::string, std::less<>> m_resourceOf;  // by provider
};

}  // namespace signalbox::capacity
