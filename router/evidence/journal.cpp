// SPDX-License-Identifier: MIT
#include "router/evidence/journal.h"

#include "router/base/ids.h"
#include "router/evidence/frame.h"
#include "router/evidence/stored_record.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace signalbox::evidence {

namespace {
constexpr off_t kMostSetAsideBytes = off_t{64} << 20;
constexpr std::uint64_t kLeastSegmentBytes = std::uint64_t{4} << 10;
constexpr std::size_t kMostGatheredBytes = std::size_t{256} << 10;
// Once a second, and more often where so much comes that one go would keep a core for milliseconds.
constexpr std::chrono::seconds kSyncPause{1};
constexpr std::chrono::milliseconds kSyncLook{200};
constexpr std::uint64_t kSyncBytes = std::uint64_t{4} << 20;
}

/// One thread's end of the journal: a segment at a time.
class Journal::Appender {
public:
    Appender(std::shared_ptr<Journal> journal, std::shared_ptr<Segment> segment)
        : m_journal(std::move(journal)), m_segment(std::move(segment)) {
        m_journal->m_appenders.fetch_add(1);
    }
    ~Appender() {
        (void)commit();
        if (m_segment) m_segment->close();
        m_journal->m_appenders.fetch_sub(1);
    }
    Appender(const Appender&) = delete;
    Appender& operator=(const Appender&) = delete;

    /// Until `commit`; `encode` appends the payload to a string. False when it is dropped and counted.
    template <class Encode>
    bool gather(FrameKind kind, const Encode& encode) noexcept {
        const std::size_t start = m_frames.size();
        try {
            beginFrame(m_frames);
            encode(m_frames);
            sealFrame(m_frames, start, kind);
            if (m_journal->reserve(m_frames.size() - start)) {
                ++m_entries;
                if (kind != FrameKind::event) ++m_records;
                return m_frames.size() < std::min<std::uint64_t>(kMostGatheredBytes, m_journal->segmentBytes()) || commit();
            }
            m_frames.resize(start);
            (void)commit();
            m_journal->m_full = true;  // of the newest, whatever was written of those before
            return giveBack();
        } catch (...) {  // out of memory: the request must still be answered
            m_frames.resize(start);
            m_journal->m_dropped.fetch_add(1);
            return false;
        }
    }

    bool commit() noexcept {
        if (m_entries == 0) return true;
        const bool written = writeOrRefuse();
        m_frames.clear();
        m_entries = m_records = 0;
        return written || giveBack();
    }

private:
    bool writeOrRefuse() noexcept {
        try {
            if (const std::string trouble = write(); !trouble.empty()) {
                m_journal->refuse(m_frames.size(), m_entries, trouble);
                return false;
            }
        } catch (...) {
            m_journal->refuse(m_frames.size(), m_entries, "there is not enough memory for a new segment");
            return false;
        }
        m_journal->m_recorded.fetch_add(m_records, std::memory_order_release);
        if (m_journal->m_full.load(std::memory_order_relaxed)) m_journal->m_full = false;
        return true;
    }
    /// Empty, or why the frames are not on the disk.
    std::string write() {
        const bool tooLarge = m_segment && !m_segment->isEmpty() && m_segment->written() + m_frames.size() > m_journal->segmentBytes();
        if (!m_segment || tooLarge) {
            auto next = m_journal->newSegment();
            if (!next && !m_segment) return next.error().message;
            if (next) takeNext(std::move(*next));  // else: a segment that grows too large is better than a lost record
        }
        const std::uint64_t before = m_segment->written();
        const int code = m_segment->append(m_frames);
        if (code == 0) return {};
        countKept(m_segment->written() - before);
        return std::string("the journal cannot be written: ") + std::strerror(code);
    }
    /// Of the frames, so many bytes could not be cut off again: those that are whole will be stored, as if all had gone well.
    void countKept(std::uint64_t bytes) {
        m_journal->m_bytes += bytes;
        std::uint64_t records = 0;
        for (std::string_view kept = std::string_view(m_frames).substr(0, bytes); const auto frame = readFrameHeader(kept);) {
            const std::size_t whole = kFrameHeaderBytes + frame->length;
            if (whole > kept.size()) break;
            kept.remove_prefix(whole);
            --m_entries;
            if (frame->kind != FrameKind::event) ++records;
        }
        m_journal->m_recorded.fetch_add(records, std::memory_order_release);
    }
    void takeNext(std::shared_ptr<Segment> next) {
        if (m_segment) m_segment->close();
        m_segment = std::move(next);
    }

    /// Only closed segments are ever removed: a journal, or a disk, that open ones fill would stay full for ever. Nothing of it is
    /// kept here, for a file's space comes back with its last descriptor; the next segment is made when a record fits again.
    bool giveBack() noexcept {
        if (m_segment && !m_segment->isEmpty()) takeNext(nullptr);
        return false;
    }

    std::shared_ptr<Journal> m_journal;
    std::shared_ptr<Segment> m_segment;  // null when it was given back
    std::string m_frames;  // gathered
    std::uint64_t m_entries = 0, m_records = 0;  // in m_frames; the latter without events
};

class Journal::Records final : public RecordSink {
public:
    Records(std::shared_ptr<Journal> journal, std::shared_ptr<Segment> segment) : m_appender(std::move(journal), std::move(segment)) {}
    bool append(const DecisionRecord& record) noexcept override { return gatherOne(record) && m_appender.commit(); }
    void gather(const DecisionRecord& record) noexcept override { (void)gatherOne(record); }
    void commit() noexcept override { (void)m_appender.commit(); }

private:
    bool gatherOne(const DecisionRecord& record) noexcept {
        return m_appender.gather(FrameKind::stored, [&](std::string& out) { encodeStored(record, out); });
    }
    Appender m_appender;
};

class Journal::Events final : public EventSink {
public:
    Events(std::shared_ptr<Journal> journal, std::shared_ptr<Segment> segment) : m_appender(std::move(journal), std::move(segment)) {}
    bool append(const Event& event) noexcept override {
        return m_appender.gather(FrameKind::event, [&](std::string& out) { encodeEvent(event, out); }) && m_appender.commit();
    }

private:
    Appender m_appender;
};

Journal::Journal(JournalOptions options, const Clock& clock, OwnerLock lock)
    : m_options(std::move(options)), m_clock(clock), m_lock(std::move(lock)) {
    constexpr std::uint64_t kLeast = std::uint64_t{64} << 10;
    m_options.maxBytes = std::max(m_options.maxBytes, kLeast);
    if (m_options.segmentBytes == 0)
        m_options.segmentBytes =
            std::clamp<std::uint64_t>(m_options.maxBytes / 16, kLeastSegmentBytes, std::uint64_t{64} << 20);
}

Journal::~Journal() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_syncThread.joinable()) m_syncThread.join();
    syncAll();
}

Result<std::shared_ptr<Journal>> Journal::open(const JournalOptions& options, const Clock& clock) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error || !std::filesystem::is_directory(options.folder, error))
        return fail(ErrorKind::unavailable, "cannot use this as the journal's folder: " + error.message(),
                    options.folder.string(), "Check the path and its permissions.");
    std::filesystem::permissions(options.folder, std::filesystem::perms::owner_all, error);
    auto lock = OwnerLock::take(options.folder);
    if (!lock) return tl::unexpected(lock.error());
    std::shared_ptr<Journal> journal(new Journal(options, clock, std::move(*lock)));
    if (auto found = journal->findLeftOvers(); !found) return tl::unexpected(found.error());
    journal->m_syncThread = std::thread([raw = journal.get()] { raw->syncLoop(); });
    return journal;
}

Result<void> Journal::findLeftOvers() {
    std::error_code error;
    std::filesystem::directory_iterator folder(m_options.folder, error);
    if (error)
        return fail(ErrorKind::unavailable, "cannot list the journal's folder: " + error.message(),
                    m_options.folder.string(), "Check its permissions.");
    for (const auto& entry : folder) {
        if (entry.path().extension() != Segment::kSuffix) continue;
        auto segment = Segment::openLeftOver(entry.path());
        if (!segment) {
            noteError(segment.error().text());
            continue;
        }
        m_bytes += (*segment)->written();
        m_segments.push_back(std::move(*segment));
    }
    // Ids begin with their time.
    std::sort(m_segments.begin(), m_segments.end(), [](const auto& a, const auto& b) { return a->id() < b->id(); });
    return {};
}

Result<std::unique_ptr<RecordSink>> Journal::makeSink() {
    auto segment = newSegment();
    if (!segment) return tl::unexpected(segment.error());
    return std::make_unique<Records>(shared_from_this(), std::move(*segment));
}

Result<std::unique_ptr<EventSink>> Journal::makeEventSink() {
    auto segment = newSegment();
    if (!segment) return tl::unexpected(segment.error());
    return std::make_unique<Events>(shared_from_this(), std::move(*segment));
}

Result<std::shared_ptr<Segment>> Journal::newSegment() {
    const std::lock_guard lock(m_mutex);
    auto segment = Segment::create(m_options.folder, DecisionId::make(m_clock.now(), m_random).text().substr(4));
    if (!segment) return segment;
    m_bytes += Segment::kHeaderBytes;
    m_segments.push_back(*segment);
    m_folderChanged = true;
    return segment;
}

std::vector<std::shared_ptr<Segment>> Journal::segments() const {
    const std::lock_guard lock(m_mutex);
    return m_segments;
}

void Journal::remove(const std::shared_ptr<Segment>& segment) {
    {
        const std::lock_guard lock(m_mutex);
        if (std::erase(m_segments, segment) == 0) return;
    }
    // Without the lock: threads that serve requests take it for their next segment, and the disk may be slow.
    ::unlink(segment->path().c_str());
    m_bytes -= segment->written();
    // At once: next the database forgets the segment, and a file that a power cut brought back would be stored again.
    syncFolder();
    m_full = false;
}

void Journal::setAside(std::string_view payload, const std::string& why) {
    const auto path = m_options.folder / "unreadable-records.jsonl";
    const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const std::string line = std::string(payload) + "\n";
    struct stat info {};
    const bool fits = fd.ok() && ::fstat(fd.get(), &info) == 0 && info.st_size < kMostSetAsideBytes;
    const bool kept = fits && ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
    noteError(path.string() + ": a record could not be read (" + why + ") and was " +
              (kept ? "set aside there." : "lost, since that file is full or cannot be written."));
}

bool Journal::reserve(std::size_t bytes) {
    if (m_bytes.fetch_add(bytes) + bytes <= m_options.maxBytes) return true;
    refuse(bytes, 1, "the journal has reached its limit of " + std::to_string(m_options.maxBytes) + " bytes");
    return false;
}

std::uint64_t Journal::segmentBytes() const {
    const std::uint64_t appenders = std::max<std::uint64_t>(m_appenders.load(std::memory_order_relaxed), 1);
    return std::min(m_options.segmentBytes, std::max(m_options.maxBytes / 2 / appenders, kLeastSegmentBytes));
}

void Journal::refuse(std::size_t reservedBytes, std::uint64_t entries, std::string_view reason) noexcept {
    m_bytes.fetch_sub(reservedBytes);
    m_dropped.fetch_add(entries);
    if (m_full.exchange(true)) return;
    const std::lock_guard lock(m_mutex);
    try {
        m_fullReason.assign(m_options.folder.string()).append(": ").append(reason).append(
            "; decisions are not recorded. Bring the database back or free some space.");
    } catch (const std::bad_alloc&) {
        m_fullReason.clear();
    }
}

std::string Journal::lastError() const {
    const std::lock_guard lock(m_mutex);
    return m_full ? m_fullReason : m_lastError;
}

void Journal::noteError(std::string text) {
    const std::lock_guard lock(m_mutex);
    m_lastError = std::move(text);
}

void Journal::syncLoop() {
    using std::chrono::steady_clock;
    auto synced = steady_clock::now();
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, kSyncLook, [this] { return m_stopping; })) {
        std::uint64_t waiting = 0;
        for (const auto& segment : m_segments) waiting += segment->unsynced();
        if (waiting < kSyncBytes && steady_clock::now() - synced < kSyncPause) continue;
        lock.unlock();
        synced = steady_clock::now();
        syncAll();
        lock.lock();
    }
}

void Journal::syncAll() {
    bool folderChanged = false;
    std::vector<std::shared_ptr<Segment>> segments;
    {
        const std::lock_guard lock(m_mutex);
        segments = m_segments;
        folderChanged = std::exchange(m_folderChanged, false);
    }
    for (const auto& segment : segments)
        if (const int code = segment->sync(); code != 0)
            noteError(segment->path().string() + ": cannot bring the journal to the disk: " + std::strerror(code) + ".");
    if (folderChanged) syncFolder();
}

void Journal::syncFolder() const {
    const Descriptor folder(::open(m_options.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.ok()) ::fsync(folder.get());
}

}  // namespace signalbox::evidence
