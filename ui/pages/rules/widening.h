// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

#include <optional>

namespace signalbox::ui {

/// A rule that is marked as measured and permits kinds of request that it did not when it got that mark.
struct Widening {
    int before = 0, now = 0;  ///< cells that its condition permits
    bool operator==(const Widening&) const = default;
};
/// `saved` is the table as it was read or saved last. A rule is known again by its family and its evidence: whoever has
/// written another evidence has thought of what it covers.
[[nodiscard]] std::optional<Widening> wideningSince(const table::RoutingTable& saved, const table::RoutingRule& rule);

}  // namespace signalbox::ui
