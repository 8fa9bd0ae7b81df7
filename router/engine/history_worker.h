// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace signalbox::engine {

/// One thread that answers questions to history, in order, with a reader that it keeps; one that found no history yet
/// (`makeAbsentHistory` with ErrorKind::notFound) is made anew for the next question.
class HistoryWorker {
public:
    using Question = std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)>;
    using ReaderFactory = std::function<std::unique_ptr<evidence::HistoryReader>()>;

    explicit HistoryWorker(ReaderFactory makeReader);
    /// Cancels what runs and drops what waits.
    ~HistoryWorker();

    [[nodiscard]] std::unique_ptr<HistoryJob> ask(Question question);
    /// The next question gets a reader made by this.
    void setReaderFactory(ReaderFactory makeReader);

private:
    struct Job {
        Question question;
        evidence::CancelToken cancel;
        std::mutex mutex; ///< held from the check for cancellation to the start
        bool started = false;
    };
    class Handle;
    void run();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::shared_ptr<Job>> m_jobs;
    std::shared_ptr<Job> m_current;
    ReaderFactory m_makeReader;
    std::unique_ptr<evidence::HistoryReader> m_reader; ///< used by the worker thread only
    bool m_readerStale = true;
    bool m_stopping = false;
    std::thread m_thread;
};

/// A reader for when there is none: every question gets `why`.
[[nodiscard]] std::unique_ptr<evidence::HistoryReader> makeAbsentHistory(Error why);

} // namespace signalbox::engine
