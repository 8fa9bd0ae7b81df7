// SPDX-License-Identifier: MIT
#include "router/dispatch/scope.h"

#include <algorithm>
#include <iterator>

namespace signalbox::dispatch {

EndpointScope EndpointScope::only(Ids ids) {
    EndpointScope out;
    out.m_ids = std::move(ids);
    return out;
}

EndpointScope EndpointScope::ofLabels(std::span<const std::string> labels, const Ids& members) {
    Ids ids;
    for (const std::string& member : members) {
        const std::string_view provider = std::string_view(member).substr(0, member.find(':'));
        const bool named = std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
            return label == member || label == provider;
        });
        if (named) ids.insert(member);
    }
    return only(std::move(ids));
}

EndpointScope EndpointScope::intersectedWith(const EndpointScope& other) const {
    if (!m_ids) return other;
    if (!other.m_ids) return *this;
    Ids both;
    std::set_intersection(m_ids->begin(), m_ids->end(), other.m_ids->begin(), other.m_ids->end(),
                          std::inserter(both, both.end()));
    return only(std::move(both));
}

}  // namespace signalbox::dispatch
