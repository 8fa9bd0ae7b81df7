// SPDX-License-Identifier: MIT
#include "router/config/registry/import_resources.h"

#include "router/config/registry/import_names.h"
#include "router/config/section.h"

#include <algorithm>

namespace signalbox::config {
namespace {

constexpr std::size_t kMostResourceBytes = 120;

bool isSame(const Resource& a, const Resource& b) { return a.kind == b.kind && a.limit == b.limit && a.window == b.window; }

std::string describe(const Resource& resource) {
    std::string out = std::to_string(resource.limit) + (resource.kind == Resource::Kind::quota ? " requests" : " at once");
    if (resource.window) out += " in " + std::to_string(resource.window->count()) + " s";
    return out;
}

}  // namespace

std::string ResourcePlanner::of(const RegistryLimit& limit, Resource::Kind kind, const std::string& endpoint) {
    const char* suffix = kind == Resource::Kind::quota ? "-quota" : "-slots";
    const std::string wanted = limit.pool.empty() ? asName(endpoint, kMostResourceBytes) + suffix : asName(limit.pool, kMostResourceBytes);
    Resource resource{wanted.empty() ? "pool" : wanted, kind, limit.limit, kind == Resource::Kind::quota ? limit.window : std::nullopt};
    // One name for slots and a quota gives two resources.
    resource.name = freeName(resource.name, "-", [&](const std::string& name) {
        const Resource* there = m_existing.findResource(name);
        return (there != nullptr && there->kind != kind) ||
               std::any_of(m_planned.begin(), m_planned.end(), [&](const PlannedResource& p) { return p.resource.name == name && p.resource.kind != kind; });
    });
    for (const PlannedResource& planned : m_planned) {
        if (planned.resource.name != resource.name) continue;
        if (!isSame(planned.resource, resource))
            m_report.add(ImportOutcome::notCarried, "second_limit", limit.place,
                         "routes that share " + inQuotes(resource.name) + " share one limit, " + describe(planned.resource) + " as given above",
                         "Write the same limit in both places, or name another pool.");
        return resource.name;
    }
    const bool exists = m_existing.findResource(resource.name) != nullptr;
    return m_planned.emplace_back(PlannedResource{std::move(resource), limit.place, exists, false}).resource.name;
}

void ResourcePlanner::use(const std::string& name) {
    for (PlannedResource& planned : m_planned)
        if (planned.resource.name == name) planned.needed = true;
}

std::deque<PlannedResource> ResourcePlanner::take() {
    for (const PlannedResource& planned : m_planned) {
        if (!planned.needed) continue;
        const std::string header = "[" + joinPath("resources", planned.resource.name) + "]";
        const Resource* there = m_existing.findResource(planned.resource.name);
        if (there == nullptr)
            m_report.add(ImportOutcome::carried, "resource", planned.place, header + ", " + describe(planned.resource));
        else if (!isSame(*there, planned.resource))
            m_report.add(ImportOutcome::conflict, "differs", planned.place,
                         "gateway.toml has " + header + " with " + describe(*there) + ", which stays", "Change one of them.");
    }
    return std::move(m_planned);
}

}  // namespace signalbox::config
