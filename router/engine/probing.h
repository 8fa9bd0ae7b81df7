// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/sink.h"
#include "router/gateway/serving.h"

#include <functional>
#include <memory>

namespace signalbox::engine {

/// Sends the probes that the running pools ask for (`routewise_probe_enabled`), on a thread of its own, which begins with
/// the first pool that wants any and lasts until `stop`. A probe takes capacity as every attempt does, and is recorded with
/// the origin `probe`: it is no traffic and no principal's (F74). Its functions are called one at a time; they wait for
/// nothing that may take long.
class Probing {
public:
    using SinkFactory = std::function<Result<std::unique_ptr<evidence::RecordSink>>()>;

    /// The clock must outlive it.
    explicit Probing(const Clock& clock);
    ~Probing();
    Probing(const Probing&) = delete;
    Probing& operator=(const Probing&) = delete;

    /// From now on the pools of this policy and no others; probes under way end as they would have. `makeSink` is asked
    /// on the probes' thread when there is something to record, again while it fails; null: nothing is recorded.
    void follow(std::shared_ptr<const gateway::Serving> serving, SinkFactory makeSink);
    /// Ends every probe where it stands. Gives what is left of them, sockets and records without an end: a name may be
    /// being looked up there, which nothing can break off and the end of it waits for, so end it where nobody is in a hurry.
    std::shared_ptr<void> stop();

private:
    struct Thread;
    const Clock& m_clock;
    std::unique_ptr<Thread> m_thread;
};

}  // namespace signalbox::engine
