// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

namespace signalbox::ui {

/// How many kinds of request (cells) a rule that is marked as measured permits which its evidence was not marked for: no rule
/// of `saved`, the table as it was read or saved last, with the same family and evidence permits them. 0 where there is no
/// such rule: whoever has written another evidence has thought of what it covers.
[[nodiscard]] int newlyPermitted(const table::RoutingTable& saved, const table::RoutingRule& rule);

}  // namespace signalbox::ui
