// SPDX-License-Identifier: MIT
#include "router/engine/work_lane.h"

namespace signalbox::engine {

WorkLane::WorkLane(std::size_t mostWaiting) : m_mostWaiting(mostWaiting), m_thread([this] { run(); }) {}

WorkLane::~WorkLane() {
    close();
}

bool WorkLane::post(std::function<void()> job) {
    {
        const std::scoped_lock lock(m_mutex);
        if (m_closing || m_jobs.size() >= m_mostWaiting)
            return false;
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
    return true;
}

void WorkLane::close() {
    std::deque<std::function<void()>> dropped; // ends without the lock: a job may hold anything
    {
        const std::scoped_lock lock(m_mutex);
        m_closing = true;
        dropped.swap(m_jobs);
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void WorkLane::run() {
    for (;;) {
        std::function<void()> job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_closing || !m_jobs.empty(); });
            if (m_closing)
                return;
            job = std::move(m_jobs.front());
            m_jobs.pop_front();
        }
        job();
    }
}

} // namespace signalbox::engine
