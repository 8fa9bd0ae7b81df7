// SPDX-License-Identifier: MIT
#include "router/gateway/io_thread.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <future>

namespace signalbox::gateway {

IoThread::IoThread(SharedState& shared, std::shared_ptr<const Serving> serving,
                   std::unique_ptr<evidence::RecordSink> sink)
    : m_state{shared, std::move(sink), std::move(serving), {}, shared.metrics.addShard()}, m_work(m_context.get_executor()),
      m_wheel(m_context) {}

IoThread::~IoThread() {
    m_work.reset();
    // Adapters keep idle sockets and timers here that would never end by themselves.
    m_context.stop();
    if (m_thread.joinable())
        m_thread.join();
}

void IoThread::run() {
    m_thread = std::thread([this] { m_context.run(); });
}

void IoThread::startSession(Socket socket) {
    ++m_sessionCount;
    // The socket was accepted for this context already; only its use moves to the thread.
    asio::post(m_context, [this, moved = std::make_shared<Socket>(std::move(socket))] {
        serve(std::make_shared<Connection>(std::move(*moved), m_wheel));
    });
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
