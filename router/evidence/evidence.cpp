// SPDX-License-Identifier: MIT
#include "router/evidence/evidence.h"

#include "router/evidence/history_reader.h"
#include "router/evidence/store_writer.h"

#include <algorithm>

namespace signalbox::evidence {
namespace {

class PgEvidenceStore final : public EvidenceStore {
public:
    PgEvidenceStore(const EvidenceOptions& options, std::shared_ptr<Journal> journal, const Clock& clock)
        : m_database(std::make_shared<Database>(options)), m_journal(std::move(journal)),
          m_writer(m_journal, m_database, options.retentionDays, clock) {}

    Result<std::unique_ptr<RecordSink>> makeSink() override { return m_journal->makeSink(); }
    Result<std::unique_ptr<EventSink>> makeEventSink() override { return m_journal->makeEventSink(); }
    std::unique_ptr<HistoryReader> makeReader() override {
        return std::make_unique<PgHistoryReader>(m_database, ReaderOptions{.besideWriter = true});
    }
    EvidenceStatus status() const override { return m_writer.status(); }
    // A disk that cannot be read may stay so: nobody can wait for that.
    bool holdsLeftOvers() const override {
        const auto segments = m_journal->segments();
        return std::any_of(segments.begin(), segments.end(), [](const auto& one) {
            return one->isLeftOver() && !one->isEmpty() && one->isReadable() && one->stored() < one->written();
        });
    }
    bool flush(std::chrono::milliseconds deadline) override { return m_writer.flush(deadline); }

private:
    std::shared_ptr<Database> m_database;
    std::shared_ptr<Journal> m_journal;
    StoreWriter m_writer;
};

}  // namespace

Result<std::unique_ptr<EvidenceStore>> openEvidence(const EvidenceOptions& options, const Clock& clock) {
    auto journal = Journal::open({options.journalFolder, options.journalMaxBytes}, clock);
    if (!journal) return tl::unexpected(journal.error());
    return std::make_unique<PgEvidenceStore>(options, std::move(*journal), clock);
}

Result<std::unique_ptr<HistoryReader>> openHistory(const EvidenceOptions& options) {
    const bool ownCluster = options.dsn.empty() && options.dsnName.empty();
    if (ownCluster && !ClusterFolder::exists(options.managedClusterFolder))
        return fail(ErrorKind::notFound, "there is no history here yet", options.managedClusterFolder.string(),
                    "Start the gateway once; it creates the history.");
    return std::make_unique<PgHistoryReader>(std::make_shared<Database>(options), ReaderOptions{});
}

}  // namespace signalbox::evidence
