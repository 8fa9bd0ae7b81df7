// SPDX-License-Identifier: MIT
#include "router/gateway/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

namespace signalbox::gateway {

namespace {
constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kLingerPatience{5};
constexpr std::size_t kLingerBytes = std::size_t{64} << 20;
} // namespace

Connection::Connection(Socket socket, DeadlineWheel& wheel) : m_socket(std::move(socket)), m_wheel(wheel) {
    boost::system::error_code ignored;
    m_socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    m_socket.non_blocking(true, ignored);
}

void Connection::consume(std::size_t bytes) {
    m_begin += bytes;
    if (m_begin < m_buffer.size())
        return;
    m_buffer.clear();
    m_begin = 0;
}

asio::awaitable<bool> Connection::readMore(std::chrono::milliseconds patience) {
    armDeadline(patience);
    co_return co_await readMore();
}

asio::awaitable<bool> Connection::readMore() {
    if (m_begin > 0) {
        m_buffer.erase(0, m_begin);
        m_begin = 0;
    }
    const auto [ec, bytes] = co_await m_socket.async_read_some(asio::buffer(m_incoming), kAsTuple);
    m_buffer.append(m_incoming.data(), bytes);
    m_wheel.disarm(*this);
    co_return !ec;
}

asio::awaitable<bool> Connection::write(std::array<asio::const_buffer, 3> pieces,
                                        std::chrono::milliseconds patience) {
    while (asio::buffer_size(pieces) > 0) {
        armDeadline(patience);
        const auto [ec, bytes] = co_await m_socket.async_write_some(pieces, kAsTuple);
        m_wheel.disarm(*this);
        if (ec)
            co_return false;
        std::size_t done = bytes;
        for (asio::const_buffer& piece : pieces) {
            const std::size_t step = std::min(done, piece.size());
            piece += step;
            done -= step;
        }
    }
    co_return true;
}

void Connection::startWatching() {
    m_watching = true;
    if (!m_waitPending)
        waitReadable();
}

void Connection::waitReadable() {
    m_waitPending = true;
    m_socket.async_wait(asio::socket_base::wait_read,
                        [self = shared_from_this()](const boost::system::error_code& ec) {
                            self->m_waitPending = false;
                            if (!ec && self->m_watching)
                                self->onReadable();
                        });
}

/// Either the end, or a pipelined request, which is kept so that the end behind it is seen too.
void Connection::onReadable() {
    if (m_buffer.size() - m_begin >= kMaxPipelined)
        return;
    boost::system::error_code ec;
    const std::size_t bytes = m_socket.read_some(asio::buffer(m_incoming), ec);
    m_buffer.append(m_incoming.data(), bytes);
    if (ec && ec != asio::error::would_block && ec != asio::error::try_again) {
        leave();
    } else {
        waitReadable();
    }
}

void Connection::leave() {
    m_clientLeft = true;
    m_watching = false;
    m_cancel.emit(asio::cancellation_type::terminal);
}

void Connection::abort() {
    m_aborted = true;
    leave();
    close();
}

asio::awaitable<void> Connection::linger() {
    boost::system::error_code ec;
    m_socket.shutdown(asio::socket_base::shutdown_send, ec);
    std::array<char, kReadBytes> sink{};
    armDeadline(kLingerPatience);
    for (std::size_t total = 0; !ec && total < kLingerBytes;) {
        const auto [readError, bytes] = co_await m_socket.async_read_some(asio::buffer(sink), kAsTuple);
        ec = readError;
        total += bytes;
    }
    m_wheel.disarm(*this);
}

namespace {

/// A socket that listens on every address sees IPv4 peers as mapped ones.
asio::ip::address unmapped(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    return address;
}

} // namespace

bool Connection::peerIsLocal() const {
    boost::system::error_code ec;
    const auto peer = m_socket.remote_endpoint(ec);
    return !ec && unmapped(peer.address()).is_loopback();
}

std::string Connection::peerAddress() const {
    boost::system::error_code ec;
    const auto peer = m_socket.remote_endpoint(ec);
    return ec ? std::string() : unmapped(peer.address()).to_string();
}

void Connection::close() {
    boost::system::error_code ignored;
    m_socket.close(ignored);
}

void Connection::onDeadline() {
    m_timedOut = true;
    boost::system::error_code ignored;
    m_socket.cancel(ignored);
}

} // namespace signalbox::gateway
