// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"

#include <initializer_list>

namespace signalbox::policy {

/// What one principal may use for one request. Without a principal, and where a list is unset, everything is allowed; an
/// empty list allows nothing. Refers to what it is made from.
class Permissions {
public:
    explicit Permissions(const config::Principal* principal) : m_principal(principal) {}

    /// A name under which the request asked: what was sent, and what an alias made of it. Allowing it allows what it
    /// stands for. Pins add none, since they do not ask by name.
    void addName(std::string_view name) { m_names.push_back(name); }

    [[nodiscard]] bool allowsProvider(std::string_view id) const;
    [[nodiscard]] bool allowsCandidate(const smart::GroupCandidate& candidate) const;
    /// denied, naming the group and what to do; nullopt when it is allowed.
    [[nodiscard]] std::optional<Error> refusalOfGroup(std::string_view id) const;
    /// The same for a target of any other way. A pool is allowed as soon as one of its providers is; its router then leaves
    /// out the others.
    [[nodiscard]] std::optional<Error> refusalOf(const PolicySnapshot& snapshot, const RouteTarget& target) const;

private:
    using List = std::optional<std::vector<std::string>>;
    [[nodiscard]] std::optional<Error> refusalOfProviders(const PolicySnapshot& snapshot, const RouteTarget& target) const;
    [[nodiscard]] bool allowsModel(std::initializer_list<std::string_view> names) const;
    [[nodiscard]] Error denied(const std::string& what, std::string_view name, const char* list, const List& allowed) const;

    const config::Principal* m_principal;
    std::vector<std::string_view> m_names;
};

}  // namespace signalbox::policy
