// SPDX-License-Identifier: MIT
#include "router/engine/metrics_polling.h"

#include "router/upstream/metrics_poller.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <thread>

namespace signalbox::engine {

namespace asio = boost::asio;

struct MetricsPolling::Thread {
    Thread(capacity::EngineMetricsBook& book, const Clock& clock)
        : poller(context.get_executor(), book, clock), thread([this] { context.run(); }) {}

    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    upstream::MetricsPoller poller;
    std::thread thread;
};

MetricsPolling::MetricsPolling(capacity::EngineMetricsBook& book, const Clock& clock) : m_book(book), m_clock(clock) {}

MetricsPolling::~MetricsPolling() { stop(); }

void MetricsPolling::follow(const config::GatewayConfig& config, const config::Environment& environment) {
    std::vector<upstream::MetricsPage> pages;
    std::vector<upstream::UnusablePage> unusable;
    for (const config::Provider& provider : config.providers) {
        if (!provider.metricsUrl) continue;
        if (auto page = upstream::makeMetricsPage(provider, environment)) pages.push_back(std::move(*page));
        else unusable.push_back({provider.id, std::move(page.error())});
    }
    const bool isNone = pages.empty() && unusable.empty();
    if (isNone) m_book.keepOnly({});
    if (isNone && !m_thread) return;
    if (!m_thread) m_thread = std::make_unique<Thread>(m_book, m_clock);
    asio::post(m_thread->context, [thread = m_thread.get(), pages = upstream::withoutRepeats(std::move(pages)),
                                   unusable = std::move(unusable)]() mutable {
        thread->poller.setPages(std::move(pages), std::move(unusable));
    });
}

std::shared_ptr<void> MetricsPolling::stop() {
    if (m_thread) {
        m_thread->context.stop();
        m_thread->thread.join();
    }
    m_book.keepOnly({});
    return std::shared_ptr<void>(std::move(m_thread));
}

}  // namespace signalbox::engine
