// SPDX-License-Identifier: MIT
// Apart from every other file: the kernel's tcp_info, which has the counter, clashes with the C library's.
#include "router/upstream/tcp_probe.h"

#include <cerrno>
#include <cstddef>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace signalbox::upstream {

bool isIdleSocketAlive(int fd) {
    char byte = 0;
    const ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

std::optional<std::uint64_t> acknowledgedBytes(int fd) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
    if (size < offsetof(tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) return std::nullopt;
    return info.tcpi_bytes_acked;
}

}  // namespace signalbox::upstream
