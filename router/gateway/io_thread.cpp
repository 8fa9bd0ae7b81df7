// SPDX-License-Identifier: MIT
#include "router/gateway/io_thread.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

namespace signalbox::gateway {

namespace {
constexpr std::chrono::seconds kRetryWhenFull{2};
} // namespace

IoThread::IoThread(SharedState& shared, std::shared_ptr<const Serving> serving,
                   std::unique_ptr<evidence::RecordSink> sink, std::size_t maxConnections)
    : m_state{shared, std::move(sink), std::move(serving), {}, shared.metrics.addShard()}, m_work(m_context.get_executor()),
      m_wheel(m_context), m_maxConnections(maxConnections) {}

IoThread::~IoThread() {
    m_work.reset();
    // Adapters keep idle sockets and timers here that would never end by themselves.
    m_context.stop();
    if (m_thread.joinable())
        m_thread.join();
    m_state.commits.end();
    for (const auto& connection : m_connections)
        connection->giveUpSession();
}

void IoThread::run() {
    m_thread = std::thread([this] { m_context.run(); });
}

void IoThread::startSession(Socket socket) {
    ++m_sessionCount;
    // The socket was accepted for this context already; only its use moves to the thread.
    asio::post(m_context, [this, moved = std::make_shared<Socket>(std::move(socket))] {
        if (m_connections.size() >= m_maxConnections && !makeRoom())
            return turnAway(std::move(*moved));
        serve(std::make_shared<Connection>(std::move(*moved), m_wheel));
    });
}

/// Whoever keeps sockets open without asking for anything must not keep others out.
bool IoThread::makeRoom() {
    const std::shared_ptr<Connection>* longest = nullptr;
    for (const auto& connection : m_connections) {
        const auto& since = connection->awaitsHeadSince();
        if (since && (longest == nullptr || *since < *(*longest)->awaitsHeadSince()))
            longest = &connection;
    }
    if (longest == nullptr)
        return false;
    (*longest)->setHasHead(); // its end comes later; until then it must not be chosen again
    (*longest)->close();
    return true;
}

void IoThread::turnAway(Socket socket) {
    EdgeError error = edgeError(503, "too_many_connections",
                                "Too many connections are being served. Close what you do not need, and try again.");
    error.retryAfter = kRetryWhenFull;
    boost::system::error_code gone;
    const auto peer = socket.remote_endpoint(gone);
    m_state.shared.turnAway(error, {evidence::Edge::openai, {gone ? std::string() : unmapped(peer.address()).to_string(), {}, {}}, {}});
    const std::string body = error.json();
    const std::string answer = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: " +
                               std::to_string(error.retryAfter->count()) +
                               "\r\nconnection: close\r\ncontent-length: " + std::to_string(body.size()) +
                               "\r\n\r\n" + body;
    boost::system::error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(answer), ignored); // fits any socket's buffer; nobody waits for it
    socket.shutdown(asio::socket_base::shutdown_send, ignored);
    --m_sessionCount;
}

void IoThread::serve(std::shared_ptr<Connection> connection) {
    m_connections.insert(connection);
    auto ended = [this, connection](const std::exception_ptr&) {
        // Exceptions are cancellations: the request is recorded, the connection is of no more use.
        connection->stopWatching();
        connection->close();
        m_connections.erase(connection);
        --m_sessionCount;
    };
    auto slot = connection->cancellationSlot();
    asio::co_spawn(m_context, runSession(m_state, std::move(connection)),
                   asio::bind_cancellation_slot(slot, std::move(ended)));
}

void IoThread::setServing(std::shared_ptr<const Serving> serving) {
    std::promise<void> switched;
    asio::post(m_context, [this, &switched, next = std::move(serving)]() mutable {
        m_state.serving.swap(next);
        next.reset();
        switched.set_value();
    });
    switched.get_future().wait();
}

std::future<evidence::RunningRequests> IoThread::running(std::size_t most) {
    const auto told = std::make_shared<std::promise<evidence::RunningRequests>>();
    asio::post(m_context, [this, told, most] { told->set_value(m_state.running.oldest(most)); });
    return told->get_future();
}

void IoThread::closeIdle() {
    asio::post(m_context, [this] {
        for (const auto& connection : m_connections) {
            if (connection->isIdle())
                connection->close();
        }
    });
}

void IoThread::endSessions() {
    asio::post(m_context, [this] {
        const auto connections = m_connections; // ending one may take it out of the set
        for (const auto& connection : connections)
            connection->abort();
    });
}

} // namespace signalbox::gateway
