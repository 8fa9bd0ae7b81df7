// SPDX-License-Identifier: MIT
#include "router/gateway/admin_exchange.h"

#include "router/base/text.h"
#include "router/gateway/admin_handler.h"
#include "router/gateway/admin_paths.h"
#include "router/gateway/recording.h"
#include "router/gateway/refused_client.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::gateway {

namespace {

constexpr std::size_t kMaxActorBytes = 64;
constexpr std::uint64_t kMaxOrderBytes = 64 << 10;
constexpr std::uint64_t kMaxDecideBytes = 4 << 20;
/// A table of some megabytes, with the escapes that it gets inside of a JSON string.
constexpr std::uint64_t kMaxApplyBytes = 40 << 20;
/// How often a waiting call looks whether the gateway drains, and how often a stream's lines go out.
constexpr std::chrono::milliseconds kLook{100};
constexpr std::string_view kLinesType = "application/jsonl";

/// What the caller calls itself, as far as it can be shown anywhere.
std::string cleanedActor(std::string_view text) {
    std::string out;
    for (const char c : trimmed(text)) {
        if (out.size() == kMaxActorBytes)
            break;
        if (c > 0x20 && c < 0x7f)
            out += c;
        else if (c == ' ')
            out += '_';
    }
    return out;
}

AdminCall callOf(const HttpRequest& head, const Connection& connection) {
    const std::string_view path = head.path();
    AdminCall call;
    call.path = elided(path, 200);
    call.isPost = head.method == "POST";
    call.query = head.target.size() > path.size() ? head.target.substr(path.size() + 1) : std::string_view();
    call.actor = cleanedActor(head.actor);
    call.peer = connection.peerAddress();
    return call;
}

EdgeError lockedError(std::chrono::seconds remaining) {
    EdgeError error = edgeError(429, "admin_locked",
                                "Too many attempts with a wrong token came from this address. Try again in " +
                                    std::to_string(remaining.count()) + " s, with the admin token.");
    error.retryAfter = remaining;
    return error;
}

/// Counts under `countedAs` and writes down; false once that was often enough.
bool writeDown(SharedState& shared, const AdminCall& call, const std::string& countedAs, EdgeError told) {
    const auto verdict = shared.adminGuard.failed(countedAs, shared.clock.steady());
    if (verdict == AdminGuard::Verdict::silent)
        return false;
    if (verdict == AdminGuard::Verdict::last)
        told.message += " Further attempts from there are not written down for a minute.";
    if (shared.admin)
        shared.admin->refused(call, told);
    return true;
}

/// What was often enough is answered with the lock alone.
void note(SharedState& shared, const AdminCall& call, EdgeError& error) {
    if (!writeDown(shared, call, call.peer, error))
        error = lockedError(shared.adminGuard.lockedFor(call.peer, shared.clock.steady()).value_or(AdminGuard::kWindow));
}

/// One answer on its way from another thread.
struct Waiting {
    explicit Waiting(const asio::any_io_executor& executor) : timer(executor) {}
    asio::steady_timer timer;
    std::optional<AdminResult> result;
};

AdminDone handOver(SharedState& shared, const asio::any_io_executor& executor, const std::shared_ptr<Waiting>& waiting) {
    return [gate = shared.adminGate, executor, weak = std::weak_ptr(waiting)](AdminResult result) {
        gate->post(executor, [weak, result = std::move(result)]() mutable {
            const auto still = weak.lock();
            if (!still || still->result)
                return;
            still->result = std::move(result);
            still->timer.cancel();
        });
    };
}

asio::awaitable<void> pause(asio::steady_timer& timer) {
    timer.expires_after(kLook);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

EdgeError stoppingError() {
    return edgeError(503, "draining", "The gateway is stopping. Whether this was still done shows in its events; ask again when it runs.");
}

asio::awaitable<AdminResult> awaitAnswer(SharedState& shared, AdminCall call) {
    const auto executor = co_await asio::this_coro::executor;
    const auto waiting = std::make_shared<Waiting>(executor);
    shared.admin->handle(std::move(call), handOver(shared, executor, waiting));
    while (!waiting->result) {
        co_await pause(waiting->timer);
        if (!waiting->result && shared.draining)
            co_return tl::unexpected(stoppingError());
    }
    co_return std::move(*waiting->result);
}

asio::awaitable<void> sendStream(SharedState& shared, std::unique_ptr<DecisionLines> lines, Connection& connection, ResponseWriter& writer) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    writer.startEvents(kLinesType);
    connection.startWatching();
    bool written = true;
    while (written && !shared.draining) {
        const std::string text = lines->take();
        written = co_await writer.event(text);
        if (written)
            co_await pause(timer);
    }
    connection.stopWatching();
    if (written) {
        const std::string last = lines->take() + lines->end("draining");
        written = co_await writer.finishEvents(last);
    }
    writer.closeAfter();
}

asio::awaitable<void> sendError(SharedState& shared, Sender by, ResponseWriter& writer, EdgeError error) {
    shared.turnAway(error, std::move(by));
    const bool written = co_await writer.send(error);
    if (!written)
        writer.closeAfter();
}

} // namespace

std::optional<EdgeError> admitAdmin(SharedState& shared, const AccessPolicy& access, const HttpRequest& head,
                                    const Connection& connection) {
    const bool local = connection.peerIsLocal();
    auto refused = access.checkAdmin(head, local);
    // Whoever has the token is let in, whatever came from the same address before: a token is too long to be guessed, and
    // the address of a proxy or a NAT belongs to many, of whom one must not lock out the others.
    if (!refused)
        return std::nullopt;
    const AdminCall call = callOf(head, connection);
    if (!local) {
        if (const auto remaining = shared.adminGuard.lockedFor(call.peer, shared.clock.steady()))
            return lockedError(*remaining);
    }
    note(shared, call, *refused);
    return refused;
}

/// Anybody's page can make a browser send this, so it is counted apart: it must lock out nobody who has the token.
void noteRefusedAdmin(SharedState& shared, const HttpRequest& head, const Connection& connection, const EdgeError& error) {
    const AdminCall call = callOf(head, connection);
    static_cast<void>(writeDown(shared, call, "a page at " + call.peer, error));
}

std::uint64_t adminBodyLimit(std::string_view path) {
    if (path == admin::kApply)
        return kMaxApplyBytes;
    return path == admin::kDecide ? kMaxDecideBytes : kMaxOrderBytes;
}

EdgeError adminBodyTooLarge(std::uint64_t limit) {
    return edgeError(413, "request_too_large", "This path takes at most " + std::to_string(limit) + " bytes. Send less.");
}

asio::awaitable<void> serveAdmin(ThreadState& thread, std::shared_ptr<const Serving> serving, Connection& connection,
                                 ResponseWriter& writer, const HttpRequest& head, std::string body) {
    SharedState& shared = thread.shared;
    const std::string_view own = boundedRequestId(head.requestId);
    const std::string id = own.empty() ? DecisionId::make(shared.clock.now(), thread.random).text() : std::string(own);
    writer.addHeader("x-request-id", id);
    const auto sender = [&connection, &head, &id] { return Sender{evidence::Edge::openai, clientOf(head, connection, nullptr), id}; };
    writer.addHeader("cache-control", "no-store");
    AdminCall call = callOf(head, connection);
    if (!shared.admin) {
        co_await sendError(shared, sender(), writer, edgeError(501, "no_admin_api", "This gateway was started without an admin API."));
        co_return;
    }
    if (call.path == admin::kDecisions && !head.isHead()) {
        serving.reset(); // a stream outlives many policies
        auto lines = shared.admin->follow(call);
        if (!lines) {
            co_await sendError(shared, sender(), writer, lines.error());
            co_return;
        }
        co_await sendStream(shared, std::move(*lines), connection, writer);
        co_return;
    }
    call.body = std::move(body);
    call.serving = serving;
    connection.startWatching();
    const AdminResult result = co_await awaitAnswer(shared, std::move(call));
    connection.stopWatching();
    if (!result) {
        co_await sendError(shared, sender(), writer, result.error());
        co_return;
    }
    const bool written = co_await writer.send(200, "application/json", *result);
    if (!written)
        writer.closeAfter();
}

} // namespace signalbox::gateway
