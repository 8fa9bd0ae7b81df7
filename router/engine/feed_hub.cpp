// SPDX-License-Identifier: MIT
#include "router/engine/feed_hub.h"

#include <algorithm>
#include <deque>

namespace signalbox::engine {

class FeedHub::Buffer {
public:
    explicit Buffer(FeedWish wish) : m_capacity(std::max<std::size_t>(wish.capacity, 1)), m_wanted(wish.wanted) {}

    void push(const std::shared_ptr<const evidence::DecisionRecord>& record) {
        if (m_wanted != nullptr && !m_wanted(*record))
            return;
        const std::scoped_lock lock(m_mutex);
        if (m_records.size() == m_capacity) {
            m_records.pop_front();
            ++m_skipped;
        }
        m_records.push_back(record);
    }

    void skip(std::uint64_t count) {
        const std::scoped_lock lock(m_mutex);
        m_skipped += count;
    }

    DecisionFeed::Batch take() {
        const std::scoped_lock lock(m_mutex);
        DecisionFeed::Batch batch;
        batch.records.assign(std::make_move_iterator(m_records.begin()),
                             std::make_move_iterator(m_records.end()));
        batch.skipped = m_skipped;
        m_records.clear();
        m_skipped = 0;
        return batch;
    }

private:
    const std::size_t m_capacity;
    bool (*const m_wanted)(const evidence::DecisionRecord&);
    std::mutex m_mutex;
    std::deque<std::shared_ptr<const evidence::DecisionRecord>> m_records;
    std::uint64_t m_skipped = 0;
};

class FeedHub::Feed final : public DecisionFeed {
public:
    explicit Feed(std::shared_ptr<Buffer> buffer) : m_buffer(std::move(buffer)) {}
    Batch take() override { return m_buffer->take(); }

private:
    std::shared_ptr<Buffer> m_buffer;
};

void FeedHub::push(const std::shared_ptr<const evidence::DecisionRecord>& record) {
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_buffers, [&](const std::weak_ptr<Buffer>& weak) {
        const auto buffer = weak.lock();
        if (buffer)
            buffer->push(record);
        return buffer == nullptr;
    });
}

void FeedHub::skip(std::uint64_t count) {
    const std::scoped_lock lock(m_mutex);
    for (const auto& weak : m_buffers)
        if (const auto buffer = weak.lock())
            buffer->skip(count);
}

std::size_t FeedHub::remembered() const {
    const std::scoped_lock lock(m_mutex);
    return m_buffers.size();
}

std::unique_ptr<DecisionFeed> FeedHub::subscribe(FeedWish wish) {
    auto buffer = std::make_shared<Buffer>(wish);
    const std::scoped_lock lock(m_mutex);
    // Where nothing is decided nobody else would: readers come and go there too.
    std::erase_if(m_buffers, [](const std::weak_ptr<Buffer>& weak) { return weak.expired(); });
    m_buffers.push_back(buffer);
    return std::make_unique<Feed>(std::move(buffer));
}

} // namespace signalbox::engine
