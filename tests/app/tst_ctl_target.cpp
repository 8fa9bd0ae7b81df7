// SPDX-License-Identifier: MIT
// The on-call's verbs, as processes: on a real gateway of this machine that is found by itself, on one that is named,
// and where nothing good answers.
#include "tests/app/target_bench.h"
#include "tests/support/scripted_upstream.h"

#include <QJsonArray>

#include <csignal>

using namespace signalbox::test;

class TestCtlTarget : public QObject, private TargetBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void helpOfEachVerbHasAnExample_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"status", "off", "mode", "drain", "undrain", "circuit", "tail", "apply", "note"}) QTest::newRow(verb) << QString::fromLatin1(verb);
    }
    void helpOfEachVerbHasAnExample() {
        QFETCH(QString, verb);
        const auto help = run(QStringList{verb, QStringLiteral("--help")});
        QCOMPARE(help.code, 0);
        QVERIFY2(help.out.contains("Example:\n  signalboxctl " + verb.toUtf8()), help.out.constData());
        QVERIFY(help.out.contains("--target") && help.out.contains("--token-file"));
    }

    void wrongCommandLines_data() {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("mode without a word") << QByteArray("mode") << QByteArray("MODE");
        QTest::newRow("mode of another word") << QByteArray("mode loud") << QByteArray("loud");
        QTest::newRow("percent too large") << QByteArray("mode active --percent 101") << QByteArray("whole number from 0 to 100");
        QTest::newRow("percent of shadow") << QByteArray("mode shadow --percent 10") << QByteArray("--percent");
        QTest::newRow("drain nothing") << QByteArray("drain") << QByteArray("ENDPOINT");
        QTest::newRow("circuit of another word") << QByteArray("circuit close lab:m") << QByteArray("close");
        QTest::newRow("tail: outcome") << QByteArray("tail --outcome good") << QByteArray("good");
        QTest::newRow("no patience") << QByteArray("status --timeout 0") << QByteArray("whole number from 1");
        QTest::newRow("note without words") << QByteArray("note") << QByteArray("TEXT");
    }
    void wrongCommandLines() {
        QFETCH(QByteArray, arguments);
        QFETCH(QByteArray, says);
        const auto run_ = run(arguments.constData());
        QVERIFY2(run_.code == 2, run_.err.constData());
        QVERIFY2(run_.err.contains(says), run_.err.constData());
        QVERIFY(run_.out.isEmpty());
    }

    // ---- nothing good answers

    void noGatewayOfTheWorkspaceRuns() { VERIFY_ONE_MESSAGE(run("status --workspace ws"), 3, "no gateway of this workspace is running", "signalboxctl serve"); }

    // Somebody in the wrong folder has no gateway to start.
    void aFolderThatIsNoWorkspaceIsCalledSo() {
        m_home->write("empty/notes.txt", "");
        VERIFY_ONE_MESSAGE(run("status --workspace empty"), 3, "empty: ", "no workspace", "--workspace FOLDER", "with --demo", "--target URL");
    }

    // What keeps no evidence may run beside another gateway of the workspace.
    void theOneThatStillRunsIsFound() {
        serve();
        const QByteArray first = m_address;
        Gateway second(*m_home, words("ws --no-evidence"));
        const QByteArray address = second.address();
        QVERIFY2(!address.isEmpty() && address != first, second.log().constData());
        const auto both = run("status --workspace ws");
        QVERIFY2(both.code == 0 && both.out.contains("running on " + address), (both.out + both.err).constData());
        QVERIFY2(both.err.contains("2 gateways of this workspace are running") && both.err.contains("http://" + first + "/v1"), both.err.constData());
        second.signal(SIGTERM);
        QCOMPARE(second.end(), 0);
        const auto one = run("status --workspace ws");
        QVERIFY2(one.code == 0 && one.out.contains("running on " + first), (one.out + one.err).constData());
        QVERIFY2(one.err.isEmpty(), one.err.constData());
    }

    void theDemosGatewayIsFoundByItsName() {
        VERIFY_ONE_MESSAGE(run("status --demo"), 3, "data/demo: no gateway of this workspace is running", "`signalboxctl serve --demo`");
        Gateway demo(*m_home, words("--demo --no-evidence --listen 127.0.0.1:0"));
        const QByteArray address = demo.address();
        QVERIFY2(!address.isEmpty(), demo.log().constData());
        const auto shown = run("status --demo");
        QVERIFY2(shown.code == 0 && shown.out.contains("running on " + address), (shown.out + shown.err).constData());
        QCOMPARE(run("status --demo --workspace ws").code, 2);
        QCOMPARE(run("status --demo --target http://127.0.0.1:1").code, 2);
    }

    void aGatewayThatWasKilledIsNotReached() {
        serve();
        m_gateway->signal(SIGKILL);
        QCOMPARE(m_gateway->end(), -1);
        // Somebody else may listen at its address by now, and must not be sent its token.
        VERIFY_ONE_MESSAGE(run("status --workspace ws"), 3, "ended without saying so", "signalboxctl serve");
    }

    void withoutATokenNothingIsSent() {
        ScriptedUpstream other;
        const auto asked = run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromStdString(other.baseUrl())});
        VERIFY_ONE_MESSAGE(asked, 1, "SIGNALBOX_ADMIN_TOKEN", "--token-file");
        QCOMPARE(other.connectionsAccepted(), std::size_t{0});
    }

    void noLoginOfAnAddressIsRepeated() {
        m_home->write("some-token", "of-theirs\n");
        for (const char* words : {"status --target http://ada:planted-77@127.0.0.1:1", "status --target http://ada:planted-77@127.0.0.1:1 --token-file some-token"}) {
            const auto asked = run(words);
            QVERIFY(asked.code != 0);
            const QByteArray said = asked.out + asked.err;
            QVERIFY2(said.contains("http://…@127.0.0.1:1") && !said.contains("planted") && !said.contains("ada:"), said.constData());
        }
    }

    void theTokenOfThisMachineGoesNowhereElse() {
        serve();
        ScriptedUpstream other;
        other.setStandingReply(Reply::json("{}", 200));
        const auto asked = run(QStringList{QStringLiteral("status"), QStringLiteral("--workspace"), QStringLiteral("ws"), QStringLiteral("--target"), QString::fromStdString(other.baseUrl())});
        QCOMPARE(asked.code, 1);
        QCOMPARE(other.connectionsAccepted(), std::size_t{0});
    }

    void theTokenOfAGatewayOfThisMachineIsFound() {
        serve();
        const QByteArray port = m_address.mid(m_address.lastIndexOf(':'));
        for (const QByteArray& target : {m_address, "http://" + m_address, "http://" + m_address + "/v1", "localhost" + port}) {
            const auto shown = run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromUtf8(target)});
            QVERIFY2(shown.code == 0 && shown.out.contains("running on " + m_address), (target + ": " + shown.err).constData());
        }
        // One on another port, or under TLS, is somebody else.
        for (const QByteArray& target : {QByteArray("http://127.0.0.1:1"), "https://" + m_address})
            VERIFY_ONE_MESSAGE(run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromUtf8(target)}), 1, "SIGNALBOX_ADMIN_TOKEN");
    }

    void anotherProgramAnswers() {
        ScriptedUpstream other;
        other.setStandingReply(Reply::raw("HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\nContent-Type: text/html\r\n\r\n<html>"));
        m_home->set("SIGNALBOX_ADMIN_TOKEN", QStringLiteral("sbx_secret_secret_secret"));
        const auto asked = run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromStdString(other.baseUrl())});
        VERIFY_ONE_MESSAGE(asked, 3, "no Signalbox gateway");
        QVERIFY(!asked.err.contains("sbx_secret"));
    }

    void theCertificateIsVerified() {
        const auto files = makeTestCertificates(m_home->path(".").toStdString());
        if (!files) QSKIP("openssl is not here");
        ScriptedUpstream other(files);
        m_home->set("SIGNALBOX_ADMIN_TOKEN", QStringLiteral("sbx_secret_secret_secret"));
        VERIFY_ONE_MESSAGE(run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromStdString(other.baseUrl())}), 3, "certificate was not accepted", "CA file");
        QCOMPARE(other.requestCount(), std::size_t{0});
    }

    void silenceEndsAfterTheTimeout() {
        ScriptedUpstream other;
        other.setStandingReply(Reply::nothing().stall());
        m_home->set("SIGNALBOX_ADMIN_TOKEN", QStringLiteral("sbx_secret_secret_secret"));
        VERIFY_ONE_MESSAGE(run(QStringList{QStringLiteral("status"), QStringLiteral("--timeout"), QStringLiteral("1"), QStringLiteral("--target"), QString::fromStdString(other.baseUrl())}), 3, "did not answer in time");
    }

    void aWrongTokenIsRefused() {
        serve();
        m_home->write("wrong", "sbx_0000000000000000000000000000\n");
        const auto asked = run(QStringList{QStringLiteral("status"), QStringLiteral("--target"), QString::fromUtf8("http://" + m_address), QStringLiteral("--token-file"), QStringLiteral("wrong")});
        VERIFY_ONE_MESSAGE(asked, 1, "does not accept this admin token");
        QVERIFY(!asked.err.contains("sbx_0000"));
    }

    // ---- on a real gateway

    void statusShowsWhatRuns() {
        serve();
        const auto shown = run("status --workspace ws");
        QVERIFY2(shown.code == 0, shown.err.constData());
        QVERIFY2(shown.out.contains("running on " + m_address), shown.out.constData());
        QVERIFY2(shown.out.contains("smart        shadow"), shown.out.constData());
        QVERIFY2(shown.out.contains("signed by nobody"), shown.out.constData());
        // The same elsewhere, with the token from the environment.
        m_home->set("SIGNALBOX_ADMIN_TOKEN", QString::fromUtf8(adminToken()));
        const auto json = run(QStringList{QStringLiteral("status"), QStringLiteral("--json"), QStringLiteral("--target"), QString::fromUtf8(m_address)});
        QVERIFY2(json.code == 0, json.err.constData());
        const auto document = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(document[QStringLiteral("state")].toString(), QStringLiteral("running"));
        QCOMPARE(document[QStringLiteral("mode")].toString(), QStringLiteral("shadow"));
        QVERIFY(document[QStringLiteral("endpoints")].isArray());
        QVERIFY(!json.out.contains(adminToken()) && !shown.out.contains(adminToken()));
    }

    void statusSaysWhyAnEndpointCannotBeCalled() {
        m_home->set("FAR_URL", QStringLiteral("http://127.0.0.1:99101/v1"));
        serve("--no-evidence", "[providers.badport]\nbase_url_env = \"FAR_URL\"\nmodels = [\"m\"]\n[providers.nourl]\nmodels = [\"m\"]\n"
                               "[providers.emptykey]\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key_env = \"OAI_KEY\"\nmodels = [\"m\"]\n");
        const auto shown = run("status --workspace ws");
        for (const char* line : {"badport:m  no usable base_url", "nourl:m  no usable base_url", "emptykey:m  no credential", "lab:amber-26b  ready"})
            QVERIFY2(shown.out.contains(line), shown.out.constData());
        QVERIFY2(m_gateway->says("OAI_KEY"), "it is told at the start, too");
    }

    void theTokenMayComeFromTheVariableThatTheConfigurationNames() {
        m_home->write("ws/gateway.toml", smartConfig() + "[admin]\ntoken_env = \"MY_ADMIN\"\n");
        m_home->set("MY_ADMIN", QStringLiteral("sbx_11111111111111111111111111111111"));
        m_gateway = std::make_unique<Gateway>(*m_home, words("ws --no-evidence"));
        QVERIFY2(!m_gateway->address().isEmpty(), m_gateway->log().constData());
        QCOMPARE(run("status --workspace ws").code, 0);
        m_home->unset("MY_ADMIN");
        VERIFY_ONE_MESSAGE(run("status --workspace ws"), 1, "$MY_ADMIN holds none");
    }

    void offAndUndo() {
        serve();
        const auto off = run("off --workspace ws");
        QVERIFY2(off.code == 0, off.err.constData());
        QVERIFY2(off.out.contains("off, by the kill switch"), off.out.constData());
        QVERIFY(status()[QStringLiteral("killed")].toBool());
        const auto undone = run("off --undo --workspace ws");
        QVERIFY2(undone.code == 0 && undone.out.contains("shadow"), (undone.out + undone.err).constData());
        QVERIFY(!status()[QStringLiteral("killed")].toBool());
    }

    void modeMovesWhatRuns() {
        serve();
        const auto set = run("mode active --percent 10 --workspace ws");
        QVERIFY2(set.code == 0, set.err.constData());
        QVERIFY2(set.out.contains("active for 10 % of the requests"), set.out.constData());
        QCOMPARE(status()[QStringLiteral("mode")].toString(), QStringLiteral("active"));
        QCOMPARE(status()[QStringLiteral("activation_percent")].toInt(), 10);
    }

    void drainAndCircuitOfAnEndpoint() {
        serve();
        send(1);
        const auto endpoint = [this] { return status()[QStringLiteral("endpoints")].toArray().at(0).toObject(); };
        const QString id = endpoint()[QStringLiteral("endpoint")].toString();
        QVERIFY2(!id.isEmpty(), run("status --workspace ws --json").out.constData());
        QCOMPARE(run(QStringList{QStringLiteral("drain"), id, QStringLiteral("--workspace"), QStringLiteral("ws")}).code, 0);
        QVERIFY(endpoint()[QStringLiteral("drained")].toBool());
        QVERIFY(run("status --workspace ws").out.contains("drained"));
        QCOMPARE(run(QStringList{QStringLiteral("undrain"), id, QStringLiteral("--workspace"), QStringLiteral("ws")}).code, 0);
        QVERIFY(!endpoint()[QStringLiteral("drained")].toBool());
        QCOMPARE(run(QStringList{QStringLiteral("circuit"), QStringLiteral("trip"), id, QStringLiteral("--workspace"), QStringLiteral("ws")}).code, 0);
        QCOMPARE(endpoint()[QStringLiteral("circuit")].toString(), QStringLiteral("open"));
        const auto reset = run(QStringList{QStringLiteral("circuit"), QStringLiteral("reset"), id, QStringLiteral("--json"), QStringLiteral("--workspace"), QStringLiteral("ws")});
        QCOMPARE(reset.code, 0);
        QCOMPARE(QJsonDocument::fromJson(reset.out).object()[QStringLiteral("state")].toString(), QStringLiteral("running"));
        QCOMPARE(endpoint()[QStringLiteral("circuit")].toString(), QStringLiteral("closed"));
        VERIFY_ONE_MESSAGE(run("drain no:such --workspace ws"), 1, "no:such");
    }

    void noteIsWrittenDown() {
        m_home->set("DSN", QStringLiteral("postgresql://ada@127.0.0.1:1/none"));  // the journal keeps it until there is a database
        serve("--listen 127.0.0.1:0", "[evidence]\ndsn_env = \"DSN\"\n");
        const auto noted = run(QStringList{QStringLiteral("note"), QStringLiteral("lab-b has new drivers"), QStringLiteral("--workspace"), QStringLiteral("ws"), QStringLiteral("--as"), QStringLiteral("grace@ops")});
        QVERIFY2(noted.code == 0, noted.err.constData());
        const auto piped = run(QStringList{QStringLiteral("note"), QStringLiteral("-"), QStringLiteral("--workspace"), QStringLiteral("ws")}, "from a pipe\n");
        QVERIFY2(piped.code == 0, piped.err.constData());
        m_gateway->signal(SIGTERM);
        QCOMPARE(m_gateway->end(), 0);
        QByteArray journal;
        const QByteArray folder = "data/state/" + m_home->files("data/state").value(0).toUtf8() + "/journal";
        for (const QString& file : m_home->files(folder.constData())) journal += m_home->read((folder + '/' + file.toUtf8()).constData());
        QVERIFY(journal.contains("lab-b has new drivers") && journal.contains("grace@ops"));
        QVERIFY(journal.contains("from a pipe"));
        // Who acts where nobody was named: the user of this process, on this computer.
        QVERIFY(journal.contains('@' + QSysInfo::machineHostName().toUtf8()));
    }

    void aNoteWithoutEvidenceHasNowhereToGo() {
        serve();
        VERIFY_ONE_MESSAGE(run("note hello --workspace ws"), 1, "keeps no evidence");
    }

    void applyMovesToTheFilesOfTheFolder() {
        serve();
        const QString before = status()[QStringLiteral("running_hash")].toString();
        m_home->write("rel/routing-table.json", goodTable());
        m_home->write("rel/gateway.toml", smartConfig().replace("policy_version = \"v1\"", "policy_version = \"v2\""));
        const auto applied = run("apply rel --workspace ws");
        QVERIFY2(applied.code == 0, applied.err.constData());
        QVERIFY2(applied.out.contains("runs policy "), applied.out.constData());
        const auto after = status();
        QCOMPARE(after[QStringLiteral("policy_version")].toString(), QStringLiteral("v2"));
        QVERIFY(after[QStringLiteral("running_hash")].toString() != before);
        VERIFY_ONE_MESSAGE(run("apply nowhere --workspace ws"), 1, "nowhere", "there is no such release");
        m_home->write("bad/routing-table.json", "{}");
        m_home->write("bad/gateway.toml", smartConfig());
        const auto refused = run("apply bad --workspace ws");
        QVERIFY2(refused.code == 1, (refused.out + refused.err).constData());
        QCOMPARE(status()[QStringLiteral("policy_version")].toString(), QStringLiteral("v2"));
    }

    // Clients that knew the old address, or sent its token, must learn of it from somebody.
    void applyTellsWhereItListensNow() {
        serve();
        m_home->write("rel/routing-table.json", goodTable());
        m_home->write("rel/gateway.toml", smartConfig().replace("listen = \"127.0.0.1:0\"\n", "listen = \"127.0.0.2:0\"\nauth = \"none\"\n"));
        const auto moved = run("apply rel --workspace ws");
        QVERIFY2(moved.code == 0, moved.err.constData());
        const auto on = moved.out.indexOf("not signed, now on 127.0.0.2:");
        QVERIFY2(on > 0 && moved.out.contains(", without a token; before on " + m_address + ", with a token\n"), moved.out.constData());
        QVERIFY2(m_gateway->says("now listening on http://127.0.0.2:"), m_gateway->log().constData());
        QVERIFY2(m_gateway->says("clients need no token any more"), m_gateway->log().constData());
        QCOMPARE(run("status --workspace ws").code, 0);
        const auto again = run("apply rel --workspace ws");
        QVERIFY2(again.code == 0 && !again.out.contains("now on"), (again.out + again.err).constData());
    }

    void onlySignedReleasesAreApplied() {
        QCOMPARE(run("keys create --out k").code, 0);
        QCOMPARE(run("sign --key k --signer Ada ws/routing-table.json").code, 0);
        m_home->write("ws/gateway.toml", smartConfig());
        QCOMPARE(run("sign --key k --signer Ada ws/gateway.toml").code, 0);
        serve("--no-evidence --require-signature --trusted-key k.pub");
        m_home->write("rel/routing-table.json", goodTable());
        m_home->write("rel/gateway.toml", smartConfig().replace("policy_version = \"v1\"", "policy_version = \"v2\""));
        const auto unsigned_ = run("apply rel --workspace ws");
        QVERIFY2(unsigned_.code == 1 && unsigned_.err.contains("sign"), (unsigned_.out + unsigned_.err).constData());
        QCOMPARE(run("sign --key k --signer Ada rel/routing-table.json rel/gateway.toml").code, 0);
        const auto applied = run("apply rel --workspace ws");
        QVERIFY2(applied.code == 0 && applied.out.contains("signed by Ada"), (applied.out + applied.err).constData());
    }
};

QTEST_GUILESS_MAIN(TestCtlTarget)
#include "tst_ctl_target.moc"
