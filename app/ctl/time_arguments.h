// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"

#include <string>

namespace signalbox::ctl {

/// `90s`, `30m`, `24h` or `7d` back from `now`; or `2026-11-29`, `2026-11-29T17:10:39Z`, UTC unless an offset says
/// otherwise.
[[nodiscard]] Result<Timestamp> parseTime(const std::string& text, Timestamp now);

}  // namespace signalbox::ctl
