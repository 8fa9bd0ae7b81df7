// SPDX-License-Identifier: MIT
#include "tests/app/gateway_process.h"
#include "tests/support/huge_pages.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>

using namespace signalbox::test;

namespace {

QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); }

}  // namespace

class TestCtlServe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
        m_home->set("SIGNALBOX_KEY_PASSWORD", QStringLiteral("p"));
    }
    void readyLineThenServesThenDrains_data();
    void readyLineThenServesThenDrains();
    void itsPagesStaySmall();
    void demoWorkspace();
    void requestsAreLogged_data();
    void requestsAreLogged();
    void whatIsTurnedAwayIsLogged_data();
    void whatIsTurnedAwayIsLogged();
    void adminActionsAreLogged();
    void aFloodOfRefusalsIsAFewLines();
    void aLogOfObjectsHoldsNothingElse();
    void aLogOfObjectsTellsWhyItEnded();
    void eachRemarkIsAnEntryOfItsOwn();
    void theDemosWeekIsAnnounced();
    void aSignalThatComesTwiceAtOnceIsOneWish();
    void aSecondSignalStopsAtOnce();
    void reloadAppliesGoodAndKeepsRunningOnBad();
    void portTaken();
    void aFolderThatIsNoWorkspaceIsSaidSo_data();
    void aFolderThatIsNoWorkspaceIsSaidSo();
    void badInput_data();
    void badInput();
    void openGatewayStaysOnLoopback();
    void metricsNeedATokenWhereOthersReachThem();
    void onlySignedPoliciesAreServed();
    void reloadOfATamperedTableIsRefused();
    void changedConfigurationIsNotServed();
    void refusedDatabaseIsSaidAndStopsNothing();
    void secondGatewayOnOneWorkspaceIsRefused();

private:
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home->run(words(arguments)); }
    [[nodiscard]] QByteArray get(const QByteArray& address, const char* path) const {
        return m_home->runProgram(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-m"), QStringLiteral("10"),
                                                           QString::fromUtf8("http://" + address + path)}).out;
    }
    void signBoth() {
        QCOMPARE(run("keys create --out k").code, 0);
        QCOMPARE(run("sign --key k --signer Ada ws/routing-table.json ws/gateway.toml").code, 0);
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlServe::readyLineThenServesThenDrains_data() {
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void TestCtlServe::readyLineThenServesThenDrains() {
    QFETCH(int, number);
    Gateway gateway(*m_home, words("ws --no-evidence"));
    const QByteArray address = gateway.address();
    QVERIFY2(address.startsWith("127.0.0.1:") && !address.endsWith(":0"), gateway.log().constData());
    QVERIFY(gateway.says("client-token"));
    const auto answer = m_home->runProgram(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-o"), QStringLiteral("/dev/null"),
        QStringLiteral("-w"), QStringLiteral("%{http_code}"), QString::fromUtf8("http://" + address + "/livez")});
    QCOMPARE(answer.out, QByteArray("200"));
    gateway.signal(number);
    QCOMPARE(gateway.end(), 0);
    QVERIFY2(gateway.log().contains("stopped"), gateway.log().constData());
    // The token itself is never said.
    const auto states = m_home->files("data/state");
    QCOMPARE(states.size(), 1);
    const QByteArray token = m_home->read(("data/state/" + states[0].toUtf8() + "/client-token").constData()).trimmed();
    QVERIFY(token.size() >= 16);
    QVERIFY(!gateway.log().contains(token));
}

/// Whatever the machine does unasked: open streams stand still while the kernel works on huge pages.
void TestCtlServe::itsPagesStaySmall() {
    if (mayBeHuge(QStringLiteral("self")) != 1) QSKIP("here a process has no huge pages or does not say so");
    Gateway gateway(*m_home, words("ws --no-evidence"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    QCOMPARE(mayBeHuge(QString::number(gateway.id())), 0);
}

void TestCtlServe::demoWorkspace() {
    Gateway gateway(*m_home, words("--demo --no-evidence --listen 127.0.0.1:0"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    QVERIFY(QFile::exists(m_home->path("data/demo/routing-table.json")));
}

void TestCtlServe::requestsAreLogged_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QByteArray>("served");
    QTest::addColumn<QByteArray>("refused");
    QTest::newRow("text") << QString() << QByteArray(" outcome=served status=200 ") << QByteArray(" outcome=refused status=404 error=model_not_found ");
    QTest::newRow("JSON") << QStringLiteral(" --log-format json") << QByteArray(R"("outcome":"served","status":200)")
                          << QByteArray(R"("outcome":"refused","status":404,"error":"model_not_found")");
    QTest::newRow("trouble only") << QStringLiteral(" --log-level warn") << QByteArray() << QByteArray(" outcome=refused status=404 ");
    QTest::newRow("nothing") << QStringLiteral(" --log-level error") << QByteArray() << QByteArray();
}

void TestCtlServe::requestsAreLogged() {
    QFETCH(QString, options);
    QFETCH(QByteArray, served);
    QFETCH(QByteArray, refused);
    Gateway gateway(*m_home, (QStringLiteral("--demo --no-evidence --listen 127.0.0.1:0") + options).split(QLatin1Char(' ')));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const auto ask = [&](const char* model) {
        return curl(*m_home, {QStringLiteral("-o"), QStringLiteral("/dev/null"), QStringLiteral("-w"), QStringLiteral("%{http_code}"),
                              QStringLiteral("-d"), QStringLiteral(R"({"model":"%1","max_tokens":1,"messages":[{"role":"user","content":"planted"}]})").arg(QLatin1String(model)),
                              QString::fromUtf8("http://" + address + "/v1/chat/completions")}).out;
    };
    QCOMPARE(ask("gemma-4-26b"), QByteArray("200"));
    QCOMPARE(ask("nobody-serves-this"), QByteArray("404"));
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    for (const QByteArray& said : {served, refused})
        QVERIFY2(said.isEmpty() || gateway.log().contains(said), gateway.log().constData());
    if (served.isEmpty()) QVERIFY2(!gateway.log().contains("served"), gateway.log().constData());
    if (refused.isEmpty()) QVERIFY2(!gateway.log().contains("refused"), gateway.log().constData());
    QVERIFY(!gateway.log().contains("planted"));
}

void TestCtlServe::whatIsTurnedAwayIsLogged_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("json");
    const auto text = [](const char* what) { return QByteArray(" edge=openai ") + what + " peer=127.0.0.1 reason=\""; };
    QTest::newRow("text") << QString() << text("status=401 error=invalid_token") << text("status=400 error=invalid_json");
    QTest::newRow("trouble only") << QStringLiteral(" --log-level warn") << text("status=401 error=invalid_token") << text("status=400 error=invalid_json");
    QTest::newRow("JSON") << QStringLiteral(" --log-format json") << QByteArray(R"("outcome":"refused","status":401,"error":"invalid_token","peer":"127.0.0.1",)")
                          << QByteArray(R"("outcome":"refused","status":400,"error":"invalid_json","peer":"127.0.0.1",)");
    QTest::newRow("nothing") << QStringLiteral(" --log-level error") << QByteArray() << QByteArray();
}

void TestCtlServe::whatIsTurnedAwayIsLogged() {
    QFETCH(QString, options);
    QFETCH(QByteArray, token);
    QFETCH(QByteArray, json);
    Gateway gateway(*m_home, (QStringLiteral("ws --no-evidence") + options).split(QLatin1Char(' ')));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const QStringList about{QStringLiteral("-o"), QStringLiteral("/dev/null"), QStringLiteral("-w"), QStringLiteral("%{http_code}"), QString::fromUtf8("http://" + address + "/v1/chat/completions")};
    QCOMPARE(curl(*m_home, QStringList{QStringLiteral("-d"), QStringLiteral(R"({"model":"planted)")} + about).out, QByteArray("400"));
    const QStringList wrong{QStringLiteral("-sS"), QStringLiteral("-H"), QStringLiteral("Authorization: Bearer sk-planted-0123456789abcdef"), QStringLiteral("-d"), QStringLiteral("{}")};
    QCOMPARE(m_home->runProgram(QStringLiteral("curl"), wrong + about).out, QByteArray("401"));
    // What our own words say to do is no secret, and no path speaks to the terminal of whoever reads the log.
    const QStringList none{QStringLiteral("-sS"), QStringLiteral("-d"), QStringLiteral("{}")};
    QCOMPARE(m_home->runProgram(QStringLiteral("curl"), none + about).out, QByteArray("401"));
    QStringList elsewhere = about;
    elsewhere.last() = QString::fromUtf8("http://" + address + "/\xc2\x9b" "31m");
    QCOMPARE(m_home->runProgram(QStringLiteral("curl"), QStringList{QStringLiteral("-sS")} + elsewhere).out, QByteArray("404"));
    const QByteArray counted = curl(*m_home, {QString::fromUtf8("http://" + address + "/metrics")}).out;
    for (const char* code : {"invalid_token", "invalid_json"})
        QVERIFY2(counted.contains(QByteArray("signalbox_refusals_total{code=\"") + code + "\"} 1"), counted.constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    QVERIFY(!gateway.log().contains("\xc2\x9b"));
    if (!token.isEmpty()) QVERIFY2(gateway.log().contains("needs its client token. Send it as"), gateway.log().constData());
    for (const QByteArray& said : {token, json})
        QVERIFY2(said.isEmpty() ? !gateway.log().contains("refused") : gateway.log().contains(said), gateway.log().constData());
    QVERIFY(!gateway.log().contains("planted"));
}

// Without evidence the log is all that tells who switched something.
void TestCtlServe::adminActionsAreLogged() {
    Gateway gateway(*m_home, words("ws --no-evidence"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    QCOMPARE(run("off --workspace ws").code, 0);
    QVERIFY(run("drain nowhere:m --workspace ws").code != 0);
    static_cast<void>(run("note planted --workspace ws"));  // refused: nothing is kept
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    for (const char* said : {" info  admin action=off subject=on outcome=done actor=operator:", " peer=127.0.0.1 policy=",
                             " warning admin action=drain subject=nowhere:m outcome=refused actor=operator:"})
        QVERIFY2(gateway.log().contains(said), gateway.log().constData());
    QVERIFY(!gateway.log().contains("planted"));
}

void TestCtlServe::aFloodOfRefusalsIsAFewLines() {
    Gateway gateway(*m_home, words("ws --no-evidence"));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    QElapsedTimer took;
    took.start();
    // curl asks once for each number, over one connection.
    static_cast<void>(m_home->runProgram(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-o"), QStringLiteral("/dev/null"), QString::fromUtf8("http://" + address + "/v1/models?[1-400]")}));
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    const auto lines = gateway.log().count("error=missing_token");
    QVERIFY2(lines >= 1 && lines <= 2 + took.elapsed() / 1000, gateway.log().constData());
    qsizetype told = 0;
    for (const QByteArray& line : gateway.log().split('\n')) {
        if (!line.contains("error=missing_token")) continue;
        const auto more = line.indexOf(" more=");
        told += 1 + (more < 0 ? 0 : line.mid(more + 6, line.indexOf(' ', more + 6) - more - 6).toLongLong());
    }
    QCOMPARE(told, qsizetype{400});
}

void TestCtlServe::aLogOfObjectsHoldsNothingElse() {
    // A finding of the files, and two remarks of the gateway.
    m_home->write("ws/gateway.toml", goodConfig() + "\n[providers.far]\nmodels = [\"far-1\"]\n[providers.away]\nmodels = [\"away-1\"]\n[routing]\nmoode = \"off\"\n");
    Gateway gateway(*m_home, words("ws --no-evidence --log-format json"));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    static_cast<void>(curl(*m_home, {QString::fromUtf8("http://" + address + "/nothing")}));
    m_home->write("ws/gateway.toml", "[server\n");
    gateway.signal(SIGHUP);
    QVERIFY2(gateway.says("the running policy stays"), gateway.log().constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    QVERIFY2(gateway.log().contains("moode") && gateway.log().contains("ws/gateway.toml:1:"), gateway.log().constData());
    for (const QByteArray& line : gateway.log().trimmed().split('\n'))
        QVERIFY2(QJsonDocument::fromJson(line).object().contains(QStringLiteral("level")), line.constData());
}

void TestCtlServe::aLogOfObjectsTellsWhyItEnded() {
    m_home->write("ws/gateway.toml", "x = \n");
    const auto ended = run("serve ws --no-evidence --log-format json");
    QCOMPARE(ended.code, 1);
    const QByteArrayList lines = ended.err.trimmed().split('\n');
    QVERIFY2(lines.size() >= 2, ended.err.constData());
    for (const QByteArray& line : lines) QCOMPARE(QJsonDocument::fromJson(line).object()[QStringLiteral("level")].toString(), QStringLiteral("error"));
    QVERIFY2(lines.last().contains("signalboxctl check ws"), ended.err.constData());
}

void TestCtlServe::eachRemarkIsAnEntryOfItsOwn() {
    m_home->write("ws/gateway.toml", goodConfig() + "\n[providers.far]\nmodels = [\"far-1\"]\n[providers.away]\nmodels = [\"away-1\"]\n");
    Gateway gateway(*m_home, words("ws --no-evidence"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    const auto shown = run("status --workspace ws");
    QVERIFY2(shown.out.count("\n  remark       ") == 2, shown.out.constData());
    for (const QByteArray& line : shown.out.trimmed().split('\n').mid(1)) QVERIFY2(line.startsWith("  "), shown.out.constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
    for (const QByteArray& line : gateway.log().trimmed().split('\n'))
        QVERIFY2(line.startsWith("20") && line.mid(10, 1) == "T", gateway.log().constData());
}

// Nobody shall look at an empty screen while it is made.
void TestCtlServe::theDemosWeekIsAnnounced() {
    m_home->letOthersIn();
    Gateway gateway(*m_home, words("--demo --listen 127.0.0.1:0"));
    QVERIFY2(gateway.says("writing the demo's week into its journal"), gateway.log().constData());
    const auto wrote = gateway.log().indexOf("wrote the demo's week");
    QVERIFY2(wrote < 0 || wrote > gateway.log().indexOf("writing the demo's week"), gateway.log().constData());
}

// timeout(1) signals the process and then its group.
void TestCtlServe::aSignalThatComesTwiceAtOnceIsOneWish() {
    Gateway gateway(*m_home, words("ws --no-evidence"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    gateway.signal(SIGTERM);
    gateway.signal(SIGINT);  // another, since two of one kind may be delivered as one
    QCOMPARE(gateway.end(), 0);
    QVERIFY2(!gateway.log().contains("stopped without waiting"), gateway.log().constData());
    const QString state = QStringLiteral("data/state/") + m_home->files("data/state").value(0);
    QVERIFY(m_home->files(state.toUtf8().constData()).filter(QStringLiteral("running-url")).isEmpty());
}

void TestCtlServe::aSecondSignalStopsAtOnce() {
    m_home->write("ws/gateway.toml", QByteArray(goodConfig()).replace("[presets.amber-base]", "[providers.lab.simulated]\nfirst_token_ms = 60000\n[presets.amber-base]"));
    Gateway gateway(*m_home, words("ws --no-evidence"));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const QString state = QStringLiteral("data/state/") + m_home->files("data/state").value(0);
    QProcess waits;
    waits.start(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-H"), QString::fromUtf8("Authorization: Bearer " + m_home->read((state + QStringLiteral("/client-token")).toUtf8().constData()).trimmed()),
                                         QStringLiteral("-d"), QStringLiteral(R"({"model":"lab:amber-26b","messages":[{"role":"user","content":"hi"}]})"), QString::fromUtf8("http://" + address + "/v1/chat/completions")});
    while (waits.state() != QProcess::NotRunning && !get(address, "/metrics").contains("\nsignalbox_in_flight_requests 1")) waits.waitForFinished(20);
    gateway.signal(SIGTERM);
    QVERIFY2(gateway.says("draining, 1 in flight"), gateway.log().constData());
    for (int i = 0; i < 200 && !gateway.ended(50); ++i) gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 3);
    QVERIFY2(gateway.log().contains("stopped without waiting"), gateway.log().constData());
    waits.kill();
    waits.waitForFinished();
}

void TestCtlServe::reloadAppliesGoodAndKeepsRunningOnBad() {
    Gateway gateway(*m_home, words("ws --no-evidence"));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    m_home->write("ws/gateway.toml", "[server\n");
    gateway.signal(SIGHUP);
    QVERIFY2(gateway.says("the running policy stays"), gateway.log().constData());
    QVERIFY2(gateway.log().contains("ws/gateway.toml:1:"), gateway.log().constData());
    QVERIFY(get(address, "/livez").size() < 1000);

    m_home->write("ws/gateway.toml", goodConfig() + "\n[routing]\npolicy_version = \"v2\"\n[evidence]\nretention_days = 3\n");
    gateway.signal(SIGHUP);
    QVERIFY2(gateway.says("info  running policy "), gateway.log().constData());
    QVERIFY2(gateway.log().contains("[evidence] changed in gateway.toml; it takes effect at the next start"), gateway.log().constData());
    QVERIFY2(!gateway.log().contains("server.listen changed"), gateway.log().constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
}

void TestCtlServe::portTaken() {
    Gateway first(*m_home, words("ws --no-evidence"));
    const QByteArray address = first.address();
    QVERIFY2(!address.isEmpty(), first.log().constData());
    const auto second = m_home->run(words("serve ws --no-evidence --listen") + QStringList{QString::fromUtf8(address)});
    VERIFY_ONE_MESSAGE(second, 3, "signalboxctl: " + address + ": another program already listens there");
}

void TestCtlServe::aFolderThatIsNoWorkspaceIsSaidSo_data() {
    QTest::addColumn<bool>("table");
    QTest::addColumn<bool>("config");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("empty") << false << false << QByteArray("some: this folder is no workspace: it holds neither routing-table.json nor gateway.toml. Check the path.");
    QTest::newRow("without gateway.toml") << true << false << QByteArray("some: this folder is no workspace: it holds no gateway.toml. Check the path, or write it: ");
    QTest::newRow("without a table") << false << true << QByteArray("some: this folder is no workspace: it holds no routing-table.json. Check the path.");
}

void TestCtlServe::aFolderThatIsNoWorkspaceIsSaidSo() {
    QFETCH(bool, table);
    QFETCH(bool, config);
    QFETCH(QByteArray, says);
    m_home->write("some/notes.txt", "hello");
    if (table) m_home->write("some/routing-table.json", goodTable());
    if (config) m_home->write("some/gateway.toml", goodConfig());
    VERIFY_ONE_MESSAGE(run("serve some"), 1, says);
    QVERIFY(!QDir(m_home->path("data")).exists());
}

void TestCtlServe::badInput_data() {
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    const QByteArray good = goodTable(), toml = goodConfig();
    QTest::newRow("missing workspace") << QByteArray("nowhere") << good << toml << 1 << QByteArray("nowhere: there is no such workspace");
    QTest::newRow("file instead of workspace") << QByteArray("ws/gateway.toml") << good << toml << 1 << QByteArray("a workspace folder is needed");
    QTest::newRow("wrong JSON") << QByteArray("ws") << QByteArray("{,}") << toml << 1 << QByteArray("ws/routing-table.json:1:2: error: ");
    QTest::newRow("wrong TOML") << QByteArray("ws") << good << QByteArray("x = \n") << 1 << QByteArray("ws/gateway.toml:1:");
    QTest::newRow("address without port") << QByteArray("ws --listen localhost") << good << toml << 2 << QByteArray("--listen: \"localhost\" has no port");
    QTest::newRow("port too large") << QByteArray("ws --listen 127.0.0.1:70000") << good << toml << 2 << QByteArray("70000");
    QTest::newRow("address of another machine") << QByteArray("ws --no-evidence --listen 192.0.2.1:0") << good << toml << 3 << QByteArray("not an address of this machine");
    QTest::newRow("trusted key missing") << QByteArray("ws --require-signature --trusted-key no.pub") << good << toml << 1 << QByteArray("no.pub: no such file");
    QTest::newRow("trusted key wrong") << QByteArray("ws --require-signature --trusted-key ws/gateway.toml") << good << toml << 1 << QByteArray("ws/gateway.toml:1:1: ");
    QTest::newRow("token variable unset") << QByteArray("ws --no-evidence") << good << toml + "[auth]\ntoken_env = \"NO_SUCH_TOKEN\"\n" << 1 << QByteArray("NO_SUCH_TOKEN");
    QTest::newRow("database variable unset") << QByteArray("ws") << good << toml + "[evidence]\ndsn_env = \"NO_SUCH_DSN\"\n" << 1 << QByteArray("$NO_SUCH_DSN: ");
}

void TestCtlServe::badInput() {
    QFETCH(QByteArray, arguments);
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, config);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    m_home->write("ws/routing-table.json", table);
    m_home->write("ws/gateway.toml", config);
    const auto ended = run(("serve " + arguments).constData());
    QVERIFY2(ended.code == code, (ended.out + ended.err).constData());
    QVERIFY2(ended.err.contains(says), ended.err.constData());
    QVERIFY2(ended.err.contains("signalboxctl: "), ended.err.constData());
    QVERIFY(ended.out.isEmpty());
}

void TestCtlServe::openGatewayStaysOnLoopback() {
    m_home->write("ws/gateway.toml", QByteArray(goodConfig()).replace("[server]\n", "[server]\nauth = \"none\"\n"));
    VERIFY_ONE_MESSAGE(run("serve ws --no-evidence --listen 0.0.0.0:0"), 1, "--listen: auth = \"none\" is for loopback only");
}

// packaging/README.md tells how Prometheus is given one, which may spend nothing.
void TestCtlServe::metricsNeedATokenWhereOthersReachThem() {
    m_home->write("ws/gateway.toml", goodConfig() + "[principals.prometheus]\ntoken_env = \"PROMETHEUS_TOKEN\"\nallowed_models = []\n");
    m_home->set("PROMETHEUS_TOKEN", QStringLiteral("a-token-for-prometheus"));
    for (const char* host : {"127.0.0.1", "0.0.0.0"}) {
        Gateway gateway(*m_home, words("ws --no-evidence --listen") + QStringList{QLatin1String(host) + QStringLiteral(":0")});
        const QByteArray address = gateway.address();
        QVERIFY2(!address.isEmpty(), gateway.log().constData());
        const auto ask = [&](const QByteArray& token, const char* path, const QStringList& more = {}) {
            const QByteArray url = "http://127.0.0.1" + address.mid(address.lastIndexOf(':')) + path;
            return m_home->runProgram(QStringLiteral("curl"), QStringList{QStringLiteral("-sS"), QStringLiteral("-m"), QStringLiteral("10"), QStringLiteral("-o"), QStringLiteral("/dev/null"),
                                      QStringLiteral("-w"), QStringLiteral("%{http_code}"), QStringLiteral("-H"), QString::fromUtf8("Authorization: Bearer " + token), QString::fromUtf8(url)} + more).out;
        };
        QCOMPARE(ask("", "/metrics"), QByteArray(host[0] == '1' ? "200" : "401"));
        QCOMPARE(ask("a-token-for-prometheus", "/metrics"), QByteArray("200"));
        QCOMPARE(ask("a-token-for-prometheus", "/v1/chat/completions", {QStringLiteral("-d"), QStringLiteral(R"({"model":"amber-26b","messages":[]})")}), QByteArray("403"));
        gateway.signal(SIGTERM);
        QCOMPARE(gateway.end(), 0);
    }
}

void TestCtlServe::onlySignedPoliciesAreServed() {
    const char* serve = "serve ws --no-evidence --require-signature --trusted-key k.pub";
    QCOMPARE(run("keys create --out k").code, 0);
    VERIFY_ONE_MESSAGE(run(serve), 1, "ws/routing-table.json: it is not signed");
    QCOMPARE(run("keys create --out other").code, 0);
    QCOMPARE(run("sign --key other ws/routing-table.json").code, 0);
    VERIFY_ONE_MESSAGE(run(serve), 1, "ws/routing-table.json: it was signed with key", "not trusted here");
    QCOMPARE(run("sign --key k --signer Ada ws/routing-table.json").code, 0);
    VERIFY_ONE_MESSAGE(run(serve), 1, "ws/gateway.toml: it is not signed");
    QCOMPARE(run("sign --key k --signer Ada ws/gateway.toml").code, 0);
    {
        Gateway gateway(*m_home, words(serve).mid(1));
        QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
        QVERIFY2(gateway.says("table signed by Ada"), gateway.log().constData());
        gateway.signal(SIGTERM);
        QCOMPARE(gateway.end(), 0);
    }
    // One changed byte that leaves the table valid.
    m_home->write("ws/routing-table.json", goodTable().replace("bench run 1", "bench run 2"));
    VERIFY_ONE_MESSAGE(run(serve), 1, "ws/routing-table.json: the content of the file was changed after signing");
}

void TestCtlServe::reloadOfATamperedTableIsRefused() {
    signBoth();
    Gateway gateway(*m_home, words("ws --no-evidence --require-signature --trusted-key k.pub"));
    QVERIFY2(!gateway.address().isEmpty(), gateway.log().constData());
    m_home->write("ws/routing-table.json", goodTable().replace("bench run 1", "bench run 2"));
    gateway.signal(SIGHUP);
    QVERIFY2(gateway.says("changed after signing"), gateway.log().constData());
    QVERIFY2(gateway.says("the running policy stays"), gateway.log().constData());
}

void TestCtlServe::changedConfigurationIsNotServed() {
    signBoth();
    m_home->write("ws/gateway.toml", goodConfig() + "# edited\n");
    VERIFY_ONE_MESSAGE(run("serve ws --no-evidence --require-signature --trusted-key k.pub"), 1, "ws/gateway.toml: the content of the file was changed");
}

void TestCtlServe::refusedDatabaseIsSaidAndStopsNothing() {
    m_home->write("ws/gateway.toml", goodConfig() + "\n[evidence]\ndsn_env = \"DSN\"\n");
    m_home->set("DSN", QStringLiteral("postgresql://ada:hunter2@127.0.0.1:1/none"));
    Gateway gateway(*m_home, words("ws"));
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    QVERIFY2(gateway.says("evidence unavailable"), gateway.log().constData());
    QVERIFY2(gateway.log().contains("$DSN"), gateway.log().constData());
    QVERIFY(!gateway.log().contains("hunter2"));
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
}

void TestCtlServe::secondGatewayOnOneWorkspaceIsRefused() {
    m_home->write("ws/gateway.toml", goodConfig() + "\n[evidence]\ndsn_env = \"DSN\"\n");
    m_home->set("DSN", QStringLiteral("postgresql://ada@127.0.0.1:1/none"));
    Gateway first(*m_home, words("ws"));
    QVERIFY2(!first.address().isEmpty(), first.log().constData());
    const auto second = run("serve ws");
    QVERIFY2(second.code == 1, second.err.constData());
    QVERIFY2(second.err.contains("signalboxctl: "), second.err.constData());
    QVERIFY(second.out.isEmpty());
}

QTEST_APPLESS_MAIN(TestCtlServe)
#include "tst_ctl_serve.moc"
