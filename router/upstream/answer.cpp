// SPDX-License-Identifier: MIT
#include "router/upstream/answer.h"

#include "router/upstream/failures.h"
#include "router/upstream/proxy.h"
#include "router/upstream/retry_after.h"

#include <algorithm>
#include <initializer_list>

namespace signalbox::upstream {

using dispatch::UpstreamFailure;

namespace {

constexpr std::size_t kMaxBodyBytes = std::size_t{64} << 20;
/// Enough of an error answer to find its message in.
constexpr std::size_t kMaxErrorBytes = 64 * 1024;

Timestamp wallClock() { return SystemClock().now(); }

}  // namespace

UpstreamAnswer::UpstreamAnswer(std::unique_ptr<HttpExchange> exchange) : m_exchange(std::move(exchange)) {
    m_head.status = m_exchange->head().status;
    m_head.contentType = m_exchange->head().header("content-type");
}

void UpstreamAnswer::count(const dispatch::Usage& usage) {
    if (usage.inputTokens) m_usage.inputTokens = usage.inputTokens;
    if (usage.cachedTokens) m_usage.cachedTokens = usage.cachedTokens;
    if (usage.outputTokens) m_usage.outputTokens = usage.outputTokens;
}

asio::awaitable<tl::expected<std::string, UpstreamFailure>> UpstreamAnswer::readWhole() {
    m_exchange->firstFrameSeen();
    std::string body;
    while (true) {
        auto more = co_await m_exchange->read(body, kMaxBodyBytes);
        if (!more) co_return tl::unexpected(std::move(more.error()));
        if (!*more || m_exchange->isDone()) break;
    }
    co_return body;
}

UpstreamFailure UpstreamAnswer::errorFrame(const PayloadError& error, std::string_view body) const {
    const std::vector<std::string>& secrets = m_exchange->upstream().secrets;
    UpstreamFailure failure = makeFailure(
        UpstreamFailure::Kind::errorFrame, error.status != 0 ? "error_frame_" + std::to_string(error.status) : "error_frame",
        redacted(m_exchange->label() + " answered 200 and then an error: " + error.message, secrets));
    failure.status = error.status;
    failure.body = redactedBody(body, secrets);
    failure.headStatus = m_head.status;
    return failure;
}

UpstreamFailure UpstreamAnswer::malformed(std::string code, std::string what) const {
    UpstreamFailure failure =
        makeFailure(UpstreamFailure::Kind::protocol, std::move(code), m_exchange->label() + " " + std::move(what));
    failure.headStatus = m_head.status;
    return failure;
}

/// How a page begins that some other server sent. Of anything else nothing is quoted: JSON, events or plain text may hold what a
/// model said, and that stands in no log.
std::string UpstreamAnswer::insteadOfAnswer(std::string_view body) const {
    const Upstream& upstream = m_exchange->upstream();
    const std::string type = printableBeginning(m_head.contentType, upstream.secrets);
    const std::string beginning = printableBeginning(body, upstream.secrets);
    const auto begins = [&beginning](std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return beginning.starts_with(word); });
    };
    const bool isPage = begins({"<"}) && (type.empty() || type.find("html") != std::string::npos || type.find("xml") != std::string::npos);
    const bool isJson = begins({"{", "[", "\""}), isStream = begins({"data:", "event:", "id:", "retry:", ":"});
    const std::string what = beginning.empty() ? "nothing in it"
                             : isJson          ? "a JSON text"
                             : isStream        ? "an event stream"
                             : isPage          ? "beginning with " + beginning
                                               : "a text of " + std::to_string(body.size()) + " bytes";
    std::string text = (type.empty() ? " (no content type, " : " (content type " + type + ", ") + what + ")";
    if (!isJson && !isStream && !upstream.section.empty()) text += ". Check base_url of " + upstream.section + " in gateway.toml";
    return text;
}

// Read as far as the time limits and `kMaxErrorBytes` allow.
asio::awaitable<UpstreamFailure> statusFailure(std::unique_ptr<HttpExchange> exchange) {
    const int status = exchange->head().status;
    // Only a proxy asks for its own credentials: nothing went on to the upstream.
    if (const Origin& origin = exchange->upstream().origin; status == 407 && origin.proxy && !origin.tls) {
        UpstreamFailure failure = proxyRefusal(origin, status);
        failure.message.insert(0, "Provider " + exchange->upstream().providerId + ": ");
        co_return failure;
    }
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
    failure.headStatus = status;
    failure.retryAfter = parseRetryAfter(exchange->head().header("retry-after"), wallClock());
    failure.body = redactedBody(body, secrets);
    const std::optional<Payload> payload = readPayload(body);
    const std::string said = payload && payload->error ? payload->error->message : failure.body;
    // It may be the model that is not there, or the path: of the second the upstream cannot know who put it together.
    const std::string& section = exchange->upstream().section;
    std::string what = " answered " + std::to_string(status);
    if (status == 404 && !section.empty()) what += "; unless it means the model, check base_url of " + section + " in gateway.toml";
    failure.message = redacted(exchange->label() + what + (said.empty() ? "" : ": " + said), secrets);
    if (status / 100 == 3) failure.message += ". Redirects are not followed; set base_url to the final address";
    co_return failure;
}

}  // namespace signalbox::upstream
