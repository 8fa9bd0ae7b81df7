// SPDX-License-Identifier: MIT
#include "tests/integration/gateway_scene.h"
#include "tests/integration/smart_scene.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

/// A budget is the month's and not the process's: what was spent before a restart comes back from the database.
class BudgetHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void restartForgivesNothing();
};

void BudgetHistoryTest::restartForgivesNothing() {
    Postgres postgres;
    QVERIFY2(postgres.problem().empty(), postgres.problem().c_str());
    GatewayScene scene(postgres.dsn());
    scene.setVariable("BATCH_TOKEN", "batch-token-0123456789");
    // Each answer counts 9 tokens in and 2 out: 0.013 USD.
    scene.setMore(smartSections("active", 100, scene.upstream().baseUrl(),
                                "\n[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nmonthly_budget_soft_usd = 0.02\n"));
    const auto ask = [&](const engine::Target& target) {
        return fetch(portOf(target), {"POST",
                                      "/v1/chat/completions",
                                      {"x-api-key: batch-token-0123456789"},
                                      R"({"model":"alt:alt-1","max_tokens":2,"messages":[]})"});
    };
    {
        const auto first = scene.makeTarget();
        QVERIFY(first->start(scene.policy()).has_value());
        for (int i = 0; i < 2; ++i)
            QCOMPARE(ask(*first)->status, 200);
        QTRY_COMPARE_WITH_TIMEOUT(first->status().evidence.stored, std::uint64_t{2}, 30'000);
        QVERIFY(first->stop(1s).has_value());
    }
    const auto second = scene.makeTarget();
    QVERIFY(second->start(scene.policy()).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(second->principals().at(0).spentKnown, 30'000);
    QCOMPARE(second->principals().at(0).spentUsd, 0.026);
    const auto warned = ask(*second);
    QCOMPARE(warned->status, 200);
    QCOMPARE(warned->header("x-signalbox-budget"), std::string("soft"));
    QCOMPARE(second->principals().at(0).spentUsd, 0.039);
}

QTEST_GUILESS_MAIN(BudgetHistoryTest)
#include "tst_budget_history.moc"
