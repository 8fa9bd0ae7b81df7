// SPDX-License-Identifier: MIT
#include "tests/integration/serve_process.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace signalbox;
using namespace signalbox::test;

/// A real `signalboxctl serve`, killed without warning under load: no decision whose response completed is
/// lost and none is there twice, however often it happens.
class GatewayKillTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sigkillLosesAndDoublesNothing();
    void sigtermDrains();

private:
    std::unique_ptr<Postgres> m_postgres;
};

void GatewayKillTest::initTestCase() {
    m_postgres = std::make_unique<Postgres>();
    QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
}

void GatewayKillTest::sigkillLosesAndDoublesNothing() {
    GatewayScene scene(m_postgres->dsn());
    std::vector<LoadResult> completed;
    for (int round = 0; round < 3; ++round) {
        ServeProcess serve(scene);
        QVERIFY2(serve.port() != 0, "no ready line");
        Load load(serve.port(), 6, [&](int number) { return scene.request(number); });
        QTRY_VERIFY_WITH_TIMEOUT(load.finished() >= 150 + 70 * round, 30'000);
        serve.kill();
        load.stop();
        for (const LoadResult& result : load.results()) {
            if (result.status == 200)
                completed.push_back(result);
        }
    }
    ServeProcess last(scene); // replays what the killed ones left
    QVERIFY(last.port() != 0);
    std::map<std::string, std::string> rows;
    const auto lost = [&] {
        rows.clear();
        for (const std::string& row :
             m_postgres->column("SELECT 'rtd_' || replace(id::text, '-', '') || '|' || coalesce(preset, '') "
                                "FROM signalbox.decisions")) {
            rows.emplace(row.substr(0, row.find('|')), row.substr(row.find('|') + 1));
        }
        return std::count_if(completed.begin(), completed.end(),
                             [&](const LoadResult& r) { return !rows.contains(r.decisionId); });
    };
    QTRY_COMPARE_WITH_TIMEOUT(lost(), 0, 30'000);
    QVERIFY(completed.size() > 400);
    for (const LoadResult& result : completed)
        QCOMPARE(rows.at(result.decisionId), result.preset);
    QCOMPARE(m_postgres->value("SELECT count(*) FROM signalbox.decisions"),
             m_postgres->value("SELECT count(DISTINCT id) FROM signalbox.decisions"));
    QVERIFY(last.terminate());
}

void GatewayKillTest::sigtermDrains() {
    m_postgres->clear();
    GatewayScene scene(m_postgres->dsn());
    scene.upstream().setStandingReply(Reply::nothing().awaitRelease().bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"choices\":[]}"));
    ServeProcess serve(scene);
    QVERIFY(serve.port() != 0);
    RawClient client(serve.port());
    QVERIFY(client.send(requestText(scene.request(0))));
    QTRY_COMPARE(scene.upstream().requestCount(), std::size_t{1});
    std::thread releasing([&] { scene.upstream().release(); });
    QVERIFY(serve.terminate());
    releasing.join();
    const auto response = client.response();
    QVERIFY(response);
    QCOMPARE(response->status, 200);
}

QTEST_GUILESS_MAIN(GatewayKillTest)
#include "tst_gateway_kill.moc"
