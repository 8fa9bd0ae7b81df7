// SPDX-License-Identifier: MIT
#include "router/evidence/copy_line.h"
#include "router/evidence/frame.h"
#include "tests/router/evidence/odd_records.h"
#include "tests/router/evidence/store_station.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <set>

using namespace signalbox;
using namespace signalbox::evidence;
using test::sampleRecord;
using test::Station;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 20s;

DecisionRecord variedRecord(std::uint64_t n) {
    DecisionRecord record = sampleRecord(test::kStart + std::chrono::milliseconds(700 * n), n);
    if (n % 3 == 1) record.presetKey.reset(), record.ruleIndex.reset(), record.coverage = "none", record.family.reset();
    if (n % 5 == 2) record.outcome = Outcome::failed, record.status = 502, record.firstContentMs.reset();
    if (n % 7 == 3) record.origin = Origin::probe;
    if (n % 4 == 0) record.endpointId = "other:endpoint\\";
    record.requestedModel = "model\t\\" + std::to_string(n) + std::string("\0\n", 2);
    return record;
}

/// A segment as an earlier version left it: receipts alone, under its own header.
void leaveEarlierJournal(const std::filesystem::path& folder, const std::vector<std::string>& receipts) {
    std::filesystem::create_directories(folder);
    std::string bytes = "SBJRNL1\n";
    for (const std::string& receipt : receipts) appendFrame(bytes, receipt, FrameKind::record);
    std::ofstream(folder / "0123456789abcdef.journal", std::ios::binary) << bytes;
}

}  // namespace

class TestStore : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    QString value(const char* sql) const { return QString::fromStdString(m_postgres->value(sql)); }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }
    void init() {
        QVERIFY(m_postgres->start());
        m_postgres->clear();
    }
    void cleanupTestCase() { m_postgres.reset(); }

    void everyRecordBecomesOneRowThatDecodesToIt() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        std::map<std::string, std::string> expected;
        for (std::uint64_t n = 0; n < 300; ++n) {
            const auto record = variedRecord(n);
            expected.emplace(record.id.text().substr(4), encodeRecord(record));
            QVERIFY(sink->append(record));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        const auto ids = m_postgres->column("SELECT replace(id::text, '-', '') FROM signalbox.decisions ORDER BY id");
        const auto receipts = m_postgres->column("SELECT receipt FROM signalbox.decisions ORDER BY id");
        QCOMPARE(ids.size(), expected.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(QString::fromStdString(receipts[i]), QString::fromStdString(expected.at(ids[i])));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions WHERE preset IS NULL AND rule_index IS NULL"), QStringLiteral("100"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions WHERE endpoint = E'other:endpoint\\\\'"), QStringLiteral("75"));
        const auto status = store->status();
        QCOMPARE(status.stored, std::uint64_t{300});
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
        QCOMPARE(toString(status.state), std::string_view("ready"));
        QCOMPARE(QString::fromStdString(status.where), QStringLiteral("server named by $TEST_DSN"));
    }

    // An upgrade finds what the version before it had not stored yet.
    void aJournalOfAnEarlierVersionIsStored() {
        Station station(*m_postgres);
        std::vector<std::string> receipts;
        for (std::uint64_t n = 0; n < 50; ++n) receipts.push_back(encodeRecord(variedRecord(n)));
        receipts.insert(receipts.begin() + 20, R"({"id":"nobody's"})");
        leaveEarlierJournal(station.folder.path() / "journal", receipts);
        {
            const auto store = station.open();
            QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
            QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
            QCOMPARE(store->status().stored, std::uint64_t{0});  // since start, of what this process recorded
        }
        const auto columns = m_postgres->column("SELECT (d - 'receipt' - 'id')::text FROM (SELECT to_jsonb(x) AS d FROM signalbox.decisions x) y ORDER BY d ->> 'id'");
        const auto stored = m_postgres->column("SELECT receipt FROM signalbox.decisions ORDER BY id");
        const auto sums = m_postgres->column("SELECT x::text FROM signalbox.rollup_minute x ORDER BY 1");
        receipts.erase(receipts.begin() + 20);
        std::sort(receipts.begin(), receipts.end());
        auto sorted = stored;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(sorted == receipts);
        std::ifstream aside(station.folder.path() / "journal" / "unreadable-records.jsonl");
        std::string line;
        QVERIFY(std::getline(aside, line) && line == R"({"id":"nobody's"})");

        // The same records of this version make the same rows and sums.
        m_postgres->clear();
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < 50; ++n) QVERIFY(sink->append(variedRecord(n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QVERIFY(m_postgres->column("SELECT (d - 'receipt' - 'id')::text FROM (SELECT to_jsonb(x) AS d FROM signalbox.decisions x) y ORDER BY d ->> 'id'") == columns);
        QVERIFY(m_postgres->column("SELECT x::text FROM signalbox.rollup_minute x ORDER BY 1") == sums);
    }

    // Whatever a client may have written into its texts: PostgreSQL gets it as the receipt has it.
    void oddRecordsAreStoredAsTheirReceiptsSay() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        test::OddRecords records(2026, true);
        std::map<std::string, std::string> expected;
        for (int n = 0; n < 400; ++n) {
            const auto record = records.next(test::kStart + std::chrono::milliseconds(n));
            expected.emplace(record.id.text().substr(4), encodeRecord(record));
            QVERIFY(sink->append(record));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QVERIFY2(store->status().lastError.empty(), store->status().lastError.c_str());
        const auto column = [&](const std::string& name) { return m_postgres->column("SELECT " + name + " FROM signalbox.decisions ORDER BY id"); };
        const auto ids = column("replace(id::text, '-', '')");
        const auto receipts = column("receipt");
        const auto models = column("requested_model");
        const auto families = column("family");
        const auto groups = column("route_group");
        const auto attempts = column("attempts");
        QCOMPARE(ids.size(), expected.size());
        const auto shown = [](const std::optional<std::string>& text) { return QByteArray::fromStdString(text ? storable(*text) : "(null)"); };
        for (std::size_t i = 0; i < ids.size(); ++i) {
            QCOMPARE(QByteArray::fromStdString(receipts[i]), QByteArray::fromStdString(expected.at(ids[i])));
            const DecisionRecord record = decodeRecord(receipts[i]).value();
            QCOMPARE(QByteArray::fromStdString(models[i]), shown(record.requestedModel));
            QCOMPARE(QByteArray::fromStdString(families[i]), shown(record.family));
            QCOMPARE(QByteArray::fromStdString(groups[i]), shown(record.group ? std::optional(record.group->groupId) : std::nullopt));
            QCOMPARE(attempts[i], std::to_string(record.attempts.size()));
        }
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("400"));
        QCOMPARE(value("SELECT sum(calls) FROM signalbox.call_hour"), value("SELECT sum(attempts) FROM signalbox.decisions"));
    }

    // F76: counters reconcile with rows.
    void rollupsEqualTheRows_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("unit");
        QTest::newRow("minutes") << "rollup_minute" << "minute";
        QTest::newRow("hours") << "rollup_hour" << "hour";
    }
    void rollupsEqualTheRows() {
        QFETCH(QString, table);
        QFETCH(QString, unit);
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < 400; ++n) {
            QVERIFY(sink->append(variedRecord(n)));
            // Several transactions, so that rows of the rollup are added to and not only made.
            if (n % 100 == 99) QVERIFY(store->flush(kPatience));
        }
        const QString rows = QStringLiteral(
            "SELECT date_trunc('%1', created_at), origin, coalesce(preset, ''), coalesce(family, ''), cell,"
            " coalesce(rule_index, -1), coverage, endpoint, outcome, count(*) FROM signalbox.decisions"
            " GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9").arg(unit);
        const QString difference = QStringLiteral("SELECT count(*) FROM ((%1) EXCEPT (SELECT * FROM signalbox.%2)) AS d");
        const QString reverse = QStringLiteral("SELECT count(*) FROM ((SELECT * FROM signalbox.%2) EXCEPT (%1)) AS d");
        QCOMPARE(value(qPrintable(difference.arg(rows, table))), QStringLiteral("0"));
        QCOMPARE(value(qPrintable(reverse.arg(rows, table))), QStringLiteral("0"));
        QCOMPARE(value(qPrintable(QStringLiteral("SELECT sum(requests) FROM signalbox.%1").arg(table))), QStringLiteral("400"));
        QCOMPARE(value(qPrintable(QStringLiteral("SELECT sum(requests) FROM signalbox.latency_%1 WHERE measure = 'first_content'").arg(unit))),
                 value("SELECT count(first_content_ms) FROM signalbox.decisions"));
    }

    void aReceiptIsThereWithinASecond() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        const auto reader = store->makeReader();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        for (std::uint64_t n = 0; n < 3; ++n) {
            const auto record = sampleRecord(test::kStart, n);
            QVERIFY(sink->append(record));
            const auto appended = std::chrono::steady_clock::now();
            while (!reader->find(record.id, nullptr).value())
                QVERIFY(std::chrono::steady_clock::now() - appended < 1s);
        }
    }

    void aRestartGoesOnWhereItStopped() {
        Station station(*m_postgres);
        std::uint64_t n = 0;
        for (int round = 0; round < 4; ++round) {
            const auto store = station.open();
            const auto first = store->makeSink().value();
            const auto second = store->makeSink().value();
            for (int i = 0; i < 100; ++i, ++n) QVERIFY((n % 2 == 0 ? first : second)->append(sampleRecord(test::kStart, n)));
            if (round % 2 == 0) QVERIFY(store->flush(kPatience));
            station.clock.advance(1s);
        }
        const auto store = station.open();
        QVERIFY(store->flush(kPatience));
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.decisions"), QStringLiteral("400 400"));
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("400"));
        QTRY_COMPARE_WITH_TIMEOUT(store->status().journalBytes, std::uint64_t{0}, 5000);
        QTRY_COMPARE_WITH_TIMEOUT(value("SELECT count(*) FROM signalbox.journal_progress"), QStringLiteral("0"), 5000);
    }

    void aStoppedDatabaseLosesNothingAndComesBackByItself() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        std::uint64_t n = 0;
        const auto append = [&](int count) {
            for (int i = 0; i < count; ++i, ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        };
        append(200);
        QVERIFY(store->flush(kPatience));
        append(200);
        QVERIFY(m_postgres->stop());
        append(200);
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("unavailable"), 10000);
        QVERIFY(!store->flush(50ms));
        const auto status = store->status();
        QVERIFY2(QString::fromStdString(status.lastError).contains(QStringLiteral("$TEST_DSN")), status.lastError.c_str());
        QVERIFY(status.backlogRecords >= 200);
        append(200);
        QVERIFY(m_postgres->start());
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.decisions"), QStringLiteral("800 800"));
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_hour"), QStringLiteral("800"));
        QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
        QCOMPARE(toString(store->status().state), std::string_view("ready"));
    }

    // The connection dies under the writer at any moment, also between the server's commit and our hearing of it.
    void aKilledConnectionDoublesNothing() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        for (std::uint64_t n = 0; n < 3000; ++n) {
            QVERIFY(sink->append(sampleRecord(test::kStart, n)));
            if (n % 100 == 0)
                (void)m_postgres->column("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signalbox'");
        }
        QVERIFY2(store->flush(60s), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.decisions"), QStringLiteral("3000 3000"));
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("3000"));
        QCOMPARE(value("SELECT sum(calls) FROM signalbox.call_minute"), QStringLiteral("3000"));
    }

    void aRefusedRecordDoesNotHoldUpTheOthers() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < 20; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QVERIFY(sink->append(sampleRecord(test::kStart, 5)));  // the same id again
        DecisionRecord impossible = sampleRecord(test::kStart, 99);
        impossible.createdAt = Timestamp{};
        QVERIFY(sink->append(impossible));
        for (std::uint64_t n = 20; n < 40; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("40"));
        QVERIFY2(QString::fromStdString(store->status().lastError).contains(QStringLiteral("unreadable-records.jsonl")),
                 store->status().lastError.c_str());
        std::ifstream aside(station.options.journalFolder / "unreadable-records.jsonl");
        int lines = 0;
        for (std::string line; std::getline(aside, line);) ++lines;
        QCOMPARE(lines, 2);
        // They are rows no more than they are on their way.
        const EvidenceStatus status = store->status();
        QCOMPARE(status.recorded, std::uint64_t{42});
        QCOMPARE(status.stored, std::uint64_t{40});
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
    }

    // A value too large for an index is refused for ever, as a bad one is: 54000, not 22 or 23.
    void aRecordTooLargeForAnIndexIsSetAside() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        FastRandom random(1);
        for (std::uint64_t n = 0; n < 300; ++n) {
            DecisionRecord record = sampleRecord(test::kStart, n);
            if (n == 150)  // random, or it would be compressed
                for (int i = 0; i < 200; ++i) record.endpointId += DecisionId::make(test::kStart, random).text();
            QVERIFY(sink->append(record));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("299"));
        QCOMPARE(store->status().stored, std::uint64_t{299});
        QCOMPARE(store->status().backlogRecords, std::uint64_t{0});
        QVERIFY(std::filesystem::exists(station.options.journalFolder / "unreadable-records.jsonl"));
    }

    void aPartitionDroppedByAnotherGatewayIsMadeAnew() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeSink().value();
        QVERIFY(sink->append(sampleRecord(test::kStart, 1)));
        QVERIFY(store->flush(kPatience));
        (void)m_postgres->column("DROP TABLE signalbox.decisions_20251129");
        for (std::uint64_t n = 2; n < 12; ++n) QVERIFY(sink->append(sampleRecord(test::kStart, n)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("10"));
        QVERIFY(!std::filesystem::exists(station.options.journalFolder / "unreadable-records.jsonl"));
    }

    // Connecting works, storing does not (a full disk, a missing right): no storm of connections, and closing works.
    void aDatabaseThatRefusesEverythingIsAskedSeldom() {
        Station station(*m_postgres);
        auto store = station.open();
        auto sink = store->makeSink().value();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        (void)m_postgres->column("ALTER TABLE signalbox.decisions RENAME TO elsewhere");
        const int before = value("SELECT sessions FROM pg_stat_database WHERE datname = 'postgres'").toInt();
        QVERIFY(sink->append(sampleRecord(test::kStart, 1)));
        QTest::qWait(3000);
        QCOMPARE(toString(store->status().state), std::string_view("unavailable"));
        const int sessions = value("SELECT sessions FROM pg_stat_database WHERE datname = 'postgres'").toInt() - before;
        QVERIFY2(sessions < 20, std::to_string(sessions).c_str());
        QElapsedTimer closing;
        closing.start();
        sink.reset();
        store.reset();
        QVERIFY2(closing.elapsed() < 5000, std::to_string(closing.elapsed()).c_str());
        (void)m_postgres->column("ALTER TABLE signalbox.elsewhere RENAME TO decisions");
        store = station.open();
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("1"));
    }

    // A server that is stopped in the middle neither answers nor fails.
    void aFrozenServerDoesNotHoldUpClosing() {
        Station station(*m_postgres);
        auto store = station.open();
        auto sink = store->makeSink().value();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        const int backend = value("SELECT pid FROM pg_stat_activity WHERE application_name = 'signalbox'").toInt();
        QVERIFY(backend > 0 && ::kill(backend, SIGSTOP) == 0);
        QVERIFY(sink->append(sampleRecord(test::kStart, 1)));
        QVERIFY(!store->flush(300ms));
        QElapsedTimer closing;
        closing.start();
        sink.reset();
        store.reset();
        const auto took = closing.elapsed();
        QCOMPARE(::kill(backend, SIGCONT), 0);
        QVERIFY2(took < 8000, std::to_string(took).c_str());
        store = station.open();
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("1"));
    }

    void retentionDropsWholeDaysAndTheirRollups() {
        Station station(*m_postgres);
        station.options.retentionDays = 30;
        const auto days = [](int count) { return std::chrono::hours(24 * count); };
        {
            const auto store = station.open();
            const auto sink = store->makeSink().value();
            for (int day = 0; day < 5; ++day) QVERIFY(sink->append(sampleRecord(test::kStart + days(day), static_cast<std::uint64_t>(day))));
            QVERIFY(store->flush(kPatience));
            QCOMPARE(value("SELECT count(*) FROM signalbox.rollup_minute"), QStringLiteral("5"));
        }
        station.clock.advance(days(32));  // the first two days are now too old
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("3"), 10000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.rollup_hour"), QStringLiteral("3"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.rollup_minute"), QStringLiteral("0"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.latency_hour"), QStringLiteral("6"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.call_hour"), QStringLiteral("3"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.call_minute"), QStringLiteral("0"));
        QCOMPARE(value("SELECT to_regclass('signalbox.decisions_20251129') IS NULL"), QStringLiteral("t"));
        QCOMPARE(value("SELECT to_regclass('signalbox.decisions_20251201') IS NULL"), QStringLiteral("f"));
    }

    void partitionsAreMadeAhead() {
        Station station(*m_postgres);
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("ready"), 10000);
        QCOMPARE(value("SELECT count(*) FROM pg_inherits WHERE inhparent = 'signalbox.decisions'::regclass"), QStringLiteral("4"));
    }

    void twoGatewaysShareAServer() {
        Station a(*m_postgres);
        Station b(*m_postgres);
        const auto storeA = a.open();
        const auto storeB = b.open();
        const auto sinkA = storeA->makeSink().value();
        const auto sinkB = storeB->makeSink().value();
        for (std::uint64_t n = 0; n < 500; ++n) {
            QVERIFY(sinkA->append(sampleRecord(test::kStart, 2 * n)));
            QVERIFY(sinkB->append(sampleRecord(test::kStart, 2 * n + 1)));
        }
        QVERIFY2(storeA->flush(kPatience), storeA->status().lastError.c_str());
        QVERIFY2(storeB->flush(kPatience), storeB->status().lastError.c_str());
        QCOMPARE(value("SELECT sum(requests) FROM signalbox.rollup_minute"), QStringLiteral("1000"));
        QCOMPARE(value("SELECT sum(calls) FROM signalbox.call_hour"), QStringLiteral("1000"));
    }

    void aNewerSchemaIsLeftAlone() {
        (void)m_postgres->column("CREATE SCHEMA signalbox");
        (void)m_postgres->column("CREATE TABLE signalbox.schema_migration (version integer PRIMARY KEY, applied_at timestamptz DEFAULT now())");
        (void)m_postgres->column("INSERT INTO signalbox.schema_migration VALUES (9999)");
        Station station(*m_postgres);
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("unavailable"), 10000);
        QVERIFY2(QString::fromStdString(store->status().lastError).contains(QStringLiteral("newer Signalbox")),
                 store->status().lastError.c_str());
    }

    void badServersAreNamedWithoutTheirPassword_data() {
        QTest::addColumn<QString>("dsn");
        QTest::addColumn<QString>("says");
        QTest::newRow("nobody listens") << "host=/nonexistent password=hunter2 dbname=x" << "$TEST_DSN";
        QTest::newRow("not a connection string") << "hunter2" << "not a connection string";
        QTest::newRow("variable not set") << "" << "is empty";
    }
    void badServersAreNamedWithoutTheirPassword() {
        QFETCH(QString, dsn);
        QFETCH(QString, says);
        Station station(*m_postgres);
        station.options.dsn = dsn.toStdString();
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(toString(store->status().state), std::string_view("unavailable"), 10000);
        const QString text = QString::fromStdString(store->status().lastError);
        QVERIFY2(text.contains(says) && !text.contains(QStringLiteral("hunter2")), qPrintable(text));
        const auto sink = store->makeSink().value();
        QVERIFY(sink->append(sampleRecord(test::kStart, 1)));
        const auto answer = store->makeReader()->summary({}, nullptr);
        QVERIFY(!answer.has_value());
        QVERIFY(!QString::fromStdString(answer.error().text()).contains(QStringLiteral("hunter2")));
    }
};

QTEST_APPLESS_MAIN(TestStore)
#include "tst_store.moc"
