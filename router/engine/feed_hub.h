// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <mutex>

namespace signalbox::engine {

/// Hands every finished decision to those who subscribed. Pushing is a few pointer copies under short locks,
/// so that I/O threads may do it; a subscriber that does not take in time loses the oldest and is told how
/// many.
class FeedHub {
public:
    void push(const std::shared_ptr<const evidence::DecisionRecord>& record);
    /// So many passed by that nobody could hand in.
    void skip(std::uint64_t count);
    [[nodiscard]] std::unique_ptr<DecisionFeed> subscribe(FeedWish wish);
    /// Subscribers, with those who ended since the last push or subscription.
    [[nodiscard]] std::size_t remembered() const;

private:
    class Buffer;
    class Feed;
    mutable std::mutex m_mutex;
    std::vector<std::weak_ptr<Buffer>> m_buffers;
};

} // namespace signalbox::engine
