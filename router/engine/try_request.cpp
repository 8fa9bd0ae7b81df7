// SPDX-License-Identifier: MIT
#include "router/engine/try_request.h"

#include "router/base/ids.h"
#include "router/upstream/failures.h"
#include "router/upstream/http_exchange.h"
#include "router/upstream/request_headers.h"
#include "router/upstream/sse_reader.h"

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

namespace signalbox::engine {
namespace {

namespace asio = boost::asio;
using Json = nlohmann::ordered_json;
using dispatch::UpstreamFailure;
using upstream::HttpExchange;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxPieceBytes = std::size_t{1} << 20;

double millisSince(SteadyClock::time_point start) { return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count(); }

std::string newRequestId() {
    FastRandom random;
    return "try-" + DecisionId::make(SystemClock().now(), random).text().substr(4, 20);
}

std::string bodyOf(const TryRequest& request) {
    Json body{{"model", request.model}, {"messages", Json::array({Json{{"role", "user"}, {"content", request.prompt}}})}};
    if (request.maxTokens) body["max_tokens"] = *request.maxTokens;
    if (request.stream) {
        body["stream"] = true;
        body["stream_options"] = Json{{"include_usage", true}};
    }
    return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string headOf(const TryRequest& request, const upstream::BaseUrl& url, const std::string& requestId, std::size_t bodyBytes) {
    std::string head = "POST " + url.path + "/chat/completions HTTP/1.1\r\nHost: " + url.origin.hostHeader();
    head += "\r\nUser-Agent: signalbox/" SIGNALBOX_VERSION "\r\nAccept: " + std::string(request.stream ? "text/event-stream" : "application/json");
    head += "\r\nAccept-Encoding: identity\r\nConnection: close\r\nContent-Type: application/json\r\nx-request-id: " + requestId;
    head += "\r\nContent-Length: " + std::to_string(bodyBytes) + "\r\n";
    if (!request.token.empty()) head += "Authorization: Bearer " + request.token + "\r\n";
    if (!request.pin.empty()) head += "X-Signalbox-Pin: " + request.pin + "\r\n";
    return head + "\r\n";
}

/// A member of an object that is text; empty where it is not.
std::string textIn(const Json& object, const char* key) {
    if (!object.is_object()) return {};
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

const Json& memberIn(const Json& object, const char* key) {
    static const Json kNothing;
    if (!object.is_object()) return kNothing;
    const auto it = object.find(key);
    return it == object.end() ? kNothing : *it;
}

/// `choices[0].NAME.content`
std::string contentIn(const Json& payload, const char* name) {
    const Json& choices = memberIn(payload, "choices");
    return choices.is_array() && !choices.empty() ? textIn(memberIn(choices.front(), name), "content") : std::string();
}

void takeUsage(const Json& payload, TryEnd& end) {
    const auto number = [](const Json& in, const char* key) -> std::optional<std::uint64_t> {
        const Json& value = memberIn(in, key);
        return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
    };
    const Json& told = memberIn(payload, "usage");
    if (const auto input = number(told, "prompt_tokens")) end.inputTokens = input;
    if (const auto output = number(told, "completion_tokens")) end.outputTokens = output;
}

TryHead headIn(const upstream::HttpHead& head, const std::string& requestId) {
    const auto text = [&](const char* name) { return std::string(head.header(name)); };
    return {head.status,
            requestId,
            text("x-signalbox-decision-id"),
            text("x-signalbox-route"),
            text("x-signalbox-preset"),
            text("x-signalbox-coverage"),
            !head.header("x-signalbox-simulated").empty(),
            !head.header("x-signalbox-last-resort").empty()};
}

Error reasonOf(const UpstreamFailure& failure, const std::string& where) {
    switch (failure.kind) {
    case UpstreamFailure::Kind::connect:
        return {ErrorKind::unavailable, "the gateway cannot be reached", where, "Start it, or look at its address."};
    case UpstreamFailure::Kind::timeout:
        return {ErrorKind::unavailable, "the gateway did not go on in time", where, "Look at its live requests: what it waits for stands there."};
    case UpstreamFailure::Kind::disconnected:
        return {ErrorKind::unavailable, "the gateway closed the connection before the end of its answer", where, "It may have been stopped; try again."};
    case UpstreamFailure::Kind::cancelled: return {ErrorKind::cancelled, "the request was called off", {}, {}};
    case UpstreamFailure::Kind::refused:
    case UpstreamFailure::Kind::status:
    case UpstreamFailure::Kind::errorFrame:
    case UpstreamFailure::Kind::protocol:
    case UpstreamFailure::Kind::composition: break;
    }
    return {ErrorKind::unavailable, "what answers there is no gateway: " + failure.message, where, "Look at the address."};
}

/// Reads one answer and tells the listener as it comes.
class Answer {
public:
    Answer(const TryRequest& request, const TryListener& listener, const std::vector<std::string>& secrets)
        : m_request(request), m_listener(listener), m_secrets(secrets) {}

    asio::awaitable<void> read(std::shared_ptr<const upstream::Upstream> target, std::string head, std::string body, std::string requestId) {
        m_start = SteadyClock::now();
        auto exchange = co_await HttpExchange::start(target, std::move(head), std::move(body));
        if (!exchange) {
            end.error = reasonOf(exchange.error(), target->origin.text());
            co_return;
        }
        m_listener.head(headIn((*exchange)->head(), requestId));
        const bool streams = (*exchange)->head().status / 100 == 2 && (*exchange)->head().header("content-type").starts_with("text/event-stream");
        (*exchange)->firstFrameSeen();
        Failed failed;  // gcc 12 destroys both sides of a ?: between two awaits
        if (streams) failed = co_await readStream(**exchange);
        else failed = co_await readWhole(**exchange);
        if (failed && !end.error) end.error = reasonOf(*failed, target->origin.text());
    }

    [[nodiscard]] double elapsedMs() const { return millisSince(m_start); }

    TryEnd end;

private:
    using Failed = std::optional<UpstreamFailure>;

    asio::awaitable<Failed> readStream(HttpExchange& exchange) {
        upstream::SseReader events;
        std::string bytes;
        for (;;) {
            bytes.clear();
            auto more = co_await exchange.read(bytes, kMaxPieceBytes);
            if (!more) co_return std::move(more.error());
            if (!*more) co_return std::nullopt;
            if (!events.feed(bytes)) co_return upstream::makeFailure(UpstreamFailure::Kind::protocol, "event_too_large", "an event is larger than 1 MiB");
            while (const auto event = events.next())
                if (!event->isComment() && event->data != "[DONE]") takeEvent(event->data);
        }
    }

    void takeEvent(const std::string& data) {
        const Json payload = Json::parse(data, nullptr, false);
        if (payload.is_discarded()) return;
        takeError(payload);
        takeUsage(payload, end);
        const std::string text = contentIn(payload, "delta");
        if (text.empty()) return;
        if (!end.firstTextMs) end.firstTextMs = elapsedMs();
        m_listener.text(text);
    }

    asio::awaitable<Failed> readWhole(HttpExchange& exchange) {
        std::string body;
        for (;;) {
            auto more = co_await exchange.read(body, kMaxBodyBytes);
            if (!more) co_return std::move(more.error());
            if (!*more) break;
        }
        const Json payload = Json::parse(body, nullptr, false);
        takeError(payload);
        takeUsage(payload, end);
        if (const std::string text = contentIn(payload, "message"); !text.empty()) m_listener.text(text);
        const int status = exchange.head().status;
        if (status / 100 != 2 && !end.error) end.error = Error{ErrorKind::unavailable, "HTTP " + std::to_string(status) + " without a reason", {}, {}};
        co_return std::nullopt;
    }

    /// The edge's own error shape, as a body or as the last event of a stream.
    void takeError(const Json& payload) {
        const Json& error = memberIn(payload, "error");
        if (!error.is_object()) return;
        end.errorCode = textIn(error, "code");
        end.error = Error{ErrorKind::unavailable, upstream::redacted(textIn(error, "message"), m_secrets), textIn(error, "param"), {}};
    }

    const TryRequest& m_request;
    const TryListener& m_listener;
    const std::vector<std::string>& m_secrets;
    SteadyClock::time_point m_start{};
};

Result<upstream::BaseUrl> targetOf(const TryRequest& request) {
    if (request.baseUrl.empty()) return fail(ErrorKind::unavailable, "the gateway is not running", {}, "Start it, then try again.");
    if (!upstream::isSendable("X-Signalbox-Pin", request.pin))
        return fail(ErrorKind::badInput, "a pin is the name of a preset or an endpoint, in plain characters", "X-Signalbox-Pin", "Write it again, or leave it out.");
    if (!upstream::isSendable("Authorization", request.token))
        return fail(ErrorKind::badInput, "the client token holds characters that no header can carry", "auth.token_env", "Set another token.");
    return upstream::parseBaseUrl(request.baseUrl);
}

}  // namespace

struct TryCall::Loop {
    asio::io_context context{1};
    asio::cancellation_signal signal;
    std::atomic<bool> cancelled = false;
};

TryCall::TryCall() : m_loop(std::make_unique<Loop>()) {}
TryCall::~TryCall() = default;

TryEnd TryCall::run(const TryRequest& request, const TryListener& listener) {
    TryEnd end;
    const auto url = targetOf(request);
    if (!url) {
        end.error = url.error();
        return end;
    }
    auto target = std::make_shared<upstream::Upstream>();
    target->providerId = "gateway";
    target->origin = url->origin;
    if (!request.token.empty()) target->secrets.push_back(request.token);
    const std::string requestId = newRequestId();
    std::string body = bodyOf(request);
    std::string head = headOf(request, *url, requestId, body.size());
    Answer answer(request, listener, target->secrets);
    // A cancellation that came before is seen here, a later one by the coroutine.
    asio::post(m_loop->context, [&] {
        if (m_loop->cancelled) return;
        asio::co_spawn(m_loop->context, answer.read(target, std::move(head), std::move(body), requestId),
                       asio::bind_cancellation_slot(m_loop->signal.slot(), [](const std::exception_ptr&) {}));
    });
    m_loop->context.run();
    end = std::move(answer.end);
    if (m_loop->cancelled) end.error = Error{ErrorKind::cancelled, "the request was called off", {}, {}};
    end.totalMs = answer.elapsedMs();
    return end;
}

void TryCall::cancel() {
    m_loop->cancelled = true;
    asio::post(m_loop->context, [loop = m_loop.get()] { loop->signal.emit(asio::cancellation_type::terminal); });
}

}  // namespace signalbox::engine
