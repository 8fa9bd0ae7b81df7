// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/session.h"

#include <boost/asio/executor_work_guard.hpp>
#include <future>
#include <thread>
#include <unordered_set>

namespace signalbox::gateway {

/// One core's share of the gateway: an io_context, the sessions dealt to it and what they use without locks.
class IoThread {
public:
    /// Beyond `maxConnections` a new connection takes the place of the one that waits longest for a request to
    /// come, and is refused where everybody is being served.
    IoThread(SharedState& shared, std::shared_ptr<const Serving> serving,
             std::unique_ptr<evidence::RecordSink> sink, std::size_t maxConnections);
    /// Joins; call `endSessions` before.
    ~IoThread();

    void run();
    [[nodiscard]] asio::io_context& context() { return m_context; }

    // Any thread:
    void startSession(Socket socket);
    /// Blocks until this thread has switched.
    void setServing(std::shared_ptr<const Serving> serving);
    /// The oldest requests under way here, at most so many, once this thread has looked.
    [[nodiscard]] std::future<evidence::RunningRequests> running(std::size_t most);
    /// Closes connections between two requests; those with one finish it.
    void closeIdle();
    /// Cuts everything off.
    void endSessions();
    [[nodiscard]] std::size_t sessionCount() const { return m_sessionCount; }

private:
    void serve(std::shared_ptr<Connection> connection);
    [[nodiscard]] bool makeRoom();
    void turnAway(Socket socket);

    ThreadState m_state; ///< outlives the context, whose end may still end requests
    asio::io_context m_context{1};
    asio::executor_work_guard<asio::io_context::executor_type> m_work;
    DeadlineWheel m_wheel;
    std::unordered_set<std::shared_ptr<Connection>> m_connections;
    std::size_t m_maxConnections;
    std::atomic<std::size_t> m_sessionCount{0};
    std::thread m_thread;
};

} // namespace signalbox::gateway
