// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::engine {

/// What an operator may do to one endpoint. Each is written down as an event.
enum class EndpointAction : std::uint8_t {
    drain,    ///< no new attempts; what is in flight finishes
    undrain,
    trip,     ///< opens the circuit for its cooling time
    reset,    ///< closes it
};
[[nodiscard]] std::string_view toString(EndpointAction action);

class EventLog;
struct Actor;
void postAction(EventLog& log, const std::string& endpointId, EndpointAction action, const Actor& by);

}  // namespace signalbox::engine
