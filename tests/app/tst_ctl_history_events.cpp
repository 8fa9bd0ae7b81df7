// SPDX-License-Identifier: MIT
// `signalboxctl history --events`: what happened to the gateways, in a database that the test filled, and what a real
// gateway writes down of itself.
#include "router/evidence/evidence.h"
#include "tests/app/gateway_process.h"
#include "tests/router/evidence/sample_events.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

using namespace signalbox;
using namespace signalbox::test;
using evidence::Event;

class TestCtlHistoryEvents : public QObject {
    Q_OBJECT
    CtlHome m_home;
    Postgres m_postgres;
    std::vector<Event> m_events;  // newest first

    [[nodiscard]] CtlHome::Run run(const QString& more) const {
        const QString whole = QStringLiteral("history ws --dsn-env DSN --since 2025-11-29 --until 2025-12-05 --events");
        return m_home.run((whole + (more.isEmpty() ? QString() : QLatin1Char(' ') + more)).split(QLatin1Char(' ')));
    }
    template <class Keep>
    [[nodiscard]] QByteArray lines(Keep keep) const {
        QByteArray out;
        for (const Event& event : m_events)
            if (keep(event)) out += QByteArray::fromStdString(evidence::encodeEvent(event)) + '\n';
        return out;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(m_postgres.problem().empty(), m_postgres.problem().c_str());
        m_home.letOthersIn();
        m_home.writeGoodWorkspace();
        m_home.set("DSN", QString::fromStdString(m_postgres.dsn()));
        OpenTemporaryFolder folder;
        ManualClock clock(kStart + std::chrono::hours(10));
        evidence::EvidenceOptions options;
        options.dsn = m_postgres.dsn();
        options.dsnName = "$DSN";
        options.journalFolder = folder.path();
        const auto store = evidence::openEvidence(options, clock).value();
        const auto sink = store->makeEventSink().value();
        for (std::uint64_t n = 0; n < 60; ++n) {
            m_events.insert(m_events.begin(), sampleEvent(kStart + std::chrono::minutes(n), n));
            QVERIFY(sink->append(m_events.front()));
        }
        QVERIFY2(store->flush(std::chrono::seconds(20)), store->status().lastError.c_str());
    }

    void machinesGetOneEventALine() {
        const auto asked = run(QStringLiteral("--json --limit 500"));
        QVERIFY2(asked.code == 0, asked.err.constData());
        QCOMPARE(asked.out, lines([](const Event&) { return true; }));
        QCOMPARE(run(QStringLiteral("--json --limit 500 --kind apply,kill_switch")).out,
                 lines([](const Event& e) { return e.kind == evidence::EventKind::apply || e.kind == evidence::EventKind::killSwitch; }));
        QCOMPARE(run(QStringLiteral("--json --limit 500 --endpoint ep:3")).out, lines([](const Event& e) { return e.subject == "ep:3"; }));
    }

    void peopleGetTimeTargetKindAndWords() {
        const auto asked = run(QStringLiteral("--limit 1"));
        QVERIFY2(asked.code == 0, asked.err.constData());
        const std::string kind(toString(m_events.front().kind));
        QCOMPARE(asked.out, QByteArray::fromStdString("2025-11-29T08:59:00.000Z  local  " + kind + "  ep:3  by gateway  event 59\n"));
        QVERIFY2(asked.err.contains("More: --after 2025-11-29T08:59:00.000000Z,evt_"), asked.err.constData());
    }

    void pagesByKey() {
        QByteArray all;
        QString after;
        for (int page = 0; page < 10; ++page) {
            const auto asked = run(QStringLiteral("--json --limit 7") + after);
            QVERIFY2(asked.code == 0, asked.err.constData());
            all += asked.out;
            const auto at = asked.err.indexOf("--after ");
            if (at < 0) break;
            after = QLatin1Char(' ') + QString::fromUtf8(asked.err.mid(at)).trimmed();
        }
        QCOMPARE(all, lines([](const Event&) { return true; }));
    }

    void nothingIsSaidPlainly() {
        const auto asked = m_home.run(QStringLiteral("history ws --dsn-env DSN --since 2020-01-01 --until 2020-01-02 --events").split(QLatin1Char(' ')));
        QCOMPARE(asked.code, 0);
        QCOMPARE(asked.out, QByteArray());
        QCOMPARE(asked.err, QByteArray("No event matches.\n"));
    }

    void whatCannotBeMeantIsRefused_data() {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("kind") << QStringLiteral("--kind party") << QByteArray("circuit_opened");
        QTest::newRow("key of decisions") << QStringLiteral("--after 17") << QByteArray("page before");
        QTest::newRow("a filter of decisions") << QStringLiteral("--preset x") << QByteArray("--preset");
        QTest::newRow("one decision") << QStringLiteral("--id rtd_00000000000000000000000000000000") << QByteArray("--id");
    }
    void whatCannotBeMeantIsRefused() {
        QFETCH(QString, more);
        QFETCH(QByteArray, says);
        const auto refused = run(more);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.startsWith("signalboxctl: ") && refused.err.contains(says) && refused.out.isEmpty(), refused.err.constData());
    }

    void aKindWithoutEventsIsRefused() {
        const auto refused = m_home.run({QStringLiteral("history"), QStringLiteral("--kind"), QStringLiteral("apply")});
        QVERIFY2(refused.code == 2 && refused.err.contains("--events"), refused.err.constData());
    }

    // Through all layers: a gateway starts and stops, and its private database knows.
    void aRealGatewayWritesItsLife() {
        Gateway gateway(m_home, {QStringLiteral("ws")});
        QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
        QVERIFY2(gateway.says("evidence ready"), gateway.log().constData());
        gateway.signal(SIGTERM);
        QCOMPARE(gateway.end(), 0);
        const auto asked = m_home.run(QStringLiteral("history ws --events").split(QLatin1Char(' ')));
        QVERIFY2(asked.code == 0, asked.err.constData());
        const auto said = asked.out.trimmed().split('\n');
        QVERIFY2(said.size() == 2 && said[0].contains("  stop  ") && said[1].contains("  start  "), asked.out.constData());
        QVERIFY2(said[1].contains("smart routing off"), asked.out.constData());
    }
};

QTEST_APPLESS_MAIN(TestCtlHistoryEvents)
#include "tst_ctl_history_events.moc"
