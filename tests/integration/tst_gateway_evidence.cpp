// SPDX-License-Identifier: MIT
#include "tests/integration/gateway_scene.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <set>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

/// The whole line with real sockets and a real PostgreSQL: what clients saw is what the database holds.
class GatewayEvidenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void rowsEqualRequests();
    void applyTwentyTimesUnderLoad();
    void postgresAwayUnderLoad();
    void historyIsReadThroughTheFacade();

private:
    std::unique_ptr<Postgres> m_postgres;
};

namespace {

constexpr int kStoreMs = 30'000;

/// Every response that a client read to its end has exactly one row, and no row has no client.
void compareWithRows(const Postgres& postgres, const std::vector<LoadResult>& results) {
    std::map<std::string, std::string> expected;
    for (const LoadResult& result : results) {
        QVERIFY(!result.decisionId.empty());
        expected[result.decisionId] = result.preset;
    }
    QCOMPARE(expected.size(), results.size());
    QTRY_COMPARE_WITH_TIMEOUT(postgres.value("SELECT count(*) FROM signalbox.decisions"),
                              std::to_string(expected.size()), kStoreMs);
    const auto rows = postgres.column("SELECT 'rtd_' || replace(id::text, '-', '') || '|' || "
                                      "coalesce(preset, '') FROM signalbox.decisions");
    QCOMPARE(rows.size(), expected.size());
    for (const std::string& row : rows) {
        const auto bar = row.find('|');
        const auto found = expected.find(row.substr(0, bar));
        QVERIFY2(found != expected.end(), row.c_str());
        QCOMPARE(row.substr(bar + 1), found->second);
    }
}

} // namespace

void GatewayEvidenceTest::initTestCase() {
    m_postgres = std::make_unique<Postgres>();
    QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
}

void GatewayEvidenceTest::init() {
    m_postgres->clear();
}

void GatewayEvidenceTest::rowsEqualRequests() {
    GatewayScene scene(m_postgres->dsn());
    const auto target = scene.makeTarget();
    const auto started = target->start(scene.policy());
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    Load load(portOf(*target), 8, [&](int number) { return scene.request(number); });
    QTRY_VERIFY_WITH_TIMEOUT(load.finished() >= 400, 30'000);
    load.stop();
    QCOMPARE(load.failures(), 0);
    compareWithRows(*m_postgres, load.results());
    QCOMPARE(m_postgres->value("SELECT count(*) FROM signalbox.decisions WHERE preset = 'a-k4'"),
             m_postgres->value("SELECT count(*) FROM signalbox.decisions WHERE rule_index = 0"));
    const auto status = target->status();
    QCOMPARE(status.served, static_cast<std::uint64_t>(load.finished()));
    QCOMPARE(status.evidence.recorded, static_cast<std::uint64_t>(load.finished()));
    QCOMPARE(status.evidence.dropped, std::uint64_t{0});
    QVERIFY(target->stop(5s).has_value());
    QCOMPARE(target->status().state == engine::GatewayState::stopped, true);
}

void GatewayEvidenceTest::applyTwentyTimesUnderLoad() {
    GatewayScene scene(m_postgres->dsn());
    const auto target = scene.makeTarget();
    QVERIFY(target->start(scene.policy()).has_value());
    Load load(portOf(*target), 6, [&](int number) { return scene.request(number); });
    for (int i = 0; i < 20; ++i) {
        const int before = load.finished();
        QTRY_VERIFY(load.finished() > before + 10);
        const auto applied = target->apply(scene.policy());
        QVERIFY2(applied.has_value(), applied ? "" : applied.error().text().c_str());
    }
    load.stop();
    QCOMPARE(load.failures(), 0);
    compareWithRows(*m_postgres, load.results());
}

void GatewayEvidenceTest::postgresAwayUnderLoad() {
    const int seconds = qEnvironmentVariableIntValue("SIGNALBOX_TEST_OUTAGE_S");
    const auto outage = std::chrono::seconds(seconds > 0 ? seconds : 3);
    GatewayScene scene(m_postgres->dsn());
    const auto target = scene.makeTarget();
    QVERIFY(target->start(scene.policy()).has_value());
    Load load(portOf(*target), 4, [&](int number) { return scene.request(number); });
    QTRY_VERIFY(load.finished() > 50);
    QTRY_VERIFY_WITH_TIMEOUT(target->status().evidence.stored > 0, kStoreMs);
    QVERIFY(m_postgres->stop());
    const int before = load.finished();
    QDeadlineTimer away(outage);
    QTRY_VERIFY_WITH_TIMEOUT(away.hasExpired(),
                             static_cast<int>(std::chrono::milliseconds(outage).count()) + 5000);
    QVERIFY2(load.finished() > before + 50, "requests went on while the database was away");
    QTRY_VERIFY(target->status().evidence.state == evidence::StoreState::unavailable);
    QVERIFY(target->status().evidence.backlogRecords > 0);
    QVERIFY(m_postgres->start());
    load.stop();
    QCOMPARE(load.failures(), 0);
    compareWithRows(*m_postgres, load.results());
}

void GatewayEvidenceTest::historyIsReadThroughTheFacade() {
    GatewayScene scene(m_postgres->dsn());
    const auto target = scene.makeTarget();
    const auto feed = target->subscribe(3);
    QVERIFY(target->start(scene.policy()).has_value());
    for (int i = 0; i < 5; ++i)
        QCOMPARE(fetch(portOf(*target), scene.request(i))->status, 200);
    const auto batch = feed->take();
    QCOMPARE(batch.records.size(), std::size_t{3});
    QCOMPARE(batch.skipped, std::uint64_t{2});
    QTRY_COMPARE_WITH_TIMEOUT(target->status().evidence.stored, std::uint64_t{5}, kStoreMs);
    std::atomic<bool> answered{false};
    Result<std::optional<evidence::DecisionRecord>> found = std::nullopt;
    const auto job = target->ask([&](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
        found = reader.find(batch.records.back()->id, cancel);
        answered = true;
    });
    QTRY_VERIFY(answered);
    QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
    QVERIFY(found->has_value());
    QCOMPARE((*found)->id, batch.records.back()->id);
    QCOMPARE((*found)->rules.size(), batch.records.back()->rules.size());
    QVERIFY(target->stop(1s).has_value());
    answered = false;
    const auto later =
        target->ask([&](evidence::HistoryReader&, const evidence::CancelToken&) { answered = true; });
    QTRY_VERIFY2(answered, "history is read while the gateway is stopped");
}

QTEST_GUILESS_MAIN(GatewayEvidenceTest)
#include "tst_gateway_evidence.moc"
