// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

namespace signalbox::engine {

/// Who does something to a gateway, as its event tells.
struct Actor {
    std::string name{evidence::kByOperator};  ///< `operator`, or `operator:LABEL` as they call themselves
    std::string from;                         ///< address, over the admin API; empty: in this process
};

/// What came of an action that was no error.
enum class Acted : std::uint8_t {
    done,
    unchanged, ///< it was so already: nothing happened, and there is no event
};

/// What a gateway in this process lets the admin API do; beside `Target`, whose actions are the operator's at hand.
/// Errors as there. Calls may block for milliseconds, or as long as another action takes.
class AdminActions {
public:
    virtual ~AdminActions() = default;
    [[nodiscard]] virtual Result<void> apply(Policy policy, const Actor& by) = 0;
    [[nodiscard]] virtual Result<Acted> off(bool on, const Actor& by) = 0;
    [[nodiscard]] virtual Result<Acted> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent, const Actor& by) = 0;
    [[nodiscard]] virtual Result<void> act(const std::string& endpointId, EndpointAction action, const Actor& by) = 0;
    [[nodiscard]] virtual Result<void> note(const std::string& words, const Actor& by) = 0;
    /// Writes down that somebody was turned away, and why. Never blocks on a disk.
    virtual void postRefused(std::string_view subject, const std::string& words, const Actor& by) noexcept = 0;
};

}  // namespace signalbox::engine
