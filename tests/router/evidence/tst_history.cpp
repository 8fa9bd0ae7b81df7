// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>
#include <algorithm>
#include <functional>
#include <thread>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kRecords = 1200;
/// A client may ask for any text; no column of a database can hold this one as it is.
const std::string kNulModel("a\0'b", 4);

/// Three days of requests, four a minute at times, with everything that a filter can tell apart.
DecisionRecord historyRecord(std::uint64_t n) {
    DecisionRecord record = test::sampleRecord(test::kStart + std::chrono::seconds(215 * (n / 3)), n);
    const char* presets[] = {"a-k1", "b-k4", "c-k4 历史"};
    record.presetKey = presets[n % 3];
    record.ruleIndex = static_cast<std::uint32_t>(n % 7);
    record.family = n % 2 == 0 ? "even" : "odd";
    record.endpointId = n % 10 == 0 ? "" : "ep:" + std::to_string(n % 4);
    if (n % 6 == 1) record.coverage = "default", record.ruleIndex.reset();
    if (n % 6 == 2) record.coverage = "gap", record.ruleIndex.reset(), record.gapIndex = 0;
    if (n % 12 == 3) record.coverage = "none", record.ruleIndex.reset(), record.presetKey.reset();
    record.outcome = static_cast<Outcome>(n % 11 < 8 ? 0 : n % 11 - 7);
    if (record.outcome != Outcome::served) record.firstContentMs.reset();
    if (n % 5 == 2) record.team = "blue";
    if (n % 5 == 4) record.team.clear();
    if (n % 4 == 1) record.requestedModel = "auto";
    if (n % 17 == 3) record.requestedModel = kNulModel;
    record.features.model = record.requestedModel;
    if (n % 13 == 0) record.origin = Origin::probe;
    if (n % 13 == 1) record.origin = Origin::demo;
    return record;
}

using Predicate = std::function<bool(const DecisionRecord&)>;

bool isShownByDefault(const DecisionRecord& record) {
    return record.origin == Origin::traffic || record.origin == Origin::demo;
}

}  // namespace
Q_DECLARE_METATYPE(signalbox::evidence::HistoryFilter)
Q_DECLARE_METATYPE(Predicate)

class TestHistory : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;
    std::vector<DecisionRecord> m_records;  // newest first
    EvidenceOptions m_options;

    std::unique_ptr<HistoryReader> reader(std::chrono::milliseconds timeout = 10s) const {
        return std::make_unique<PgHistoryReader>(std::make_shared<Database>(m_options), ReaderOptions{.statementTimeout = timeout});
    }
    std::vector<const DecisionRecord*> expected(const Predicate& keep) const {
        std::vector<const DecisionRecord*> out;
        for (const auto& record : m_records)
            if (keep(record)) out.push_back(&record);
        return out;
    }
    static TimeRange everything() { return {test::kStart, test::kStart + 72h}; }

    static void filters() {
        QTest::addColumn<HistoryFilter>("filter");
        QTest::addColumn<Predicate>("keep");
        const auto row = [](const char* name, HistoryFilter filter, Predicate keep) {
            QTest::newRow(name) << filter << keep;
        };
        const TimeRange middle{test::kStart + 10h, test::kStart + 30h};
        row("none", {}, isShownByDefault);
        row("range", {.range = middle}, [=](const auto& r) {
            return isShownByDefault(r) && r.createdAt >= middle.from && r.createdAt < middle.to;
        });
        row("preset", {.presetKey = "c-k4 历史"}, [](const auto& r) { return isShownByDefault(r) && r.presetKey == "c-k4 历史"; });
        row("no preset", {.presetKey = ""}, [](const auto& r) { return isShownByDefault(r) && !r.presetKey; });
        row("rule", {.ruleIndex = 4}, [](const auto& r) { return isShownByDefault(r) && r.ruleIndex == 4u; });
        row("family", {.family = "odd"}, [](const auto& r) { return isShownByDefault(r) && r.family == "odd"; });
        row("gap", {.coverage = "gap"}, [](const auto& r) { return isShownByDefault(r) && r.coverage == "gap"; });
        row("nothing covers it", {.coverage = "none"}, [](const auto& r) { return isShownByDefault(r) && r.coverage == "none"; });
        row("outcome", {.outcome = Outcome::cancelled}, [](const auto& r) { return isShownByDefault(r) && r.outcome == Outcome::cancelled; });
        row("endpoint", {.endpointId = "ep:3"}, [](const auto& r) { return isShownByDefault(r) && r.endpointId == "ep:3"; });
        row("no endpoint", {.endpointId = ""}, [](const auto& r) { return isShownByDefault(r) && r.endpointId.empty(); });
        row("team", {.team = "blue"}, [](const auto& r) { return isShownByDefault(r) && r.team == "blue"; });
        row("no team", {.team = ""}, [](const auto& r) { return isShownByDefault(r) && r.team.empty(); });
        row("model asked for", {.requestedModel = "auto"}, [](const auto& r) { return isShownByDefault(r) && r.requestedModel == "auto"; });
        row("a model that no column can hold", {.requestedModel = kNulModel}, [](const auto& r) { return isShownByDefault(r) && r.requestedModel == kNulModel; });
        row("team and model in a range", {.range = middle, .team = "blue", .requestedModel = "auto"}, [=](const auto& r) {
            return isShownByDefault(r) && r.createdAt >= middle.from && r.createdAt < middle.to && r.team == "blue" && r.requestedModel == "auto";
        });
        row("a team with quotes is text", {.team = "x' OR 'a'='a"}, [](const auto&) { return false; });
        row("probes too", {.includeSimulations = true}, [](const auto&) { return true; });
        row("several", {.range = middle, .family = "even", .coverage = "rule", .outcome = Outcome::served}, [=](const auto& r) {
            return isShownByDefault(r) && r.createdAt >= middle.from && r.createdAt < middle.to && r.family == "even" &&
                   r.coverage == "rule" && r.outcome == Outcome::served;
        });
        row("quotes are text", {.presetKey = "x' OR 'a'='a"}, [](const auto&) { return false; });
    }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
        m_options.dsn = m_postgres->dsn();
        m_options.dsnName = "$TEST_DSN";
    }

    void aFreshDatabaseAnswersWithNothing() {
        const auto fresh = reader();
        QCOMPARE(fresh->page({}, std::nullopt, 10, nullptr).value().rows.size(), std::size_t{0});
        QVERIFY(!fresh->find(test::sampleRecord(test::kStart, 1).id, nullptr).value());
        QCOMPARE(fresh->presetsOverTime({}, 100, nullptr).value().total, std::uint64_t{0});
        QCOMPARE(fresh->summary({}, nullptr).value().requests, std::uint64_t{0});
        QCOMPARE(fresh->cellHits("even", {}, nullptr).value().total, std::uint64_t{0});
    }

    // The reader sees the tables come into being without being told.
    void recordsAreStored() {
        test::OpenTemporaryFolder folder;
        test::ManualClock clock(test::kStart + 72h);
        EvidenceOptions options = m_options;
        options.journalFolder = folder.path();
        const auto store = openEvidence(options, clock).value();
        const auto sink = store->makeSink().value();
        for (std::uint64_t n = 0; n < kRecords; ++n) {
            m_records.push_back(historyRecord(n));
            QVERIFY(sink->append(m_records.back()));
        }
        QVERIFY2(store->flush(20s), store->status().lastError.c_str());
        std::sort(m_records.begin(), m_records.end(), [](const auto& a, const auto& b) {
            return std::tie(a.createdAt, a.id) > std::tie(b.createdAt, b.id);
        });
    }

    // F91: by key, so that no page repeats or skips a row, whatever its size.
    void pagesHoldEveryRowOnce_data() {
        QTest::addColumn<int>("limit");
        for (const int limit : {1, 7, 100, 1000}) QTest::addRow("%d rows a page", limit) << limit;
    }
    void pagesHoldEveryRowOnce() {
        QFETCH(int, limit);
        const auto history = reader();
        const HistoryFilter filter{.range = limit == 1 ? TimeRange{test::kStart, test::kStart + 1h} : TimeRange{}, .includeSimulations = true};
        const auto wanted = expected([&](const auto& r) { return limit != 1 || r.createdAt < test::kStart + 1h; });
        std::optional<PageKey> after;
        std::size_t seen = 0;
        do {
            const auto page = history->page(filter, after, static_cast<std::size_t>(limit), nullptr);
            QVERIFY2(page.has_value(), page ? "" : page.error().text().c_str());
            for (const auto& row : page->rows) QCOMPARE(row.id, wanted.at(seen++)->id);
            after = page->next;
        } while (after);
        QCOMPARE(seen, wanted.size());
    }

    void everyFilterFindsItsRows_data() { filters(); }
    void everyFilterFindsItsRows() {
        QFETCH(HistoryFilter, filter);
        QFETCH(Predicate, keep);
        const auto wanted = expected(keep);
        const auto history = reader();
        std::vector<DecisionRecord> rows;
        std::optional<PageKey> after;
        do {
            auto page = history->page(filter, after, 500, nullptr).value();
            rows.insert(rows.end(), page.rows.begin(), page.rows.end());
            after = page.next;
        } while (after);
        QCOMPARE(rows.size(), wanted.size());
        for (std::size_t i = 0; i < rows.size(); ++i) QCOMPARE(encodeRecord(rows[i]), encodeRecord(*wanted[i]));
    }

    void everyFilterCountsItsRows_data() { filters(); }
    void everyFilterCountsItsRows() {
        QFETCH(HistoryFilter, filter);
        QFETCH(Predicate, keep);
        const auto wanted = expected(keep);
        const auto series = reader()->presetsOverTime(filter, 200, nullptr);
        QVERIFY2(series.has_value(), series ? "" : series.error().text().c_str());
        QCOMPARE(series->total, wanted.size());
        std::map<std::pair<std::string, std::int64_t>, std::uint64_t> counts;
        for (const auto* record : wanted)
            ++counts[{record->presetKey.value_or(""),
                      std::chrono::floor<std::chrono::seconds>(record->createdAt).time_since_epoch() / series->bucket}];
        std::uint64_t last = UINT64_MAX;
        for (const auto& line : series->presets) {
            QCOMPARE(line.counts.size(), series->starts.size());
            QVERIFY(line.total <= last);
            last = line.total;
            for (std::size_t i = 0; i < line.counts.size(); ++i)
                QCOMPARE(line.counts[i], (counts[{line.presetKey, std::chrono::floor<std::chrono::seconds>(series->starts[i]).time_since_epoch() / series->bucket}]));
        }
    }

    void bucketsFitTheSpan_data() {
        QTest::addColumn<qint64>("fromMinute");
        QTest::addColumn<qint64>("minutes");
        QTest::addColumn<int>("maxBuckets");
        QTest::addColumn<int>("bucketSeconds");
        QTest::newRow("an hour of the last two days, by the minute") << qint64{71 * 60} << qint64{60} << 60 << 60;
        QTest::newRow("a day of the last two days") << qint64{48 * 60} << qint64{24 * 60} << 100 << 900;
        QTest::newRow("an old hour, by the minute from the rows") << qint64{60} << qint64{60} << 60 << 60;
        QTest::newRow("everything, by the hour") << qint64{0} << qint64{72 * 60} << 600 << 3600;
        QTest::newRow("edges that are no whole hours") << qint64{17} << qint64{71 * 60 + 3} << 100 << 3600;
        QTest::newRow("few buckets") << qint64{0} << qint64{72 * 60} << 4 << 86400;
        QTest::newRow("one bucket") << qint64{0} << qint64{72 * 60} << 1 << 604800;
    }
    void bucketsFitTheSpan() {
        QFETCH(qint64, fromMinute);
        QFETCH(qint64, minutes);
        QFETCH(int, maxBuckets);
        QFETCH(int, bucketSeconds);
        const TimeRange range{test::kStart + std::chrono::minutes(fromMinute), test::kStart + std::chrono::minutes(fromMinute + minutes)};
        const auto series = reader()->presetsOverTime({.range = range}, static_cast<std::size_t>(maxBuckets), nullptr).value();
        QCOMPARE(series.bucket.count(), bucketSeconds);
        QVERIFY(series.starts.size() <= static_cast<std::size_t>(std::max(maxBuckets, 2)));
        QVERIFY(series.starts.front() <= range.from && series.starts.back() < range.to);
        const auto wanted = expected([&](const auto& r) { return isShownByDefault(r) && r.createdAt >= range.from && r.createdAt < range.to; });
        QCOMPARE(series.total, wanted.size());
    }

    void theSummaryAddsUp_data() {
        QTest::addColumn<qint64>("fromMinute");
        QTest::addColumn<qint64>("toMinute");
        QTest::newRow("everything") << qint64{0} << qint64{72 * 60};
        QTest::newRow("last day, from minutes") << qint64{48 * 60 + 7} << qint64{72 * 60};
        QTest::newRow("broken hours at both ends") << qint64{31} << qint64{70 * 60 + 13};
        QTest::newRow("an old short range, from rows") << qint64{100} << qint64{200};
        QTest::newRow("empty") << qint64{90 * 60} << qint64{91 * 60};
    }
    void theSummaryAddsUp() {
        QFETCH(qint64, fromMinute);
        QFETCH(qint64, toMinute);
        const TimeRange range{test::kStart + std::chrono::minutes(fromMinute), test::kStart + std::chrono::minutes(toMinute)};
        const auto summary = reader()->summary(range, nullptr);
        QVERIFY2(summary.has_value(), summary ? "" : summary.error().text().c_str());
        const auto rows = expected([&](const auto& r) { return isShownByDefault(r) && r.createdAt >= range.from && r.createdAt < range.to; });
        const auto count = [&](const Predicate& keep) {
            return static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), [&](const auto* r) { return keep(*r); }));
        };
        QCOMPARE(summary->requests, rows.size());
        QCOMPARE(summary->served, count([](const auto& r) { return r.outcome == Outcome::served; }));
        QCOMPARE(summary->failed, count([](const auto& r) { return r.outcome == Outcome::failed; }));
        QCOMPARE(summary->refused, count([](const auto& r) { return r.outcome == Outcome::refused; }));
        QCOMPARE(summary->cancelled, count([](const auto& r) { return r.outcome == Outcome::cancelled; }));
        QCOMPARE(summary->byRule, count([](const auto& r) { return r.coverage == "rule"; }));
        QCOMPARE(summary->byDefault, count([](const auto& r) { return r.coverage == "default"; }));
        QCOMPARE(summary->gapHits, count([](const auto& r) { return r.coverage == "gap"; }));
        QCOMPARE(summary->uncovered, count([](const auto& r) { return r.coverage == "none"; }));
        QCOMPARE(summary->outsideTable, count([](const auto& r) { return r.coverage == "none" && !r.family; }));
        QCOMPARE(summary->newest.has_value(), !rows.empty());
        if (rows.empty()) return;
        QVERIFY(*summary->newest == rows.front()->createdAt);
        QVERIFY(*summary->oldest == rows.back()->createdAt);
        std::vector<double> latencies;
        for (const auto* row : rows)
            if (row->firstContentMs) latencies.push_back(*row->firstContentMs);
        std::sort(latencies.begin(), latencies.end());
        const double p95 = latencies[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(latencies.size()))) - 1];
        QVERIFY2(std::abs(*summary->firstContentP95Ms - p95) <= 0.02 * p95, qPrintable(QString::number(*summary->firstContentP95Ms)));
    }

    void cellsAreCountedForTheirFamily() {
        const auto cells = reader()->cellHits("odd", everything(), nullptr).value();
        std::array<std::uint64_t, table::kCellCount> wanted{};
        for (const auto* record : expected([](const auto& r) { return isShownByDefault(r) && r.family == "odd"; }))
            ++wanted[record->features.cell.index()];
        QVERIFY(cells.hits == wanted);
        QCOMPARE(reader()->cellHits("nobody", everything(), nullptr).value().total, std::uint64_t{0});
    }

    void oneRecordIsFoundByItsId() {
        const auto history = reader();
        for (const std::size_t i : {std::size_t{0}, m_records.size() / 2, m_records.size() - 1}) {
            const auto found = history->find(m_records[i].id, nullptr).value();
            QVERIFY(found.has_value());
            QCOMPARE(encodeRecord(*found), encodeRecord(m_records[i]));
        }
        QVERIFY(!history->find(test::sampleRecord(test::kStart + 1h, 123456).id, nullptr).value());
    }

    // The plan of a filtered page reads an index, never a whole partition.
    void filteredPagesUseTheirIndex() {
        (void)m_postgres->column("ANALYZE signalbox.decisions");
        for (const char* filter : {"preset = 'a-k1'", "rule_index = 4", "family = 'odd'", "coverage = 'gap'", "outcome = 'failed'", "endpoint = 'ep:3'", "team = 'blue'"}) {
            const std::string sql = "EXPLAIN SELECT receipt FROM signalbox.decisions WHERE " + std::string(filter) +
                                    " AND origin IN ('traffic', 'demo') ORDER BY created_at DESC, id DESC LIMIT 5";
            std::string plan;
            for (const auto& line : m_postgres->column("SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off; " + sql)) plan += line + "\n";
            const std::string column(filter, std::string_view(filter).find(' '));
            QVERIFY2(QString::fromStdString(plan).contains(QString::fromStdString("Index Cond: (" + column)), plan.c_str());
        }
    }

    void aSetTokenStopsAQueryOnTheServer() {
        const auto token = std::make_shared<std::atomic<bool>>(false);
        const auto session = PgSession::open(m_options.dsn, 30s, nullptr).value();
        std::thread withdraw([&] {
            while (m_postgres->value("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'") != "1")
                std::this_thread::yield();
            *token = true;
        });
        const auto start = std::chrono::steady_clock::now();
        const auto rows = session->query("SELECT pg_sleep(25)", {}, token);
        withdraw.join();
        QVERIFY(!rows.has_value());
        QCOMPARE(rows.error().kind, PgFailure::Kind::cancelled);
        QVERIFY(std::chrono::steady_clock::now() - start < 10s);
        // The session goes on.
        QVERIFY(session->isUsable());
        QCOMPARE(session->query("SELECT 5", {}, nullptr)->number(0, 0), std::int64_t{5});
    }

    void aWithdrawnQuestionSaysSo() {
        const auto token = std::make_shared<std::atomic<bool>>(true);
        const auto page = reader()->page({}, std::nullopt, 10, token);
        QVERIFY(!page.has_value());
        QCOMPARE(page.error().kind, ErrorKind::cancelled);
    }

    void aSlowQueryEndsAtItsTimeLimit() {
        const auto session = PgSession::open(m_options.dsn, 100ms, nullptr).value();
        const auto rows = session->query("SELECT pg_sleep(20)", {}, nullptr);
        QVERIFY(!rows.has_value());
        QCOMPARE(rows.error().kind, PgFailure::Kind::timeout);
    }

    void aReaderCannotWrite() {
        const auto session = PgSession::open(m_options.dsn, 5s, nullptr).value();
        QVERIFY(!session->query("DELETE FROM signalbox.decisions", {}, nullptr).has_value());
    }

    void aRestartedServerIsAskedAgain() {
        const auto history = reader();
        QVERIFY(history->summary({}, nullptr).has_value());
        QVERIFY(m_postgres->stop());
        const auto away = history->summary({}, nullptr);
        QVERIFY(!away.has_value());
        QCOMPARE(away.error().kind, ErrorKind::unavailable);
        QVERIFY2(QString::fromStdString(away.error().text()).contains(QStringLiteral("$TEST_DSN")), away.error().text().c_str());
        QVERIFY(m_postgres->start());
        QVERIFY(history->summary({}, nullptr).has_value());
    }

    void cleanupTestCase() { m_postgres.reset(); }
};

QTEST_APPLESS_MAIN(TestHistory)
#include "tst_history.moc"
