// SPDX-License-Identifier: MIT
#include "router/upstream/metrics_page.h"

#include "router/upstream/proxy.h"
#include "router/upstream/request_headers.h"

#include <algorithm>

namespace signalbox::upstream {

namespace {

tl::unexpected<Error> unusable(const config::Provider& provider, Error why, std::string hint) {
    why.where = "providers." + provider.id + ".metrics_url";
    why.hint = std::move(hint);
    return tl::unexpected(std::move(why));
}

/// The credential and the static headers, as far as they can be sent.
std::string credentialLines(const config::Provider& provider, const std::optional<std::string>& key) {
    std::string lines;
    if (key) lines.append("Authorization: Bearer ").append(*key).append("\r\n");
    for (const auto& [name, value] : provider.staticHeaders)
        if (isSendable(name, value) && !isReserved(name)) lines.append(name).append(": ").append(value).append("\r\n");
    return lines;
}

/// Every reading on a connection of its own: common servers close an idle one after five seconds, just when the next
/// reading would come.
std::string getHead(const std::string& path, const Origin& origin, std::string_view accept, const std::string& credentials) {
    std::string head;
    head.append("GET ").append(requestTargetPrefix(origin)).append(path).append(" HTTP/1.1\r\nHost: ").append(origin.hostHeader());
    head.append("\r\nUser-Agent: signalbox/" SIGNALBOX_VERSION "\r\nAccept: ").append(accept);
    head.append("\r\nAccept-Encoding: identity\r\nConnection: close\r\n").append(proxyHeaderLines(origin)).append(credentials).append("\r\n");
    return head;
}

}  // namespace

Result<MetricsPage> makeMetricsPage(const config::Provider& provider, const config::Environment& environment) {
    const std::string wanted = provider.metricsUrl.value_or("auto");
    const auto baseText = config::effectiveBaseUrl(provider, environment);
    const auto base = baseText ? parseBaseUrl(*baseText) : fail(ErrorKind::badInput, "The provider has no base URL");
    Result<BaseUrl> page = wanted == "auto" ? base : parseBaseUrl(wanted);
    if (!page)
        return unusable(provider, std::move(page.error()),
                        wanted == "auto" ? "Set base_url, or write the page's own address, like http://host:8000/metrics"
                                         : "Write it like http://host:8000/metrics, or auto");
    if (wanted == "auto" || page->path.empty()) page->path = "/metrics";

    MetricsPage out;
    out.providers = {provider.id};
    out.url = page->origin.text() + page->path;
    out.interval = provider.metricsInterval;
    auto upstream = std::make_shared<Upstream>();
    upstream->providerId = provider.id;
    upstream->origin = page->origin;
    upstream->origin.caFile = provider.caFile.value_or("");
    upstream->limits = {kMetricsTimeout, kMetricsTimeout, kMetricsTimeout, kMetricsTimeout};
    upstream->keepAlive = false;
    std::string credentials;
    if (base && base->origin == page->origin) {
        // A page may be open where the API is not, so that a missing key is no reason not to ask.
        const auto key = readApiKey(provider, environment);
        credentials = credentialLines(provider, key ? *key : std::nullopt);
        if (key && *key) upstream->secrets.push_back(**key);
        for (const auto& [name, value] : provider.staticHeaders) upstream->secrets.push_back(value);
    }
    auto proxy = readProxy(provider, environment);
    if (!proxy) return tl::unexpected(std::move(proxy.error()));
    upstream->origin.proxy = page->origin.proxy = std::move(*proxy);
    if (page->origin.proxy) upstream->secrets.push_back(page->origin.proxy->authorization);
    if (upstream->origin.tls) {
        auto tls = makeTlsContext(upstream->origin.caFile);
        if (!tls) return tl::unexpected(std::move(tls.error()));
        upstream->tls = std::move(*tls);
    }
    out.head = getHead(page->path, page->origin, "text/plain;version=0.0.4", credentials);
    const std::string folder = page->path.substr(0, page->path.rfind('/') + 1);
    out.versionHead = getHead(folder + "version", page->origin, "application/json", credentials);
    out.upstream = std::move(upstream);
    return out;
}

std::vector<MetricsPage> withoutRepeats(std::vector<MetricsPage> pages) {
    std::vector<MetricsPage> out;
    for (MetricsPage& page : pages) {
        const auto same = std::ranges::find_if(out, [&](const MetricsPage& known) {
            return known.head == page.head && known.upstream->origin == page.upstream->origin;
        });
        if (same == out.end()) {
            out.push_back(std::move(page));
            continue;
        }
        same->providers.insert(same->providers.end(), page.providers.begin(), page.providers.end());
        same->interval = std::min(same->interval, page.interval);
    }
    return out;
}

}  // namespace signalbox::upstream
