// SPDX-License-Identifier: MIT
#include "router/engine/admin_http.h"

#include "router/base/text.h"
#include "router/upstream/failures.h"
#include "router/upstream/http_exchange.h"
#include "router/upstream/request_headers.h"

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <nlohmann/json.hpp>

namespace signalbox::engine {
namespace {

namespace asio = boost::asio;
using dispatch::UpstreamFailure;
using upstream::HttpExchange;

constexpr std::size_t kMaxAdminBody = std::size_t{32} << 20;
constexpr std::size_t kMaxErrorBody = std::size_t{64} << 10;
constexpr std::size_t kMaxAdminPiece = std::size_t{1} << 20;
constexpr std::chrono::hours kAsLongAsItLasts{24 * 365};
constexpr std::string_view kUnknownCall = "this gateway is of a version that does not know that call";

Error calledOff() { return {ErrorKind::cancelled, "the call was called off", {}, {}}; }

/// Before the host, parted from it by an @ or by its code.
bool hasLogin(std::string_view url) {
    const std::size_t begin = urlAuthorityBegin(url);
    return lastUrlAtSign(url.substr(begin, url.find_first_of("/?#\\", begin) - begin)).has_value();
}

/// The address without what people copy along with it.
Result<upstream::BaseUrl> adminUrl(const std::string& text) {
    if (hasLogin(text))
        return fail(ErrorKind::badInput, "a user name or password must not stand in the address of a gateway", shownUrl(text),
                    "Its admin token is all that it asks for.");
    auto url = upstream::parseBaseUrl(text);
    if (!url)
        return fail(ErrorKind::badInput, "\"" + shownUrl(text) + "\" is not the address of a gateway", {},
                    "Write it like http://127.0.0.1:38082 or https://gateway.example");
    for (const std::string_view known : {"/v1", "/admin"})
        if (url->path == known) url->path.clear();
    return url;
}

std::string headText(const AdminAccess& access, const upstream::BaseUrl& url, std::string_view method, const std::string& path,
                     std::size_t bodyBytes) {
    std::string head;
    head.append(method).append(" ").append(url.path).append(path).append(" HTTP/1.1\r\nHost: ").append(url.origin.hostHeader());
    head.append("\r\nUser-Agent: signalbox/" SIGNALBOX_VERSION "\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ").append(access.token);
    if (!access.actor.empty()) head.append("\r\nX-Signalbox-Actor: ").append(access.actor);
    if (method == "POST") head.append("\r\nContent-Type: application/json\r\nContent-Length: ").append(std::to_string(bodyBytes));
    return head + "\r\n\r\n";
}

/// How a person tells which token was refused.
std::string tokenHint(const AdminAccess& access) {
    return "It is the one in the file admin-token of that gateway's state folder" +
           (access.tokenFrom.empty() ? std::string() : "; what was sent came from " + access.tokenFrom);
}

Error untrusted(const std::string& message, const std::string& where) {
    // OpenSSL's words for an answer that is no TLS at all.
    if (message.find("wrong version number") != std::string::npos || message.find("packet length too long") != std::string::npos)
        return {ErrorKind::unavailable, "what listens there does not speak TLS", where, "Write the address with http:// if it is to be asked without."};
    const std::size_t at = message.rfind("): ");
    return {ErrorKind::unavailable, "the gateway's certificate was not accepted", where,
            "Name the CA file that signed it, and the host name that it is for" +
                (at == std::string::npos ? std::string() : ". What the check said: " + message.substr(at + 3))};
}

Error unreachable(const UpstreamFailure& failure, const std::string& where) {
    switch (failure.kind) {
    case UpstreamFailure::Kind::connect:
        if (failure.code == "connect_tls") return untrusted(failure.message, where);
        if (failure.code == "connect_dns") return {ErrorKind::unavailable, "no computer has that name", where, "Look at the address."};
        return {ErrorKind::unavailable,
                failure.code == "connect_refused" ? "nothing listens there" : "the gateway cannot be reached", where,
                "Look whether it runs, and at its address."};
    case UpstreamFailure::Kind::timeout:
        return {ErrorKind::unavailable, "the gateway did not answer in time", where, "Look at its load, and at the network on the way."};
    case UpstreamFailure::Kind::disconnected:
        return {ErrorKind::unavailable, "the gateway closed the connection before the end of its answer", where,
                "It may have been stopped, or speak TLS where the address says http."};
    case UpstreamFailure::Kind::cancelled: return calledOff();
    case UpstreamFailure::Kind::refused:
    case UpstreamFailure::Kind::status:
    case UpstreamFailure::Kind::errorFrame:
    case UpstreamFailure::Kind::protocol:
    case UpstreamFailure::Kind::composition: break;
    }
    return {ErrorKind::unavailable, "what answers there is no Signalbox gateway", where, "Look at the address."};
}

/// What our edge says in its errors; empty where another program answers.
struct Told {
    std::string code, message, param;
};
Told toldIn(const std::string& body) {
    const auto json = nlohmann::json::parse(body, nullptr, false);
    const auto text = [](const nlohmann::json& object, const char* key) {
        const auto it = object.find(key);
        return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    if (!json.is_object() || !json.contains("error") || !json["error"].is_object()) return {};
    return {text(json["error"], "code"), text(json["error"], "message"), text(json["error"], "param")};
}

Error refusal(int status, const std::string& body, const AdminAccess& access, const std::string& where) {
    Told told = toldIn(body);
    if (told.code.empty() || told.message.empty())
        return {ErrorKind::unavailable, "what answers there is no Signalbox gateway (HTTP " + std::to_string(status) + ")", where,
                "Look at the address."};
    if (status == 401) return {ErrorKind::denied, "the gateway does not accept this admin token", where, tokenHint(access)};
    if (told.code == "unknown_path" || status == 405)
        return {ErrorKind::unavailable, std::string(kUnknownCall), where,
                "Use the console or signalboxctl of its own version, or update it."};
    ErrorKind kind = ErrorKind::unavailable;
    if (status == 400 || status == 413 || status == 422) kind = ErrorKind::badInput;
    else if (status == 403) kind = ErrorKind::denied;
    else if (status == 404) kind = ErrorKind::notFound;
    else if (status == 409) kind = ErrorKind::conflict;
    while (told.message.ends_with('.')) told.message.pop_back();
    const std::string place = told.param.empty() ? where : where + " " + told.param;
    return {kind, upstream::redacted(told.message, {access.token}), place, {}};
}

}  // namespace

bool isUnknownCall(const Error& error) { return error.kind == ErrorKind::unavailable && error.message == kUnknownCall; }

struct AdminHttp::Loop {
    std::mutex mutex;  ///< held for a whole call
    asio::io_context context{1};
    asio::cancellation_signal signal;
    std::atomic<bool> stopped = false;
};

/// One call and what came of it.
struct AdminHttp::Reading {
    std::string_view method;
    std::string path, body;
    std::chrono::milliseconds idle{};
    const StreamListener* listener = nullptr;  ///< null for a whole answer
    std::string answer;
    int status = 0;
    std::optional<UpstreamFailure> failure;

    asio::awaitable<void> read(std::shared_ptr<const upstream::Upstream> target, std::string head) {
        auto exchange = co_await HttpExchange::start(target, std::move(head), body);
        if (!exchange) {
            failure = std::move(exchange.error());
            co_return;
        }
        status = (*exchange)->head().status;
        const bool streams = listener != nullptr && status == 200;
        (*exchange)->firstFrameSeen();
        if (streams) listener->opened();
        std::string piece;
        for (;;) {
            piece.clear();
            auto more = co_await (*exchange)->read(streams ? piece : answer, streams ? kMaxAdminPiece : status == 200 ? kMaxAdminBody : kMaxErrorBody);
            if (!more) failure = std::move(more.error());
            if (!more || !*more) co_return;
            if (streams && !listener->bytes(piece)) co_return;
        }
    }
};

Result<void> checkAddress(const std::string& url) {
    const auto parsed = adminUrl(url);
    return parsed ? Result<void>() : tl::unexpected(parsed.error());
}

Result<void> checkAccess(const AdminAccess& access) {
    const auto url = adminUrl(access.url);
    if (!url) return tl::unexpected(url.error());
    if (access.token.empty())
        return fail(ErrorKind::denied, "there is no admin token to send", url->origin.text(),
                    access.tokenFrom.empty() ? "Name one." : access.tokenFrom + " holds none.");
    if (!upstream::isSendable("Authorization", access.token))
        return fail(ErrorKind::badInput, "the admin token holds characters that no header can carry", access.tokenFrom,
                    "It is the one line of the file admin-token.");
    if (!upstream::isSendable("X-Signalbox-Actor", access.actor))
        return fail(ErrorKind::badInput, "the name of who acts holds control characters", {}, "Write it as one line.");
    if (!url->origin.tls) return {};
    const auto tls = upstream::makeTlsContext(access.caFile);
    return tls ? Result<void>() : tl::unexpected(tls.error());
}

AdminHttp::AdminHttp(AdminAccess access) : m_access(std::move(access)), m_loop(std::make_unique<Loop>()) {}
AdminHttp::~AdminHttp() = default;

Result<void> AdminHttp::run(Reading& reading) {
    if (auto usable = checkAccess(m_access); !usable) return usable;
    const std::scoped_lock lock(m_loop->mutex);
    if (m_loop->stopped) return tl::unexpected(calledOff());
    const auto url = adminUrl(m_access.url);
    auto target = std::make_shared<upstream::Upstream>();
    target->providerId = "gateway";
    target->origin = url->origin;
    target->origin.caFile = m_access.caFile;
    target->secrets = {m_access.token};
    target->limits = {m_access.patience, m_access.patience, reading.listener != nullptr ? reading.idle : m_access.patience,
                      reading.listener != nullptr ? std::chrono::milliseconds(kAsLongAsItLasts) : 3 * m_access.patience};
    if (url->origin.tls) target->tls = upstream::makeTlsContext(m_access.caFile).value();
    const std::string where = url->origin.text();

    std::string head = headText(m_access, *url, reading.method, reading.path, reading.body.size());
    bool done = false;
    m_loop->context.restart();
    // A cancellation that came before is seen here, a later one by the coroutine: one that has not begun yet cannot bear it, Asio
    // would end the process.
    asio::post(m_loop->context, [&] {
        done = m_loop->stopped;
        if (!done)
            asio::co_spawn(m_loop->context, reading.read(target, std::move(head)),
                           asio::bind_cancellation_slot(m_loop->signal.slot(), [&done](const std::exception_ptr&) { done = true; }));
    });
    while (!done) m_loop->context.run_one();
    if (m_loop->stopped) return tl::unexpected(calledOff());
    if (reading.failure) return tl::unexpected(unreachable(*reading.failure, where));
    if (reading.status != 200) return tl::unexpected(refusal(reading.status, reading.answer, m_access, where));
    return {};
}

Result<std::string> AdminHttp::get(const std::string& path) {
    Reading reading{.method = "GET", .path = path};
    if (auto read = run(reading); !read) return tl::unexpected(read.error());
    return std::move(reading.answer);
}

Result<std::string> AdminHttp::post(const std::string& path, const std::string& json) {
    Reading reading{.method = "POST", .path = path, .body = json};
    if (auto read = run(reading); !read) return tl::unexpected(read.error());
    return std::move(reading.answer);
}

Error AdminHttp::stream(const std::string& path, std::chrono::milliseconds idle, const StreamListener& listener) {
    Reading reading{.method = "GET", .path = path, .idle = idle, .listener = &listener};
    const auto read = run(reading);
    if (!read) return read.error();
    return {ErrorKind::unavailable, "the gateway ended the stream", adminUrl(m_access.url)->origin.text(), "It may have been stopped."};
}

void AdminHttp::cancel() {
    m_loop->stopped = true;
    asio::post(m_loop->context, [loop = m_loop.get()] { loop->signal.emit(asio::cancellation_type::terminal); });
}

}  // namespace signalbox::engine
