// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/engine_metrics_book.h"
#include "router/config/read.h"

#include <memory>

namespace signalbox::engine {

/// Reads the metrics pages that a configuration names, on a thread of its own, which begins with the first one and lasts
/// until `stop`. Its functions are called one at a time; they wait for nothing that may take long.
class MetricsPolling {
public:
    /// Both must outlive it.
    MetricsPolling(capacity::EngineMetricsBook& book, const Clock& clock);
    ~MetricsPolling();
    MetricsPolling(const MetricsPolling&) = delete;
    MetricsPolling& operator=(const MetricsPolling&) = delete;

    /// From now on the pages of this configuration and no others. A page that cannot be asked is a state of its entry
    /// in the book, never an error here.
    void follow(const config::GatewayConfig& config, const config::Environment& environment);
    /// Ends every reading; the book forgets all pages. Gives the sockets and what else is left: a name may be being looked
    /// up there, which nothing can break off and the end of it waits for, so end it where nobody is in a hurry.
    std::shared_ptr<void> stop();

private:
    struct Thread;
    capacity::EngineMetricsBook& m_book;
    const Clock& m_clock;
    std::unique_ptr<Thread> m_thread;
};

}  // namespace signalbox::engine
