// SPDX-License-Identifier: MIT
// What a journal takes in: its limit, segments that rotate, records that are gathered, and disks that are full.
#include "router/evidence/frame.h"
#include "router/evidence/stored_record.h"
#include "tests/router/evidence/broken_disk.h"
#include "tests/router/evidence/journal_fixture.h"
#include "tests/router/evidence/uncut_files.h"

#include <QTest>
#include <csignal>
#include <sys/resource.h>

using namespace signalbox;
using namespace signalbox::evidence;
using test::numbersIn;
using test::onlySegment;
using test::range;
using test::sampleRecord;
using Fixture = test::JournalFixture;

namespace {

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

}  // namespace

class TestJournalRoom : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
};

QTEST_APPLESS_MAIN(TestJournalRoom)
#include "tst_journal_room.moc"
