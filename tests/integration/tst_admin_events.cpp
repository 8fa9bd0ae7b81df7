// SPDX-License-Identifier: MIT
// What was done over the admin API, read back over it from a real PostgreSQL.
#include "router/base/file.h"
#include "router/engine/admin_wire.h"
#include "tests/integration/gateway_scene.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

class AdminEventsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatWasDoneIsReadBackInPages();

private:
    std::unique_ptr<Postgres> m_postgres;
};

void AdminEventsTest::initTestCase() {
    m_postgres = std::make_unique<Postgres>();
    QVERIFY2(m_postgres->problem().empty(), m_postgres->problem().c_str());
}

void AdminEventsTest::whatWasDoneIsReadBackInPages() {
    GatewayScene scene(m_postgres->dsn());
    const auto target = scene.makeTarget();
    const auto started = target->start(scene.policy());
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    std::string token = readFile(scene.dataFolder() / "state" / "admin-token", 4096).value();
    token.erase(token.find_last_not_of('\n') + 1);
    const auto send = [&](const char* method, const std::string& path, const std::string& body = {}) {
        return fetch(portOf(*target), {method, path, {"Authorization: Bearer " + token, "X-Signalbox-Actor: ada"}, body}).value();
    };
    QCOMPARE(send("POST", "/admin/events", R"({"words":"a third card was put in"})").status, 200);
    QCOMPARE(send("POST", "/admin/drain", R"({"endpoint":"up:model-a"})").status, 200);
    QCOMPARE(send("POST", "/admin/drain", R"({"endpoint":"up:nothing"})").status, 404);
    const auto page = [&](const std::string& query) { return engine::wire::decodeEvents(send("GET", "/admin/events" + query).body); };
    // Events get there by way of the journal.
    QTRY_VERIFY_WITH_TIMEOUT(page("") && page("")->rows.size() == 4, 30'000);
    QStringList told;
    for (std::string query = "?limit=3"; !query.empty();) {
        const auto one = page(query);
        QVERIFY2(one.has_value(), one ? "" : one.error().text().c_str());
        QVERIFY(one->rows.size() <= 3);
        for (const evidence::Event& event : one->rows)
            told.prepend(QString::fromStdString(std::string(toString(event.kind)) + " by " + event.actor));
        query = one->next ? "?limit=3&before=" + engine::wire::encodeKey(*one->next) : std::string();
    }
    QCOMPARE(told, (QStringList{QStringLiteral("start by operator"), QStringLiteral("note by operator:ada"),
                                QStringLiteral("drain by operator:ada"), QStringLiteral("admin_refused by operator:ada")}));
}

QTEST_APPLESS_MAIN(AdminEventsTest)
#include "tst_admin_events.moc"
