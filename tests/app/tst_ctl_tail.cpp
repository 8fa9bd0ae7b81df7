// SPDX-License-Identifier: MIT
// `signalboxctl tail`, as a process beside a real gateway: what it shows, what it leaves out, and that it comes back.
#include "tests/app/target_bench.h"

#include <csignal>

using namespace signalbox::test;

class TestCtlTail : public QObject, private TargetBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void tailShowsDecisionsAsTheyHappen() {
        serve();
        QProcess tail;
        tail.setWorkingDirectory(m_home->path("."));
        tail.setProcessEnvironment(m_home->environment());
        tail.start(CtlHome::binary(), words("tail --workspace ws --limit 2 --json --outcome served"));
        QVERIFY(tail.waitForStarted());
        // It says nothing that a test could wait for: requests go on until it has seen two.
        for (int i = 0; i < 200 && tail.state() != QProcess::NotRunning; ++i) {
            send(1);
            tail.waitForFinished(50);
        }
        QCOMPARE(tail.state(), QProcess::NotRunning);
        QCOMPARE(tail.exitCode(), 0);
        const QByteArrayList lines = tail.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        for (const QByteArray& line : lines) {
            const auto record = QJsonDocument::fromJson(line).object();
            QCOMPARE(record[QStringLiteral("outcome")].toString(), QStringLiteral("served"));
            QVERIFY(record[QStringLiteral("id")].toString().startsWith(QStringLiteral("rtd_")));
        }
    }

    void tailShowsATeamsRequestsOnly() {
        const QString token = QStringLiteral("helper-token-of-this-test");
        m_home->set("HELPER_TOKEN", token);
        serve("--no-evidence", kHelper);
        const auto post = [&](const char* model) {
            const QStringList arguments = words("-sS -m 20 -o /dev/null -w %{http_code}") +
                                          QStringList{QStringLiteral("-H"), QStringLiteral("Authorization: Bearer ") + token,
                                                      QStringLiteral("-d"), QString::fromUtf8(request(model)),
                                                      QStringLiteral("http://") + QString::fromUtf8(m_address) + QStringLiteral("/v1/chat/completions")};
            QCOMPARE(m_home->runProgram(QStringLiteral("curl"), arguments).out, QByteArray("200"));
        };
        QProcess tail;
        tail.setWorkingDirectory(m_home->path("."));
        tail.setProcessEnvironment(m_home->environment());
        tail.start(CtlHome::binary(), words("tail --workspace ws --team support --model lab:basalt-31b --limit 2 --json"));
        QVERIFY(tail.waitForStarted());
        for (int i = 0; i < 200 && tail.state() != QProcess::NotRunning; ++i) {
            send(1);  // of no team
            post("lab:amber-26b");
            post("lab:basalt-31b");
            tail.waitForFinished(50);
        }
        QCOMPARE(tail.state(), QProcess::NotRunning);
        const QByteArrayList lines = tail.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        for (const QByteArray& line : lines) {
            const auto record = QJsonDocument::fromJson(line).object();
            QCOMPARE(record[QStringLiteral("team")].toString(), QStringLiteral("support"));
            QCOMPARE(record[QStringLiteral("requested_model")].toString(), QStringLiteral("lab:basalt-31b"));
        }
    }

    // A request that nobody answered is found by where it was tried, and its line says what went wrong.
    void tailShowsWhatFailedWhere() {
        serve("--no-evidence", "[providers.down]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers.down.simulated]\nfault_rate = 1.0\nfault = \"status_500\"\n"
                               "[routing.groups.pair]\naliases = [\"pair\"]\n"
                               "[[routing.groups.pair.candidates]]\nprovider = \"down\"\nmodel = \"m\"\n"
                               "[[routing.groups.pair.candidates]]\nprovider = \"lab\"\nmodel = \"amber-26b\"\n"
                               // Else it would be passed over after a few, and nothing would be a fallback.
                               "[circuits]\nconsecutive_failures = 1000\nmin_availability = 0\n");
        const auto post = [this](const char* model) {
            curl(*m_home, {QStringLiteral("-d"), QString::fromUtf8(request(model)), QStringLiteral("http://") + QString::fromUtf8(m_address) + QStringLiteral("/v1/chat/completions")});
        };
        QProcess tail;
        tail.setWorkingDirectory(m_home->path("."));
        tail.setProcessEnvironment(m_home->environment());
        tail.start(CtlHome::binary(), words("tail --workspace ws --attempted down:m"));
        QVERIFY(tail.waitForStarted());
        QByteArray out;
        const auto showsBoth = [&out] { return out.contains("  down:m  ") && out.contains("  after down:m "); };
        for (int i = 0; i < 200 && !showsBoth(); ++i) {
            post("down:m");
            post("pair");
            post("lab:amber-26b");
            tail.waitForReadyRead(50);
            out += tail.readAllStandardOutput();
        }
        tail.kill();
        tail.waitForFinished();
        QVERIFY2(showsBoth(), out.constData());
        out.truncate(out.lastIndexOf('\n') + 1);
        for (const QByteArray& line : out.trimmed().split('\n')) {
            QVERIFY2(line.contains("down:m"), line.constData());
            if (line.contains(" failed 500 ")) QVERIFY2(line.contains("  down:m  ") && line.endsWith("  model down:m  error status_500"), line.constData());
            if (line.contains(" served 200 ")) QVERIFY2(line.contains("  lab:amber-26b  ") && line.contains("  after down:m "), line.constData());
        }
        QVERIFY2(m_gateway->says("endpoint=down:m outcome=failed status=500 error=status_500"), m_gateway->log().constData());
        QVERIFY2(m_gateway->says("after=\"down:m 500\""), m_gateway->log().constData());
    }

    void tailSaysWhichNameNobodyKnows_data() {
        QTest::addColumn<QByteArray>("filter");
        QTest::addColumn<QByteArray>("note");
        QTest::newRow("endpoint") << QByteArray("--endpoint lab:amber-26") << QByteArray("--endpoint lab:amber-26: ");
        QTest::newRow("attempted") << QByteArray("--attempted nope:nope") << QByteArray("--attempted nope:nope: ");
        QTest::newRow("group") << QByteArray("--group auti") << QByteArray("Did you mean \"auto\"?");
        QTest::newRow("preset") << QByteArray("--preset amber-bas") << QByteArray("Did you mean \"amber-base\"?");
        QTest::newRow("team") << QByteArray("--team suport") << QByteArray("Did you mean \"support\"?");
        QTest::newRow("model") << QByteArray("--model nope") << QByteArray("--model nope: ");
        QTest::newRow("known ones") << QByteArray("--group auto --preset amber-base --endpoint lab:amber-26b --attempted lab:basalt-31b --team support --model auto") << QByteArray();
    }
    void tailSaysWhichNameNobodyKnows() {
        QFETCH(QByteArray, filter);
        QFETCH(QByteArray, note);
        m_home->set("HELPER_TOKEN", QStringLiteral("helper-token-of-this-test"));
        serve("--no-evidence", kHelper);
        QProcess tail;
        tail.setWorkingDirectory(m_home->path("."));
        tail.setProcessEnvironment(m_home->environment());
        tail.start(CtlHome::binary(), words(note.isEmpty() ? "tail --workspace ws --limit 1 --outcome served" : "tail --workspace ws") + words(filter.constData()));
        QVERIFY(tail.waitForStarted());
        QByteArray err;
        for (int i = 0; i < 200 && !note.isEmpty() && !err.contains(note); ++i) {
            tail.waitForReadyRead(50);
            err += tail.readAllStandardError();
        }
        // Of known names it says nothing before what it shows; nothing can match them all, so that its time is what ends it.
        if (note.isEmpty()) tail.waitForFinished(1'500);
        err += tail.readAllStandardError();
        tail.kill();
        tail.waitForFinished();
        QVERIFY2(note.isEmpty() ? !err.contains("note:") : err.contains("signalboxctl: note: ") && err.contains(note), err.constData());
    }

    void tailComesBackAfterARestart() {
        serve("--no-evidence --listen 127.0.0.1:0");
        QProcess tail;
        tail.setWorkingDirectory(m_home->path("."));
        tail.setProcessEnvironment(m_home->environment());
        tail.start(CtlHome::binary(), words("tail --workspace ws --endpoint lab:amber-26b"));
        QVERIFY(tail.waitForStarted());
        QByteArray out, err;
        const auto collect = [&] {
            out += tail.readAllStandardOutput();
            err += tail.readAllStandardError();
        };
        // It says nothing before it shows one: requests go on until it does.
        const auto sendUntilShown = [&] {
            const auto before = out.count('\n');
            for (int i = 0; i < 200 && out.count('\n') == before; ++i) {
                send(1);
                tail.waitForReadyRead(50);
                collect();
            }
        };
        sendUntilShown();
        QVERIFY2(out.contains("lab:amber-26b"), out.constData());
        m_gateway->signal(SIGTERM);
        QCOMPARE(m_gateway->end(), 0);
        const QByteArray address = m_address;
        m_gateway = std::make_unique<Gateway>(*m_home, words("ws --no-evidence --listen") + QStringList{QString::fromUtf8(address)});
        m_address = m_gateway->address();
        QCOMPARE(m_address, address);
        for (int i = 0; i < 400 && !err.contains("following"); ++i) {
            tail.waitForReadyRead(50);
            collect();
        }
        QVERIFY2(err.contains("signalboxctl: following "), err.constData());
        const auto shown = out.count('\n');
        sendUntilShown();
        QVERIFY(out.count('\n') > shown);
        tail.kill();
        tail.waitForFinished();
    }
};

QTEST_GUILESS_MAIN(TestCtlTail)
#include "tst_ctl_tail.moc"
