// SPDX-License-Identifier: MIT
#include "router/gateway/refusals.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

std::int64_t minuteOf(Steady at) {
    return std::chrono::floor<std::chrono::minutes>(at.time_since_epoch()).count();
}

} // namespace

void RefusalLog::Row::moveTo(std::int64_t minute) {
    if (m_sum > 0 && minute <= m_minute)
        return; // another thread, which looked at the clock a little later, was here first
    const auto at = [this](std::int64_t of) -> std::uint32_t& { return m_counts[static_cast<std::size_t>(of % kMinutes)]; };
    if (m_sum > 0 && minute - m_minute < kMinutes) {
        for (std::int64_t passed = m_minute + 1; passed <= minute; ++passed)
            m_sum -= std::exchange(at(passed), 0);
    } else {
        m_counts = {};
        m_sum = 0;
    }
    m_minute = minute;
}

void RefusalLog::Row::count(std::int64_t minute) {
    moveTo(minute);
    ++m_counts[static_cast<std::size_t>(m_minute % kMinutes)];
    ++m_sum;
}

void RefusalLog::add(Entry refused, RefusedClient client, Steady now) {
    const std::int64_t minute = minuteOf(now);
    const std::scoped_lock lock(m_mutex);
    ++m_byEdge[static_cast<std::size_t>(refused.edge)];
    ++m_totals[refused.code];
    Row& row = rowFor(std::move(client), refused.code, minute);
    row.count(minute);
    row.message.swap(refused.message); // the older one is freed outside of the lock
    row.newest = std::max(row.newest, refused.at);
}

RefusalLog::Row& RefusalLog::rowFor(RefusedClient client, const std::string& code, std::int64_t minute) {
    Key key{std::move(client), code};
    if (const auto known = m_rows.find(key); known != m_rows.end())
        return known->second;
    sweep(minute);
    const std::string& peer = key.first.peer;
    // Whose token it had stays known: it takes no room that a stranger could fill.
    if (!key.first.isOthers && isCrowded(peer)) {
        const bool saysNothing = peer.empty() && key.first.principal.empty();
        return saysNothing ? m_others[code] : rowFor({peer, {}, key.first.principal, true}, code, minute);
    }
    if (m_rows.size() >= kMostRows)
        return m_others[code];
    return m_rows[std::move(key)];
}

bool RefusalLog::isCrowded(const std::string& peer) const {
    std::size_t rows = 0;
    auto at = m_rows.lower_bound(Key{{peer, {}, {}, false}, {}});
    while (at != m_rows.end() && at->first.first.peer == peer && rows < kMostOfOnePeer)
        ++at, ++rows;
    return rows == kMostOfOnePeer;
}

void RefusalLog::sweep(std::int64_t minute) {
    if (minute <= m_swept)
        return;
    m_swept = minute;
    const auto forget = [minute](auto& rows) {
        for (auto& [key, row] : rows)
            row.moveTo(minute);
        std::erase_if(rows, [](const auto& entry) { return entry.second.sum() == 0; });
    };
    forget(m_rows);
    forget(m_others);
}

std::vector<Refusal> RefusalLog::ofLastHour(Steady now) {
    std::vector<Refusal> out;
    const std::scoped_lock lock(m_mutex);
    sweep(minuteOf(now));
    for (const auto& [key, row] : m_rows)
        out.push_back({key.second, row.message, key.first, row.sum(), row.newest});
    for (const auto& [code, row] : m_others)
        out.push_back({code, row.message, {{}, {}, {}, true}, row.sum(), row.newest});
    return out;
}

std::vector<RefusalTotal> RefusalLog::totals() const {
    std::vector<RefusalTotal> out;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [code, count] : m_totals)
        out.push_back({code, count});
    return out;
}

std::uint64_t RefusalLog::of(evidence::Edge edge) const {
    const std::scoped_lock lock(m_mutex);
    return m_byEdge[static_cast<std::size_t>(edge)];
}

} // namespace signalbox::gateway
