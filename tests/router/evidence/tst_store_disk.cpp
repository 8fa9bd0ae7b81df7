// SPDX-License-Identifier: MIT
// What the store says of a segment that its disk does not give, and on which threads it reads.
#include "router/evidence/pg_writing.h"
#include "tests/router/evidence/bad_sector.h"
#include "tests/router/evidence/journal_files.h"

#include <QTest>
#include <thread>

using namespace signalbox;
using namespace signalbox::evidence;
using test::ReadsByPolicy;
using test::sampleRecord;
using test::Station;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 20s;
constexpr std::uint64_t kMoreThanABatch = 4200;
constexpr const char* kWaiting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'signalbox' AND wait_event_type = 'Lock'";

/// An attempt to store rows waits here, by its number; the first one is then refused. A sequence counts what is rolled back, too.
class Gate {
public:
    Gate(const std::string& dsn, int attempt) : m_session(dsn) {
        m_session.exec("BEGIN");
        m_session.exec("SELECT pg_advisory_xact_lock(" + std::to_string(attempt) + ")");
    }
    void open() { m_session.exec("COMMIT"); }

    static std::string trigger(const std::string& sqlState) {
        return "CREATE SEQUENCE signalbox.attempts; CREATE FUNCTION signalbox.attempt() RETURNS trigger LANGUAGE plpgsql AS"
               " $$ DECLARE n bigint := nextval('signalbox.attempts'); BEGIN PERFORM pg_advisory_xact_lock(n);"
               " IF n = 1 THEN RAISE EXCEPTION 'not these' USING ERRCODE = '" + sqlState + "'; END IF; RETURN NULL; END $$;"
               " CREATE TRIGGER attempt BEFORE INSERT ON signalbox.decisions FOR EACH STATEMENT EXECUTE FUNCTION signalbox.attempt()";
    }

private:
    PgWriting m_session;
};

bool threadsCanGiveWay() {
    int policy = 0;
    std::thread([&policy] {
        const sched_param none{};
        policy = ::sched_setscheduler(0, SCHED_BATCH, &none) == 0 ? ::sched_getscheduler(0) : -1;
    }).join();
    return policy == SCHED_BATCH;
}

}  // namespace

class TestStoreDisk : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    QString value(const std::string& sql) const { return QString::fromStdString(m_postgres->value(sql)); }
    void makeSchema(Station& station, const std::string& sqlState = {}) const {
        {
            const auto store = station.open();
            QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        }
        if (!sqlState.empty()) (void)m_postgres->column(Gate::trigger(sqlState));
    }
    void waitsFor(int attempt) const {
        QTRY_COMPARE_WITH_TIMEOUT(value("SELECT last_value FROM signalbox.attempts"), QString::number(attempt), 10000);
        QTRY_COMPARE_WITH_TIMEOUT(value(kWaiting), QStringLiteral("1"), 10000);
    }
    static QString said(const EvidenceStore& store) { return QString::fromStdString(store.status().lastError); }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }
    void init() { m_postgres->clear(); }
    void cleanupTestCase() { m_postgres.reset(); }

    // A new connection begins with cursors that have tried nothing, and its batch is full before it comes to that segment.
    void whatWasNotTriedCannotBeReadAgain() {
        Station station(*m_postgres);
        makeSchema(station, "P0001");  // such a refusal ends a connection
        Gate first(m_postgres->dsn(), 1), second(m_postgres->dsn(), 2);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        const auto store = station.open();  // reads nothing before it is connected
        const auto busy = store->makeSink().value();
        const auto readFirst = test::onlySegment(station);
        station.clock.advance(1s);  // segments are read in the order of their times
        const auto quiet = store->makeSink().value();
        QVERIFY(busy->append(sampleRecord(test::kStart, 0)) && quiet->append(sampleRecord(test::kStart, 1)));
        {
            const test::BrokenDisk broken(test::onlySegment(station, readFirst));
            QVERIFY(broken.ok());
            other.exec("COMMIT");
            waitsFor(1);
            QVERIFY2(said(*store).contains(QStringLiteral("cannot read the journal")), qPrintable(said(*store)));
            for (std::uint64_t n = 2; n < kMoreThanABatch; ++n) QVERIFY(busy->append(sampleRecord(test::kStart, n)));
            first.open();
            waitsFor(2);
            QVERIFY2(said(*store).contains(QStringLiteral("cannot read the journal")), qPrintable(said(*store)));
        }
        second.open();
        QVERIFY2(store->flush(kPatience), qPrintable(said(*store)));
        QTRY_VERIFY_WITH_TIMEOUT(said(*store).contains(QStringLiteral("can be read again")), 5000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QString::number(kMoreThanABatch));
        QTRY_COMPARE_WITH_TIMEOUT(store->status().unsettled, std::uint64_t{0}, 5000);
    }

    // Rows that are refused as bad data are looked through in small batches, from where the last one was stored.
    void whatStandsBeforeABadSectorSaysNothingOfIt() {
        Station station(*m_postgres);
        makeSchema(station, "22000");
        Gate first(m_postgres->dsn(), 1), second(m_postgres->dsn(), 2);
        const auto path = test::leaveBehind(station, 6);
        PgWriting other(m_postgres->dsn());
        other.exec("BEGIN");
        other.exec("LOCK TABLE signalbox.schema_migration IN ACCESS EXCLUSIVE MODE");
        const auto store = station.open();
        {
            const test::BadSector lastRecord(path, std::filesystem::file_size(path) - 20);
            QVERIFY(lastRecord.ok());
            other.exec("COMMIT");
            first.open();
            waitsFor(2);
            QVERIFY2(said(*store).contains(QStringLiteral("cannot read the journal")), qPrintable(said(*store)));
            QVERIFY2(!store->holdsLeftOvers(), "nobody can wait for a bad disk");
        }
        second.open();
        QVERIFY2(store->flush(kPatience), qPrintable(said(*store)));
        QTRY_VERIFY_WITH_TIMEOUT(said(*store).contains(QStringLiteral("can be read again")), 5000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("6"));
    }

    // From the start on: what is left over is counted before connecting, and anew where the database has some of it already.
    void readingTheJournalInterruptsNobody() {
        if (!threadsCanGiveWay()) QSKIP("a thread may not change its policy here");
        Station station(*m_postgres);
        makeSchema(station);
        const auto path = test::leaveBehind(station, 50);
        (void)m_postgres->column("INSERT INTO signalbox.journal_progress (segment, position) VALUES ('" + path.stem().string() + "', " +
                                 std::to_string(test::endOfFirst(path)) + ")");
        const std::uint64_t usual = ReadsByPolicy::of(SCHED_OTHER), giving = ReadsByPolicy::of(SCHED_BATCH);
        const auto store = station.open();
        QVERIFY2(store->flush(kPatience), qPrintable(said(*store)));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("49"));
        QCOMPARE(ReadsByPolicy::of(SCHED_OTHER), usual);
        QVERIFY(ReadsByPolicy::of(SCHED_BATCH) >= giving + 3);
    }
};

QTEST_APPLESS_MAIN(TestStoreDisk)
#include "tst_store_disk.moc"
