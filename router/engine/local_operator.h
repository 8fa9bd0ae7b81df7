// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace signalbox::engine {

/// Whose process this is, as audits name them: `ada@ops-1`, by the system's accounts and not by a variable. Visible ASCII,
/// bounded; an account or a host without a name is its number and `unknown`.
[[nodiscard]] std::string localOperator();

}  // namespace signalbox::engine
