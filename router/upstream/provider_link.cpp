// SPDX-License-Identifier: MIT
#include "router/upstream/provider_link.h"

#include "router/upstream/connection_cache.h"
#include "router/upstream/proxy.h"
#include "router/upstream/request_headers.h"

namespace signalbox::upstream {

namespace {

Result<std::string> baseUrlOf(const config::Provider& provider, const config::Environment& environment) {
    if (auto url = config::effectiveBaseUrl(provider, environment)) return std::move(*url);
    const std::string example = provider.protocol == config::Protocol::anthropic ? "https://api.anthropic.com" : "http://127.0.0.1:8000/v1";
    return fail(ErrorKind::badInput, "Provider " + provider.id + " has no base URL", "providers." + provider.id + ".base_url",
                provider.baseUrlEnv ? "Set the environment variable " + *provider.baseUrlEnv
                                    : "Set base_url, for instance \"" + example + "\"");
}

/// What redaction has to look for: the key and every static header's value.
std::vector<std::string> secretsOf(const config::Provider& provider, const std::optional<std::string>& apiKey) {
    std::vector<std::string> secrets;
    if (apiKey) secrets.push_back(*apiKey);
    for (const auto& [name, value] : provider.staticHeaders) secrets.push_back(value);
    return secrets;
}

}  // namespace

Result<ProviderLink> ProviderLink::make(const config::Provider& provider, const config::Environment& environment) {
    auto url = baseUrlOf(provider, environment);
    if (!url) return tl::unexpected(std::move(url.error()));
    auto base = parseBaseUrl(*url);
    if (!base) {
        base.error().where = "providers." + provider.id + ".base_url";
        return tl::unexpected(std::move(base.error()));
    }
    auto apiKey = readApiKey(provider, environment);
    if (!apiKey) return tl::unexpected(std::move(apiKey.error()));
    auto proxy = readProxy(provider, environment);
    if (!proxy) return tl::unexpected(std::move(proxy.error()));
    auto headers = fixedHeaderLines(provider, base->origin.hostHeader(), *apiKey);
    if (!headers) return tl::unexpected(std::move(headers.error()));

    auto upstream = std::make_shared<Upstream>();
    upstream->providerId = provider.id;
    upstream->origin = base->origin;
    upstream->origin.caFile = provider.caFile.value_or("");
    upstream->origin.proxy = std::move(*proxy);
    upstream->limits = {provider.connectTimeout, provider.firstByteTimeout, provider.streamIdleTimeout,
                        provider.requestTimeout};
    upstream->section = "[providers." + provider.id + "]";
    upstream->secrets = secretsOf(provider, *apiKey);
    if (const auto& way = upstream->origin.proxy) upstream->secrets.push_back(way->authorization);
    if (base->origin.tls) {
        auto tls = makeTlsContext(upstream->origin.caFile);
        if (!tls) return tl::unexpected(std::move(tls.error()));
        upstream->tls = std::move(*tls);
    }
    upstream->idleKey = idleKey(upstream->origin);
    headers->append(proxyHeaderLines(upstream->origin));
    std::string prefix = requestTargetPrefix(upstream->origin);
    return ProviderLink{std::move(upstream), base->path, std::move(*headers), std::move(prefix)};
}

std::string ProviderLink::requestHead(std::string_view path, const dispatch::UpstreamRequest& request,
                                      std::string_view more) const {
    std::string head;
    head.reserve(512 + fixedHeaders.size());
    head.append("POST ").append(targetPrefix).append(path).append(" HTTP/1.1\r\n");
    head.append(fixedHeaders);
    head.append("Accept: ").append(request.stream ? "text/event-stream" : "application/json").append("\r\n");
    head.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
    head.append(more);
    for (const dispatch::Header& header : request.headers)
        if (isSendable(header.name, header.value) && !isReserved(header.name))
            head.append(header.name).append(": ").append(header.value).append("\r\n");
    head.append("\r\n");
    return head;
}

}  // namespace signalbox::upstream
