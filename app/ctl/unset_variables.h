// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "router/config/read.h"

namespace signalbox::ctl {

/// Variables that gateway.toml names and this environment does not set: a warning where the gateway would not start
/// without it, a note where only calls of one provider or principal would fail. Values are never looked at.
[[nodiscard]] Findings unsetVariables(const config::GatewayConfig& config, const config::Environment& environment);

}  // namespace signalbox::ctl
