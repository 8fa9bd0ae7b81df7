// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace signalbox::dispatch {

/// The code of a `cancelled` failure before a connection stood: nothing of the request was sent. Any other one does not say
/// how much was.
inline constexpr std::string_view kGivenUpConnecting = "cancelled_connecting";

}  // namespace signalbox::dispatch
