// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/upstream/base_url.h"
#include "router/upstream/deadline.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <string_view>
#include <variant>

namespace signalbox::upstream {

struct IoResult {
    boost::system::error_code error;
    std::size_t bytes = 0;
};

/// A connected socket, plain or TLS. Belongs to one thread; destroying it closes it.
class Connection {
public:
    using Socket = asio::ip::tcp::socket;
    using TlsStream = asio::ssl::stream<Socket>;

    /// Name lookup, TCP, the proxy's tunnel if there is a proxy, and TLS (with SNI and host name check), all under the
    /// deadline's connect limit. `tls` is null for plain origins, which need no tunnel: the connection then ends at the proxy.
    [[nodiscard]] static asio::awaitable<tl::expected<std::unique_ptr<Connection>, dispatch::UpstreamFailure>>
    open(const Origin& origin, asio::ssl::context* tls, Deadline& deadline);

    explicit Connection(Socket socket);
    Connection(Socket socket, asio::ssl::context& tls);

    /// What comes stands in `received()` until the next read.
    [[nodiscard]] asio::awaitable<IoResult> read();
    [[nodiscard]] std::string_view received(const IoResult& result) const { return {m_incoming.data(), result.bytes}; }
    /// As much as goes at once, which is all of most requests; what is left stays in `buffers`. Nothing over TLS.
    [[nodiscard]] boost::system::error_code writeNow(std::array<asio::const_buffer, 2>& buffers);
    [[nodiscard]] asio::awaitable<IoResult> writeAll(std::array<asio::const_buffer, 2> buffers);
    /// Ends waiting reads and writes with operation_aborted.
    void cancel();

    [[nodiscard]] bool isIdleAlive();
    /// TLS has taken bytes off the socket that nobody has read: the socket would say that there are none.
    [[nodiscard]] bool holdsUnread();
    /// From here on what is written belongs to the next request.
    void beginRequest();
    /// Our own kernel has taken no byte of that request; over TLS it is not known.
    [[nodiscard]] bool wroteNothing() const { return std::holds_alternative<Socket>(m_stream) && m_written == m_writtenBefore; }
    /// The peer's kernel has taken no byte of that request, or the system does not say.
    [[nodiscard]] bool tookNothing();

private:
    [[nodiscard]] Socket& socket();
    [[nodiscard]] std::uint64_t acknowledged();
    [[nodiscard]] asio::awaitable<boost::system::error_code> handshake(const std::string& host);
    /// Why the peer's certificate was not believed, to go on with; empty when that was not it.
    [[nodiscard]] std::string certificateProblem();

    std::variant<Socket, TlsStream> m_stream;
    // Of a plain connection, counted from its first byte: only at a failure has the kernel to be asked.
    std::uint64_t m_acknowledgedAtFirst = 0;
    std::uint64_t m_written = 0;
    bool m_hasRead = false;             ///< since the present request was begun
    std::uint64_t m_writtenBefore = 0;  ///< the present request; of TLS, what was acknowledged before
    std::array<char, 16 * 1024> m_incoming;  ///< lives as long as the socket, which serves many requests
};

/// A context that verifies the peer against `caFile`, or the system's certificates when that is empty.
[[nodiscard]] Result<std::shared_ptr<asio::ssl::context>> makeTlsContext(const std::string& caFile);

}  // namespace signalbox::upstream
