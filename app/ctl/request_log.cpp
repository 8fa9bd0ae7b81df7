// SPDX-License-Identifier: MIT
#include "app/ctl/request_log.h"

#include "app/shared/request_line.h"

#include <spdlog/logger.h>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kMostWaiting = 16'384;
constexpr std::chrono::milliseconds kLookEvery{50};

}  // namespace

RequestLog::RequestLog(engine::Target& target, engine::LogFeeds feeds, std::shared_ptr<spdlog::logger> log,
                       app::LogFormat format, const Clock& clock)
    : m_clock(clock), m_feeds(std::move(feeds)), m_log(std::move(log)) {
    if (!m_log->should_log(spdlog::level::warn)) return;
    if (format == app::LogFormat::json) m_objects = app::makeObjectLogger(*m_log);
    const bool tellsAll = m_log->should_log(spdlog::level::info);
    m_feed = target.subscribe(tellsAll ? engine::FeedWish(kMostWaiting) : engine::FeedWish(kMostWaiting, app::isTrouble));
    m_thread = std::thread([this] { run(); });
}

RequestLog::~RequestLog() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void RequestLog::run() {
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        m_wake.wait_for(lock, kLookEvery, [this] { return m_stop; });
        lock.unlock();
        write(m_feed->take());
        write(m_feeds.turnedAway->take(m_clock.steady()));
        write(m_feeds.admin->take());
        lock.lock();
    }
    lock.unlock();
    write(m_feed->take());  // what was decided while the last lines were written
    write(m_feeds.turnedAway->takeAll());
    write(m_feeds.admin->take());
}

void RequestLog::write(engine::DecisionFeed::Batch batch) {
    if (batch.skipped > 0)
        m_log->warn("{} requests are missing here: the log is slower than the traffic. Log to a file, or use --log-level warn",
                    batch.skipped);
    for (const auto& record : batch.records) {
        const auto level = app::isTrouble(*record) ? spdlog::level::warn : spdlog::level::info;
        if (!m_log->should_log(level)) continue;
        if (m_objects) m_objects->log(level, "{}", app::requestObject(*record));
        else m_log->log(level, "{}", app::requestLine(*record));
    }
}

void RequestLog::write(const std::vector<gateway::TurnedAway>& refused) {
    for (const gateway::TurnedAway& one : refused) {
        if (m_objects) m_objects->warn("{}", app::turnedAwayObject(one));
        else m_log->warn("{}", app::turnedAwayLine(one));
    }
}

void RequestLog::write(const gateway::AdminFeed::Batch& done) {
    for (const gateway::AdminEntry& one : done.entries) {
        const auto level = app::isTrouble(one) ? spdlog::level::warn : spdlog::level::info;
        if (!m_log->should_log(level)) continue;
        if (m_objects) m_objects->log(level, "{}", app::adminObject(one));
        else m_log->log(level, "{}", app::adminLine(one));
    }
    if (done.missed > 0) m_log->warn("{} calls of the admin API are missing here: more came than the log could take", done.missed);
}

}  // namespace signalbox::ctl
