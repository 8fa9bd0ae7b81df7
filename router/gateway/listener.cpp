// SPDX-License-Identifier: MIT
#include "router/gateway/listener.h"

namespace signalbox::gateway {

namespace {

tl::unexpected<Error> explain(const boost::system::error_code& ec, const std::string& where) {
    if (ec == asio::error::address_in_use) {
        return fail(
            ErrorKind::unavailable, "another program already listens there", where,
            "Stop it, or choose another port with server.bind or --listen (port 0 takes a free one).");
    }
    if (ec == boost::system::errc::address_not_available) {
        return fail(ErrorKind::unavailable, "this is not an address of this machine", where,
                    "Use 127.0.0.1, or an address that `ip address` lists.");
    }
    if (ec == asio::error::access_denied) {
        return fail(ErrorKind::denied, "listening there is not permitted", where,
                    "Choose a port above 1023.");
    }
    return fail(ErrorKind::unavailable, "cannot listen there: " + ec.message(), where,
                "Choose another address with server.bind or --listen.");
}

Result<asio::ip::address> addressOf(asio::io_context& context, const std::string& host) {
    boost::system::error_code ec;
    const auto address = asio::ip::make_address(host, ec);
    if (!ec)
        return address;
    asio::ip::tcp::resolver resolver(context);
    const auto found = resolver.resolve(host, "0", ec);
    if (ec || found.empty()) {
        return fail(ErrorKind::badInput,
                    "\"" + host + "\" is neither an IP address nor a name of this machine", "server.bind",
                    "Write an address such as 127.0.0.1:38082.");
    }
    return found.begin()->endpoint().address();
}

} // namespace

Result<Acceptor> openListener(asio::io_context& context, const std::string& host, std::uint16_t port) {
    const auto address = addressOf(context, host);
    if (!address)
        return tl::unexpected(address.error());
    const std::string where = host + ":" + std::to_string(port);
    const asio::ip::tcp::endpoint endpoint(*address, port);
    Acceptor acceptor(context);
    boost::system::error_code ec;
    acceptor.open(endpoint.protocol(), ec);
    if (!ec)
        acceptor.set_option(asio::socket_base::reuse_address(true),
                            ec); // a restart need not wait for TIME_WAIT
    if (!ec)
        acceptor.bind(endpoint, ec);
    if (!ec)
        acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec)
        return explain(ec, where);
    return acceptor;
}

} // namespace signalbox::gateway
