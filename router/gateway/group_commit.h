// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"
#include "router/evidence/sink.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

namespace signalbox::gateway {

/// Group commit, as databases know it: requests that end in the same turn of a thread's event loop bring their records to
/// the journal with one write, and answer their clients behind it.
class GroupCommit {
public:
    GroupCommit() = default;
    GroupCommit(const GroupCommit&) = delete;
    GroupCommit& operator=(const GroupCommit&) = delete;

    /// Keeps the record until the end of this turn, whether or not somebody waits for that. On the sink's thread.
    void gather(const evidence::DecisionRecord& record, evidence::RecordSink& sink,
                boost::asio::io_context::executor_type executor) {
        if (!m_posted) {
            // Behind everything that was ready when this turn began.
            boost::asio::post(executor, [this, &sink] { commit(sink); });
            m_posted = true;
        }
        sink.gather(record);
    }
    /// Until what was gathered is committed. To be awaited at once, in the turn in which it was gathered.
    [[nodiscard]] auto wait() {
        return boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(
            [this](Sleeper sleeper) { m_sleepers.push_back(std::move(sleeper)); }, boost::asio::deferred);
    }
    /// The loop has ended: what waits is destroyed on its executor.
    void giveUp() { m_sleepers.clear(); }

private:
    using Sleeper = boost::asio::detail::awaitable_async_op_handler<void(), boost::asio::any_io_executor>;

    void commit(evidence::RecordSink& sink) {
        m_posted = false;
        sink.commit();
        // Who wakes may meet the end of its next request and wait again.
        std::vector<Sleeper> waking = std::exchange(m_sleepers, std::move(m_spare));
        for (Sleeper& sleeper : waking)
            sleeper();
        waking.clear();
        m_spare = std::move(waking); // for its memory
    }

    std::vector<Sleeper> m_sleepers, m_spare;
    bool m_posted = false;
};

} // namespace signalbox::gateway
