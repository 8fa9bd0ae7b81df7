// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/evidence/evidence.h"
#include "router/evidence/migrations.h"
#include "tests/router/evidence/group_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

/// A text literal.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
    return out + "'";
}

}  // namespace

/// A database that the first schema filled is brought up to date with what it holds.
class TestMigration : public QObject {
    Q_OBJECT
    std::unique_ptr<test::Postgres> m_postgres;

    QString value(const std::string& sql) const { return QString::fromStdString(m_postgres->value(sql)); }
    void run(const std::string& sql) const {
        const auto rows = m_postgres->column(sql);
        QVERIFY2(rows.empty() || !rows.front().starts_with("ERROR"), rows.empty() ? "" : rows.front().c_str());
    }
    /// As the first version's writer would have stored it, in the columns that it had.
    void storeOld(const DecisionRecord& record) const {
        const auto text = [](const std::string& value) { return quoted(value); };
        run("INSERT INTO signalbox.decisions (receipt, id, created_at, origin, target, environment, principal, team, edge,"
            " requested_model, resolved_by, policy_hash, mode, reason, coverage, workload_class, expected_output_length,"
            " concurrency_mode, cell, endpoint, attempts, outcome, status, error_code, queue_ms, total_ms, cost_usd, simulated)"
            " VALUES (" + text(encodeRecord(record)) + ", '" + record.id.text().substr(4) + "', '" + toIso8601(record.createdAt) +
            "', 'traffic', 'local', 'test', " + text(record.principal) + ", 'red', 'openai', 'm', 'table', '', '', 'rule', 'rule',"
            " 'chat', 'short', 'single', 0, " + text(record.endpointId) + ", " + std::to_string(record.attempts.size()) + ", '" +
            std::string(toString(record.outcome)) + "', 200, '', 0, 80, " + (record.costUsd ? std::to_string(*record.costUsd) : "NULL") + ", false)");
    }

private Q_SLOTS:
    void initTestCase() {
        m_postgres = std::make_unique<test::Postgres>();
        QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
    }

    void oldRowsAreKeptAndAnswerWhatTheyCan() {
        run("CREATE SCHEMA signalbox");
        run("CREATE TABLE signalbox.schema_migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())");
        run(std::string(migrations().front().sql));
        run("INSERT INTO signalbox.schema_migration (version) VALUES (1)");
        run("CREATE TABLE signalbox.decisions_20251129 PARTITION OF signalbox.decisions"
            " FOR VALUES FROM ('2025-11-29 00:00:00+00') TO ('2025-11-30 00:00:00+00')");
        const std::string nul("m\0\\u0000", 8);
        for (std::uint64_t n = 0; n < 40; ++n) {
            DecisionRecord record = test::sampleRecord(test::kStart + std::chrono::seconds(n), n);
            record.costUsd = 0.25;
            if (n % 4 == 1) record.requestedModel = nul;  // jsonb has no NUL
            if (n % 2 == 1)
                record.attempts.insert(record.attempts.begin(), {"first:choice", AttemptRole::primary, AttemptOutcome::failed, 503, "status_503", 0, {}, 5});
            storeOld(record);
        }

        test::OpenTemporaryFolder folder;
        test::ManualClock clock(test::kStart + 1h);
        EvidenceOptions options;
        options.dsn = m_postgres->dsn();
        options.dsnName = "$TEST_DSN";
        options.journalFolder = folder.path();
        const auto store = openEvidence(options, clock).value();
        const auto sink = store->makeSink().value();
        test::GroupRecords source(3);
        for (int n = 0; n < 50; ++n) QVERIFY(sink->append(source.next(test::kStart + std::chrono::minutes(n + 1))));
        QVERIFY2(store->flush(20s), store->status().lastError.c_str());
        QCOMPARE(value("SELECT max(version) FROM signalbox.schema_migration"), QString::number(migrations().back().version));
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions"), QStringLiteral("90"));

        const auto reader = store->makeReader();
        const auto tried = reader->page({.attempted = "first:choice"}, std::nullopt, 100, nullptr);
        QVERIFY2(tried.has_value(), tried ? "" : tried.error().text().c_str());
        QCOMPARE(tried->rows.size(), std::size_t{20});
        QCOMPARE(value("SELECT count(*) FROM signalbox.decisions WHERE also_tried IS NOT NULL AND calls IS NULL"), QStringLiteral("20"));
        const auto spent = reader->spentByPrincipal(test::kStart, nullptr).value();
        QVERIFY(spent.at("p1") > 40 * 0.25 - 1e-9);
        QVERIFY(reader->shadow({}, 100, nullptr).value().decisions > 0);
        QCOMPARE(reader->page({.group = "auto"}, std::nullopt, 100, nullptr)->rows.empty(), false);
    }

    void cleanupTestCase() { m_postgres.reset(); }
};

QTEST_APPLESS_MAIN(TestMigration)
#include "tst_migration.moc"
