// SPDX-License-Identifier: MIT
#include "router/evidence/store_writer.h"

#include <algorithm>
#include <future>
#include <sched.h>

namespace signalbox::evidence {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A receipt must show within a second of its request; this leaves room for the commit.
constexpr milliseconds kTailPause{100};
constexpr milliseconds kFirstRetry{100};
constexpr milliseconds kLongestRetry{2000};
constexpr milliseconds kPatienceAtStop{2000};
constexpr milliseconds kGraceAtStop{1000};
constexpr std::chrono::minutes kHousekeepingPause{30};
constexpr int kDaysAhead = 3;
constexpr std::size_t kBatchRecords = 4000;
constexpr std::uint64_t kCatchingUpFrom = 5000;

std::uint64_t without(std::uint64_t all, std::uint64_t some) { return all > some ? all - some : 0; }

/// This thread wakes without interrupting whoever runs: an I/O thread on the same core finishes its request first. It keeps
/// its share of the core, so that receipts are not late on a busy machine. Where it is not allowed it stays as it is.
void giveWay() {
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_BATCH, &none);  // of the calling thread, on Linux
}

/// Waits for it, and throws what it throws.
template <class Step>
void inAThreadThatGivesWay(const Step& step) {
    std::async(std::launch::async, [&step] {
        giveWay();
        step();
    }).get();
}

}  // namespace

StoreWriter::StoreWriter(std::shared_ptr<Journal> journal, std::shared_ptr<Database> database, std::uint32_t retentionDays,
                         const Clock& clock)
    : m_journal(std::move(journal)), m_database(std::move(database)), m_retentionDays(retentionDays), m_clock(clock),
      m_batchLimit(kBatchRecords), m_retry(kFirstRetry) {
    m_thread = std::thread([this] { run(); });
}

StoreWriter::~StoreWriter() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    {
        // A server that was stopped or cut off answers nothing and reports no error: nobody may wait for it here.
        std::unique_lock lock(m_mutex);
        if (!m_advanced.wait_for(lock, kPatienceAtStop + kGraceAtStop, [this] { return m_ended; })) {
            m_givenUp = true;
            if (m_connection) m_connection->interrupt();
        }
    }
    m_thread.join();
}

EvidenceStatus StoreWriter::status() const {
    EvidenceStatus status;
    status.where = m_database->where();
    status.stored = m_stored;
    // What is known grows meanwhile, so that comes last.
    const std::uint64_t handled = m_handled, leftOversHandled = m_leftOversHandled, settled = m_settled;
    status.recorded = m_journal->recorded();
    status.dropped = m_journal->dropped();
    status.journalBytes = m_journal->bytes();
    status.damagedBytes = m_damagedBytes;
    status.backlogRecords = without(status.recorded, handled) + without(m_leftOvers, leftOversHandled);
    status.unsettled = without(status.recorded + m_leftOvers, settled);
    const std::string trouble = m_journal->lastError();
    const std::lock_guard lock(m_mutex);
    status.state = m_state;
    if (m_state == StoreState::ready && status.backlogRecords > kCatchingUpFrom) status.state = StoreState::catchingUp;
    if (m_journal->isFull()) status.state = StoreState::journalFull;
    status.lastError = m_lastError;
    if (!trouble.empty()) status.lastError += (m_lastError.empty() ? "" : " ") + trouble;
    return status;
}

bool StoreWriter::flush(milliseconds deadline) {
    std::vector<std::pair<std::shared_ptr<Segment>, std::uint64_t>> targets;
    for (const auto& segment : m_journal->segments()) targets.emplace_back(segment, segment->written());
    const auto done = [&] {
        return std::all_of(targets.begin(), targets.end(),
                           [](const auto& target) { return target.first->stored() >= target.second; });
    };
    std::unique_lock lock(m_mutex);
    m_hurry = true;
    m_wake.notify_all();
    return m_advanced.wait_for(lock, deadline, done);
}

void StoreWriter::run() {
    guarded(&StoreWriter::work);
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_advanced.notify_all();
}

void StoreWriter::guarded(void (StoreWriter::*step)()) {
    try {
        (this->*step)();
    } catch (const std::exception& error) {  // out of memory; the records stay in the journal
        fail({ErrorKind::internal, std::string("storing records ended: ") + error.what(), m_database->where(),
              "Restart the gateway; the journal keeps what is not stored."});
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
}

void StoreWriter::work() {
    inAThreadThatGivesWay([this] { countLeftOvers(); });
    for (;;) {
        if (connect()) {
            inAThreadThatGivesWay([this] { storeWhileConnected(); });
            if (stopping()) return;
        }
        if (!pause(m_retry)) return;
        m_retry = std::min(m_retry * 2, kLongestRetry);
    }
}

/// Every round ends in a pause unless it stored a full batch: a database that accepts connections and nothing else must
/// not be asked without end, and closing must be noticed.
void StoreWriter::storeWhileConnected() {
    if (!startAtStored()) return;
    for (;;) {
        keepHouse();
        const bool more = m_connection && storeOnce();
        if (!m_connection) return;
        m_retry = kFirstRetry;
        if (!pause(more ? milliseconds(0) : kTailPause)) return drainAtStop();
    }
}

bool StoreWriter::stopping() const {
    const std::lock_guard lock(m_mutex);
    return m_stopping;
}

/// False when the store is being closed.
bool StoreWriter::pause(milliseconds time) {
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, time, [this] { return m_stopping || m_hurry; });
    m_hurry = false;
    return !m_stopping;
}

bool StoreWriter::connect() {
    auto dsn = m_database->bringUp();
    if (!dsn) {
        fail(dsn.error());
        return false;
    }
    auto connection = StoreConnection::open(*dsn);
    if (!connection) {
        fail(m_database->problem(connection.error().message));
        return false;
    }
    // From here on whoever closes can interrupt it: another gateway may be changing the schema, and a server may take a login
    // and then say nothing.
    keep(std::move(*connection));
    if (const auto ready = m_connection->prepare(); !ready) return disconnect(ready.error());
    return true;
}

/// May read a lot: what an earlier process left is counted anew where the database has some of it.
bool StoreWriter::startAtStored() {
    const auto positions = m_connection->progress();
    if (!positions) return disconnect(positions.error());
    startAt(*positions);
    m_nextHousekeeping.reset();
    return true;
}

/// The closing thread may be looking at it, and may have given up before there was one.
void StoreWriter::keep(std::unique_ptr<StoreConnection> connection) {
    {
        const std::lock_guard lock(m_mutex);
        m_connection.swap(connection);
        if (m_connection && m_givenUp) m_connection->interrupt();
    }
}

bool StoreWriter::disconnect(const StoreFailure& failure) {
    fail(m_database->problem(failure.message));
    keep(nullptr);
    return false;
}

bool StoreWriter::storeOnce() {
    // Before the segments are looked for: what is counted by now is in one of them.
    const std::uint64_t recorded = m_journal->recorded();
    findSegments();
    if (collect()) m_batch.settles = recorded;
    if (m_batch.positions.empty() && m_batch.finished.empty()) {
        settle(m_batch);
        removeFinished();
        return false;
    }
    const auto stored = m_connection->store(m_batch);
    if (stored) {
        accept(m_batch);
        removeFinished();
        return m_batchWasFull;
    }
    handleRefusal(stored.error());
    return m_connection != nullptr;
}

/// Once: without its positions it is no more in doubt.
void StoreWriter::accept(Batch& batch) {
    m_finished.clear();
    for (const auto& [payload, why] : batch.unreadable) m_journal->setAside(payload, why);
    // Whoever waits for the positions may look at the figures next.
    m_stored += batch.own.stored;
    m_handled += batch.own.stored + batch.own.setAside;
    m_leftOversHandled += batch.leftOver.stored + batch.leftOver.setAside;
    m_damagedBytes += batch.damagedBytes;
    settle(batch);
    for (const auto& [id, position] : batch.positions) {
        m_positions[id] = position;
        m_cursors.at(id).segment()->setStored(position);
    }
    batch.positions.clear();
    m_batchLimit = std::min(m_batchLimit * 2, kBatchRecords);
    const std::lock_guard lock(m_mutex);
    m_advanced.notify_all();
}

/// Where a batch read all there was, what it did not find is damaged, and is no more on its way than what was set aside.
void StoreWriter::settle(const Batch& batch) {
    if (!batch.settles) return;
    m_settled = m_leftOvers + *batch.settles;
    if (!m_unreadable.empty()) return;  // that waits until its disk gives it
    m_handled = std::max<std::uint64_t>(m_handled, *batch.settles);
    m_leftOversHandled = m_leftOvers.load();
}

/// A value the server refuses would come back for ever: find that one record by halving, and set it aside. Batches
/// grow again with every success.
void StoreWriter::handleRefusal(const StoreFailure& failure) {
    if (!failure.dataRefused || m_batch.size() == 0) {
        disconnect(failure);
        return;
    }
    if (failure.isDuplicate && databaseHasMore()) return;
    if (m_batch.size() == 1) {
        Batch passedOver;
        passedOver.positions = m_batch.positions;
        passedOver.finished = m_batch.finished;
        passedOver.unreadable = m_batch.unreadable;
        passedOver.own.setAside = m_batch.own.stored + m_batch.own.setAside;
        passedOver.leftOver.setAside = m_batch.leftOver.stored + m_batch.leftOver.setAside;
        passedOver.damagedBytes = m_batch.damagedBytes;
        passedOver.settles = m_batch.settles;
        const std::string& refused = m_batch.decisions == 0 ? m_batch.events.front().receipt : m_batch.firstReceipt;
        passedOver.unreadable.emplace_back(refused, m_database->problem(failure.message).message);
        m_batch = std::move(passedOver);
        if (const auto skipped = m_connection->store(m_batch)) return accept(m_batch);
        disconnect(failure);
        return;
    }
    m_batchLimit = m_batch.size() / 2;
    for (auto& [id, cursor] : m_cursors) cursor.seek(cursor.segment()->stored());
}

/// Whether these rows are duplicates of our own: a server that lost us amid a COMMIT may have made it after we connected again
/// and read its positions. Then reading goes on behind them. True as well when the connection is lost.
bool StoreWriter::databaseHasMore() {
    const auto positions = m_connection->progress();
    if (!positions) {
        disconnect(positions.error());
        return true;
    }
    const bool moved = std::any_of(m_cursors.begin(), m_cursors.end(), [&](const auto& known) {
        const auto found = positions->find(known.first);
        return found != positions->end() && found->second > known.second.segment()->stored();
    });
    if (moved) startAt(*positions);
    return moved;
}

void StoreWriter::keepHouse() {
    const auto now = steady_clock::now();
    if (m_nextHousekeeping && now < *m_nextHousekeeping) return;
    const Timestamp today = m_clock.now();
    auto done = m_connection->prepareDays(today, kDaysAhead);
    if (!done) {
        disconnect(done.error());
        return;
    }
    std::vector<std::string> segments;
    for (const auto& [id, cursor] : m_cursors) segments.push_back(id);
    done = m_connection->retain(today, m_retentionDays, segments);
    m_nextHousekeeping = now + (done ? kHousekeepingPause : std::chrono::minutes(1));
    {
        const std::lock_guard lock(m_mutex);
        m_state = StoreState::ready;
        m_lastError = done ? "" : m_database->problem("old records could not be removed yet: " + done.error().message).text();
    }
    m_database->publish({});
}

void StoreWriter::fail(const Error& error) {
    {
        const std::lock_guard lock(m_mutex);
        m_state = StoreState::unavailable;
        m_lastError = error.text();
    }
    m_database->publish(tl::unexpected(error));
}

void StoreWriter::drainAtStop() {
    const auto deadline = steady_clock::now() + kPatienceAtStop;
    while (m_connection && steady_clock::now() < deadline && (storeOnce() || !m_finished.empty())) {}
}

}  // namespace signalbox::evidence
