// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/circuit.h"

#include <functional>

namespace signalbox::capacity {

/// A circuit opened, or closed again. That it stays open after a failed probe, or for longer, is no change.
struct CircuitChange {
    enum class End : std::uint8_t {
        served,   ///< a probe or the last resort was served
        excused,  ///< the failures turned out to be the requests' own
        byHand,
    };
    std::string endpointId;
    bool opened = false;
    OpenCause cause = OpenCause::none;       ///< opened: why
    std::chrono::milliseconds coolsFor{0};   ///< opened: until it may be probed
    End end = End::served;                   ///< closed, as the next ones
    std::chrono::milliseconds wasOpenFor{0};
    std::uint64_t failedProbes = 0;          ///< meanwhile
};

/// Runs on the thread that brought the change about, an I/O thread as a rule, with no lock held: cheap, and never
/// throwing. Changes of one circuit that follow each other at once may come in either order.
using CircuitListener = std::function<void(const CircuitChange&)>;

/// Where the circuits of a process find their listener. Thread safe.
class CircuitWatch {
public:
    void setListener(CircuitListener listener);
    void tell(const CircuitChange& change) const noexcept;

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const CircuitListener> m_listener;
};

}  // namespace signalbox::capacity
