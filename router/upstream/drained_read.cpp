// SPDX-License-Identifier: MIT
#include "router/upstream/drained_read.h"

#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/socket.h>

namespace signalbox::upstream {

namespace {

/// Bytes that are left in the socket, of which the peer's end counts as one; nullopt where the kernel does not say.
std::optional<int> leftIn(msghdr& message) {
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != IPPROTO_TCP || one->cmsg_type != TCP_CM_INQ) continue;
        int left = 0;
        std::memcpy(&left, CMSG_DATA(one), sizeof left);
        return left;
    }
    return std::nullopt;
}

}  // namespace

void reportWhatIsLeft(int socket) {
    const int on = 1;
    static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_INQ, &on, sizeof on));
}

Drained drainedRead(int socket, const boost::asio::mutable_buffer& into) {
    iovec piece{into.data(), into.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control;
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t got = -1;
    do got = ::recvmsg(socket, &message, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    Drained out;
    if (got < 0) {
        out.mustWait = errno == EAGAIN || errno == EWOULDBLOCK;
        if (!out.mustWait) out.error.assign(errno, boost::system::system_category());
        return out;
    }
    out.bytes = static_cast<std::size_t>(got);
    if (got == 0) out.error = boost::asio::error::eof;
    else out.nothingLeft = leftIn(message) == 0;
    return out;
}

}  // namespace signalbox::upstream
