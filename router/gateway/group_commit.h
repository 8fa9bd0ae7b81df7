// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/coroutine_frames.h"
#include "router/evidence/sink.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace signalbox::gateway {

/// Group commit, as databases know it: requests that end in the same turn of a thread's event loop bring their records to
/// the journal with one write, and answer their clients behind it. They are also encoded one behind the other: that code
/// fills the processor's nearest cache, and elsewhere each request would fetch it anew.
class GroupCommit {
public:
    GroupCommit() = default;
    GroupCommit(const GroupCommit&) = delete;
    GroupCommit& operator=(const GroupCommit&) = delete;

    /// Has the record, which nobody changes any more, committed at the end of this turn, whether or not somebody waits for
    /// that. On the sink's thread, always with the same sink. False where memory is out: then it was appended at once, and
    /// there is nothing to wait for.
    [[nodiscard]] bool add(const std::shared_ptr<const evidence::DecisionRecord>& record, evidence::RecordSink& sink,
                           boost::asio::io_context::executor_type executor) noexcept {
        try {
            m_sink = &sink;
            m_records.reserve(m_records.size() + 1);
            if (!m_posted) {
                // Behind everything that was ready when this turn began.
                boost::asio::post(executor, [this] { commit(); });
                m_posted = true;
            }
            m_records.push_back(record);
            return true;
        } catch (const std::bad_alloc&) {
            sink.append(*record);
            return false;
        }
    }
    /// Until what was added is committed. To be awaited at once, in the turn in which it was added.
    [[nodiscard]] auto wait() {
        return boost::asio::async_initiate<const boost::asio::deferred_t&, void()>(
            [this](Sleeper sleeper) { m_sleepers.push_back(std::move(sleeper)); }, boost::asio::deferred);
    }
    /// The loop has ended: commits what was added, and destroys what waits on its executor.
    void end() {
        write();
        m_sleepers.clear();
    }

private:
    using Sleeper = boost::asio::detail::awaitable_async_op_handler<void(), boost::asio::any_io_executor>;

    void write() {
        for (const auto& record : m_records)
            m_sink->gather(*record);
        if (m_sink != nullptr)
            m_sink->commit();
        m_records.clear();
    }

    void commit() {
        m_posted = false;
        write();
        // Who wakes may meet the end of its next request and wait again.
        std::vector<Sleeper> waking = std::exchange(m_sleepers, std::move(m_spare));
        for (Sleeper& sleeper : waking)
            sleeper();
        waking.clear();
        m_spare = std::move(waking); // for its memory
    }

    evidence::RecordSink* m_sink = nullptr;
    std::vector<std::shared_ptr<const evidence::DecisionRecord>> m_records;
    std::vector<Sleeper> m_sleepers, m_spare;
    bool m_posted = false;
};

} // namespace signalbox::gateway
