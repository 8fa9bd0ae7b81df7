// SPDX-License-Identifier: MIT
#include "router/evidence/frame.h"
#include "router/evidence/journal.h"
#include "router/evidence/segment_cursor.h"
#include "router/evidence/stored_record.h"
#include "tests/router/evidence/bad_sector.h"
#include "tests/router/evidence/broken_disk.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/router/evidence/uncut_files.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;
using test::sampleRecord;

namespace {

struct Fixture {
    test::OpenTemporaryFolder folder;
    test::ManualClock clock{test::kStart};

    std::shared_ptr<Journal> open(std::uint64_t maxBytes = std::uint64_t{64} << 20, std::uint64_t segmentBytes = 0) {
        auto journal = Journal::open({folder.path() / "journal", maxBytes, segmentBytes}, clock);
        if (!journal) qFatal("%s", journal.error().text().c_str());
        return *journal;
    }
    void fill(std::uint64_t first, std::uint64_t count) {
        const auto journal = open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = first; n < first + count; ++n) (void)sink->append(sampleRecord(test::kStart, n));
    }
};

/// Numbers of the records that a journal holds, in order.
std::vector<std::uint64_t> numbersIn(const Journal& journal, std::uint64_t* skipped = nullptr) {
    std::vector<std::uint64_t> numbers;
    for (const auto& segment : journal.segments()) {
        SegmentCursor cursor(segment);
        while (const auto payload = cursor.next())
            numbers.push_back(decodeRecord(*payload).value().features.inputTokens - 100);
        if (skipped != nullptr) *skipped += cursor.skippedBytes();
    }
    return numbers;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t n = first; n < first + count; ++n) out.push_back(n);
    return out;
}

std::filesystem::path onlySegment(const Fixture& fixture) {
    for (const auto& entry : std::filesystem::directory_iterator(fixture.folder.path() / "journal"))
        if (entry.path().extension() == Segment::kSuffix) return entry.path();
    return {};
}

void removeClosed(Journal& journal) {
    for (const auto& segment : journal.segments())
        if (segment->isClosed()) journal.remove(segment);
}

/// While it lives no file of this process can grow over a size.
class SizeLimit {
public:
    explicit SizeLimit(std::uint64_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{static_cast<rlim_t>(bytes), m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    SizeLimit(const SizeLimit&) = delete;
    SizeLimit& operator=(const SizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

void overwrite(const std::filesystem::path& path, std::streamoff at, const std::string& bytes) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file << bytes;
}

}  // namespace

class TestJournal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void framesAreCheckedByteForByte_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("receipt") << static_cast<int>(FrameKind::record);
        QTest::newRow("event") << static_cast<int>(FrameKind::event);
        QTest::newRow("stored record") << static_cast<int>(FrameKind::stored);
    }
    void framesAreCheckedByteForByte() {
        QFETCH(int, kind);
        std::string frame;
        appendFrame(frame, "payload", static_cast<FrameKind>(kind));
        QVERIFY(readFrame(frame) == std::string_view("payload"));
        for (std::size_t i = 0; i < frame.size(); ++i) {
            std::string damaged = frame;
            damaged[i] = static_cast<char>(damaged[i] ^ 1);
            QVERIFY2(!readFrame(damaged), qPrintable(QStringLiteral("byte %1").arg(i)));
            QVERIFY(!readFrame(std::string_view(frame).substr(0, i)));
        }
    }

    void whatIsAppendedIsThere() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 50; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QCOMPARE(numbersIn(*journal), range(0, 50));
        QCOMPARE(journal->recorded(), std::uint64_t{50});
    }

    void leftOversOfAnEarlierProcessAreFound() {
        Fixture fixture;
        fixture.fill(0, 5);
        fixture.clock.advance(std::chrono::seconds(1));
        fixture.fill(5, 5);
        const auto journal = fixture.open();
        QCOMPARE(numbersIn(*journal), range(0, 10));
        for (const auto& segment : journal->segments()) QVERIFY(segment->isLeftOver() && segment->isClosed());
        QCOMPARE(SegmentCursor(journal->segments().front()).countAhead(), std::uint64_t{5});
    }

    // A power cut or SIGKILL inside a write: every length of a torn last record.
    void aTornTailCostsOnlyTheTornRecord() {
        Fixture fixture;
        fixture.fill(0, 3);
        const auto path = onlySegment(fixture);
        const auto whole = std::filesystem::file_size(path);
        std::string payload, frame;
        encodeStored(sampleRecord(test::kStart, 2), payload);
        appendFrame(frame, payload, FrameKind::stored);
        for (std::uintmax_t cut = 1; cut < frame.size(); cut += cut < 20 ? 1 : 97) {
            std::filesystem::resize_file(path, whole - cut);
            QCOMPARE(numbersIn(*fixture.open()), range(0, 2));
        }
    }

    void aFileWithHalfAHeaderCountsAsEmpty() {
        Fixture fixture;
        fixture.fill(0, 1);
        std::filesystem::resize_file(onlySegment(fixture), 3);
        QVERIFY(numbersIn(*fixture.open()).empty());
    }

    void damageInTheMiddleIsSteppedOver_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zeros") << QByteArray(200, '\0');
        QTest::newRow("false marks") << QByteArray("SBR1SBR1SBR1SBR1");
        QTest::newRow("false marks of all kinds") << QByteArray("SBR2SBE1SBR1SBR2");
        QTest::newRow("one changed byte") << QByteArray("#");
    }
    void damageInTheMiddleIsSteppedOver() {
        QFETCH(QByteArray, bytes);
        Fixture fixture;
        fixture.fill(0, 4);
        std::string payload, first;
        encodeStored(sampleRecord(test::kStart, 0), payload);
        appendFrame(first, payload, FrameKind::stored);
        overwrite(onlySegment(fixture), static_cast<std::streamoff>(Segment::kHeaderBytes + first.size() + 40), bytes.toStdString());
        std::uint64_t skipped = 0;
        QCOMPARE(numbersIn(*fixture.open(), &skipped), (std::vector<std::uint64_t>{0, 2, 3}));
        QVERIFY(skipped > 0);
    }

    void aForeignFileIsLeftAloneAndReported() {
        Fixture fixture;
        fixture.fill(0, 1);
        const auto foreign = fixture.folder.path() / "journal" / "ffff.journal";
        std::ofstream(foreign) << "something else entirely";
        const auto journal = fixture.open();
        QCOMPARE(numbersIn(*journal), range(0, 1));
        QVERIFY(QString::fromStdString(journal->lastError()).contains(QStringLiteral("ffff.journal")));
        QVERIFY(std::filesystem::exists(foreign));
    }

    void segmentsRotateBySize() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{1} << 20, 8192);
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 40; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        const auto segments = journal->segments();
        QVERIFY(segments.size() > 3);
        for (const auto& segment : segments) QVERIFY(segment->written() <= 8192);
        auto numbers = numbersIn(*journal);
        std::sort(numbers.begin(), numbers.end());
        QCOMPARE(numbers, range(0, 40));
    }

    void aFullJournalDropsAndCountsAndRecovers() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{64} << 10);
        const auto sink = journal->makeSink().value();
        std::uint64_t kept = 0;
        std::uint64_t refused = 0;
        for (std::uint64_t n = 0; n < 200; ++n) ++(sink->append(sampleRecord(test::kStart, n)) ? kept : refused);
        QVERIFY(kept > 10 && refused > 10);
        QCOMPARE(journal->dropped(), refused);
        QCOMPARE(journal->recorded(), kept);
        QVERIFY(journal->isFull());
        QVERIFY(journal->bytes() <= std::uint64_t{64} << 10);
        QVERIFY(QString::fromStdString(journal->lastError()).contains(QStringLiteral("limit of 65536 bytes")));
        for (const auto& segment : journal->segments())
            if (segment->isClosed()) journal->remove(segment);
        QVERIFY(sink->append(sampleRecord(test::kStart, 1000)));
        QVERIFY(!journal->isFull());
    }

    void whatIsGatheredIsWrittenTogether() {
        Fixture fixture;
        const auto journal = fixture.open();
        auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 5; ++n) sink->gather(sampleRecord(test::kStart, n));
        QCOMPARE(numbersIn(*journal).size(), std::size_t{0});
        QCOMPARE(journal->recorded(), std::uint64_t{0});
        sink->commit();
        QCOMPARE(numbersIn(*journal), range(0, 5));
        QCOMPARE(journal->recorded(), std::uint64_t{5});
        sink->commit();  // of nothing
        QVERIFY(sink->append(sampleRecord(test::kStart, 5)));
        sink->gather(sampleRecord(test::kStart, 6));
        QVERIFY(sink->append(sampleRecord(test::kStart, 7)));  // what was gathered before goes first
        QCOMPARE(numbersIn(*journal), range(0, 8));
        sink->gather(sampleRecord(test::kStart, 8));
        sink.reset();
        QCOMPARE(numbersIn(*journal), range(0, 9));
        QCOMPARE(journal->recorded(), std::uint64_t{9});
        QCOMPARE(journal->dropped(), std::uint64_t{0});
    }

    // However late the commit: no memory without bound.
    void muchThatIsGatheredIsWrittenBefore() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 2000; ++n) sink->gather(sampleRecord(test::kStart, n));
        QVERIFY(journal->recorded() > 1000 && journal->recorded() < 2000);
        sink->commit();
        QCOMPARE(numbersIn(*journal), range(0, 2000));
    }

    void whatWasGatheredAndDoesNotFitIsCounted() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{64} << 10);
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 500; ++n) sink->gather(sampleRecord(test::kStart, n));
        sink->commit();
        QVERIFY(journal->isFull());
        QVERIFY(journal->recorded() > 0);
        QCOMPARE(journal->recorded() + journal->dropped(), std::uint64_t{500});
        QCOMPARE(numbersIn(*journal), range(0, journal->recorded()));
        // A segment's own mark is nothing that could be refused.
        QVERIFY(journal->bytes() <= (std::uint64_t{64} << 10) + journal->segments().size() * Segment::kHeaderBytes);
    }

    // What was gathered before and is written says nothing of the newest, which was not.
    void theNewestRecordSaysWhetherTheJournalIsFull() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{64} << 10);
        const auto sink = journal->makeSink().value();
        std::uint64_t n = 0;
        const auto bytesOfOne = [&] {
            const std::uint64_t before = journal->bytes();
            (void)sink->append(sampleRecord(test::kStart, n++));
            return journal->bytes() - before;
        };
        const std::uint64_t one = bytesOfOne();
        while ((std::uint64_t{64} << 10) - journal->bytes() > 2 * one + 200) (void)bytesOfOne();
        while (journal->dropped() == 0) sink->gather(sampleRecord(test::kStart, n++));
        QVERIFY(journal->isFull());
        QCOMPARE(journal->recorded(), n - 1);
    }

    void whatWasGatheredAndCannotBeWrittenIsCounted() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 10; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        const std::uint64_t bytes = journal->bytes();
        for (std::uint64_t n = 10; n < 13; ++n) sink->gather(sampleRecord(test::kStart, n));
        {
            const SizeLimit full(std::filesystem::file_size(onlySegment(fixture)));
            sink->commit();
        }
        QCOMPARE(journal->dropped(), std::uint64_t{3});
        QCOMPARE(journal->recorded(), std::uint64_t{10});
        QCOMPARE(journal->bytes(), bytes);
        QVERIFY(sink->append(sampleRecord(test::kStart, 10)));
        QCOMPARE(numbersIn(*journal), range(0, 11));
    }

    // A write that fails after so many of its frames, and cannot be taken back: what is whole on the disk will be stored, so it is
    // no loss, and the rest is.
    void whatCannotBeTakenBackIsCountedAsWritten_data() {
        QTest::addColumn<int>("whole");
        QTest::newRow("none") << 0;
        QTest::newRow("two of three") << 2;
    }
    void whatCannotBeTakenBackIsCountedAsWritten() {
        QFETCH(int, whole);
        Fixture fixture;
        const auto journal = fixture.open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 10; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        const auto path = onlySegment(fixture);
        std::string written;
        for (std::uint64_t n = 10; n < 13; ++n) {
            std::string payload;
            encodeStored(sampleRecord(test::kStart, n), payload);
            if (n < 10 + static_cast<std::uint64_t>(whole)) appendFrame(written, payload, FrameKind::stored);
            sink->gather(sampleRecord(test::kStart, n));
        }
        const std::uint64_t end = std::filesystem::file_size(path) + written.size() + 100;
        {
            const SizeLimit full(end);
            const test::UncutFiles uncut;
            sink->commit();
        }
        QCOMPARE(std::filesystem::file_size(path), end);
        const auto kept = static_cast<std::uint64_t>(10 + whole);
        QCOMPARE(numbersIn(*journal), range(0, kept));
        QCOMPARE(journal->recorded(), kept);
        QCOMPARE(journal->dropped(), 13 - kept);
        QCOMPARE(journal->bytes(), end);
        QVERIFY(journal->isFull());
        QVERIFY(sink->append(sampleRecord(test::kStart, 13)));  // into the next one
        QVERIFY(!journal->isFull());
        QCOMPARE(journal->recorded(), kept + 1);
    }

    // Requests are dealt round robin, so that all segments fill side by side and none has reached its size.
    void aJournalFullOfOpenSegmentsRecovers() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{64} << 10);
        std::vector<std::unique_ptr<RecordSink>> sinks;
        for (int i = 0; i < 64; ++i) sinks.push_back(journal->makeSink().value());
        std::uint64_t n = 0;
        for (int round = 0; round < 4; ++round)
            for (const auto& sink : sinks) (void)sink->append(sampleRecord(test::kStart, n++));
        QVERIFY(journal->isFull());
        const std::uint64_t kept = journal->recorded();
        QCOMPARE(numbersIn(*journal).size(), kept);
        removeClosed(*journal);  // as when PostgreSQL has everything
        for (const auto& sink : sinks) QVERIFY(sink->append(sampleRecord(test::kStart, n++)) || journal->bytes() > std::uint64_t{60} << 10);
        QVERIFY(journal->recorded() > kept + 30);
        removeClosed(*journal);
        for (const auto& sink : sinks) (void)sink->append(sampleRecord(test::kStart, n++));
        removeClosed(*journal);
        QVERIFY(sinks.front()->append(sampleRecord(test::kStart, n++)));
        QVERIFY(!journal->isFull());
    }

    // Sinks that append nothing any more cannot close what they have begun.
    void openSegmentsHoldHalfOfTheJournalAtMost() {
        Fixture fixture;
        const std::uint64_t limit = std::uint64_t{1} << 20;
        const auto journal = fixture.open(limit);
        std::vector<std::unique_ptr<RecordSink>> sinks;
        for (int i = 0; i < 20; ++i) sinks.push_back(journal->makeSink().value());
        std::uint64_t n = 0;
        while (sinks[n % sinks.size()]->append(sampleRecord(test::kStart, n))) ++n;
        removeClosed(*journal);
        const std::uint64_t frame = sinks.size() * 4096;  // a segment may be empty or one record too large
        QVERIFY2(journal->bytes() <= limit / 2 + frame, std::to_string(journal->bytes()).c_str());
        const auto late = journal->makeSink().value();
        for (std::uint64_t i = 0; i < 100; ++i) QVERIFY(late->append(sampleRecord(test::kStart, n + i)));
    }

    // The same of a disk: what was written before is stored and removed, and the space is there again.
    void aSegmentThatCannotGrowIsGivenBack() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < 10; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        const auto path = onlySegment(fixture);
        {
            const SizeLimit full(std::filesystem::file_size(path));
            QVERIFY(!sink->append(sampleRecord(test::kStart, 10)));
            QVERIFY(QString::fromStdString(journal->lastError()).contains(QStringLiteral("cannot be written")));
        }
        QCOMPARE(numbersIn(*journal), range(0, 10));
        QVERIFY(journal->segments().front()->isClosed());
        removeClosed(*journal);
        QCOMPARE(test::descriptorOf(path.string() + " (deleted)"), -1);
        {
            const SizeLimit none(0);
            QVERIFY(!sink->append(sampleRecord(test::kStart, 11)));
            QVERIFY(QString::fromStdString(journal->lastError()).contains(QStringLiteral("cannot write a journal segment")));
        }
        QVERIFY(sink->append(sampleRecord(test::kStart, 12)));
        QCOMPARE(numbersIn(*journal), range(12, 1));
        QCOMPARE(journal->bytes(), std::filesystem::file_size(onlySegment(fixture)));
        QCOMPARE(journal->dropped(), std::uint64_t{2});
    }

    // A disk that gives an error is no damage: nothing is stepped over, and later everything is read.
    void whatTheDiskDoesNotGiveIsReadLater() {
        Fixture fixture;
        fixture.fill(0, 4);
        const auto journal = fixture.open();
        const auto segment = journal->segments().front();
        SegmentCursor cursor(segment);
        {
            const test::BrokenDisk broken(segment->path());
            QVERIFY(broken.ok());
            QVERIFY(!cursor.next());
            QCOMPARE(cursor.readError(), EISDIR);
            QCOMPARE(cursor.offset(), Segment::kHeaderBytes);
            QCOMPARE(cursor.skippedBytes(), std::uint64_t{0});
            cursor.seek(Segment::kHeaderBytes);
            QCOMPARE(cursor.readError(), 0);
        }
        int records = 0;
        while (cursor.next()) ++records;
        QCOMPARE(records, 4);
        QCOMPARE(cursor.readError(), 0);
    }

    // What stands before a bad sector is given now, although more is read at once, and the rest when it can be read.
    void whatStandsBeforeABadSectorIsRead_data() {
        QTest::addColumn<bool>("damaged");
        QTest::newRow("whole records") << false;
        QTest::newRow("behind damage") << true;
    }
    void whatStandsBeforeABadSectorIsRead() {
        QFETCH(bool, damaged);
        Fixture fixture;
        fixture.fill(0, 6);
        if (damaged) overwrite(onlySegment(fixture), static_cast<std::streamoff>(Segment::kHeaderBytes + 40), "#");
        const auto journal = fixture.open();
        const auto segment = journal->segments().front();
        SegmentCursor cursor(segment);
        int records = 0;
        {
            const test::BadSector lastRecord(segment->path(), segment->written() - 20);
            QVERIFY(lastRecord.ok());
            while (cursor.next()) ++records;
            QCOMPARE(cursor.readError(), EIO);
            QCOMPARE(records, damaged ? 4 : 5);
        }
        while (cursor.next()) ++records;
        QCOMPARE(cursor.readError(), 0);
        QCOMPARE(records, damaged ? 5 : 6);
    }

    void aSegmentThatCannotBeReadIsLeftAlone() {
        Fixture fixture;
        fixture.fill(0, 1);
        const auto unreadable = fixture.folder.path() / "journal" / "ffff.journal";
        std::filesystem::create_directory(unreadable);
        const auto journal = fixture.open();
        QCOMPARE(journal->segments().size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(journal->lastError()).contains(QStringLiteral("ffff.journal")), journal->lastError().c_str());
    }

    void aTornTailIsNoDamage_data() {
        QTest::addColumn<bool>("tail");
        QTest::addColumn<bool>("middle");
        QTest::newRow("torn tail") << true << false;
        QTest::newRow("damage in the middle") << false << true;
        QTest::newRow("both") << true << true;
    }
    void aTornTailIsNoDamage() {
        QFETCH(bool, tail);
        QFETCH(bool, middle);
        Fixture fixture;
        fixture.fill(0, 4);
        const auto path = onlySegment(fixture);
        if (middle) overwrite(path, static_cast<std::streamoff>(Segment::kHeaderBytes + 40), "#");
        if (tail) std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
        const auto journal = fixture.open();
        SegmentCursor cursor(journal->segments().front());
        while (cursor.next()) {}
        QVERIFY(cursor.skippedBytes() > 0);
        QCOMPARE(cursor.damagedBytes() > 0, middle);
        QCOMPARE(cursor.skippedBytes() > cursor.damagedBytes(), tail);
    }

    // Counted is what will be read, whatever is damaged of the others.
    void damagedRecordsAreNotCounted_data() {
        QTest::addColumn<int>("at");
        QTest::newRow("a header") << 2;
        QTest::newRow("a payload") << 40;
    }
    void damagedRecordsAreNotCounted() {
        QFETCH(int, at);
        Fixture fixture;
        fixture.fill(0, 4);
        overwrite(onlySegment(fixture), static_cast<std::streamoff>(Segment::kHeaderBytes) + at, "#");
        const auto journal = fixture.open();
        QCOMPARE(SegmentCursor(journal->segments().front()).countAhead(), std::uint64_t{3});
    }

    void removedSegmentsFreeTheirSpace() {
        Fixture fixture;
        fixture.fill(0, 20);
        const auto journal = fixture.open();
        const auto before = journal->bytes();
        QCOMPARE(before, std::filesystem::file_size(onlySegment(fixture)));
        journal->remove(journal->segments().front());
        QCOMPARE(journal->bytes(), std::uint64_t{0});
        QVERIFY(onlySegment(fixture).empty());
    }

    void aSecondOwnerIsRefusedByName() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto second = Journal::open({fixture.folder.path() / "journal"}, fixture.clock);
        QVERIFY(!second.has_value());
        QCOMPARE(second.error().kind, ErrorKind::conflict);
        const QString text = QString::fromStdString(second.error().text());
        QVERIFY2(text.contains(QStringLiteral("(process %1)").arg(::getpid())) && text.contains(QStringLiteral("tst_journal")),
                 qPrintable(text));
    }

    void badFoldersAreRefusedWithTheirPath() {
        Fixture fixture;
        const auto file = fixture.folder.path() / "file";
        std::ofstream(file) << "x";
        const auto journal = Journal::open({file / "journal"}, fixture.clock);
        QVERIFY(!journal.has_value());
        QVERIFY(QString::fromStdString(journal.error().text()).contains(QString::fromStdString(file.string())));
    }
};

QTEST_APPLESS_MAIN(TestJournal)
#include "tst_journal.moc"
