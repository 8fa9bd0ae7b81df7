// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

namespace signalbox::upstream {

/// A buffer for `async_read_some` on a TCP socket. Where the kernel says that a read has left nothing, not even the
/// peer's end, the next read waits for the reactor at once instead of asking a socket that is known to be empty: one
/// system call less for each message. Only where `reportWhatIsLeft` was called; elsewhere it reads as any other buffer.
/// A reset that came with the last bytes is not told by the kernel, nor ever again by the reactor. So who expects more of the
/// same message asks by `drainedRead` before waiting again; who writes next, as before the next message, learns of it there.
class DrainedInto : public boost::asio::mutable_buffer {
public:
    using mutable_buffer::mutable_buffer;
    explicit DrainedInto(const mutable_buffer& buffer) : mutable_buffer(buffer) {}
};

void reportWhatIsLeft(int socket);

/// What one read gave.
struct Drained {
    boost::system::error_code error;  ///< eof at the peer's end
    std::size_t bytes = 0;
    bool mustWait = false;            ///< nothing has come
    bool nothingLeft = false;         ///< nor will a read give anything before the reactor says so
};
[[nodiscard]] Drained drainedRead(int socket, const boost::asio::mutable_buffer& into);

}  // namespace signalbox::upstream

/// Asio's own operation never learns from a short read that the socket is empty, since the peer's end may lie behind it.
template <>
class boost::asio::detail::reactive_socket_recv_op_base<signalbox::upstream::DrainedInto> : public reactor_op {
public:
    reactive_socket_recv_op_base(const boost::system::error_code& success, socket_type socket, socket_ops::state_type,
                                 const signalbox::upstream::DrainedInto& buffer, socket_base::message_flags,
                                 func_type onComplete)
        : reactor_op(success, &reactive_socket_recv_op_base::do_perform, onComplete), m_socket(socket), m_buffer(buffer) {}

    static status do_perform(reactor_op* base) {
        auto* self = static_cast<reactive_socket_recv_op_base*>(base);
        const signalbox::upstream::Drained got = signalbox::upstream::drainedRead(self->m_socket, self->m_buffer);
        if (got.mustWait) return not_done;
        self->ec_ = got.error;
        self->bytes_transferred_ = got.bytes;
        return got.nothingLeft ? done_and_exhausted : done;
    }

private:
    socket_type m_socket;
    boost::asio::mutable_buffer m_buffer;
};
