// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <chrono>
#include <csignal>
#include <optional>

namespace signalbox::app {

enum class SignalRequest { stop, reload };

/// SIGTERM and SIGINT as requests to stop, SIGHUP as a request to reload, delivered to whoever waits instead of to a
/// handler. Make it before any thread starts, since threads inherit which signals are held back. SIGPIPE is ignored
/// from then on: a reader that leaves is an error of its write, not the end of the program.
class ShutdownSignals {
public:
    ShutdownSignals();
    ~ShutdownSignals();
    ShutdownSignals(const ShutdownSignals&) = delete;
    ShutdownSignals& operator=(const ShutdownSignals&) = delete;

    /// Becomes readable when a request is there; for event loops.
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    /// The next request, or nothing if none came in time. Zero asks without waiting.
    [[nodiscard]] std::optional<SignalRequest> wait(std::chrono::milliseconds patience);

private:
    int m_descriptor = -1;
    sigset_t m_before{};
};

/// Tells wishes to stop apart from echoes: timeout(1) signals a process and then its group, some service managers and
/// shells do likewise, and so one wish comes twice within milliseconds.
class StopWishes {
public:
    static constexpr std::chrono::milliseconds kEcho{200};
    explicit StopWishes(const Clock& clock) : m_clock(clock) {}
    /// Whether a request that came right now is a wish of its own.
    [[nodiscard]] bool isAnother() {
        const Steady now = m_clock.steady();
        if (m_last && now - *m_last < kEcho) return false;
        m_last = now;
        return true;
    }

private:
    const Clock& m_clock;
    std::optional<Steady> m_last;  ///< wish, not echo
};

}  // namespace signalbox::app
