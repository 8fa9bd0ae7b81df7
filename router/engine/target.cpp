// SPDX-License-Identifier: MIT
#include "router/engine/target.h"

namespace signalbox::engine {

std::string_view toString(GatewayState state) {
    switch (state) {
    case GatewayState::stopped:
        return "stopped";
    case GatewayState::starting:
        return "starting";
    case GatewayState::running:
        return "running";
    case GatewayState::draining:
        return "draining";
    case GatewayState::failed:
        return "failed";
    }
    return "failed";
}

} // namespace signalbox::engine
