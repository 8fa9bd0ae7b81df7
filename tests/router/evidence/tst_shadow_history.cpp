// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"
#include "router/evidence/sum_sql.h"
#include "tests/router/evidence/group_records.h"
#include "tests/support/fake_history.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <algorithm>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kRecords = 3000;
const Timestamp kNow = test::kStart + 96h;

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }
bool nearSlot(const std::optional<double>& measured, const std::optional<double>& exact) {
    return measured.has_value() == exact.has_value() && (!exact || std::abs(*measured - *exact) <= 0.021 * *exact);
}

/// The same request with a leg that was overtaken; the one that served has its own cost only where its provider counts.
DecisionRecord hedged(DecisionRecord record, bool counted) {
    constexpr double kLost = 0.002;
    if (counted && !record.attempts.empty()) record.attempts.back().costUsd = record.costUsd;
    record.costUsd = counted ? record.costUsd.value_or(0) + kLost : kLost;
    Attempt lost;
    lost.endpointId = "b:y";
    lost.outcome = AttemptOutcome::cancelled;
    lost.reason = "hedge_lost";
    lost.costUsd = kLost;
    record.attempts.insert(record.attempts.begin(), std::move(lost));
    return record;
}

/// Empty when both say the same; else where they part.
QString difference(const ShadowReport& db, const ShadowReport& memory) {
    if (db.bucket != memory.bucket || db.starts != memory.starts) return QStringLiteral("time axis");
    if (db.decisions != memory.decisions || db.disagreements != memory.disagreements) return QStringLiteral("totals");
    const auto sameLine = [](const auto& a, const auto& b) {
        return a.group == b.group && a.profile == b.profile && a.decisions == b.decisions && a.disagreements == b.disagreements;
    };
    if (!std::equal(db.lines.begin(), db.lines.end(), memory.lines.begin(), memory.lines.end(), sameLine)) return QStringLiteral("lines");
    const auto sameSums = [](const EstimateSums& a, const EstimateSums& b) { return near(a.costUsd, b.costUsd) && near(a.latencyMs, b.latencyMs); };
    const auto samePair = [&](const auto& a, const auto& b) {
        return a.group == b.group && a.selected == b.selected && a.recommended == b.recommended && a.decidingTerm == b.decidingTerm &&
               a.decisions == b.decisions && sameSums(a.ofSelected, b.ofSelected) && sameSums(a.ofRecommended, b.ofRecommended);
    };
    if (!std::equal(db.pairs.begin(), db.pairs.end(), memory.pairs.begin(), memory.pairs.end(), samePair)) return QStringLiteral("pairs");
    const auto sameMargin = [](const auto& a, const auto& b) { return a.group == b.group && a.profile == b.profile && a.counts == b.counts; };
    if (!std::equal(db.margins.begin(), db.margins.end(), memory.margins.begin(), memory.margins.end(), sameMargin))
        return QStringLiteral("margins");
    const auto sameServed = [](const auto& a, const auto& b) { return a.mode == b.mode && a.edge == b.edge && a.decisions == b.decisions; };
    if (!std::equal(db.served.begin(), db.served.end(), memory.served.begin(), memory.served.end(), sameServed)) return QStringLiteral("served");
    if (db.affinity != memory.affinity) return QStringLiteral("affinity");
    const auto sameCandidate = [](const ShadowReport::Candidate& a, const ShadowReport::Candidate& b) {
        return a.endpointId == b.endpointId && a.attempts == b.attempts && a.served == b.served && a.failed == b.failed &&
               a.refused == b.refused && a.cancelled == b.cancelled && a.rateLimited == b.rateLimited &&
               a.cutForCooling == b.cutForCooling && a.costCalls == b.costCalls && near(a.costUsd, b.costUsd) &&
               a.timedCalls == b.timedCalls && nearSlot(a.totalP50Ms, b.totalP50Ms) && nearSlot(a.firstContentP50Ms, b.firstContentP50Ms);
    };
    if (!std::equal(db.candidates.begin(), db.candidates.end(), memory.candidates.begin(), memory.candidates.end(), sameCandidate))
        return QStringLiteral("candidates");
    return {};
}

}  // namespace
Q_DECLARE_METATYPE(signalbox::evidence::HistoryFilter)

class TestShadowHistory : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;
    EvidenceOptions m_options;
    std::shared_ptr<std::vector<DecisionRecord>> m_records = std::make_shared<std::vector<DecisionRecord>>();  // oldest first

    std::unique_ptr<HistoryReader> reader() const {
        return std::make_unique<PgHistoryReader>(std::make_shared<Database>(m_options), ReaderOptions{});
    }
    QString value(const std::string& sql) const { return QString::fromStdString(m_postgres->value(sql)); }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
        m_options.dsn = m_postgres->dsn();
        m_options.dsnName = "$TEST_DSN";
    }

    void aFreshDatabaseAnswersWithNothing() {
        const auto report = reader()->shadow({}, 100, nullptr);
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->decisions, std::uint64_t{0});
        QVERIFY(reader()->spentByPrincipal(test::kStart, nullptr).value().empty());
    }

    void recordsAreStored() {
        test::OpenTemporaryFolder folder;
        test::ManualClock clock(kNow);
        EvidenceOptions options = m_options;
        options.journalFolder = folder.path();
        const auto store = openEvidence(options, clock).value();
        const auto sink = store->makeSink().value();
        test::GroupRecords source(20261129);
        for (std::uint64_t n = 0; n < kRecords; ++n) {
            m_records->push_back(source.next(test::kStart + std::chrono::milliseconds(115'000 * n)));
            if (n % 7 == 0) m_records->back() = hedged(m_records->back(), n % 2 == 0);
            QVERIFY(sink->append(m_records->back()));
            if (n % 700 == 699) QVERIFY2(store->flush(20s), store->status().lastError.c_str());
        }
        QVERIFY2(store->flush(20s), store->status().lastError.c_str());
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QString::number(kRecords));
    }

    // F76: what the tables hold is what the rows add up to, of each question.
    void sumsEqualTheRows_data() {
        QTest::addColumn<int>("question");
        for (std::size_t i = 0; i < kQuestions; ++i)
            QTest::newRow(std::string(sumTable(static_cast<Question>(i)).name).c_str()) << static_cast<int>(i);
    }
    void sumsEqualTheRows() {
        QFETCH(int, question);
        const SumTable& table = sumTable(static_cast<Question>(question));
        std::string keys = "origin", sums;
        for (const auto key : table.keys) keys += ", " + std::string(key);
        for (const auto sum : table.sums) sums += ", round(sum(" + std::string(sum) + ")::numeric, 6)";
        const auto grouped = [&](const std::string& from) {
            return "SELECT date_trunc('hour', bucket), " + keys + sums + " FROM " + from + " AS x GROUP BY 1, " + keys;
        };
        const std::string rows = grouped("(" + sumRows(static_cast<Question>(question), {test::kStart, kNow}) + ")");
        const std::string hours = grouped("signalbox." + std::string(table.name) + "_hour");
        QVERIFY(value("SELECT count(*) FROM (" + rows + ") AS d").toInt() > 20);
        QCOMPARE(value("SELECT count(*) FROM ((" + rows + ") EXCEPT (" + hours + ")) AS d"), QStringLiteral("0"));
        QCOMPARE(value("SELECT count(*) FROM ((" + hours + ") EXCEPT (" + rows + ")) AS d"), QStringLiteral("0"));
        if (!table.hasMinutes) return;
        const std::string kept = " WHERE bucket >= (SELECT minutes_from FROM signalbox.retention_state)";
        const std::string minutes = grouped("(SELECT * FROM signalbox." + std::string(table.name) + "_minute" + kept + ")");
        const std::string late = grouped("(SELECT * FROM (" + sumRows(static_cast<Question>(question), {test::kStart, kNow}) + ") AS r" + kept + ")");
        QVERIFY(value("SELECT count(*) FROM (" + minutes + ") AS d").toInt() > 10);
        QCOMPARE(value("SELECT count(*) FROM ((" + minutes + ") EXCEPT (" + late + ")) AS d"), QStringLiteral("0"));
        QCOMPARE(value("SELECT count(*) FROM ((" + late + ") EXCEPT (" + minutes + ")) AS d"), QStringLiteral("0"));
    }

    // Whatever the range (minutes, hours with broken ends, rows) and the filter: memory and database say the same.
    void databaseAndMemoryAgree() {
        const auto history = reader();
        test::FakeHistory memory(m_records);
        FastRandom random(7);
        const auto pick = [&](std::vector<std::optional<std::string>> words) {
            return words[static_cast<std::size_t>(random.unit() * static_cast<double>(words.size()))];
        };
        int spans[3] = {};
        for (int round = 0; round < 60; ++round) {
            ShadowFilter filter;
            const auto minute = [&](double least, double most) { return std::chrono::seconds(static_cast<long>(60 * (least + (most - least) * random.unit()))); };
            if (round % 3 == 0) filter.range = {kNow - minute(1, 47 * 60), kNow};                      // of the minutes
            if (round % 3 == 1) filter.range = {test::kStart + minute(0, 600), kNow - minute(0, 600)};  // hours and rows
            if (round % 3 == 2) filter.range.from = test::kStart + minute(0, 1200), filter.range.to = filter.range.from + minute(1, 360);
            if (round == 1) filter.range = {};
            filter.group = pick({std::nullopt, "auto", "auto-extract", "nobody' --"});
            filter.profile = pick({std::nullopt, std::nullopt, "balanced", "economy"});
            filter.includeSimulations = random.unit() < 0.3;
            // Where a table moved them, or a pool's endpoints; one of them counts for two candidates.
            if (round % 2 == 0) filter.servedBy = {{"a:x", {"b:y", "other:m"}}, {"b:y", {"other:m", "nobody:m"}}};
            const auto maxBuckets = static_cast<std::size_t>(1 + 300 * random.unit());
            const auto fromDb = history->shadow(filter, maxBuckets, nullptr);
            QVERIFY2(fromDb.has_value(), fromDb ? "" : fromDb.error().text().c_str());
            const QString where = difference(*fromDb, memory.shadow(filter, maxBuckets, nullptr).value());
            QVERIFY2(where.isEmpty(), qPrintable(QStringLiteral("round %1: %2 differ").arg(round).arg(where)));
            if (fromDb->disagreements > 0) ++spans[round % 3];
        }
        for (const int seen : spans) QVERIFY(seen >= 5);
    }

    void spendingAgrees_data() {
        QTest::addColumn<qint64>("afterStart");
        QTest::newRow("everything") << qint64{-86400};
        QTest::newRow("a whole hour") << qint64{3600 * 30};
        QTest::newRow("a broken hour") << qint64{3600 * 30 + 1234};
        QTest::newRow("nothing") << qint64{3600 * 24 * 30};
    }
    void spendingAgrees() {
        QFETCH(qint64, afterStart);
        const Timestamp from = test::kStart + std::chrono::seconds(afterStart);
        const auto db = reader()->spentByPrincipal(from, nullptr).value();
        const auto memory = test::FakeHistory(m_records).spentByPrincipal(from, nullptr).value();
        QCOMPARE(db.size(), memory.size());
        for (const auto& [principal, usd] : memory) QVERIFY2(near(db.at(principal), usd), principal.c_str());
    }

    static void filters() {
        QTest::addColumn<HistoryFilter>("filter");
        const auto row = [](const char* name, HistoryFilter filter) { QTest::newRow(name) << filter; };
        row("group", {.group = "auto-extract"});
        row("profile", {.profile = "economy"});
        row("mode", {.mode = "canary_control"});
        row("no group", {.mode = ""});
        row("one cell of the matrix", {.group = "auto", .selected = "a:x", .recommended = "b:y"});
        row("agreement", {.selected = "a:x", .recommended = "a:x"});
        row("name with quotes", {.recommended = "c \"z\\"});
        row("deciding term", {.decidingTerm = "latency"});
        row("disagreement", {.disagreement = true});
        row("no disagreement", {.profile = "balanced", .disagreement = false});
        row("margin", {.marginSlot = 4});
        row("the last margin", {.marginSlot = static_cast<std::uint32_t>(kMarginSlots - 1)});
        row("attempted", {.attempted = "other:m"});
        row("attempted, in a range, simulations too",
            {.range = {kNow - 30h, kNow - 7h}, .attempted = "c \"z\\", .includeSimulations = true});
        row("refused by the group", {.group = "auto", .selected = ""});
        row("team of a group's decisions", {.team = "blue", .group = "auto"});
        row("model asked for, attempted", {.requestedModel = "auto", .attempted = "other:m"});
    }
    void everyFilterFindsAndCountsItsRows_data() { filters(); }
    void everyFilterFindsAndCountsItsRows() {
        QFETCH(HistoryFilter, filter);
        test::FakeHistory memory(m_records);
        const auto wanted = memory.page(filter, std::nullopt, kRecords, nullptr).value().rows;
        QVERIFY(wanted.size() > 10 && wanted.size() < kRecords - 100);
        const auto history = reader();
        std::optional<PageKey> after;
        std::size_t seen = 0;
        do {
            const auto page = history->page(filter, after, 300, nullptr);
            QVERIFY2(page.has_value(), page ? "" : page.error().text().c_str());
            for (const auto& record : page->rows) QCOMPARE(encodeRecord(record), encodeRecord(wanted.at(seen++)));
            after = page->next;
        } while (after);
        QCOMPARE(seen, wanted.size());
        QCOMPARE(history->presetsOverTime(filter, 100, nullptr).value().total, wanted.size());
    }

    // F91: what no index answers is looked for in slices, and a page that ends for that says how far it has come.
    void searchesInSlices_data() {
        QTest::addColumn<HistoryFilter>("filter");
        QTest::newRow("profile") << HistoryFilter{.profile = "economy"};
        QTest::newRow("agreement in a range") << HistoryFilter{.range = {kNow - 40h, kNow - 3h}, .disagreement = false};
        QTest::newRow("an index first") << HistoryFilter{.family = {}, .group = "auto", .profile = "balanced", .selected = "a:x"};
        QTest::newRow("nothing matches") << HistoryFilter{.profile = "nobody's"};
        QTest::newRow("model asked for") << HistoryFilter{.requestedModel = "auto"};
        QTest::newRow("no team") << HistoryFilter{.team = ""};
        QTest::newRow("a team first") << HistoryFilter{.team = "blue", .requestedModel = "auto", .attempted = "other:m"};
    }
    void searchesInSlices() {
        QFETCH(HistoryFilter, filter);
        const auto wanted = test::FakeHistory(m_records).page(filter, std::nullopt, kRecords, nullptr).value().rows;
        ReaderOptions options;
        options.searchTime = 0ms;  // one slice a page
        options.firstSliceRows = 100;
        PgHistoryReader history(std::make_shared<Database>(m_options), options);
        std::optional<PageKey> after;
        std::size_t seen = 0;
        int stops = 0;
        do {
            const auto page = history.page(filter, after, 1000, nullptr);
            QVERIFY2(page.has_value(), page ? "" : page.error().text().c_str());
            for (const auto& record : page->rows) QCOMPARE(encodeRecord(record), encodeRecord(wanted.at(seen++)));
            if (page->searchedTo) {
                ++stops;  // slices grow while they are quick, so there may be few of them
                QVERIFY(page->next && page->next->createdAt == *page->searchedTo);
                QVERIFY(!after || *page->searchedTo <= after->createdAt);
                QVERIFY(page->rows.empty() || *page->searchedTo <= page->rows.back().createdAt);
            }
            after = page->next;
        } while (after);
        QCOMPARE(seen, wanted.size());
        QVERIFY(stops > 0);
        // With time enough nobody has to be told.
        PgHistoryReader patient(std::make_shared<Database>(m_options), ReaderOptions{.searchTime = std::chrono::milliseconds(60s)});
        const auto all = patient.page(filter, std::nullopt, 1000, nullptr).value();
        QVERIFY(!all.searchedTo);
        QCOMPARE(all.rows.size(), std::min<std::size_t>(wanted.size(), 1000));
    }
    // A database that is too slow for a slice gets smaller ones, and the search comes on all the same.
    void slicesShrink() {
        ReaderOptions options;
        options.sliceTime = 1ms;
        options.searchTime = 60s;
        PgHistoryReader history(std::make_shared<Database>(m_options), options);
        const HistoryFilter filter{.profile = "economy"};
        const auto wanted = test::FakeHistory(m_records).page(filter, std::nullopt, 1000, nullptr).value().rows;
        const auto page = history.page(filter, std::nullopt, 1000, nullptr);
        QVERIFY2(page.has_value(), page ? "" : page.error().text().c_str());
        QCOMPARE(page->rows.size(), wanted.size());
    }
    void aSearchCanBeCalledOff() {
        const auto called = std::make_shared<std::atomic<bool>>(true);
        const auto page = reader()->page({.profile = "economy"}, std::nullopt, 100, called);
        QVERIFY(!page && page.error().kind == ErrorKind::cancelled);
    }

    // The plan of a filtered page can read an index for what is rare and lies far back.
    void filteredPagesUseTheirIndex() {
        (void)m_postgres->column("ANALYZE signalbox.decisions");
        const struct {
            HistoryFilter filter;
            const char* index;
        } cases[] = {{{.group = "auto"}, "route_group"},
                     {{.selected = "a:x", .recommended = "b:y"}, "selected_recommended"},
                     {{.decidingTerm = "cost"}, "deciding_term"},
                     {{.mode = "canary_control"}, "mode"},
                     {{.team = "blue"}, "team"}};
        const auto session = PgSession::open(m_options.dsn, 10s, nullptr).value();
        for (const char* off : {"enable_seqscan", "enable_sort", "enable_bitmapscan"})
            QVERIFY(session->query("SET " + std::string(off) + " = off", {}, nullptr).has_value());
        const auto planOf = [&](const HistoryFilter& filter) {
            const Conditions conditions = pageConditions(filter, std::nullopt);
            const auto rows = session->query("EXPLAIN SELECT receipt FROM signalbox.decisions" + conditions.where() +
                                                 " ORDER BY created_at DESC, id DESC LIMIT 5", conditions.parameters(), nullptr);
            std::string plan;
            for (int row = 0; rows && row < rows->count(); ++row) plan += std::string(rows->text(row, 0)) + "\n";
            return QString::fromStdString(plan);
        };
        for (const auto& [filter, index] : cases) {
            const QString plan = planOf(filter);
            QVERIFY2(plan.contains(QStringLiteral("_%1_created_at").arg(QLatin1String(index))), qPrintable(plan));
        }
        const QString disagreements = planOf({.disagreement = true, .marginSlot = 4});
        QVERIFY2(disagreements.contains(QStringLiteral("_created_at_id_idx1")), qPrintable(disagreements));
        QVERIFY(session->query("SET enable_bitmapscan = on", {}, nullptr).has_value());
        QVERIFY(session->query("SET enable_indexscan = off", {}, nullptr).has_value());
        QVERIFY(session->query("SET enable_sort = on", {}, nullptr).has_value());
        const QString attempted = planOf({.attempted = "other:m"});
        QVERIFY2(attempted.contains(QStringLiteral("also_tried_idx")), qPrintable(attempted));
    }

    void cleanupTestCase() { m_postgres.reset(); }
};

QTEST_APPLESS_MAIN(TestShadowHistory)
#include "tst_shadow_history.moc"
