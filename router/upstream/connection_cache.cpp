// SPDX-License-Identifier: MIT
#include "router/upstream/connection_cache.h"

#include "router/base/clock.h"

#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>

namespace signalbox::upstream {

namespace {

constexpr std::size_t kMaxIdlePerOrigin = 64;
/// Below the 60 to 75 s after which common servers close, so that few reuses race with a close.
constexpr std::chrono::seconds kMaxIdleAge{50};
/// A moment ago it answered, and nothing came after that. What closes in so short a time is found out by its use. No longer than
/// that: a peer that has finished may still take a request, and what came late behind one answer must not begin the next.
constexpr std::chrono::milliseconds kTrusted{1};

struct Idle {
    std::unique_ptr<Connection> connection;
    Steady since;
};

/// As a service of the context it dies with it, before the reactor that its sockets are registered with.
class Cache final : public asio::execution_context::service {
public:
    using key_type = Cache;
    static asio::execution_context::id id;

    explicit Cache(asio::execution_context& context) : asio::execution_context::service(context) {}

    std::unique_ptr<Connection> take(const std::string& origin, bool probe) {
        const std::lock_guard lock(m_mutex);
        std::deque<Idle>& idle = m_idle[origin];
        while (!idle.empty()) {
            Idle last = std::move(idle.back());
            idle.pop_back();
            if (!probe || isUsable(last)) return std::move(last.connection);
        }
        return nullptr;
    }

    void keep(const std::string& origin, std::unique_ptr<Connection> connection, Steady now) {
        const std::lock_guard lock(m_mutex);
        dropExpired(now);
        std::deque<Idle>& idle = m_idle[origin];
        if (idle.size() >= kMaxIdlePerOrigin) idle.pop_front();
        idle.push_back({std::move(connection), now});
    }

private:
    /// Of every origin, also one that nobody calls any more: its server closed long ago, and our end would stay open.
    void dropExpired(Steady now) {
        for (auto entry = m_idle.begin(); entry != m_idle.end();) {
            std::deque<Idle>& idle = entry->second;
            const bool hadSome = !idle.empty();
            while (!idle.empty() && now - idle.front().since > kMaxIdleAge) idle.pop_front();
            entry = hadSome && idle.empty() ? m_idle.erase(entry) : std::next(entry);
        }
    }

    void shutdown() override { m_idle.clear(); }

    static bool isUsable(Idle& idle) {
        const Steady::duration age = std::chrono::steady_clock::now() - idle.since;
        return age <= kMaxIdleAge && (age < kTrusted || idle.connection->isIdleAlive());
    }

    std::mutex m_mutex;
    std::map<std::string, std::deque<Idle>> m_idle;
};

asio::execution_context::id Cache::id;

Cache& cacheOf(const asio::any_io_executor& executor) {
    return asio::use_service<Cache>(asio::query(executor, asio::execution::context));
}

}  // namespace

// A tunnel belongs to the proxy, and to the credentials that opened it.
std::string idleKey(const Origin& origin) {
    std::string key = origin.text() + "|" + origin.caFile;
    if (origin.proxy) key += "|" + origin.proxy->text() + "|" + origin.proxy->authorization;
    return key;
}

std::unique_ptr<Connection> takeIdle(const asio::any_io_executor& executor, const std::string& key, bool probe) {
    return cacheOf(executor).take(key, probe);
}

void keepIdle(const asio::any_io_executor& executor, const std::string& key, std::unique_ptr<Connection> connection, Steady now) {
    cacheOf(executor).keep(key, std::move(connection), now);
}

}  // namespace signalbox::upstream
