// SPDX-License-Identifier: MIT
// `signalboxctl history` on what a gateway really recorded, in the private cluster of a temporary home.
#include "tests/app/gateway_process.h"

#include <nlohmann/json.hpp>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

using namespace signalbox::test;

namespace {
QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); }
}  // namespace

class TestCtlHistoryDb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void newestFirst();
    void filters_data();
    void filters();
    void pagesByKey();
    void outsideTheRange();
    void oneDecision();
    void wrongPasswordOfTheDatabaseIsNotSaid();

private:
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home.run(words(arguments)); }
    [[nodiscard]] static QList<QJsonObject> rows(const QByteArray& lines) {
        QList<QJsonObject> out;
        for (const QByteArray& line : lines.split('\n'))
            if (!line.isEmpty()) out << QJsonDocument::fromJson(line).object();
        return out;
    }
    CtlHome m_home;
};

// Ten requests: four by the default, three by a rule, two of another family, one refused for its unknown model.
void TestCtlHistoryDb::initTestCase() {
    m_home.letOthersIn();
    m_home.writeGoodWorkspace();
    Gateway gateway(m_home, {QStringLiteral("ws")});
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const auto send = [&](int times, const char* body) {
        for (int i = 0; i < times; ++i)
            QVERIFY(!curl(m_home, {QStringLiteral("-d"), QString::fromUtf8(body), QString::fromUtf8("http://" + address + "/v1/chat/completions")}).out.isEmpty());
    };
    send(4, R"({"model":"amber-26b","max_tokens":900,"messages":[]})");
    send(3, R"({"model":"amber-26b","max_tokens":8,"messages":[],"response_format":{"type":"json_object"}})");
    send(2, R"({"model":"basalt-31b","max_tokens":8,"messages":[]})");
    send(1, R"({"model":"granite-1b","messages":[]})");
    QVERIFY2(gateway.says("evidence ready"), gateway.log().constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
}

void TestCtlHistoryDb::newestFirst() {
    const auto text = run("history ws");
    QVERIFY2(text.code == 0, text.err.constData());
    QCOMPARE(text.out.count('\n'), 10);
    const auto all = rows(run("history ws --json").out);
    QCOMPARE(all.size(), 10);
    for (int i = 1; i < all.size(); ++i)
        QVERIFY(all[i - 1][QStringLiteral("created_at")].toString() >= all[i][QStringLiteral("created_at")].toString());
}

void TestCtlHistoryDb::filters_data() {
    QTest::addColumn<QByteArray>("filter");
    QTest::addColumn<int>("count");
    QTest::newRow("preset") << QByteArray("--preset amber-base") << 4;
    QTest::newRow("rule, counted from 1") << QByteArray("--rule 2") << 3;
    QTest::newRow("no such rule") << QByteArray("--rule 1") << 0;
    QTest::newRow("coverage") << QByteArray("--coverage default") << 6;
    QTest::newRow("gap") << QByteArray("--gap") << 0;
    QTest::newRow("family") << QByteArray("--family basalt_dense") << 2;
    QTest::newRow("endpoint") << QByteArray("--endpoint lab:basalt-31b") << 2;
    QTest::newRow("served") << QByteArray("--outcome served") << 9;
    QTest::newRow("two at once") << QByteArray("--outcome served --preset amber-base") << 4;
    QTest::newRow("limit") << QByteArray("--limit 3") << 3;
}

void TestCtlHistoryDb::filters() {
    QFETCH(QByteArray, filter);
    QFETCH(int, count);
    const auto asked = run(("history ws --json " + filter).constData());
    QVERIFY2(asked.code == 0, asked.err.constData());
    QCOMPARE(rows(asked.out).size(), count);
    if (count == 0) QVERIFY2(asked.err.contains("No decision matches"), asked.err.constData());
}

void TestCtlHistoryDb::pagesByKey() {
    QSet<QString> seen;
    QByteArray after;
    for (int page = 0; page < 4; ++page) {
        const auto asked = run(("history ws --json --limit 3" + after).constData());
        QVERIFY2(asked.code == 0, asked.err.constData());
        for (const auto& row : rows(asked.out)) seen << row[QStringLiteral("id")].toString();
        const auto at = asked.err.indexOf("More: ");
        QCOMPARE(at >= 0, page < 3);
        after = at < 0 ? QByteArray() : " " + asked.err.mid(at + 6).trimmed();
    }
    QCOMPARE(seen.size(), 10);
}

void TestCtlHistoryDb::outsideTheRange() {
    const auto asked = run("history ws --since 2020-01-01 --until 2020-02-01");
    QCOMPARE(asked.code, 0);
    QVERIFY(asked.out.isEmpty());
}

void TestCtlHistoryDb::oneDecision() {
    const auto byRule = rows(run("history ws --json --rule 2 --limit 1").out);
    QCOMPARE(byRule.size(), 1);
    const QByteArray id = byRule[0][QStringLiteral("id")].toString().toUtf8();
    const auto text = run(("history ws --id " + id).constData());
    QVERIFY2(text.code == 0, text.err.constData());
    for (const char* says : {"structured_json (body)", "short (body)", "single_stream (1 in flight", "rule 2 ", ": matched"})
        QVERIFY2(text.out.contains(says), text.out.constData());
    QCOMPARE(rows(run(("history ws --json --id " + id).constData()).out), byRule);
    const auto none = run("history ws --id rtd_00000000000000000000000000000000");
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("no decision rtd_0000"), none.err.constData());
}

void TestCtlHistoryDb::wrongPasswordOfTheDatabaseIsNotSaid() {
    m_home.set("DSN", QStringLiteral("host=127.0.0.1 port=1 password=hunter2"));
    const auto asked = run("history ws --dsn-env DSN");
    QCOMPARE(asked.code, 3);
    QVERIFY(!asked.err.contains("hunter2"));
}

QTEST_APPLESS_MAIN(TestCtlHistoryDb)
#include "tst_ctl_history_db.moc"
