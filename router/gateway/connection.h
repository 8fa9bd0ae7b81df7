// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"
#include "router/gateway/deadline_wheel.h"
#include "router/gateway/wakeup.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::gateway {

namespace asio = boost::asio;
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

/// A socket that listens on every address sees IPv4 peers as mapped ones.
[[nodiscard]] asio::ip::address unmapped(const asio::ip::address& address);

/// A client's socket with its read buffer, its one deadline and the watch for a client that leaves.
/// Everything happens on the thread that owns it.
class Connection : public std::enable_shared_from_this<Connection>, private DeadlineWheel::Entry {
public:
    Connection(Socket socket, DeadlineWheel& wheel);

    /// Bytes that were read and not yet consumed.
    [[nodiscard]] std::string_view buffered() const { return std::string_view(m_buffer).substr(m_begin); }
    void consume(std::size_t bytes);
    /// Reads more, at most 16 KiB; false at the end, on an error or when the deadline passed.
    [[nodiscard]] asio::awaitable<bool> readMore(std::chrono::milliseconds patience);
    /// Writes all of it; false when the client is gone or took nothing for `patience`.
    [[nodiscard]] asio::awaitable<bool> write(std::array<asio::const_buffer, 3> pieces,
                                              std::chrono::milliseconds patience);

    void armDeadline(std::chrono::milliseconds after) {
        m_timedOut = false;
        m_wheel.arm(*this, after);
    }
    [[nodiscard]] bool timedOut() const { return m_timedOut; }

    /// From here until `stopWatching` a client that closes its side cancels the coroutine that serves it
    /// (F45). A client that half-closes counts as gone, as it does for the common reverse proxies.
    void startWatching();
    void stopWatching() { m_watching = false; }
    [[nodiscard]] bool clientLeft() const { return m_clientLeft; }

    /// The client cannot be reached any more: ends what is running, as when it had left.
    void lose() { leave(); }
    /// Ends what is running, as when the client had left. `aborted` says that it was us.
    void abort();
    [[nodiscard]] bool aborted() const { return m_aborted; }
    /// Half-closes and reads on for a while, so that a client still sending gets to see the answer.
    [[nodiscard]] asio::awaitable<void> linger();
    void close();
    /// The thread has ended, and with it all that the session might wait for.
    void giveUpSession() { m_arrival.giveUp(); }

    [[nodiscard]] asio::io_context::executor_type executor() { return m_socket.get_executor(); }
    [[nodiscard]] asio::cancellation_slot cancellationSlot() { return m_cancel.slot(); }
    /// The other end is on this machine.
    [[nodiscard]] bool peerIsLocal() const;
    /// Its address without port; empty when it has gone.
    [[nodiscard]] std::string peerAddress() const;
    /// Between two requests, where closing loses nothing.
    void setIdle(bool idle) {
        m_idle = idle;
        if (idle)
            m_awaitsHeadSince = DeadlineWheel::Clock::now();
    }
    [[nodiscard]] bool isIdle() const { return m_idle; }
    /// The head of a request is complete: from here on somebody is served.
    void setHasHead() {
        m_idle = false;
        m_awaitsHeadSince.reset();
    }
    /// Since when it waits for a whole head, be it idle or sent slowly; none while a request is served.
    [[nodiscard]] const std::optional<DeadlineWheel::Clock::time_point>& awaitsHeadSince() const {
        return m_awaitsHeadSince;
    }

private:
    void onDeadline() override;
    [[nodiscard]] bool readNow();
    void startReading();
    void onRead(const boost::system::error_code& ec, std::size_t bytes);
    [[nodiscard]] bool writeNow(std::array<asio::const_buffer, 3>& pieces);
    void leave();

    static constexpr std::size_t kReadBytes = 16 << 10;
    static constexpr std::size_t kMaxPipelined = 64 << 10;

    Socket m_socket;
    DeadlineWheel& m_wheel;
    std::array<char, kReadBytes> m_incoming; ///< what one read fills; only what came is kept
    std::string m_buffer;
    std::size_t m_begin = 0;
    asio::cancellation_signal m_cancel;
    bool m_timedOut = false;
    Wakeup m_arrival; ///< for who waits in `readMore`
    bool m_watching = false;
    bool m_reading = false; ///< what comes next is being waited for, on behalf of `readMore` or of the watch
    bool m_readFailed = false;
    bool m_ended = false; ///< the client has closed, or cannot be reached
    bool m_clientLeft = false;
    bool m_aborted = false;
    bool m_idle = true;
    std::optional<DeadlineWheel::Clock::time_point> m_awaitsHeadSince = DeadlineWheel::Clock::now();
};

} // namespace signalbox::gateway
