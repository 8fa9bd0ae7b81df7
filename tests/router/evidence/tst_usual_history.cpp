// SPDX-License-Identifier: MIT
// What is usual, and who stands out: the database says the same as the rules applied to the records in memory, whatever
// the range; and the output caps by cell that tell why a rule was missed.
#include "router/evidence/history_reader.h"
#include "router/evidence/usual.h"
#include "tests/router/evidence/group_records.h"
#include "tests/support/fake_history.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kRecords = 4000;
constexpr auto kDays = 30 * 24h;
const Timestamp kNow = test::kStart + kDays;

bool near(const std::optional<double>& measured, const std::optional<double>& exact, double tolerance) {
    return measured.has_value() == exact.has_value() && (!exact || std::abs(*measured - *exact) <= tolerance * std::abs(*exact) + 1e-9);
}

/// Empty when both say the same; else where they part.
QString difference(const TrafficPart& db, const TrafficPart& memory) {
    if (db.requests != memory.requests || db.failed != memory.failed || db.gapHits != memory.gapHits) return QStringLiteral("counts");
    if (db.compared != memory.compared || db.disagreements != memory.disagreements) return QStringLiteral("disagreement");
    if (db.timed != memory.timed || !near(db.firstContentP95Ms, memory.firstContentP95Ms, 0.021)) return QStringLiteral("first content");
    if (db.streamed != memory.streamed || !near(db.tokensPerSecond, memory.tokensPerSecond, 1e-6)) return QStringLiteral("speed");
    if (db.toolCalls != memory.toolCalls || db.toolCallsFit != memory.toolCallsFit || db.toolCallsUnchecked != memory.toolCallsUnchecked)
        return QStringLiteral("tool calls");
    return {};
}

QString difference(const std::map<std::string, TrafficPart>& db, const std::map<std::string, TrafficPart>& memory) {
    if (db.size() != memory.size()) return QStringLiteral("%1 instead of %2 names").arg(db.size()).arg(memory.size());
    for (const auto& [name, part] : memory) {
        if (!db.contains(name)) return QStringLiteral("no ") + QString::fromStdString(name);
        if (const QString differs = difference(db.at(name), part); !differs.isEmpty()) return QString::fromStdString(name) + QStringLiteral(": ") + differs;
    }
    return {};
}

QString difference(const UsualReport& db, const UsualReport& memory) {
    if (db.oldest != memory.oldest || db.sampled != memory.sampled) return QStringLiteral("extent");
    if (const QString now = difference(db.now.all, memory.now.all); !now.isEmpty()) return QStringLiteral("now: ") + now;
    if (const QString teams = difference(db.teams, memory.teams); !teams.isEmpty()) return QStringLiteral("teams: ") + teams;
    if (const QString endpoints = difference(db.endpoints, memory.endpoints); !endpoints.isEmpty()) return QStringLiteral("endpoints: ") + endpoints;
    if (db.before.size() != memory.before.size()) return QStringLiteral("weeks");
    for (std::size_t i = 0; i < db.before.size(); ++i)
        if (const QString week = difference(db.before[i].all, memory.before[i].all); !week.isEmpty()) return QStringLiteral("week %1: ").arg(i + 1) + week;
    return {};
}

}  // namespace

class TestUsualHistory : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;
    EvidenceOptions m_options;
    std::shared_ptr<std::vector<DecisionRecord>> m_records = std::make_shared<std::vector<DecisionRecord>>();  // oldest first

    std::unique_ptr<HistoryReader> reader() const {
        return std::make_unique<PgHistoryReader>(std::make_shared<Database>(m_options), ReaderOptions{});
    }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
        m_options.dsn = m_postgres->dsn();
        m_options.dsnName = "$TEST_DSN";
    }

    void aFreshDatabaseKnowsNoUsual() {
        const auto report = reader()->usual({kNow - 1h, kNow}, nullptr);
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QVERIFY(report->before.empty() && report->teams.empty() && !report->oldest);
        QCOMPARE(report->now.all.requests, std::uint64_t{0});
        QCOMPARE(reader()->cellCaps("qwen", {}, nullptr).value(), CellCaps{});
    }

    void recordsAreStored() {
        test::OpenTemporaryFolder folder;
        test::ManualClock clock(kNow);
        EvidenceOptions options = m_options;
        options.journalFolder = folder.path();
        const auto store = openEvidence(options, clock).value();
        const auto sink = store->makeSink().value();
        test::GroupRecords source(20261130);
        FastRandom random(5);
        for (std::uint64_t n = 0; n < kRecords; ++n) {
            DecisionRecord record = source.next(test::kStart + std::chrono::duration_cast<std::chrono::milliseconds>(kDays) * n / kRecords);
            record.team = std::vector<std::string>{"red", "blue \"quoted\"", ""}[n % 3];
            record.coverage = random.unit() < 0.1 ? "gap" : "rule";
            if (random.unit() < 0.4) record.features.outputCap = 200;
            record.features.stream = n % 5 != 2;  // one that was asked for in one piece has no speed, whenever its content came
            if (n % 4 == 1) {
                record.toolsCalled = static_cast<std::uint32_t>(1 + n % 3);
                record.toolsValidJson = record.toolsCalled - (n % 5 == 0 ? 1 : 0);
                record.toolsFitSchema = n % 7 == 0 ? 0 : record.toolsValidJson;
                record.toolsUnchecked = n % 7 == 0 ? 1 : 0;
            }
            record.clientRequestId = random.unit() < 0.1 ? "\"output_cap\":1,\"tools_called\":9,\"stream\":true" : "c";  // a text is no member
            record.firstContentMs = random.unit() < 0.2 ? std::nullopt : std::optional((random.unit() < 0.3 ? 0.95 : 0.4) * record.totalMs);
            m_records->push_back(record);
            QVERIFY(sink->append(m_records->back()));
            if (n % 900 == 899) QVERIFY2(store->flush(20s), store->status().lastError.c_str());
        }
        QVERIFY2(store->flush(20s), store->status().lastError.c_str());
    }

    void databaseAndMemoryAgree_data() {
        QTest::addColumn<qlonglong>("fromMinutesAgo");
        QTest::addColumn<qlonglong>("minutes");
        QTest::addColumn<int>("weeks");
        QTest::newRow("the last hour") << 60LL << 60LL << 4;
        QTest::newRow("the last day, broken ends") << 1450LL << 1440LL << 4;
        QTest::newRow("three days, of the hours") << 4000LL << 4320LL - 500 << 3;
        QTest::newRow("a week") << 10'080LL << 10'080LL << 3;
        QTest::newRow("more than a week") << 20'000LL << 20'000LL << 0;
        QTest::newRow("an hour of the first week") << 40'000LL << 60LL << 0;
    }
    void databaseAndMemoryAgree() {
        QFETCH(qlonglong, fromMinutesAgo);
        QFETCH(qlonglong, minutes);
        QFETCH(int, weeks);
        const Timestamp from = kNow - std::chrono::minutes(fromMinutesAgo);
        const TimeRange range{from, from + std::chrono::minutes(minutes)};
        const auto report = reader()->usual(range, nullptr);
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QCOMPARE(static_cast<int>(report->before.size()), weeks);
        const auto expected = test::FakeHistory(m_records).usual(range, nullptr);
        QCOMPARE(difference(*report, *expected), QString());
        QVERIFY(report->now.all.requests > 0 && report->now.all.streamed > 0 && !report->endpoints.empty() && !report->teams.empty());
    }

    void capsByCellAgree() {
        for (const TimeRange& range : {TimeRange{kNow - 1h, kNow}, TimeRange{kNow - 500h, kNow - 20h}, TimeRange{}}) {
            const auto caps = reader()->cellCaps("qwen", range, nullptr);
            QVERIFY2(caps.has_value(), caps ? "" : caps.error().text().c_str());
            QCOMPARE(*caps, test::FakeHistory(m_records).cellCaps("qwen", range, nullptr).value());
            QVERIFY(caps->sampled > 0);
        }
        QCOMPARE(reader()->cellCaps("nobody' --", {}, nullptr).value().sampled, std::uint64_t{0});
    }

    void aWithdrawnQuestionEnds() {
        const auto cancelled = std::make_shared<std::atomic<bool>>(true);
        const auto report = reader()->usual({kNow - 1h, kNow}, cancelled);
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().kind, ErrorKind::cancelled);
    }
};

QTEST_APPLESS_MAIN(TestUsualHistory)
#include "tst_usual_history.moc"
