// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractEventDispatcher>
#include <QObject>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

namespace signalbox::test {

/// The longest stretch for which the GUI thread answered no event: from waking up to waiting again, less the time that
/// it was ready to run and the machine gave it no processor (Linux; elsewhere nothing is taken off).
class StallWatch : public QObject {
public:
    StallWatch() {
        auto* dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { begin(); });
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] { end(); });
    }
    /// Begins again: what this thread has done so far, as work of the test itself, does not count.
    void restart() {
        m_running = false;
        m_longestMs = 0;
    }
    [[nodiscard]] double longestMs() {
        end();
        return m_longestMs;
    }

private:
    using Clock = std::chrono::steady_clock;

    /// Nanoseconds that this thread waited for a processor since it began.
    static std::uint64_t delayNs() {
        unsigned long long ran = 0, waited = 0;
        if (std::FILE* file = std::fopen("/proc/thread-self/schedstat", "r")) {
            if (std::fscanf(file, "%llu %llu", &ran, &waited) != 2) waited = 0;
            std::fclose(file);
        }
        return waited;
    }
    void begin() {
        end();
        m_running = true;
        m_began = Clock::now();
        m_delayBefore = delayNs();
    }
    void end() {
        if (!m_running) return;
        m_running = false;
        const double wall = std::chrono::duration<double, std::milli>(Clock::now() - m_began).count();
        m_longestMs = std::max(m_longestMs, wall - static_cast<double>(delayNs() - m_delayBefore) / 1e6);
    }

    bool m_running = false;
    Clock::time_point m_began;
    std::uint64_t m_delayBefore = 0;
    double m_longestMs = 0;
};

}  // namespace signalbox::test
