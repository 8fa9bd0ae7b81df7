// SPDX-License-Identifier: MIT
#include "router/engine/event_log.h"

#include "router/base/text.h"

namespace signalbox::engine {

EventLog::EventLog(SinkFactory makeSink, const Clock& clock, std::size_t mostWaiting)
    : m_makeSink(std::move(makeSink)), m_clock(clock), m_mostWaiting(mostWaiting) {
    if (m_makeSink)
        m_thread = std::thread([this] { run(); });
}

EventLog::~EventLog() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void EventLog::setScene(Scene scene) {
    const std::scoped_lock lock(m_mutex);
    m_scene = std::move(scene);
}

void EventLog::post(evidence::EventKind kind, std::string_view subject, std::string_view words,
                    std::string_view actor) noexcept {
    if (!m_makeSink)
        return;
    try {
        evidence::Event event;
        event.kind = kind;
        event.subject = elided(subject, kMostSubject);
        event.words = elided(words, kMostWords);
        event.actor = elided(actor, kMostSubject);
        const std::scoped_lock lock(m_mutex);
        if (!m_scene.enabled)
            return;
        if (m_waiting.size() >= m_mostWaiting) {
            ++m_dropped;
            return;
        }
        event.target = m_scene.target;
        event.environment = m_scene.environment;
        event.policyHash = m_scene.policyHash;
        // What is posted in a row stays in that order, also where the clock stands still or goes back a little.
        m_newest = std::max(m_clock.now(), m_newest + std::chrono::microseconds(1));
        event.createdAt = m_newest;
        m_waiting.push_back(std::move(event));
    } catch (...) { // no memory
        ++m_dropped;
        return;
    }
    m_wake.notify_one();
}

void EventLog::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stopping || !m_waiting.empty(); });
        if (m_waiting.empty())
            return;
        evidence::Event event = std::move(m_waiting.front());
        m_waiting.pop_front();
        lock.unlock();
        event.id = evidence::EventId::make(event.createdAt, m_random);
        if (!write(event))
            ++m_dropped;
        lock.lock();
    }
}

bool EventLog::write(const evidence::Event& event) {
    if (!m_sink) {
        auto sink = m_makeSink();
        if (!sink)
            return false;
        m_sink = std::move(*sink);
    }
    return m_sink->append(event);
}

} // namespace signalbox::engine
