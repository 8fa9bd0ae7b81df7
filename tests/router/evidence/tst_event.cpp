// SPDX-License-Identifier: MIT
#include "router/evidence/journal.h"
#include "router/evidence/segment_cursor.h"
#include "tests/router/evidence/sample_events.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <fstream>

using namespace signalbox;
using namespace signalbox::evidence;
using test::sampleEvent;
using test::sampleRecord;

namespace {

struct Fixture {
    test::OpenTemporaryFolder folder;
    test::ManualClock clock{test::kStart};

    std::shared_ptr<Journal> open(std::uint64_t maxBytes = std::uint64_t{64} << 20) {
        auto journal = Journal::open({folder.path() / "journal", maxBytes, 0}, clock);
        if (!journal) qFatal("%s", journal.error().text().c_str());
        return *journal;
    }
};

/// "r3" for the record with number 3, "e4" for the event with number 4, in the order of a segment.
QString contentsOf(const std::shared_ptr<Segment>& segment, std::uint64_t* skipped = nullptr) {
    QStringList out;
    SegmentCursor cursor(segment);
    while (const auto payload = cursor.next()) {
        if (cursor.kind() == FrameKind::event)
            out << QStringLiteral("e") + QString::fromStdString(decodeEvent(*payload).value().words).section(QLatin1Char(' '), 1);
        else
            out << QStringLiteral("r%1").arg(decodeRecord(*payload).value().features.inputTokens - 100);
    }
    if (skipped != nullptr) *skipped = cursor.skippedBytes();
    return out.join(QLatin1Char(' '));
}

std::string recordFrame(std::uint64_t n) {
    std::string frame;
    appendFrame(frame, encodeRecord(sampleRecord(test::kStart, n)));
    return frame;
}
std::string eventFrame(std::uint64_t n) {
    std::string frame;
    appendFrame(frame, encodeEvent(sampleEvent(test::kStart, n)), FrameKind::event);
    return frame;
}

/// A segment with these bytes behind its header, as another process left it.
std::shared_ptr<Segment> leftOver(Fixture& fixture, const std::string& frames) {
    const auto folder = fixture.folder.path() / "journal";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "0123.journal", std::ios::binary) << "SBJRNL1\n" << frames;
    return Segment::openLeftOver(folder / "0123.journal").value();
}

}  // namespace

class TestEvent : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void comesBackAsItWas_data() {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < kEventKinds.size(); ++i) QTest::newRow(std::string(toString(kEventKinds[i])).c_str()) << static_cast<int>(i);
    }
    void comesBackAsItWas() {
        QFETCH(int, number);
        Event event = sampleEvent(test::kStart + std::chrono::microseconds(123456), static_cast<std::uint64_t>(number));
        event.words = "Quotes \" and \\, a\nnew line, \xE2\x80\x9Cunicode\xE2\x80\x9D and " + std::string("\0", 1) + "NUL.";
        const std::string line = encodeEvent(event);
        QVERIFY(line.find('\n') == std::string::npos);
        const auto back = decodeEvent(line);
        QVERIFY2(back.has_value(), back ? "" : back.error().text().c_str());
        QVERIFY(*back == event);
    }

    void textsThatSayNothingAreLeftOut() {
        Event event;
        event.createdAt = test::kStart;
        const std::string line = encodeEvent(event);
        QCOMPARE(QString::fromStdString(line),
                 QStringLiteral(R"({"id":"evt_00000000000000000000000000000000","created_at":"2025-11-29T08:00:00.000000Z","kind":"note"})"));
        QVERIFY(decodeEvent(line).value() == event);
    }

    void whatIsNoEventIsRefusedByName_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const QString whole = QString::fromStdString(encodeEvent(sampleEvent(test::kStart, 1)));
        QTest::newRow("no JSON") << "kind: start" << "not one JSON object";
        QTest::newRow("a record") << QString::fromStdString(encodeRecord(sampleRecord(test::kStart, 1))) << "\"id\"";
        QTest::newRow("unknown kind") << QString(whole).replace(QStringLiteral("\"start\""), QStringLiteral("\"party\"")) << "\"kind\"";
        QTest::newRow("no time") << QString(whole).replace(QStringLiteral("created_at"), QStringLiteral("made_at")) << "\"created_at\"";
        QTest::newRow("words are a number") << QString(whole).replace(QStringLiteral("\"event 1\""), QStringLiteral("7")) << "\"words\"";
    }
    void whatIsNoEventIsRefusedByName() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const auto event = decodeEvent(line.toStdString());
        QVERIFY(!event.has_value());
        QVERIFY2(QString::fromStdString(event.error().text()).contains(says), event.error().text().c_str());
    }

    void idsAreReadInTheirExactFormOnly() {
        const EventId id = sampleEvent(test::kStart, 1).id;
        QVERIFY(EventId::parse(id.text()) == id);
        QVERIFY(!EventId::parse("rtd_" + id.text().substr(4)));
        QVERIFY(!EventId::parse(id.text() + "0"));
        QVERIFY(sampleEvent(test::kStart, 1).id < sampleEvent(test::kStart + std::chrono::milliseconds(1), 0).id);
    }

    // What an older version wrote is read as it always was.
    void aJournalOfRecordsOnlyIsReadAsBefore() {
        Fixture fixture;
        QVERIFY(recordFrame(1).starts_with("SBR1"));
        const auto segment = leftOver(fixture, recordFrame(1) + recordFrame(2) + recordFrame(3));
        QCOMPARE(contentsOf(segment), QStringLiteral("r1 r2 r3"));
        QCOMPARE(SegmentCursor(segment).countAhead(), std::uint64_t{3});
    }

    void recordsAndEventsShareASegment() {
        Fixture fixture;
        const auto segment = leftOver(fixture, eventFrame(1) + recordFrame(2) + eventFrame(3) + recordFrame(4));
        QCOMPARE(contentsOf(segment), QStringLiteral("e1 r2 e3 r4"));
        QCOMPARE(SegmentCursor(segment).countAhead(), std::uint64_t{2});
    }

    void damageBetweenThemIsSteppedOver_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zeros") << QByteArray(60, '\0');
        QTest::newRow("false marks of both kinds") << QByteArray("SBE1SBR1SBE1SBSBR1SBE1");
        QTest::newRow("a mark that never was") << QByteArray("SBX1");
    }
    void damageBetweenThemIsSteppedOver() {
        QFETCH(QByteArray, bytes);
        Fixture fixture;
        const auto segment = leftOver(fixture, recordFrame(1) + bytes.toStdString() + eventFrame(2) + bytes.toStdString() + recordFrame(3));
        std::uint64_t skipped = 0;
        QCOMPARE(contentsOf(segment, &skipped), QStringLiteral("r1 e2 r3"));
        QCOMPARE(skipped, static_cast<std::uint64_t>(2 * bytes.size()));
    }

    // A process that dies inside a write loses what it had not acknowledged, whatever kind it was.
    void aTornEventCostsOnlyItself() {
        Fixture fixture;
        const std::string torn = eventFrame(3);
        for (std::size_t kept = 1; kept < torn.size(); ++kept) {
            const auto segment = leftOver(fixture, recordFrame(1) + eventFrame(2) + torn.substr(0, kept));
            QCOMPARE(contentsOf(segment), QStringLiteral("r1 e2"));
        }
    }

    void theSinkWritesWhatAReaderFinds() {
        Fixture fixture;
        const auto journal = fixture.open();
        const auto events = journal->makeEventSink().value();
        const auto records = journal->makeSink().value();
        QVERIFY(events->append(sampleEvent(test::kStart, 1)));
        QVERIFY(records->append(sampleRecord(test::kStart, 2)));
        QVERIFY(events->append(sampleEvent(test::kStart, 3)));
        QStringList found;
        for (const auto& segment : journal->segments()) found << contentsOf(segment);
        found.sort();
        QCOMPARE(found, (QStringList{QStringLiteral("e1 e3"), QStringLiteral("r2")}));
        QCOMPARE(journal->recorded(), std::uint64_t{1});
    }

    void aFullJournalDropsAndCountsEventsToo() {
        Fixture fixture;
        const auto journal = fixture.open(std::uint64_t{64} << 10);
        const auto events = journal->makeEventSink().value();
        std::uint64_t kept = 0, refused = 0;
        for (std::uint64_t n = 0; n < 500; ++n) ++(events->append(sampleEvent(test::kStart, n)) ? kept : refused);
        QVERIFY(kept > 10 && refused > 10);
        QCOMPARE(journal->dropped(), refused);
        QVERIFY(journal->isFull());
    }
};

QTEST_APPLESS_MAIN(TestEvent)
#include "tst_event.moc"
