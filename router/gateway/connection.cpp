// SPDX-License-Identifier: MIT
#include "router/gateway/connection.h"

#include "router/upstream/drained_read.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
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
    upstream::reportWhatIsLeft(m_socket.native_handle());
}

void Connection::consume(std::size_t bytes) {
    m_begin += bytes;
    if (m_begin < m_buffer.size())
        return;
    m_buffer.clear();
    m_begin = 0;
}

asio::awaitable<bool> Connection::readMore(std::chrono::milliseconds patience) {
    if (m_begin > 0) {
        m_buffer.erase(0, m_begin);
        m_begin = 0;
    }
    if (m_ended)
        co_return false;
    if (!m_reading) {
        const bool came = readNow();
        if (came) {
            co_await asio::post(m_socket.get_executor(), asio::deferred); // other clients come in between
            co_return !m_readFailed;
        }
    }
    armDeadline(patience);
    startReading();
    co_await m_arrival.wait();
    m_wheel.disarm(*this);
    co_return !m_readFailed;
}

/// What is there already, if anything: also a reset that came with the bytes before it, of which the reactor would not tell.
bool Connection::readNow() {
    const upstream::Drained got = upstream::drainedRead(m_socket.native_handle(), asio::buffer(m_incoming));
    if (got.mustWait)
        return false;
    m_readFailed = static_cast<bool>(got.error);
    m_ended = m_readFailed;
    m_buffer.append(m_incoming.data(), got.bytes);
    return true;
}

/// One read at a time, whoever asked first: it also sees a client that leaves, and costs no system call while nothing
/// comes.
void Connection::startReading() {
    if (m_reading)
        return;
    m_reading = true;
    m_socket.async_read_some(upstream::DrainedInto(asio::buffer(m_incoming)),
                             [self = shared_from_this()](const boost::system::error_code& ec, std::size_t bytes) {
                                 self->onRead(ec, bytes);
                             });
}

/// While watched it is either the end, or a pipelined request, which is kept so that the end behind it is seen too.
void Connection::onRead(const boost::system::error_code& ec, std::size_t bytes) {
    m_reading = false;
    m_readFailed = static_cast<bool>(ec);
    m_ended = m_readFailed && ec != asio::error::operation_aborted;
    m_buffer.append(m_incoming.data(), bytes);
    if (m_arrival.isAwaited())
        return m_arrival.wake();
    if (m_watching && m_ended)
        return leave();
    if (m_watching && !m_readFailed)
        startWatching();
}

asio::awaitable<bool> Connection::write(std::array<asio::const_buffer, 3> pieces,
                                        std::chrono::milliseconds patience) {
    // A client that reads takes it all at once, and nothing has to be waited for.
    const bool reached = writeNow(pieces);
    if (!reached)
        co_return false;
    while (asio::buffer_size(pieces) > 0) {
        armDeadline(patience);
        const auto [ec] = co_await m_socket.async_wait(asio::socket_base::wait_write, kAsTuple);
        m_wheel.disarm(*this);
        if (ec)
            co_return false;
        const bool goesOn = writeNow(pieces);
        if (!goesOn)
            co_return false;
    }
    co_return true;
}

/// As much as the socket takes; false when the client is gone.
bool Connection::writeNow(std::array<asio::const_buffer, 3>& pieces) {
    boost::system::error_code ec;
    std::size_t done = m_socket.write_some(pieces, ec);
    for (asio::const_buffer& piece : pieces) {
        const std::size_t step = std::min(done, piece.size());
        piece += step;
        done -= step;
    }
    return !ec || ec == asio::error::would_block || ec == asio::error::try_again;
}

// A reset that came together with the request is first seen by who writes the answer.
void Connection::startWatching() {
    m_watching = true;
    if (m_ended)
        return leave();
    if (m_buffer.size() - m_begin < kMaxPipelined)
        startReading();
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
    const auto end = std::chrono::steady_clock::now() + kLingerPatience;
    bool more = !ec;
    for (std::size_t total = 0; more && total < kLingerBytes;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        more = co_await readMore(std::max(left, std::chrono::milliseconds(0)));
        total += buffered().size();
        consume(buffered().size());
    }
}

asio::ip::address unmapped(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    return address;
}

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
