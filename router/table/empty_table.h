// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <string>

namespace signalbox::table {

/// A table that is valid and routes nothing, under our name: to begin with, and all that a workspace needs whose requests go
/// by groups, models and aliases alone.
[[nodiscard]] std::string emptyTable(Timestamp now);

}  // namespace signalbox::table
