// SPDX-License-Identifier: MIT
// What a journal holds after whatever happened to its files.
#include "router/evidence/frame.h"
#include "router/evidence/stored_record.h"
#include "tests/router/evidence/bad_sector.h"
#include "tests/router/evidence/broken_disk.h"
#include "tests/router/evidence/journal_fixture.h"

#include <QTest>
#include <fstream>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;
using test::numbersIn;
using test::onlySegment;
using test::range;
using test::sampleRecord;
using Fixture = test::JournalFixture;

namespace {

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
