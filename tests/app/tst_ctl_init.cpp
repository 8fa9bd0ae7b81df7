// SPDX-License-Identifier: MIT
// A workspace from nothing, which checks and serves as it was written.
#include "tests/app/gateway_process.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace signalbox::test;

class TestCtlInit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<CtlHome>(); }
    void whatIsWrittenChecks();
    void whatIsWrittenServes();
    void thisFolderIsTheDefault();
    void foldersOnTheWayAreMade();
    void nothingIsWrittenOver();
    void onlyWhatIsMissingIsWritten();
    void aTableThatIsThereGetsItsPresetsBound();
    void aFolderThatCannotEvenBeLookedAtIsSaidPlainly();
    void aLinkToNowhereIsNotWrittenThrough();
    void jsonSaysWhatWasWritten();
    void badInput();
    void theNextStepsAreQuoted();

private:
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home->run(QString::fromLatin1(arguments).split(QLatin1Char(' '))); }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlInit::whatIsWrittenChecks() {
    const auto made = run("init ws");
    QVERIFY2(made.code == 0 && made.err.isEmpty(), (made.out + made.err).constData());
    QVERIFY2(made.out.contains("ws/gateway.toml written: ") && made.out.contains("ws/routing-table.json written: "), made.out.constData());
    for (const char* step : {"export OPENAI_API_KEY", "signalboxctl check ws\n", "signalboxctl serve ws\n", "http://127.0.0.1:38082/v1", "token"})
        QVERIFY2(made.out.contains(step), made.out.constData());
    QCOMPARE(m_home->files("ws"), (QStringList{QStringLiteral("gateway.toml"), QStringLiteral("routing-table.json")}));
    for (const char* value : {"", "sk-something"}) {
        m_home->set("OPENAI_API_KEY", QLatin1String(value));
        m_home->set("ANTHROPIC_API_KEY", QLatin1String(value));
        const auto check = run("check ws");
        QVERIFY2(check.code == 0, (check.out + check.err).constData());
        // That the table is empty is said once, and is no warning: gateway.toml routes.
        QCOMPARE(check.out.count("the table has no presets"), 1);
        QVERIFY2(!check.out.contains("warning") && !check.out.contains("error"), check.out.constData());
    }
    const auto table = run("routing-table ws --validate");
    QVERIFY2(table.code == 0, table.err.constData());
    for (const char* model : {"auto", "fast", "practice"}) {
        const auto decided = m_home->run({QStringLiteral("decide"), QStringLiteral("ws")}, QByteArray("{\"messages\":[],\"model\":\"") + model + "\"}");
        QVERIFY2(decided.code == 0 && decided.err.isEmpty(), (decided.out + decided.err).constData());
    }
}

void TestCtlInit::whatIsWrittenServes() {
    QCOMPARE(run("init ws").code, 0);
    Gateway gateway(*m_home, {QStringLiteral("ws"), QStringLiteral("--no-evidence"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
    const QByteArray address = gateway.address();
    QVERIFY2(!address.isEmpty(), gateway.log().constData());
    const auto answer = curl(*m_home, {QString::fromUtf8("http://" + address + "/v1/chat/completions"), QStringLiteral("-d"),
                                       QStringLiteral(R"({"model":"practice","messages":[{"role":"user","content":"Hi"}]})")});
    QVERIFY2(answer.out.contains("This answer is simulated"), (answer.out + answer.err).constData());
    QVERIFY2(!gateway.log().contains("the table has no presets"), gateway.log().constData());
    gateway.signal(SIGTERM);
    QCOMPARE(gateway.end(), 0);
}

void TestCtlInit::thisFolderIsTheDefault() {
    const auto made = run("init");
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY(!m_home->read("gateway.toml").isEmpty() && !m_home->read("routing-table.json").isEmpty());
    QVERIFY2(made.out.contains("  signalboxctl check\n"), made.out.constData());
    QCOMPARE(run("check").code, 0);
}

void TestCtlInit::foldersOnTheWayAreMade() {
    QCOMPARE(run("init a/b/c").code, 0);
    QCOMPARE(run("check a/b/c").code, 0);
}

void TestCtlInit::nothingIsWrittenOver() {
    m_home->writeGoodWorkspace();
    VERIFY_ONE_MESSAGE(run("init ws"), 1, "ws: this folder is a workspace already", "routing-table.json and gateway.toml");
    QCOMPARE(m_home->read("ws/gateway.toml"), goodConfig());
    QCOMPARE(m_home->read("ws/routing-table.json"), goodTable());
    m_home->write("broken/gateway.toml", "[");
    m_home->write("broken/routing-table.json", "");
    QCOMPARE(run("init broken").code, 1);
    QCOMPARE(m_home->read("broken/gateway.toml"), QByteArray("["));
    QVERIFY(m_home->read("broken/routing-table.json").isEmpty());
}

void TestCtlInit::onlyWhatIsMissingIsWritten() {
    const QByteArray own = "[providers.lab]\nprotocol = \"simulated\"\nmodels = [\"a\"]\n";
    m_home->write("ws/gateway.toml", own);
    const auto missing = run("check ws");
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("ws/routing-table.json: no such file") && missing.err.contains("`signalboxctl init FOLDER` writes an empty one"), missing.err.constData());
    const auto made = run("init ws");
    QVERIFY2(made.code == 0, made.err.constData());
    QVERIFY2(made.out.contains("ws/gateway.toml is left as it is\n") && made.out.contains("ws/routing-table.json written: "), made.out.constData());
    QVERIFY2(!made.out.contains("OPENAI_API_KEY") && !made.out.contains("38082"), made.out.constData());
    QCOMPARE(m_home->read("ws/gateway.toml"), own);
    QCOMPARE(run("check ws").code, 0);
}

void TestCtlInit::aTableThatIsThereGetsItsPresetsBound() {
    m_home->write("ws/routing-table.json", goodTable());
    const auto made = run("init ws");
    QVERIFY2(made.code == 0 && made.out.contains("ws/routing-table.json is left as it is\n"), (made.out + made.err).constData());
    QVERIFY2(made.out.contains("answered by simulation until you name their providers in ws/gateway.toml"), made.out.constData());
    QCOMPARE(m_home->read("ws/routing-table.json"), goodTable());
    const auto check = run("check ws");
    QVERIFY2(check.code == 0 && !check.out.contains("warning"), (check.out + check.err).constData());
    QVERIFY(m_home->read("ws/gateway.toml").contains("[presets.\"amber-base\"]"));
}

void TestCtlInit::aFolderThatCannotEvenBeLookedAtIsSaidPlainly() {
    const auto made = run((std::string("init ") + std::string(300, 'x')).c_str());
    QVERIFY2(made.code == 1 && made.err.contains("the folder cannot be made: "), (QByteArray::number(made.code) + made.err).constData());
}

void TestCtlInit::aLinkToNowhereIsNotWrittenThrough() {
    QDir().mkpath(m_home->path("ws"));
    QVERIFY(QFile::link(m_home->path("elsewhere.toml"), m_home->path("ws/gateway.toml")));
    QCOMPARE(run("init ws").code, 0);
    QVERIFY(!QFile::exists(m_home->path("elsewhere.toml")));
    QVERIFY(QFile::exists(m_home->path("ws/routing-table.json")));
}

void TestCtlInit::jsonSaysWhatWasWritten() {
    m_home->write("ws/routing-table.json", goodTable());
    const auto json = QJsonDocument::fromJson(run("init ws --json").out).object();
    QCOMPARE(json[QLatin1String("written")].toArray(), QJsonArray{QStringLiteral("ws/gateway.toml")});
    QCOMPARE(json[QLatin1String("kept")].toArray(), QJsonArray{QStringLiteral("ws/routing-table.json")});
}

void TestCtlInit::badInput() {
    m_home->write("notes.txt", "hello");
    VERIFY_ONE_MESSAGE(run("init notes.txt"), 1, "notes.txt: this is a file");
    QCOMPARE(run("init notes.txt/ws").code, 1);
    QCOMPARE(m_home->read("notes.txt"), QByteArray("hello"));
}

void TestCtlInit::theNextStepsAreQuoted() {
    const auto made = m_home->run({QStringLiteral("init"), QStringLiteral("my ws")});
    QVERIFY2(made.out.contains("  signalboxctl serve 'my ws'\n"), made.out.constData());
}

QTEST_APPLESS_MAIN(TestCtlInit)
#include "tst_ctl_init.moc"
