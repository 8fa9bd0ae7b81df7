// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/registry/import_plan.h"

#include <string>
#include <string_view>

namespace signalbox::config {

/// The text with everything planned that is needed and new; all its other bytes stay.
[[nodiscard]] Result<std::string> withImport(std::string_view text, const ImportPlan& plan);

}  // namespace signalbox::config
