// SPDX-License-Identifier: MIT
#include "router/gateway/heartbeat.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::gateway {

namespace {

constexpr auto kBeatAsTuple = asio::as_tuple(asio::use_awaitable);

std::string_view beatOf(Edge edge) {
    return edge == Edge::anthropic ? "event: ping\ndata: {\"type\": \"ping\"}\n\n" : ": waiting for the model\n\n";
}

} // namespace

/// Shared with the coroutine that beats. Everything happens on the connection's thread.
struct Heartbeat::Beat {
    Beat(Connection& of, ResponseWriter& with, Edge edge, std::chrono::milliseconds every)
        : connection(of.shared_from_this()), writer(&with), text(beatOf(edge)), interval(every),
          timer(of.executor()), written(of.executor(), std::chrono::steady_clock::time_point::max()) {}

    std::shared_ptr<Connection> connection; ///< outlives a write that is cut off
    ResponseWriter* writer;                 ///< null once the owner is gone
    std::string_view text;
    std::chrono::milliseconds interval;
    asio::steady_timer timer;
    asio::steady_timer written; ///< cancelled after each beat; never expires
    std::chrono::steady_clock::time_point due{};
    bool waits = false;
    bool writes = false;
};

Heartbeat::Heartbeat(Connection& connection, ResponseWriter& writer, Edge edge,
                     std::optional<std::chrono::milliseconds> interval) {
    if (!interval)
        return;
    m_beat = std::make_shared<Beat>(connection, writer, edge, *interval);
    asio::co_spawn(connection.executor(), run(m_beat), asio::detached);
}

Heartbeat::~Heartbeat() {
    if (!m_beat)
        return;
    m_beat->writer = nullptr;
    m_beat->timer.cancel();
    m_beat->written.cancel();
}

void Heartbeat::resume() {
    if (!m_beat)
        return;
    m_beat->waits = true;
    m_beat->due = std::chrono::steady_clock::now() + m_beat->interval;
}

asio::awaitable<void> Heartbeat::pause() {
    if (!m_beat)
        co_return;
    m_beat->waits = false;
    while (m_beat->writes)
        co_await m_beat->written.async_wait(kBeatAsTuple);
}

/// The timer is not moved with every chunk: when it fires too early it is set to when the next beat is due.
asio::awaitable<void> Heartbeat::run(std::shared_ptr<Beat> beat) {
    while (beat->writer != nullptr) {
        const auto now = std::chrono::steady_clock::now();
        if (!beat->waits || now < beat->due) {
            beat->timer.expires_at(beat->waits ? beat->due : now + beat->interval);
            co_await beat->timer.async_wait(kBeatAsTuple);
            continue;
        }
        beat->writes = true;
        beat->writer->startEvents();
        const bool reached = co_await beat->writer->event(beat->text);
        beat->writes = false;
        beat->due = std::chrono::steady_clock::now() + beat->interval;
        beat->written.cancel();
        if (beat->writer == nullptr)
            co_return;
        if (!reached) {
            beat->connection->lose();
            co_return;
        }
    }
}

} // namespace signalbox::gateway
