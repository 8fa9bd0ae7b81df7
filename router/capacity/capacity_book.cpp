// SPDX-License-Identifier: MIT
#include "router/capacity/capacity_book.h"

#include <algorithm>
#include <limits>

namespace signalbox::capacity {
namespace {

/// A name that changes from slots to a quota between two policies names another resource.
std::string identityOf(const config::Resource& resource) {
    return std::string(toString(resource.kind)) + ":" + resource.name;
}

ResourceRegistry::Entry entryOf(const config::Resource& resource, ResourceRegistry& registry, Steady now) {
    if (resource.kind == config::Resource::Kind::concurrency) {
        const auto most = std::min<std::uint64_t>(resource.limit, std::numeric_limits<std::uint32_t>::max());
        return registry.slots(identityOf(resource), static_cast<std::uint32_t>(most)).value();
    }
    QuotaOptions options;
    options.limit = static_cast<double>(resource.limit);
    options.window = resource.window;
    return registry.quota(identityOf(resource), options, now).value();
}

std::optional<Reservation> take(const ResourceRegistry::Entry& resource, Steady now) {
    if (const auto* slots = std::get_if<std::shared_ptr<Slots>>(&resource)) return (*slots)->tryTake();
    return std::get<std::shared_ptr<Quota>>(resource)->tryTake(now);
}

CapacityRefusal refusalOf(const ResourceRegistry::Entry& resource, Steady now) {
    CapacityRefusal out;
    const std::string& identity = std::visit([](const auto& one) -> const std::string& { return one->identity(); }, resource);
    out.resource = identity.substr(identity.find(':') + 1);
    const auto* quota = std::get_if<std::shared_ptr<Quota>>(&resource);
    out.isQuota = quota != nullptr;
    if (quota == nullptr) return out;
    if (const auto resets = (*quota)->resetsAt(now); resets && *resets > now)
        out.retryAfter = std::chrono::ceil<std::chrono::seconds>(*resets - now);
    return out;
}

}  // namespace

tl::expected<Reservations, CapacityRefusal> EndpointCapacity::tryTake(Steady now) const {
    Reservations out;
    for (const ResourceRegistry::Entry& resource : m_resources) {
        auto one = take(resource, now);
        if (!one) return tl::unexpected(refusalOf(resource, now));
        out.add(std::move(*one));
    }
    return out;
}

CapacityBook::CapacityBook(const config::GatewayConfig& config, ResourceRegistry& registry, Steady now) {
    for (const config::Resource& resource : config.resources) m_resources.push_back({resource, entryOf(resource, registry, now)});
    for (const config::Provider& provider : config.providers)
        if (provider.resource) m_resourceOf.emplace(provider.id, *provider.resource);
}

EndpointCapacity CapacityBook::of(const config::Route& route) const {
    EndpointCapacity out;
    for (const std::string& name : route.resources) addTo(out, name);
    return out;
}

EndpointCapacity CapacityBook::ofProvider(std::string_view providerId) const {
    EndpointCapacity out;
    if (const auto found = m_resourceOf.find(providerId); found != m_resourceOf.end()) addTo(out, found->second);
    return out;
}

void CapacityBook::addTo(EndpointCapacity& out, std::string_view name) const {
    const auto found = std::find_if(m_resources.begin(), m_resources.end(), [&](const Named& one) { return one.config.name == name; });
    if (found != m_resources.end()) out.add(found->resource);
}

}  // namespace signalbox::capacity
