// SPDX-License-Identifier: MIT
#include "router/capacity/resource_registry.h"

namespace signalbox::capacity {
namespace {

tl::unexpected<Error> otherKind(const std::string& identity, const char* held, const char* wanted) {
    return fail(ErrorKind::conflict, "resource \"" + identity + "\" is " + held + " and cannot also be " + wanted,
                "resources." + identity, "Give the two kinds of capacity two names");
}

}  // namespace

Result<std::shared_ptr<Slots>> ResourceRegistry::slots(const std::string& identity, std::uint32_t limit) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(identity);
    if (found == m_entries.end()) {
        auto made = std::make_shared<Slots>(identity, limit);
        m_entries.emplace(identity, made);
        return made;
    }
    const auto* slots = std::get_if<std::shared_ptr<Slots>>(&found->second);
    if (slots == nullptr) return otherKind(identity, "a quota", "concurrency slots");
    (*slots)->setLimit(limit);
    return *slots;
}

Result<std::shared_ptr<Quota>> ResourceRegistry::quota(const std::string& identity, QuotaOptions options, Steady now) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(identity);
    if (found == m_entries.end()) {
        auto made = std::make_shared<Quota>(identity, options, now);
        m_entries.emplace(identity, made);
        return made;
    }
    const auto* quota = std::get_if<std::shared_ptr<Quota>>(&found->second);
    if (quota == nullptr) return otherKind(identity, "concurrency slots", "a quota");
    // Where the provider counts, its last reading knows limit and reset better than the configuration.
    if (options.externallyCounted) return *quota;
    (*quota)->setLimit(options.limit);
    (*quota)->setWindow(options.window, now);
    return *quota;
}

std::vector<ResourceRegistry::Entry> ResourceRegistry::all() const {
    const std::lock_guard lock(m_mutex);
    std::vector<Entry> out;
    out.reserve(m_entries.size());
    for (const auto& [identity, entry] : m_entries) out.push_back(entry);
    return out;
}

}  // namespace signalbox::capacity
