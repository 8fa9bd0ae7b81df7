// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/logging.h"
#include "router/engine/target.h"
#include "router/engine/embedded_target.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace signalbox::ctl {

/// Writes a line for every request of a target, on a thread of its own: a slow terminal or disk must not slow a request
/// down. Requests that were served are told at info, trouble at warn; above that nothing runs. When the log cannot keep
/// up, lines are lost and their number is told. Those that were turned away before they became decisions are told at
/// warn as well, as rarely as the feed gives them. What is done over the admin API is told at info, what it refused at warn.
class RequestLog {
public:
    RequestLog(engine::Target& target, engine::LogFeeds feeds, std::shared_ptr<spdlog::logger> log,
               app::LogFormat format, const Clock& clock);
    /// Writes what is left.
    ~RequestLog();
    RequestLog(const RequestLog&) = delete;
    RequestLog& operator=(const RequestLog&) = delete;

private:
    void run();
    void write(engine::DecisionFeed::Batch batch);
    void write(const std::vector<gateway::TurnedAway>& refused);
    void write(const gateway::AdminFeed::Batch& done);

    const Clock& m_clock;
    engine::LogFeeds m_feeds;  ///< both
    std::shared_ptr<spdlog::logger> m_log;
    std::shared_ptr<spdlog::logger> m_objects;  ///< null when lines are text
    std::unique_ptr<engine::DecisionFeed> m_feed;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::thread m_thread;
};

}  // namespace signalbox::ctl
