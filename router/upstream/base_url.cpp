// SPDX-License-Identifier: MIT
#include "router/upstream/base_url.h"

#include "router/base/text.h"

#include <algorithm>
#include <charconv>

namespace signalbox::upstream {

namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

tl::unexpected<Error> badUrl(std::string message) {
    return fail(ErrorKind::badInput, std::move(message), {}, "Write it like https://host:port/v1");
}

bool isUrlByte(char c) { return c > ' ' && c != '\x7f' && c != '"' && c != '<' && c != '>' && c != '\\'; }

Result<std::uint16_t> parsePort(std::string_view text, std::uint16_t otherwise) {
    if (text.empty()) return otherwise;
    std::uint16_t port = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (ec != std::errc{} || end != text.data() + text.size() || port == 0)
        return badUrl("What stands behind the host is no port from 1 to 65535");  // not repeated: it may be a part of a password
    return port;
}

struct HostAndPort {
    std::string_view host, port;
};

Result<HostAndPort> splitAuthority(std::string_view authority) {
    if (authority.starts_with('[')) {
        const std::size_t close = authority.find(']');
        if (close == std::string_view::npos) return badUrl("The IPv6 address has no closing bracket");
        const std::string_view rest = authority.substr(close + 1);
        if (!rest.empty() && rest.front() != ':') return badUrl("Something other than a port follows the IPv6 address");
        return HostAndPort{authority.substr(1, close - 1), rest.empty() ? rest : rest.substr(1)};
    }
    const std::size_t colon = authority.rfind(':');
    if (colon == std::string_view::npos) return HostAndPort{authority, {}};
    if (authority.find(':') != colon) return badUrl("An IPv6 address needs brackets");
    return HostAndPort{authority.substr(0, colon), authority.substr(colon + 1)};
}

std::string addressText(const char* scheme, const std::string& host, std::uint16_t port) {
    const bool v6 = host.find(':') != std::string::npos;
    return scheme + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

std::string Origin::text() const { return addressText(tls ? "https://" : "http://", host, port); }

std::string Origin::way() const { return proxy ? text() + " through the proxy " + proxy->text() : text(); }

std::string Proxy::text() const { return addressText("http://", host, port); }

std::string Origin::hostHeader() const {
    const std::string name = host.find(':') != std::string::npos ? "[" + host + "]" : host;
    return port == (tls ? kHttpsPort : kHttpPort) ? name : name + ":" + std::to_string(port);
}

Result<BaseUrl> parseBaseUrl(std::string_view url) {
    BaseUrl out;
    const std::string lower = asciiLower(url.substr(0, 8));
    if (lower.starts_with("https://")) out.origin.tls = true;
    else if (!lower.starts_with("http://")) return badUrl("The base URL starts with neither http:// nor https://");
    if (!std::ranges::all_of(url, isUrlByte)) return badUrl("The base URL holds a space or control character");
    std::string_view rest = url.substr(out.origin.tls ? 8 : 7);
    if (rest.find_first_of("?#") != std::string_view::npos)
        return badUrl("The base URL holds a query or fragment, to which no path can be appended");
    const std::size_t slash = rest.find('/');
    const std::string_view authority = rest.substr(0, slash);
    if (authority.find('@') != std::string_view::npos)
        return badUrl("The base URL holds a user name or password; name the key's environment variable in api_key_env");
    auto parts = splitAuthority(authority);
    if (!parts) return tl::unexpected(std::move(parts.error()));
    if (parts->host.empty()) return badUrl("The base URL names no host");
    auto port = parsePort(parts->port, out.origin.tls ? kHttpsPort : kHttpPort);
    if (!port) return tl::unexpected(std::move(port.error()));
    out.origin.host = asciiLower(parts->host);
    out.origin.port = *port;
    if (slash != std::string_view::npos) out.path = rest.substr(slash);
    while (out.path.ends_with('/')) out.path.pop_back();
    return out;
}

Result<Proxy> parseProxy(std::string_view url) {
    const auto parsed = parseBaseUrl(url);
    if (!parsed || parsed->origin.tls || !parsed->path.empty())
        return fail(ErrorKind::badInput, "A proxy is http://HOST:PORT, without credentials and path", {},
                    "Name the variable with USER:PASSWORD in proxy_auth_env");
    return Proxy{parsed->origin.host, parsed->origin.port, {}};
}

}  // namespace signalbox::upstream
