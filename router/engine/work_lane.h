// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace signalbox::engine {

/// One thread that does one job after the other, for what must not run where it was asked for. Thread safe.
class WorkLane {
public:
    explicit WorkLane(std::size_t mostWaiting);
    /// Finishes the job at hand and drops those that wait.
    ~WorkLane();

    /// False when too many wait already, or the lane has been closed.
    [[nodiscard]] bool post(std::function<void()> job);
    /// Finishes the job at hand, drops those that wait, and takes no more. Not from one of its jobs.
    void close();

private:
    void run();

    const std::size_t m_mostWaiting;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_jobs;
    bool m_closing = false;
    std::thread m_thread;
};

} // namespace signalbox::engine
