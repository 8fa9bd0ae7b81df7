// SPDX-License-Identifier: MIT
#include "router/evidence/evidence.h"
#include "router/evidence/migrations.h"
#include "tests/router/evidence/sample_events.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;
using test::sampleEvent;
using test::sampleRecord;

namespace {

constexpr auto kPatience = 20s;

struct Station {
    explicit Station(const test::Postgres& postgres) { options.dsn = postgres.dsn(), options.dsnName = "$TEST_DSN"; }
    std::unique_ptr<EvidenceStore> open() {
        options.journalFolder = folder.path() / "journal";
        auto store = openEvidence(options, clock);
        if (!store) qFatal("%s", store.error().text().c_str());
        return std::move(*store);
    }
    test::OpenTemporaryFolder folder;
    test::ManualClock clock{test::kStart};
    EvidenceOptions options;
};

Event eventAt(std::uint64_t n) { return sampleEvent(test::kStart + std::chrono::seconds(n), n); }

std::vector<std::string> wordsOf(const std::vector<Event>& events) {
    std::vector<std::string> out;
    for (const Event& event : events) out.push_back(event.words);
    return out;
}

}  // namespace

/// Events reach PostgreSQL once, beside the decisions, and are found there.
class TestEventHistory : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    QString value(const char* sql) const { return QString::fromStdString(m_postgres->value(sql)); }

    /// Appends records and events until killed and says the number of each event after `append` returned.
    [[noreturn]] static void recordForEver(const EvidenceOptions& options, std::uint64_t first, int acknowledge) {
        const test::ManualClock clock(test::kStart + std::chrono::milliseconds(first));
        auto store = openEvidence(options, clock);
        if (!store) ::_exit(3);
        auto records = (*store)->makeSink().value();
        auto events = (*store)->makeEventSink().value();
        for (std::uint64_t n = first;; ++n) {
            (void)records->append(sampleRecord(test::kStart, n));
            if (events->append(sampleEvent(test::kStart, n)) && ::write(acknowledge, &n, sizeof n) != sizeof n) ::_exit(4);
        }
    }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }
    void init() { m_postgres->clear(); }
    void cleanupTestCase() { m_postgres.reset(); }

    void aDatabaseWithoutThemAnswersWithNothing() {
        Station station(*m_postgres);
        const auto reader = openHistory(station.options).value();
        QVERIFY(reader->events({}, std::nullopt, 10, nullptr).value().rows.empty());
    }

    void everyEventBecomesOneRowThatDecodesToIt() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto events = store->makeEventSink().value();
        const auto records = store->makeSink().value();
        std::vector<Event> expected;
        for (std::uint64_t n = 0; n < 40; ++n) {
            Event event = eventAt(n);
            event.subject = "back\\slash\t" + std::to_string(n) + std::string("\0\\", 2);
            event.words += " \"quoted\" \\";
            event.policyHash = "\\";
            expected.insert(expected.begin(), event);
            QVERIFY(events->append(event));
            QVERIFY(records->append(sampleRecord(test::kStart, n)));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QVERIFY(store->makeReader()->events({}, std::nullopt, 1000, nullptr).value().rows == expected);
        QCOMPARE(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM signalbox.events"), QStringLiteral("40 40"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("40"));
        // Backlog and lamps speak of decisions.
        const auto status = store->status();
        QCOMPARE(status.recorded, std::uint64_t{40});
        QCOMPARE(status.stored, std::uint64_t{40});
        QCOMPARE(status.backlogRecords, std::uint64_t{0});
    }

    void questionsFindTheirEvents_data() {
        QTest::addColumn<int>("limit");
        for (const int limit : {1, 7, 1000}) QTest::addRow("%d a page", limit) << limit;
    }
    void questionsFindTheirEvents() {
        QFETCH(int, limit);
        Station station(*m_postgres);
        const auto store = station.open();
        const auto sink = store->makeEventSink().value();
        std::vector<Event> all;
        for (std::uint64_t n = 0; n < 60; ++n) {
            // Several share their moment: only the id then tells where a page ended.
            all.push_back(sampleEvent(test::kStart + std::chrono::seconds(n / 5), n));
            QVERIFY(sink->append(all.back()));
        }
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        std::sort(all.begin(), all.end(), [](const Event& a, const Event& b) { return std::tie(a.createdAt, a.id) > std::tie(b.createdAt, b.id); });
        const auto reader = store->makeReader();
        const auto expect = [&](const EventFilter& filter, const std::function<bool(const Event&)>& keep) {
            std::vector<std::string> wanted, found;
            for (const Event& event : all)
                if (keep(event)) wanted.push_back(event.words);
            std::optional<EventKey> after;
            do {
                const auto page = reader->events(filter, after, static_cast<std::size_t>(limit), nullptr);
                QVERIFY2(page.has_value(), page ? "" : page.error().text().c_str());
                QVERIFY(page->rows.size() <= static_cast<std::size_t>(limit));
                for (const auto& words : wordsOf(page->rows)) found.push_back(words);
                after = page->next;
            } while (after);
            QVERIFY(!wanted.empty());
            QVERIFY(found == wanted);
        };
        expect({}, [](const Event&) { return true; });
        const TimeRange middle{test::kStart + 3s, test::kStart + 7s};
        expect({.range = middle}, [&](const Event& e) { return e.createdAt >= middle.from && e.createdAt < middle.to; });
        expect({.kinds = {EventKind::killSwitch, EventKind::note}},
               [](const Event& e) { return e.kind == EventKind::killSwitch || e.kind == EventKind::note; });
        expect({.subject = "ep:3"}, [](const Event& e) { return e.subject == "ep:3"; });
        expect({.actor = "operator"}, [](const Event& e) { return e.actor == "operator"; });
        QVERIFY(reader->events({.actor = "operat%"}, std::nullopt, 10, nullptr).value().rows.empty());
        QVERIFY(reader->events({.subject = "x' OR 'a'='a"}, std::nullopt, 10, nullptr).value().rows.empty());
    }

    void aRefusedEventHoldsNothingUp() {
        Station station(*m_postgres);
        const auto store = station.open();
        const auto events = store->makeEventSink().value();
        const auto records = store->makeSink().value();
        for (std::uint64_t n = 0; n < 10; ++n) {
            QVERIFY(events->append(eventAt(n)));
            QVERIFY(records->append(sampleRecord(test::kStart, n)));
        }
        QVERIFY(events->append(eventAt(4)));  // once more
        Event impossible = eventAt(99);
        impossible.createdAt = Timestamp{};
        QVERIFY(events->append(impossible));
        QVERIFY(events->append(eventAt(10)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.events"), QStringLiteral("11"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("10"));
        std::ifstream aside(station.options.journalFolder / "unreadable-records.jsonl");
        int lines = 0;
        for (std::string line; std::getline(aside, line);) ++lines;
        QCOMPARE(lines, 2);
    }

    // F58 and the audit: what an endpoint did goes with the decisions of its time, what people did stays.
    void retentionKeepsWhatPeopleDid() {
        Station station(*m_postgres);
        station.options.retentionDays = 30;
        {
            const auto store = station.open();
            const auto sink = store->makeEventSink().value();
            for (std::uint64_t n = 0; n < kEventKinds.size(); ++n) QVERIFY(sink->append(eventAt(n)));
            QVERIFY(store->flush(kPatience));
            QCOMPARE(value("SELECT count(*) FROM signalbox.events"), QString::number(kEventKinds.size()));
        }
        station.clock.advance(24h * 40);
        const auto store = station.open();
        QTRY_COMPARE_WITH_TIMEOUT(value("SELECT count(*) FROM signalbox.events"), QString::number(kEventKinds.size() - 2), 10000);
        QCOMPARE(value("SELECT count(*) FROM signalbox.events WHERE kind LIKE 'circuit%'"), QStringLiteral("0"));
    }

    // A journal that an older version left behind, into a database that it had made.
    void anOlderVersionsLegacyIsTakenOver() {
        (void)m_postgres->column("CREATE SCHEMA signalbox");
        (void)m_postgres->column("CREATE TABLE signalbox.schema_migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())");
        for (const Migration& migration : migrations()) {
            if (migration.version > 2) break;
            (void)m_postgres->column(std::string(migration.sql));
            (void)m_postgres->column("INSERT INTO signalbox.schema_migration (version) VALUES (" + std::to_string(migration.version) + ")");
        }
        Station station(*m_postgres);
        std::filesystem::create_directories(station.folder.path() / "journal");
        std::string frames;
        for (std::uint64_t n = 0; n < 5; ++n) {
            const std::string record = encodeRecord(sampleRecord(test::kStart, n));
            const auto number = [&](std::uint32_t v) { for (int s = 0; s < 32; s += 8) frames += static_cast<char>(v >> s & 0xff); };
            std::uint32_t crc = 0xffffffffU;  // as the format says: CRC-32 of the payload
            for (const unsigned char c : record) {
                crc ^= c;
                for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
            }
            frames += "SBR1";
            number(static_cast<std::uint32_t>(record.size()));
            number(~crc);
            frames += record;
        }
        std::ofstream(station.folder.path() / "journal" / "0123.journal", std::ios::binary) << "SBJRNL1\n" << frames;
        const auto store = station.open();
        const auto sink = store->makeEventSink().value();
        QVERIFY(sink->append(eventAt(1)));
        QVERIFY2(store->flush(kPatience), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("5"));
        QCOMPARE(value("SELECT count(*) FROM signalbox.events"), QStringLiteral("1"));
    }

    void aKilledProcessDoublesNoneAndLosesNone() {
        Station station(*m_postgres);
        station.options.journalFolder = station.folder.path() / "journal";
        std::set<std::uint64_t> acknowledged;
        for (int round = 0; round < 3; ++round) {
            const std::uint64_t first = static_cast<std::uint64_t>(round) * 1'000'000;
            int ends[2];
            QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
            const pid_t child = ::fork();
            if (child == 0) recordForEver(station.options, first, ends[1]);
            ::close(ends[1]);
            const std::size_t enough = acknowledged.size() + static_cast<std::size_t>(300 + 1500 * round);
            bool killed = false;
            std::uint64_t n = 0;
            while (::read(ends[0], &n, sizeof n) == sizeof n) {
                acknowledged.insert(n);
                if (!killed && acknowledged.size() >= enough) killed = ::kill(child, SIGKILL) == 0;
            }
            ::close(ends[0]);
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY2(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, qPrintable(QString::number(status)));
        }
        station.clock.advance(2h);
        const auto store = station.open();
        QVERIFY2(store->flush(60s), store->status().lastError.c_str());
        const auto rows = value("SELECT count(*) FROM signalbox.events").toULongLong();
        QCOMPARE(value("SELECT count(DISTINCT id) FROM signalbox.events").toULongLong(), rows);
        QCOMPARE(value("SELECT count(DISTINCT id) FROM signalbox.decisions"), value("SELECT count(*) FROM signalbox.decisions"));
        // One a round may be stored though the process died before it could say so.
        QVERIFY(rows >= acknowledged.size() && rows <= acknowledged.size() + 3);
        std::set<std::string> stored;
        for (auto& words : m_postgres->column("SELECT receipt::json->>'words' FROM signalbox.events")) stored.insert(words);
        for (const std::uint64_t n : acknowledged) QVERIFY2(stored.contains("event " + std::to_string(n)), qPrintable(QString::number(n)));
    }
};

QTEST_APPLESS_MAIN(TestEventHistory)
#include "tst_event_history.moc"
