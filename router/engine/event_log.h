// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/sink.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace signalbox::engine {

/// Writes down what happens to a gateway. Posting is a copy under a short lock, so that I/O threads may do it;
/// one thread of its own moves the events into the journal. Thread safe.
class EventLog {
public:
    using SinkFactory = std::function<Result<std::unique_ptr<evidence::EventSink>>()>;
    /// Longest `subject` and `words`, bytes: notes come from outside.
    static constexpr std::size_t kMostSubject = 300, kMostWords = 2000;

    /// `makeSink` is asked on the log's thread when there is something to write, again while it fails; a null one
    /// makes a log that keeps nothing. More than
    /// `mostWaiting` events at a time are dropped and counted.
    explicit EventLog(SinkFactory makeSink, const Clock& clock, std::size_t mostWaiting = 1024);
    /// Writes what waits.
    ~EventLog();

    /// What every event says of its gateway from here on.
    struct Scene {
        bool enabled = false; ///< while false nothing is written
        std::string target;
        std::string environment;
        std::string policyHash;
    };
    void setScene(Scene scene);

    /// Never blocks on a disk, never throws. `words` is one English sentence without secrets; `actor` is
    /// `evidence::kByOperator`, `evidence::kByGateway` or a principal's id.
    void post(evidence::EventKind kind, std::string_view subject, std::string_view words,
              std::string_view actor) noexcept;
    /// Posted, and not written down: no room, no memory, or no journal.
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }

private:
    void run();
    [[nodiscard]] bool write(const evidence::Event& event);

    const SinkFactory m_makeSink;
    const Clock& m_clock;
    const std::size_t m_mostWaiting;
    std::atomic<std::uint64_t> m_dropped{0};

    std::mutex m_mutex; // guards what follows
    std::condition_variable m_wake;
    Scene m_scene;
    Timestamp m_newest{};
    std::deque<evidence::Event> m_waiting; ///< without ids
    bool m_stopping = false;

    // The log's thread only.
    std::unique_ptr<evidence::EventSink> m_sink;
    FastRandom m_random;
    std::thread m_thread;
};

} // namespace signalbox::engine
