// SPDX-License-Identifier: MIT
// What the store does where somebody else is at the database, its positions are not what they seem, or the journal is damaged.
#include "router/evidence/pg_writing.h"
#include "router/evidence/segment_cursor.h"
#include "tests/router/evidence/broken_disk.h"
#include "tests/router/evidence/journal_files.h"

#include <QTest>
#include <algorithm>
#include <fstream>
#include <future>

using namespace signalbox;
using namespace signalbox::evidence;
using test::endOfFirst;
using test::leaveBehind;
using test::onlySegment;
using test::sampleRecord;
using test::Station;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 20s;
constexpr const char* kWaiting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'signalbox' AND wait_event_type = 'Lock'";
// A sequence counts what is rolled back, too.
constexpr const char* kRefuseRows =
    "CREATE SEQUENCE signalbox.refusals; CREATE FUNCTION signalbox.refuse() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN PERFORM nextval('signalbox.refusals'); RAISE EXCEPTION 'no rows'; END $$;"
    " CREATE TRIGGER refuse BEFORE INSERT ON signalbox.decisions FOR EACH STATEMENT EXECUTE FUNCTION signalbox.refuse()";
constexpr const char* kConnected = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'signalbox'";

}  // namespace

class TestStorePositions : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    QString value(const std::string& sql) const { return QString::fromStdString(m_postgres->value(sql)); }
    /// The connection dies and its writer, which has nothing to do, does not notice.
    void cutOff() const {
        (void)m_postgres->column("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signalbox'");
        QTRY_COMPARE_WITH_TIMEOUT(value(kConnected), QStringLiteral("0"), 10000);
    }
    static void makeSchema(Station& station) {
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
    }
    /// The store waits with one record for what `other` has locked, and reads nothing that comes behind it.
    void holdUp(const auto& store, auto& sink, PgWriting& other) const {
        QTRY_COMPARE_WITH_TIMEOUT(toString(store.status().state), std::string_view("ready"), 10000);
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        QVERIFY(sink.append(sampleRecord(test::kStart, 1)));
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
    }
    static bool anySetAside(const Station& station) { return std::filesystem::exists(station.options.journalFolder / "unreadable-records.jsonl"); }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }
    void init() { m_postgres->clear(); }
    void cleanupTestCase() { m_postgres.reset(); }

    // The server lost us amid a COMMIT and makes it only after we connected again and read the old position.
    void rowsOfACommitThatComesLateAreNoBadRecords() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < 20; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        const std::string segment = m_postgres->value("SELECT segment FROM signalbox.journal_progress");
        const std::string position = m_postgres->value("SELECT position FROM signalbox.journal_progress");
        (void)m_postgres->column("DELETE FROM signalbox.journal_progress");
        cutOff();
        PgWriting late(m_postgres->dsn());
        late.exec("BEGIN");
        late.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        QVERIFY(sink->append(sampleRecord(test::kStart, 20)));
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
        QCOMPARE(store->status().backlogRecords, std::uint64_t{21});
        late.exec("INSERT INTO signalbox.journal_progress (segment, position) VALUES ('" + segment + "', " + position + ")");
        late.exec("COMMIT");
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.decisions"), QStringLiteral("21 21"));
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("21"));
        QVERIFY(!anySetAside(station));
        QVERIFY2(store->status().lastError.empty(), store->status().lastError.c_str());
        QCOMPARE(store->status().stored, std::uint64_t{21});
        QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
    }

    // A thread that serves nothing for longer than decisions are kept: nothing renews its position but retention itself.
    void theQuietKeepTheirPosition() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto quiet = store->makeSink().value();
        const auto busy = store->makeSink().value();
        std::uint64_t n = 0;
        for (; n < 10; ++n) QVERIFY((n % 2 == 0 ? quiet : busy)->append(sampleRecord(test::kStart, n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        (void)m_postgres->column("UPDATE signalbox.journal_progress SET updated_at = '2020-01-01'");
        // Retention runs with each connection, and the next one reads what it left.
        for (int connection = 0; connection < 2; ++connection, ++n) {
            cutOff();
            QVERIFY(busy->append(sampleRecord(test::kStart, n)));
            QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
            QCOMPARE(value("SELECT count(*) FROM signalbox.journal_progress"), QStringLiteral("2"));
        }
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.decisions"), QStringLiteral("12 12"));
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("12"));
        QVERIFY(!anySetAside(station));
    }

    // Budgets are of a month, however short decisions are kept.
    void whatWasSpentThisMonthIsKept() {
        Station station(*m_postgres);
        station.options.retentionDays = 7;
        {
            const auto store = station.open();
            const auto sink = store->makeSink().value();
            for (const int daysAgo : {0, 20, 40}) {
                DecisionRecord record = sampleRecord(test::kStart - daysAgo * 24h, static_cast<std::uint64_t>(daysAgo));
                record.costUsd = 1 + daysAgo;
                QVERIFY(sink->append(record));
            }
            QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
            QCOMPARE(value("SELECT sum(cost_usd) FROM signalbox.spend_hour"), QStringLiteral("63"));
        }
        // Positions are kept as long as the sums that would be added again without them.
        (void)m_postgres->column("INSERT INTO signalbox.journal_progress (segment, position, updated_at) VALUES"
                                 " ('a', 8, '2025-11-02'), ('b', 8, '2025-10-02')");
        const Timestamp month{std::chrono::sys_days(std::chrono::year(2025) / 11 / 1)};
        {
            const auto store = station.open();
            QTRY_COMPARE_WITH_TIMEOUT(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("1"), 10000);
            QTRY_COMPARE_WITH_TIMEOUT(value("SELECT count(*) FROM signalbox.rollup_hour"), QStringLiteral("1"), 10000);
            QCOMPARE(value("SELECT sum(cost_usd) FROM signalbox.spend_hour"), QStringLiteral("22"));
            const auto spent = store->makeReader()->spentByPrincipal(month, nullptr);
            QVERIFY(spent && spent->at("p1") == 22.0);
            QCOMPARE(value("SELECT string_agg(segment, ' ') FROM signalbox.journal_progress WHERE segment IN ('a', 'b')"), QStringLiteral("a"));
        }
        station.clock.advance(3 * 24h);  // December
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(value("SELECT sum(cost_usd) FROM signalbox.spend_hour"), QStringLiteral("1"), 10000);
    }

    // A server that takes the login and then keeps us waiting: there is a connection to interrupt long before it is ready.
    void waitingAmidConnectingDoesNotHoldUpClosing() {
        Station station(*m_postgres);
        makeSchema(station);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
        auto closing = std::async(std::launch::async, [&] { store.reset(); });
        const bool closed = closing.wait_for(8s) == std::future_status::ready;
        other.exec("COMMIT");
        closing.wait();
        QVERIFY(closed);
    }

    void anotherGatewaysMigrationIsSaidAndWaitedFor() {
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("SELECT pg_advisory_xact_lock(7316420171)");
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        QVERIFY(sink->append(sampleRecord(test::kStart, 1)));
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("unavailable"), 10000);
        QVERIFY2(store->status().lastError.find("another Signalbox") != std::string::npos, store->status().lastError.c_str());
        other.exec("COMMIT");
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(store->status().lastError.empty(), 5000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("1"));
    }

    // The writer is ready before it has read anything.
    void leftOversAreHeldUntilTheyAreCommitted() {
        Station station(*m_postgres);
        makeSchema(station);
        leaveBehind(station, 5);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        QVERIFY(store->holdsLeftOvers());
        other.exec("COMMIT");
        QTRY_VERIFY_WITH_TIMEOUT(!store->holdsLeftOvers(), 10000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("5"));
        // What this process writes is no left-over.
        const auto sink = store->makeSink().value();
        QVERIFY(sink->append(sampleRecord(test::kStart, 9)));
        QVERIFY(!store->holdsLeftOvers());
    }

    // A bad disk may stay bad: what else was spent before has to count all the same.
    void nobodyWaitsForLeftOversThatCannotBeRead() {
        Station station(*m_postgres);
        makeSchema(station);
        const auto path = leaveBehind(station, 3);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        const auto store = station.open();  // reads nothing before it is connected
        {
            const test::BrokenDisk broken(path);
            QVERIFY(broken.ok());
            QVERIFY(store->holdsLeftOvers());
            other.exec("COMMIT");
            QTRY_VERIFY_WITH_TIMEOUT(!store->holdsLeftOvers(), 10000);
            QTRY_VERIFY_WITH_TIMEOUT(store->status().lastError.find("cannot read the journal") != std::string::npos, 10000);
            QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("0"));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("3"));
    }

    void damageInTheJournalIsSaid_data() {
        QTest::addColumn<bool>("damaged");
        QTest::newRow("damage in the middle") << true;
        QTest::newRow("a torn tail, as any crash leaves one") << false;
    }
    void damageInTheJournalIsSaid() {
        QFETCH(bool, damaged);
        Station station(*m_postgres);
        const auto path = leaveBehind(station, 4);
        if (damaged) {
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(Segment::kHeaderBytes + 40));
            file << "#";
        } else {
            std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
        }
        const auto size = std::filesystem::file_size(path);
        const auto store = station.open();
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("3"));
        const QString said = QString::fromStdString(store->status().lastError);
        QCOMPARE(said.contains(QString::fromStdString(path.filename().string())) && said.contains(QStringLiteral("damaged")), damaged);
        QCOMPARE(said.isEmpty(), !damaged);
        const EvidenceStatus status = store->status();
        QCOMPARE(status.damagedBytes > 0, damaged);
        QVERIFY(status.damagedBytes < size);
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
        QCOMPARE(status.unsettled, std::uint64_t{0});
    }

    // The server lost us amid a COMMIT that it makes all the same: whatever the batch was to count counts.
    void whatACommitInDoubtHeldIsCounted() {
        Station station(*m_postgres);
        makeSchema(station);
        const auto path = leaveBehind(station, 4, true);
        {
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(Segment::kHeaderBytes + 40));
            file << "#";
        }
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
        (void)m_postgres->column("INSERT INTO signalbox.journal_progress (segment, position) VALUES ('" + path.stem().string() + "', " +
                                 std::to_string(std::filesystem::file_size(path)) + ")");
        (void)m_postgres->column("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signalbox'"
                                 " AND wait_event_type = 'Lock'");
        QTRY_VERIFY_WITH_TIMEOUT(!store->holdsLeftOvers(), 10000);
        other.exec("ROLLBACK");
        QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 10000);
        const EvidenceStatus status = store->status();
        QVERIFY(status.damagedBytes > 100);
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
        QVERIFY(anySetAside(station));
    }

    // PostgreSQL answers and refuses to write, and each new connection begins where the last one stood.
    void whatIsSettledStaysSoWhileNothingCanBeWritten() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < 5; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(store->status().unsettled, std::uint64_t{0});
        (void)m_postgres->column(kRefuseRows);
        QVERIFY(sink->append(sampleRecord(test::kStart, 5)));
        std::uint64_t most = 0;
        const bool triedAgain = QTest::qWaitFor([&] {
            most = std::max(most, store->status().unsettled);
            return value("SELECT last_value FROM signalbox.refusals").toInt() >= 4;
        }, 20000);
        (void)m_postgres->column("DROP TRIGGER refuse ON signalbox.decisions");
        QVERIFY(triedAgain);
        QCOMPARE(most, std::uint64_t{1});
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 5000);
    }

    // No disk gave them when they were counted.
    void leftOversThatCanBeReadAgainAreOnTheirWay() {
        Station station(*m_postgres);
        makeSchema(station);
        const auto path = leaveBehind(station, 5);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        other.exec("INSERT INTO signalbox.journal_progress (segment, position) VALUES ('" + path.stem().string() + "', " +
                   std::to_string(endOfFirst(path)) + ")");
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(store->status().backlogRecords, std::uint64_t{5}, 10000);
        PgWriting rows(m_postgres->dsn());
        {
            const test::BrokenDisk broken(path);
            QVERIFY(broken.ok());
            other.exec("COMMIT");
            QTRY_VERIFY_WITH_TIMEOUT(store->status().lastError.find("cannot read the journal") != std::string::npos, 10000);
            QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
            rows.exec("BEGIN");
            rows.exec("LOCK TABLE signalbox.decisions IN SHARE MODE");
        }
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
        QCOMPARE(store->status().backlogRecords, std::uint64_t{4});
        QCOMPARE(store->status().unsettled, std::uint64_t{4});
        rows.exec("COMMIT");
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 10000);
        QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("4"));
    }

    // The same of what this process wrote: a record that is lost is not on its way for good.
    void whatIsDamagedIsNoBacklog() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        PgWriting other(m_postgres->dsn());
        holdUp(*store, *sink, other);
        const auto path = onlySegment(station);
        const auto second = static_cast<std::streamoff>(std::filesystem::file_size(path));
        for (std::uint64_t n = 2; n < 5; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));  // not read yet
        QCOMPARE(store->status().backlogRecords, std::uint64_t{4});
        QCOMPARE(store->status().unsettled, std::uint64_t{4});
        {
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(second + 40);
            file << "#";
        }
        other.exec("COMMIT");
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("3"));
        const EvidenceStatus status = store->status();
        QCOMPARE(status.recorded, std::uint64_t{4});
        QCOMPARE(status.stored, std::uint64_t{3});
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
        QCOMPARE(status.unsettled, std::uint64_t{0});
        QVERIFY(status.damagedBytes > 100);
    }

    void leftOversAreCountedApart() {
        Station station(*m_postgres);
        makeSchema(station);
        leaveBehind(station, 5);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        const auto store = station.open();  // reads nothing before it is connected
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 5; n < 8; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QTRY_COMPARE_WITH_TIMEOUT(store->status().backlogRecords, std::uint64_t{8}, 10000);
        QCOMPARE(store->status().unsettled, std::uint64_t{8});
        other.exec("COMMIT");
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("8"));
        const EvidenceStatus status = store->status();
        QCOMPARE(status.recorded, std::uint64_t{3});
        QCOMPARE(status.stored, std::uint64_t{3});
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
        QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 10000);
    }

    // Nothing is stepped over, and what is said ends with the trouble.
    void aDiskThatCannotBeReadIsSaidAndReadLater() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        PgWriting other(m_postgres->dsn());
        holdUp(*store, *sink, other);
        QVERIFY(sink->append(sampleRecord(test::kStart, 2)));  // not read yet
        const auto said = [&] { return QString::fromStdString(store->status().lastError); };
        {
            const test::BrokenDisk broken(onlySegment(station));
            QVERIFY(broken.ok());
            other.exec("COMMIT");
            QTRY_VERIFY_WITH_TIMEOUT(said().contains(QStringLiteral("cannot read the journal")), 10000);
            QCOMPARE(store->status().backlogRecords, std::uint64_t{1});
            // Nobody waits for what may never be given.
            QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 10000);
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(QStringLiteral("can be read again")), 5000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("2"));
    }
};

QTEST_APPLESS_MAIN(TestStorePositions)
#include "tst_store_positions.moc"
