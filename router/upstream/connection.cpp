// SPDX-License-Identifier: MIT
#include "router/upstream/connection.h"

#include "router/upstream/drained_read.h"
#include "router/upstream/failures.h"
#include "router/upstream/proxy.h"
#include "router/upstream/resolve.h"
#include "router/upstream/tcp_probe.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace signalbox::upstream {

using boost::system::error_code;
using dispatch::UpstreamFailure;
using ConnectionResult = tl::expected<std::unique_ptr<Connection>, UpstreamFailure>;

namespace {

constexpr auto kAwait = asio::as_tuple(asio::deferred);  // awaited in place, without a coroutine of its own

constexpr std::string_view kLookup = "lookup";
constexpr std::string_view kTls = "TLS";

/// Which step it was matters where there are more of them.
std::string inStep(const Origin& origin, std::string_view step) {
    return origin.proxy ? " (" + std::string(step == kTls ? "" : "proxy: ") + std::string(step) + ")" : std::string();
}

UpstreamFailure connectFailure(const Origin& origin, const Deadline& deadline, const error_code& error,
                               std::string_view step) {
    // Kept apart from a provider that is slow to accept, but like it nothing was sent.
    if (deadline.fired() == Limit::requestBudget)
        return makeFailure(UpstreamFailure::Kind::connect, std::string(dispatch::kRequestBudget),
                           "No connection to " + origin.way() + " before the request's time was over" + inStep(origin, step));
    if (deadline.fired())
        return makeFailure(UpstreamFailure::Kind::timeout, std::string(timeoutCode(*deadline.fired())),
                           "No connection to " + origin.way() + " in time" + inStep(origin, step));
    if (error == asio::error::operation_aborted)
        return makeFailure(UpstreamFailure::Kind::cancelled, "cancelled", "The call was given up while connecting");
    std::string code = "connect_failed";
    if (error == asio::error::connection_refused) code = "connect_refused";
    else if (error == asio::error::network_unreachable || error == asio::error::host_unreachable)
        code = "connect_unreachable";
    else if (step == kLookup) code = "connect_dns";
    else if (step == kTls) code = "connect_tls";
    // Up to the handshake it is the proxy that cannot be reached.
    if (origin.proxy && step != kTls) code.insert(0, "proxy_");
    return makeFailure(UpstreamFailure::Kind::connect, std::move(code),
                       "Cannot connect to " + origin.way() + (origin.proxy ? inStep(origin, step) : " (" + std::string(step) + ")") +
                           ": " + error.message());
}

}  // namespace

Connection::Connection(Socket plain) : m_stream(std::move(plain)) {
    error_code ignored;
    socket().non_blocking(true, ignored);
    reportWhatIsLeft(socket().native_handle());
    m_acknowledgedAtFirst = acknowledged();
}

Connection::Connection(Socket socket, asio::ssl::context& tls)
    : m_stream(std::in_place_type<TlsStream>, std::move(socket), tls) {}

asio::awaitable<ConnectionResult> Connection::open(const Origin& origin, asio::ssl::context* tls, Deadline& deadline) {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const std::string& host = origin.proxy ? origin.proxy->host : origin.host;
    Resolved found = co_await resolve(host, origin.proxy ? origin.proxy->port : origin.port, deadline);
    if (found.error) co_return tl::unexpected(connectFailure(origin, deadline, found.error, kLookup));

    Socket socket(executor);
    deadline.onExpiry([&socket] {
        error_code ignored;
        socket.close(ignored);
    });
    error_code error = asio::error::host_not_found;
    for (const asio::ip::tcp::endpoint& endpoint : found.endpoints) {
        if (deadline.fired()) break;
        error_code ignored;
        socket.close(ignored);
        std::tie(error) = co_await socket.async_connect(endpoint, kAwait);
        if (!error || error == asio::error::operation_aborted) break;
    }
    if (!error && !deadline.fired() && origin.proxy && tls != nullptr) {
        auto tunnel = co_await openTunnel(socket, origin);
        deadline.onExpiry(nullptr);
        if (deadline.fired()) co_return tl::unexpected(connectFailure(origin, deadline, error, "CONNECT"));
        if (!tunnel) co_return tl::unexpected(std::move(tunnel.error()));
    }
    deadline.onExpiry(nullptr);
    if (error || deadline.fired()) co_return tl::unexpected(connectFailure(origin, deadline, error, "TCP"));
    error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (tls == nullptr) co_return std::make_unique<Connection>(std::move(socket));

    auto connection = std::make_unique<Connection>(std::move(socket), *tls);
    deadline.onExpiry([raw = connection.get()] { raw->cancel(); });
    error = co_await connection->handshake(origin.host);
    deadline.onExpiry(nullptr);
    if (error) {
        UpstreamFailure failure = connectFailure(origin, deadline, error, kTls);
        failure.message += connection->certificateProblem();
        co_return tl::unexpected(std::move(failure));
    }
    co_return std::move(connection);
}

asio::awaitable<error_code> Connection::handshake(const std::string& host) {
    TlsStream& stream = std::get<TlsStream>(m_stream);
    SSL* ssl = stream.native_handle();
    // Set on the session, not the context: the name check must outlive the context in a cached connection.
    X509_VERIFY_PARAM* rules = SSL_get0_param(ssl);
    error_code notAnAddress;
    asio::ip::make_address(host, notAnAddress);
    const bool isAddress = !notAnAddress;
    const int named = isAddress ? X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str())
                                : X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size());
    if (named != 1 || (!isAddress && SSL_set_tlsext_host_name(ssl, host.c_str()) != 1))
        co_return error_code(asio::error::invalid_argument);
    auto [error] = co_await stream.async_handshake(asio::ssl::stream_base::client, kAwait);
    co_return error;
}

std::string Connection::certificateProblem() {
    const long result = SSL_get_verify_result(std::get<TlsStream>(m_stream).native_handle());
    if (result == X509_V_OK) return {};
    return std::string("; its certificate: ") + X509_verify_cert_error_string(result) +
           ". If it is the right one, name its authority in ca_file";
}

asio::awaitable<IoResult> Connection::read() {
    const asio::mutable_buffer into = asio::buffer(m_incoming);
    if (auto* plain = std::get_if<Socket>(&m_stream)) {
        if (std::exchange(m_hasRead, true)) {
            const Drained now = drainedRead(plain->native_handle(), into);
            if (!now.mustWait) {
                co_await asio::post(plain->get_executor(), asio::deferred);  // the thread's other work comes in between
                co_return IoResult{now.error, now.bytes};
            }
        }
        auto [error, bytes] = co_await plain->async_read_some(DrainedInto(into), kAwait);
        co_return IoResult{error, bytes};
    }
    auto [error, bytes] = co_await std::get<TlsStream>(m_stream).async_read_some(into, kAwait);
    co_return IoResult{error, bytes};
}

error_code Connection::writeNow(std::array<asio::const_buffer, 2>& buffers) {
    auto* plain = std::get_if<Socket>(&m_stream);
    if (plain == nullptr) return {};
    error_code error;
    const std::size_t taken = plain->write_some(buffers, error);
    m_written += taken;
    const std::size_t ofFirst = std::min(taken, buffers[0].size());
    buffers[0] += ofFirst;
    buffers[1] += taken - ofFirst;
    return error == asio::error::would_block || error == asio::error::try_again ? error_code() : error;
}

asio::awaitable<IoResult> Connection::writeAll(std::array<asio::const_buffer, 2> buffers) {
    if (auto* plain = std::get_if<Socket>(&m_stream)) {
        auto [error, bytes] = co_await asio::async_write(*plain, buffers, kAwait);
        m_written += bytes;
        co_return IoResult{error, bytes};
    }
    auto [error, bytes] = co_await asio::async_write(std::get<TlsStream>(m_stream), buffers, kAwait);
    co_return IoResult{error, bytes};
}

void Connection::cancel() {
    error_code ignored;
    socket().cancel(ignored);
}

bool Connection::isIdleAlive() { return isIdleSocketAlive(socket().native_handle()); }

bool Connection::holdsUnread() {
    auto* tls = std::get_if<TlsStream>(&m_stream);
    if (tls == nullptr) return false;
    SSL* const native = tls->native_handle();
    return SSL_pending(native) > 0 || BIO_pending(SSL_get_rbio(native)) > 0;
}

void Connection::beginRequest() {
    m_hasRead = false;
    m_writtenBefore = std::holds_alternative<Socket>(m_stream) ? m_written : acknowledged();
}

bool Connection::tookNothing() {
    if (std::holds_alternative<Socket>(m_stream)) return acknowledged() <= m_acknowledgedAtFirst + m_writtenBefore;
    return acknowledged() == m_writtenBefore;
}

/// Bytes of ours that the peer's kernel has taken; 0 where the system does not say.
std::uint64_t Connection::acknowledged() { return acknowledgedBytes(socket().native_handle()).value_or(0); }

Connection::Socket& Connection::socket() {
    if (auto* plain = std::get_if<Socket>(&m_stream)) return *plain;
    return std::get<TlsStream>(m_stream).next_layer();
}

Result<std::shared_ptr<asio::ssl::context>> makeTlsContext(const std::string& caFile) {
    auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
    context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                         asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
    context->set_verify_mode(asio::ssl::verify_peer);
    error_code error;
    if (caFile.empty()) context->set_default_verify_paths(error);
    else context->load_verify_file(caFile, error);
    if (error)
        return fail(ErrorKind::badInput, "The CA file cannot be used: " + error.message(), caFile,
                    "Name a readable PEM file with the certificates to trust");
    return context;
}

}  // namespace signalbox::upstream
