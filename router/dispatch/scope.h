// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace signalbox::dispatch {

/// The endpoints that a request may reach. Every layer intersects; nothing left is a refusal and never "unrestricted".
class EndpointScope {
public:
    using Ids = std::set<std::string, std::less<>>;

    /// No restriction.
    EndpointScope() = default;
    /// Exactly these `provider:model`; an empty set allows nothing.
    [[nodiscard]] static EndpointScope only(Ids ids);
    /// Each label is an endpoint id or a provider's name; a provider stands for its endpoints among `members`, so that
    /// both sides of a comparison are canonical ids of one model. Labels that match no member allow nothing.
    [[nodiscard]] static EndpointScope ofLabels(std::span<const std::string> labels, const Ids& members);

    [[nodiscard]] bool isUnrestricted() const { return !m_ids.has_value(); }
    [[nodiscard]] bool isEmpty() const { return m_ids && m_ids->empty(); }
    [[nodiscard]] bool allows(std::string_view endpointId) const { return !m_ids || m_ids->contains(endpointId); }
    [[nodiscard]] EndpointScope intersectedWith(const EndpointScope& other) const;

private:
    std::optional<Ids> m_ids;  // nullopt: no restriction
};

}  // namespace signalbox::dispatch
