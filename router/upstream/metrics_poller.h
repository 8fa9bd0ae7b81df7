// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/engine_metrics_book.h"
#include "router/upstream/metrics_page.h"

#include <boost/asio/any_io_executor.hpp>

namespace signalbox::upstream {

/// A provider whose page cannot be asked at all, and why.
struct UnusablePage {
    std::string provider;
    Error why;
};

/// Reads engines' metrics pages, each over and over, one request at a time for each page, and writes what they say
/// into the book. A page that fails is a state of its entry and is asked again after its interval; nothing else hears
/// of it. Never shares a socket or a limit with traffic.
///
/// Belongs to one thread: the executor's, on which every function must be called. Book and clock must outlive the
/// executor's context, which may be stopped and destroyed at any time instead of calling `stop`.
class MetricsPoller {
public:
    MetricsPoller(asio::any_io_executor executor, capacity::EngineMetricsBook& book, const Clock& clock);
    ~MetricsPoller();
    MetricsPoller(const MetricsPoller&) = delete;
    MetricsPoller& operator=(const MetricsPoller&) = delete;

    /// From now on these pages, the first time at once. What other pages said is forgotten; what the same page said to
    /// the same provider stays.
    void setPages(std::vector<MetricsPage> pages, std::vector<UnusablePage> unusable = {});
    /// Ends every reading where it stands. What was read stays in the book and grows old.
    void stop();

private:
    struct Poll;
    [[nodiscard]] static asio::awaitable<void> follow(std::shared_ptr<Poll> poll);
    [[nodiscard]] static asio::awaitable<void> readPage(std::shared_ptr<Poll> poll);
    [[nodiscard]] static asio::awaitable<void> readVersion(std::shared_ptr<Poll> poll);

    asio::any_io_executor m_executor;
    capacity::EngineMetricsBook& m_book;
    const Clock& m_clock;
    std::vector<std::shared_ptr<Poll>> m_polls;
};

}  // namespace signalbox::upstream
