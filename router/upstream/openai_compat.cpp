// SPDX-License-Identifier: MIT
#include "router/upstream/openai_compat.h"

#include "router/upstream/failures.h"
#include "router/upstream/openai_answer.h"
#include "router/upstream/request_headers.h"
#include "router/upstream/retry_after.h"

namespace signalbox::upstream {

using dispatch::ResponseStream;
using dispatch::UpstreamFailure;
using StreamResult = tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>;

namespace {

/// Enough of an error answer to find its message in.
constexpr std::size_t kMaxErrorBytes = 64 * 1024;

Result<std::string> baseUrlOf(const config::Provider& provider, const config::Environment& environment) {
    if (auto url = config::effectiveBaseUrl(provider, environment)) return std::move(*url);
    return fail(ErrorKind::badInput, "Provider " + provider.id + " has no base URL", "providers." + provider.id + ".base_url",
                provider.baseUrlEnv ? "Set the environment variable " + *provider.baseUrlEnv
                                    : "Set base_url, for instance \"http://127.0.0.1:8000/v1\"");
}

/// What redaction has to look for: the key and every static header's value.
std::vector<std::string> secretsOf(const config::Provider& provider, const std::optional<std::string>& apiKey) {
    std::vector<std::string> secrets;
    if (apiKey) secrets.push_back(*apiKey);
    for (const auto& [name, value] : provider.staticHeaders) secrets.push_back(value);
    return secrets;
}

Timestamp wallClock() { return SystemClock().now(); }

/// An error status with what its body says, read as far as the time limits and `kMaxErrorBytes` allow.
asio::awaitable<UpstreamFailure> statusFailure(std::unique_ptr<HttpExchange> exchange) {
    const int status = exchange->head().status;
    const std::vector<std::string>& secrets = exchange->upstream().secrets;
    std::string body;
    while (true) {
        // A body that is cut off or too long changes nothing: the status is known.
        auto more = co_await exchange->read(body, kMaxErrorBytes);
        if (!more && more.error().kind == UpstreamFailure::Kind::cancelled) co_return std::move(more.error());
        if (!more || !*more) break;
    }
    UpstreamFailure failure = makeFailure(UpstreamFailure::Kind::status, "status_" + std::to_string(status), {});
    failure.status = status;
    failure.retryAfter = parseRetryAfter(exchange->head().header("retry-after"), wallClock());
    failure.body = redacted(body, secrets);
    const std::optional<Payload> payload = readPayload(body);
    const std::string said = payload && payload->error ? payload->error->message : body;
    failure.message = redacted(exchange->label() + " answered " + std::to_string(status) + (said.empty() ? "" : ": " + said),
                               secrets);
    if (status / 100 == 3) failure.message += ". Redirects are not followed; set base_url to the final address";
    co_return failure;
}

}  // namespace

Result<std::shared_ptr<dispatch::Adapter>> OpenAiCompat::make(const config::Provider& provider,
                                                              const config::Environment& environment) {
    auto url = baseUrlOf(provider, environment);
    if (!url) return tl::unexpected(std::move(url.error()));
    auto base = parseBaseUrl(*url);
    if (!base) {
        base.error().where = "providers." + provider.id + ".base_url";
        return tl::unexpected(std::move(base.error()));
    }
    auto apiKey = readApiKey(provider, environment);
    if (!apiKey) return tl::unexpected(std::move(apiKey.error()));
    auto headers = fixedHeaderLines(provider, base->origin.hostHeader(), *apiKey);
    if (!headers) return tl::unexpected(std::move(headers.error()));

    auto upstream = std::make_shared<Upstream>();
    upstream->providerId = provider.id;
    upstream->origin = base->origin;
    upstream->origin.caFile = provider.caFile.value_or("");
    upstream->limits = {provider.connectTimeout, provider.firstByteTimeout, provider.streamIdleTimeout,
                        provider.requestTimeout};
    upstream->secrets = secretsOf(provider, *apiKey);
    if (base->origin.tls) {
        auto tls = makeTlsContext(upstream->origin.caFile);
        if (!tls) return tl::unexpected(std::move(tls.error()));
        upstream->tls = std::move(*tls);
    }
    return std::make_shared<OpenAiCompat>(std::move(upstream), base->path, std::move(*headers));
}

OpenAiCompat::OpenAiCompat(std::shared_ptr<const Upstream> upstream, std::string basePath, std::string fixedHeaders)
    : m_upstream(std::move(upstream)), m_basePath(std::move(basePath)), m_fixedHeaders(std::move(fixedHeaders)) {}

asio::awaitable<StreamResult> OpenAiCompat::call(dispatch::UpstreamRequest request) {
    std::string head = requestHead(request);
    auto exchange = co_await HttpExchange::start(m_upstream, std::move(head), std::move(request.body));
    if (!exchange) co_return tl::unexpected(std::move(exchange.error()));
    if ((*exchange)->head().status / 100 != 2)
        co_return tl::unexpected(co_await statusFailure(std::move(*exchange)));
    if (!request.stream) co_return std::make_unique<OpenAiBody>(std::move(*exchange));
    auto stream = std::make_unique<OpenAiStream>(std::move(*exchange));
    auto first = co_await stream->readFirstFrame();
    if (!first) co_return tl::unexpected(std::move(first.error()));
    co_return std::unique_ptr<ResponseStream>(std::move(stream));
}

std::string OpenAiCompat::requestHead(const dispatch::UpstreamRequest& request) const {
    std::string head;
    head.reserve(512 + m_fixedHeaders.size());
    head.append("POST ").append(m_basePath).append(request.path).append(" HTTP/1.1\r\n");
    head.append(m_fixedHeaders);
    head.append("Accept: ").append(request.stream ? "text/event-stream" : "application/json").append("\r\n");
    head.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
    for (const dispatch::Header& header : request.headers)
        if (isSendable(header.name, header.value) && !isReserved(header.name))
            head.append(header.name).append(": ").append(header.value).append("\r\n");
    head.append("\r\n");
    return head;
}

}  // namespace signalbox::upstream
