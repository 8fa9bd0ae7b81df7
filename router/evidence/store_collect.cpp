// SPDX-License-Identifier: MIT
// What the writer reads of the journal, on the thread that has the connection.
#include "router/evidence/store_writer.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace signalbox::evidence {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{8} << 20;

/// Work in bites: thousands of records in a row would keep an I/O thread of the same core waiting for milliseconds, since a
/// thread that has slept is owed its share of the core at once.
class Bites {
public:
    /// After each record; now and then it rests.
    void next() {
        if (++m_records % kRecordsALook != 0 || steady_clock::now() - m_since < kBite) return;
        std::this_thread::sleep_for(kRest);
        m_since = steady_clock::now();
    }

private:
    using steady_clock = std::chrono::steady_clock;
    static constexpr std::size_t kRecordsALook = 16;
    static constexpr std::chrono::microseconds kBite{100}, kRest{50};
    std::size_t m_records = 0;
    steady_clock::time_point m_since = steady_clock::now();
};

/// Whether a batch whose COMMIT was in doubt is in the database: its positions came there with it.
bool isMade(const Batch& batch, const std::map<std::string, std::uint64_t>& positions) {
    return !batch.positions.empty() && std::all_of(batch.positions.begin(), batch.positions.end(), [&](const auto& reached) {
        const auto found = positions.find(reached.first);
        return found != positions.end() && found->second == reached.second;
    });
}

bool isPlausible(Timestamp at) {
    using namespace std::chrono;
    return at >= sys_days(year(2000) / January / 1) && at < sys_days(year(2200) / January / 1);
}

}  // namespace

/// The database alone knows what it has: a commit may have failed after the server made it.
void StoreWriter::startAt(std::map<std::string, std::uint64_t> positions) {
    if (isMade(m_batch, positions)) accept(m_batch);
    m_cursors.clear();
    m_positions = std::move(positions);
    findSegments();
    if (std::exchange(m_leftOversMoved, false)) countLeftOvers();
    const std::lock_guard lock(m_mutex);
    m_advanced.notify_all();
}

/// Reads all of them: not more often than something about them has changed.
void StoreWriter::countLeftOvers() {
    std::uint64_t count = m_leftOversHandled;
    for (const auto& segment : m_journal->segments())
        if (segment->isLeftOver()) count += SegmentCursor(segment, std::max(segment->stored(), Segment::kHeaderBytes)).countAhead();
    if (m_leftOvers.exchange(count) != count) m_settled = 0;
}

void StoreWriter::findSegments() {
    for (const auto& segment : m_journal->segments()) {
        if (m_cursors.contains(segment->id())) continue;
        const auto known = m_positions.find(segment->id());
        const std::uint64_t start = known == m_positions.end() ? Segment::kHeaderBytes : known->second;
        m_cursors.emplace(segment->id(), SegmentCursor(segment, start));
        correctStored(segment, start);
    }
}

/// Left-over segments are counted by themselves. Who knows which of these were set aside: for the figures all were stored.
void StoreWriter::correctStored(const std::shared_ptr<Segment>& segment, std::uint64_t position) {
    const std::uint64_t before = segment->stored();
    segment->setStored(position);
    if (position < before) m_settled = 0;
    if (segment->isLeftOver()) {
        m_leftOversMoved = m_leftOversMoved || position != before;
        return;
    }
    const std::uint64_t moved = SegmentCursor(segment, std::min(before, position)).countUntil(std::max(before, position));
    for (std::atomic<std::uint64_t>* const figure : {&m_stored, &m_handled}) {
        if (before < position) *figure += moved;
        else *figure -= std::min(moved, figure->load());
    }
}

bool StoreWriter::collect() {
    m_batch.clear();
    m_batch.finished = m_finished;
    Bites bites;
    std::size_t bytes = 0;
    bool all = true;
    for (auto& [id, cursor] : m_cursors) {
        const std::uint64_t start = cursor.offset();
        const std::uint64_t damaged = cursor.damagedBytes();
        while (m_batch.size() < m_batchLimit && bytes < kBatchBytes) {
            const auto receipt = cursor.next();
            if (!receipt) break;
            bytes += cursor.payload().size();
            take(cursor, *receipt);
            bites.next();
        }
        m_batch.damagedBytes += cursor.damagedBytes() - damaged;
        tellTrouble(cursor, cursor.damagedBytes() - damaged);
        all = all && (cursor.atEnd() || cursor.readError() != 0);
        if (cursor.offset() != start) m_batch.positions.emplace(id, cursor.offset());
    }
    m_batchWasFull = m_batch.size() >= m_batchLimit || bytes >= kBatchBytes;
    if (std::exchange(m_readableAgain, false)) {
        m_settled = 0;  // what nobody waited for is on its way
        countLeftOvers();
    }
    return all;
}

/// What the journal lost, or cannot give just now. It can be read again once what could not be read has been: a batch may be full
/// before it comes that far, of this segment or of those before it, and has then tried nothing.
void StoreWriter::tellTrouble(const SegmentCursor& cursor, std::uint64_t damagedBytes) {
    const std::string& id = cursor.segment()->id();
    const auto known = m_unreadable.find(id);
    const bool wasReadable = known == m_unreadable.end();
    const bool isReadable = cursor.readError() == 0 && (wasReadable || cursor.offset() > known->second || cursor.atEnd());
    if (cursor.readError() != 0) m_unreadable[id] = std::max(m_unreadable[id], cursor.offset());
    else if (isReadable) m_unreadable.erase(id);
    cursor.segment()->setReadable(isReadable);
    const bool changed = isReadable != wasReadable;
    m_readableAgain = m_readableAgain || (changed && isReadable);
    if (damagedBytes == 0 && !changed) return;
    const std::string path = cursor.segment()->path().string();
    if (damagedBytes > 0)
        m_journal->noteError(path + ": " + std::to_string(damagedBytes) + " bytes are damaged; the records in them are lost. Check that disk.");
    else if (!isReadable)
        m_journal->noteError(path + ": cannot read the journal: " + std::strerror(cursor.readError()) +
                             ". It is tried again; what it holds is not stored yet. Check that disk.");
    else
        m_journal->noteError(path + ": the journal could not be read for a while and can be read again; nothing was lost.");
}

/// What the cursor just read.
void StoreWriter::take(const SegmentCursor& cursor, std::string_view receipt) {
    const auto passOver = [&](std::string why) { m_batch.unreadable.emplace_back(receipt, std::move(why)); };
    if (cursor.kind() == FrameKind::event) {
        auto event = decodeEvent(receipt);
        if (!event) return passOver(event.error().text());
        if (!isPlausible(event->createdAt)) return passOver("its time is impossible");
        m_batch.events.push_back({std::move(*event), std::string(receipt)});
        return;
    }
    Batch::Ends& ends = cursor.segment()->isLeftOver() ? m_batch.leftOver : m_batch.own;
    ++ends.setAside;
    const auto record = cursor.kind() == FrameKind::stored ? readStored(cursor.payload(), m_madeAnew)
                                                           : storedFromReceipt(receipt, m_madeAnew);
    if (!record) return passOver(record.error().text());
    if (!isPlausible(record->createdAt)) return passOver("its time is impossible");
    if (!m_batch.add(*record)) return passOver("its sums cannot be read");
    --ends.setAside;
    ++ends.stored;
}

void StoreWriter::removeFinished() {
    for (auto it = m_cursors.begin(); it != m_cursors.end();) {
        const auto segment = it->second.segment();
        // Closed first: nothing is appended after that, so the end that we then see is the end.
        if (!segment->isClosed() || segment->stored() < segment->written()) {
            ++it;
            continue;
        }
        m_journal->remove(segment);
        m_positions.erase(segment->id());
        m_finished.push_back(segment->id());
        it = m_cursors.erase(it);
    }
}

}  // namespace signalbox::evidence
