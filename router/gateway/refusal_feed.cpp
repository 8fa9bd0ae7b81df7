// SPDX-License-Identifier: MIT
#include "router/gateway/refusal_feed.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

void sortByTime(std::vector<TurnedAway>& lines) {
    std::sort(lines.begin(), lines.end(), [](const TurnedAway& a, const TurnedAway& b) { return a.at < b.at; });
}

} // namespace

void RefusalFeed::add(TurnedAway refused) {
    const std::scoped_lock lock(m_mutex);
    std::optional<TurnedAway>& newest = m_waiting[{refused.edge, refused.code}].newest;
    refused.more = newest ? newest->more + 1 : 0;
    newest = std::move(refused);
}

std::vector<TurnedAway> RefusalFeed::take(Steady now) {
    std::vector<TurnedAway> out;
    const std::scoped_lock lock(m_mutex);
    for (auto& [key, waiting] : m_waiting) {
        if (!waiting.newest || (waiting.toldAt && now - *waiting.toldAt < kPause))
            continue;
        out.push_back(std::move(*waiting.newest));
        waiting.newest.reset();
        waiting.toldAt = now;
    }
    sortByTime(out);
    return out;
}

std::vector<TurnedAway> RefusalFeed::takeAll() {
    std::vector<TurnedAway> out;
    const std::scoped_lock lock(m_mutex);
    for (auto& [key, waiting] : m_waiting) {
        if (waiting.newest)
            out.push_back(std::move(*waiting.newest));
        waiting.newest.reset();
    }
    sortByTime(out);
    return out;
}

} // namespace signalbox::gateway
