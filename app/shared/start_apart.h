// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace signalbox::app {

/// Starts a program that goes on when this one ends: in a session of its own, with no signal held back. Of our open
/// descriptors it gets the three standard ones alone, or it would hold the gateway's address and its clients' connections.
/// Errors: unavailable, with the program, when it cannot be executed.
[[nodiscard]] Result<void> startApart(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace signalbox::app
