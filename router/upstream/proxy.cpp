// SPDX-License-Identifier: MIT
#include "router/upstream/proxy.h"

#include "router/base/text.h"
#include "router/upstream/failures.h"
#include "router/upstream/request_headers.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <openssl/evp.h>

namespace signalbox::upstream {

using boost::system::error_code;
using dispatch::UpstreamFailure;
using Tunnel = tl::expected<void, UpstreamFailure>;

namespace {

constexpr auto kTunnelAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxProxyHeadBytes = 16 * 1024;
constexpr int kProxyAuthRequired = 407;

/// As RFC 7617 has it.
std::string basicCredentials(std::string_view userAndPassword) {
    std::string encoded(4 * ((userAndPassword.size() + 2) / 3) + 1, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                       reinterpret_cast<const unsigned char*>(userAndPassword.data()),
                                       static_cast<int>(userAndPassword.size()));
    encoded.resize(static_cast<std::size_t>(length));
    return "Basic " + encoded;
}

std::string hostAndPort(const Origin& origin) { return origin.text().substr(std::string_view("https://").size()); }

UpstreamFailure proxyFailure(const Origin& origin, std::string code, const std::string& what) {
    return makeFailure(UpstreamFailure::Kind::connect, std::move(code),
                       "The proxy " + origin.proxy->text() + ", asked for a connection to " + origin.text() + ", " + what);
}

/// 0 when this is no status line.
int statusIn(std::string_view head) {
    if (!head.starts_with("HTTP/1.") || head.size() < 12 || head[8] != ' ') return 0;
    int status = 0;
    const auto [end, ec] = std::from_chars(head.data() + 9, head.data() + 12, status);
    return ec == std::errc{} && end == head.data() + 12 && status >= 100 ? status : 0;
}

std::string connectHead(const Origin& origin) {
    const std::string target = hostAndPort(origin);
    std::string head = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nUser-Agent: signalbox/" SIGNALBOX_VERSION "\r\n";
    if (!origin.proxy->authorization.empty()) head += "Proxy-Authorization: " + origin.proxy->authorization + "\r\n";
    return head + "\r\n";
}

}  // namespace

Result<std::optional<Proxy>> readProxy(const config::Provider& provider, const config::Environment& environment) {
    if (!provider.proxy) return std::nullopt;
    const std::string where = "providers." + provider.id;
    auto proxy = parseProxy(*provider.proxy);
    if (!proxy) {
        proxy.error().where = where + ".proxy";
        return tl::unexpected(std::move(proxy.error()));
    }
    if (!provider.proxyAuthEnv) return std::move(*proxy);
    const std::optional<std::string> value = environment(*provider.proxyAuthEnv);
    const std::string credentials(value ? trimmed(*value) : std::string_view{});
    if (credentials.empty())
        return fail(ErrorKind::denied, "The environment variable " + *provider.proxyAuthEnv + " is not set or empty",
                    where + ".proxy_auth_env",
                    "Set " + *provider.proxyAuthEnv + " to USER:PASSWORD for the proxy of provider " + provider.id + " and start again");
    if (credentials.find(':') == std::string::npos || !isSendable("proxy-authorization", credentials))
        return fail(ErrorKind::badInput, "The environment variable " + *provider.proxyAuthEnv + " does not hold USER:PASSWORD",
                    where + ".proxy_auth_env", "Set it to the user's name, a colon and the password, on one line");
    proxy->authorization = basicCredentials(credentials);
    return std::move(*proxy);
}

std::string requestTargetPrefix(const Origin& origin) {
    return origin.proxy && !origin.tls ? "http://" + origin.hostHeader() : std::string();
}

std::string proxyHeaderLines(const Origin& origin) {
    if (!origin.proxy || origin.tls || origin.proxy->authorization.empty()) return {};
    return "Proxy-Authorization: " + origin.proxy->authorization + "\r\n";
}

UpstreamFailure proxyRefusal(const Origin& origin, int status) {
    if (status != kProxyAuthRequired)
        return proxyFailure(origin, "proxy_status_" + std::to_string(status),
                            "answered " + std::to_string(status) + ". Let it allow this address, or remove `proxy`");
    if (origin.proxy->authorization.empty())
        return proxyFailure(origin, "proxy_auth_required",
                            "wants credentials (407). Name the variable with USER:PASSWORD in proxy_auth_env");
    return proxyFailure(origin, "proxy_auth_refused",
                        "refused the credentials (407). Check the variable that proxy_auth_env names");
}

asio::awaitable<Tunnel> openTunnel(asio::ip::tcp::socket& socket, const Origin& origin) {
    const std::string head = connectHead(origin);
    auto [writeError, written] = co_await asio::async_write(socket, asio::buffer(head), kTunnelAwait);
    error_code error = writeError;
    std::string answer;
    std::array<char, 1024> piece{};
    std::size_t end = std::string::npos;
    // After a write error the proxy may still have answered.
    while (error != asio::error::operation_aborted && end == std::string::npos && answer.size() < kMaxProxyHeadBytes) {
        auto [readError, bytes] = co_await socket.async_read_some(asio::buffer(piece), kTunnelAwait);
        error = readError;
        if (error) break;
        answer.append(piece.data(), bytes);
        end = answer.find("\r\n\r\n");
    }
    if (end == std::string::npos) {
        if (error == asio::error::operation_aborted)
            co_return tl::unexpected(makeFailure(UpstreamFailure::Kind::cancelled, "cancelled", "The call was given up while connecting"));
        if (error == asio::error::eof || error == asio::error::connection_reset || error == asio::error::broken_pipe)
            co_return tl::unexpected(proxyFailure(origin, "proxy_closed", "closed the connection before it answered"));
        if (error) co_return tl::unexpected(proxyFailure(origin, "proxy_failed", "did not answer: " + error.message()));
        co_return tl::unexpected(proxyFailure(origin, "proxy_not_http", "answered with a head without end"));
    }
    const int status = statusIn(answer);
    if (status == 0) co_return tl::unexpected(proxyFailure(origin, "proxy_not_http", "does not answer in HTTP"));
    if (status / 100 != 2) co_return tl::unexpected(proxyRefusal(origin, status));
    // In TLS the client speaks first: what comes already is not of the upstream.
    if (end + 4 != answer.size())
        co_return tl::unexpected(proxyFailure(origin, "proxy_not_http", "sent more than an answer without a body"));
    co_return Tunnel{};
}

}  // namespace signalbox::upstream
