// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/response_writer.h"

#include <memory>

namespace signalbox::gateway {

/// Keeps the client of a stream from giving up while nothing comes: a comment on the OpenAI edge (F17), a real
/// `event: ping` on the Anthropic edge, whose clients' idle timers ignore comments (F18). The first one commits the
/// stream's 200, and what fails later is an error of the stream.
///
/// It beats only between `resume` and `pause`, while the upstream is waited for, on the connection's own thread. With no
/// interval it does nothing. Destroying it ends it, also in the middle of a beat; the connection lives as long as that.
class Heartbeat {
public:
    Heartbeat(Connection& connection, ResponseWriter& writer, Edge edge,
              std::optional<std::chrono::milliseconds> interval);
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;
    ~Heartbeat();

    /// The upstream is waited for from now on.
    void resume();
    /// The writer is the caller's again when it returns.
    [[nodiscard]] asio::awaitable<void> pause();
    [[nodiscard]] bool isOn() const { return m_beat != nullptr; }

private:
    struct Beat;
    static asio::awaitable<void> run(std::shared_ptr<Beat> beat);
    std::shared_ptr<Beat> m_beat;
};

} // namespace signalbox::gateway
