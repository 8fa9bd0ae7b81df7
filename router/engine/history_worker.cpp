// SPDX-License-Identifier: MIT
#include "router/engine/history_worker.h"

#include "router/evidence/usual.h"

#include <utility>

namespace signalbox::engine {

namespace {

bool isWorthAnotherTry(const evidence::HistoryReader& reader);

} // namespace

class HistoryWorker::Handle final : public HistoryJob {
public:
    explicit Handle(std::shared_ptr<Job> job) : m_job(std::move(job)) {}
    void cancel() override {
        m_job->cancel->store(true);
        // Either the worker has not looked yet and will see it, or it has started: the lock tells the two
        // apart.
        const std::scoped_lock lock(m_job->mutex);
        if (!m_job->started)
            m_job->question = nullptr;
    }

private:
    std::shared_ptr<Job> m_job;
};

HistoryWorker::HistoryWorker(ReaderFactory makeReader)
    : m_makeReader(std::move(makeReader)), m_thread([this] { run(); }) {}

HistoryWorker::~HistoryWorker() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
        m_jobs.clear();
        if (m_current)
            m_current->cancel->store(true);
    }
    m_wake.notify_all();
    m_thread.join();
}

std::unique_ptr<HistoryJob> HistoryWorker::ask(Question question) {
    auto job = std::make_shared<Job>();
    job->question = std::move(question);
    job->cancel = std::make_shared<std::atomic<bool>>(false);
    {
        const std::scoped_lock lock(m_mutex);
        m_jobs.push_back(job);
    }
    m_wake.notify_one();
    return std::make_unique<Handle>(std::move(job));
}

void HistoryWorker::setReaderFactory(ReaderFactory makeReader) {
    const std::scoped_lock lock(m_mutex);
    m_makeReader = std::move(makeReader);
    m_readerStale = true;
}

void HistoryWorker::run() {
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [this] { return m_stopping || !m_jobs.empty(); });
        if (m_stopping)
            return;
        m_current = std::move(m_jobs.front());
        m_jobs.pop_front();
        const std::shared_ptr<Job> job = m_current;
        const ReaderFactory makeReader = std::exchange(m_readerStale, false) ? m_makeReader : nullptr;
        lock.unlock();
        if (makeReader)
            m_reader = makeReader();

        Question question;
        {
            const std::scoped_lock jobLock(job->mutex);
            job->started = true;
            if (!job->cancel->load())
                question = std::move(job->question);
        }
        if (question)
            question(*m_reader, job->cancel);
        const bool again = isWorthAnotherTry(*m_reader);
        lock.lock();
        m_readerStale = m_readerStale || again;
        m_current.reset();
    }
}

namespace {

class AbsentHistory final : public evidence::HistoryReader {
public:
    explicit AbsentHistory(Error why) : m_why(std::move(why)) {}
    /// Another process may begin one at any time, and tells nobody here.
    [[nodiscard]] bool mayComeYet() const { return m_why.kind == ErrorKind::notFound; }
    Result<evidence::HistoryPage> page(const evidence::HistoryFilter&,
                                       const std::optional<evidence::PageKey>&, std::size_t,
                                       const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<std::optional<evidence::DecisionRecord>> find(const DecisionId&,
                                                         const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::PresetSeries> presetsOverTime(const evidence::HistoryFilter&, std::size_t,
                                                   const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::HistorySummary> summary(const evidence::TimeRange&,
                                             const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::CellHits> cellHits(const std::string&, const evidence::TimeRange&,
                                        const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::ShadowReport> shadow(const evidence::ShadowFilter&, std::size_t,
                                          const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::UsualReport> usual(const evidence::TimeRange&, const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::CellCaps> cellCaps(const std::string&, const evidence::TimeRange&,
                                        const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<std::map<std::string, double>> spentByPrincipal(Timestamp, const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }
    Result<evidence::EventPage> events(const evidence::EventFilter&, const std::optional<evidence::EventKey>&,
                                       std::size_t, const evidence::CancelToken&) override {
        return tl::unexpected(m_why);
    }

private:
    Error m_why;
};

bool isWorthAnotherTry(const evidence::HistoryReader& reader) {
    const auto* absent = dynamic_cast<const AbsentHistory*>(&reader);
    return absent != nullptr && absent->mayComeYet();
}

} // namespace

std::unique_ptr<evidence::HistoryReader> makeAbsentHistory(Error why) {
    return std::make_unique<AbsentHistory>(std::move(why));
}

} // namespace signalbox::engine
