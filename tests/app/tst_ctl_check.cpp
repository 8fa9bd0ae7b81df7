// SPDX-License-Identifier: MIT
// F90: everything validates without starting anything.
#include "tests/app/ctl_process.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace signalbox::test;

class TestCtlCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
    }
    void goodWorkspace();
    void currentFolderIsTheWorkspace();
    void deliveredDemoIsValid();
    void namedFilesAlone();
    void badInput_data();
    void badInput();
    void unreadableFile();
    void findingsAreLocated();
    void bothFilesAreCheckedWhenOneIsMissing();
    void badEnvironmentOverride();
    void jsonHoldsEveryFinding();
    void aMissingConfigurationCountsAndSaysHowToBegin();
    void theHelpsFirstConfigurationIsValid();
    void unsetVariablesAreTold();
    void variablesThatNobodyReadsAreNoFinding();
    void aKeyThatIsNotRequiredIsToldSo();
    void everyAliasIsJudgedAtOnce();
    void routersAreJudgedToo();
    void anAliasOfAnUnknownProviderIsTold();

private:
    [[nodiscard]] CtlHome::Run check(const QStringList& arguments) const {
        return m_home->run(QStringList{QStringLiteral("check")} + arguments);
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlCheck::goodWorkspace() {
    const auto run = check({QStringLiteral("ws")});
    QVERIFY2(run.code == 0, (run.out + run.err).constData());
    QVERIFY2(run.err.startsWith("valid"), run.err.constData());
    // Nothing was started, so nothing was made.
    QVERIFY(m_home->files("data").isEmpty());
    QCOMPARE(m_home->files("ws"), (QStringList{QStringLiteral("gateway.toml"), QStringLiteral("routing-table.json")}));
}

void TestCtlCheck::currentFolderIsTheWorkspace() {
    m_home->write("routing-table.json", goodTable());
    m_home->write("gateway.toml", goodConfig());
    QCOMPARE(check({}).code, 0);
}

void TestCtlCheck::deliveredDemoIsValid() {
    const auto run = check({QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")});
    QVERIFY2(run.code == 0, (run.out + run.err).constData());
}

void TestCtlCheck::namedFilesAlone() {
    QCOMPARE(check({QStringLiteral("--table"), QStringLiteral("ws/routing-table.json")}).code, 0);
    QCOMPARE(check({QStringLiteral("--config"), QStringLiteral("ws/gateway.toml")}).code, 0);
    m_home->write("ws/gateway.toml", "[");
    QCOMPARE(check({QStringLiteral("--table"), QStringLiteral("ws/routing-table.json")}).code, 0);
    QCOMPARE(check({QStringLiteral("--config"), QStringLiteral("ws/gateway.toml")}).code, 1);
}

void TestCtlCheck::badInput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("where");
    QTest::addColumn<QByteArray>("says");
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    QTest::newRow("missing workspace") << words("nowhere") << QByteArray("nowhere: ") << QByteArray("no such workspace");
    QTest::newRow("file instead of workspace") << words("ws/gateway.toml") << QByteArray("ws/gateway.toml: ") << QByteArray("folder is needed");
    QTest::newRow("missing table") << words("--table nowhere.json") << QByteArray("nowhere.json: ") << QByteArray("no such file");
    QTest::newRow("folder instead of table") << words("--table ws") << QByteArray("ws: ") << QByteArray("a file is needed");
    QTest::newRow("missing config") << words("--config nowhere.toml") << QByteArray("nowhere.toml: ") << QByteArray("no such file");
    QTest::newRow("folder instead of config") << words("--config ws") << QByteArray("ws: ") << QByteArray("a file is needed");
    QTest::newRow("device instead of table") << words("--table /dev/null") << QByteArray("/dev/null: ") << QByteArray("regular file");
}

void TestCtlCheck::badInput() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, where);
    QFETCH(QByteArray, says);
    VERIFY_ONE_MESSAGE(check(arguments), 1, "signalboxctl: " + where, says);
}

void TestCtlCheck::unreadableFile() {
    if (!CtlHome::canDropOverride()) QSKIP("root reads everything and setpriv is not installed");
    QFile::setPermissions(m_home->path("ws/routing-table.json"), {});
    const auto run = m_home->runWithoutOverride({QStringLiteral("check"), QStringLiteral("--table"), QStringLiteral("ws/routing-table.json")});
    VERIFY_ONE_MESSAGE(run, 1, "ws/routing-table.json: ", "permission");
}

void TestCtlCheck::findingsAreLocated() {
    m_home->write("ws/routing-table.json", QByteArray("{\n  \"schema_version\": 1,\n  \"schema_version\": 1\n}\n"));
    m_home->write("ws/gateway.toml", goodConfig() + "\n[server\n");
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.out.contains("ws/routing-table.json:3:"), run.out.constData());
    QVERIFY2(run.out.contains(": error: "), run.out.constData());
    QVERIFY2(run.out.contains("ws/gateway.toml:" + QByteArray::number(goodConfig().count('\n') + 2) + ":"), run.out.constData());
    QVERIFY2(run.err.startsWith("not valid: "), run.err.constData());
}

void TestCtlCheck::bothFilesAreCheckedWhenOneIsMissing() {
    QFile::remove(m_home->path("ws/routing-table.json"));
    m_home->write("ws/gateway.toml", "[server]\nauth = \"nobody\"\n");
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("ws/routing-table.json: no such file"), run.err.constData());
    QVERIFY2(run.out.contains("ws/gateway.toml:2:"), run.out.constData());
}

void TestCtlCheck::badEnvironmentOverride() {
    m_home->set("SIGNALBOX_SMART_ROUTING_MODE", QStringLiteral("sometimes"));
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("SIGNALBOX_SMART_ROUTING_MODE"), run.err.constData());
}

void TestCtlCheck::jsonHoldsEveryFinding() {
    m_home->write("ws/gateway.toml", "[server]\nauth = \"nobody\"\n");
    const auto run = check({QStringLiteral("ws"), QStringLiteral("--json")});
    QCOMPARE(run.code, 1);
    const auto json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json[QStringLiteral("valid")].toBool(true), false);
    bool found = false;
    for (const auto value : json[QStringLiteral("findings")].toArray()) {
        const auto finding = value.toObject();
        if (finding[QStringLiteral("severity")].toString() != QStringLiteral("error")) continue;
        found = true;
        QCOMPARE(finding[QStringLiteral("file")].toString(), QStringLiteral("ws/gateway.toml"));
        QCOMPARE(finding[QStringLiteral("line")].toInt(), 2);
        QVERIFY(!finding[QStringLiteral("code")].toString().isEmpty());
    }
    QVERIFY(found);
}

void TestCtlCheck::aMissingConfigurationCountsAndSaysHowToBegin() {
    QFile::remove(m_home->path("ws/gateway.toml"));
    QFile::remove(m_home->path("ws/routing-table.json"));
    QVERIFY(QFile::copy(QString::fromStdString((vectorsFolder() / "tables-bad/49-role-bench.json").string()), m_home->path("ws/routing-table.json")));
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("`signalboxctl check --help` shows a first gateway.toml"), run.err.constData());
    QVERIFY2(run.err.contains("not valid: 1 error, 1 warning"), run.err.constData());
}

void TestCtlCheck::theHelpsFirstConfigurationIsValid() {
    const QByteArray help = check({QStringLiteral("--help")}).out;
    const auto at = help.indexOf("[providers.");
    QVERIFY2(at > 0, help.constData());
    m_home->write("ws/gateway.toml", help.mid(at).replace("PRESET_KEY", "amber-base"));
    const auto run = check({QStringLiteral("ws")});
    QVERIFY2(run.code == 0, (run.out + run.err).constData());
    QVERIFY2(!run.out.contains("unknown_key") && !run.out.contains("\"amber-base\""), run.out.constData());
}

void TestCtlCheck::unsetVariablesAreTold() {
    m_home->write("ws/gateway.toml", goodConfig() + "[providers.far]\nbase_url = \"https://far.example/v1\"\napi_key_env = \"FAR_KEY\"\n"
                                                    "[evidence]\ndsn_env = \"FAR_DSN\"\n[admin]\ntoken_env = \"FAR_ADMIN\"\n");
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("note: the variable $FAR_KEY is not set here (providers.far.api_key_env)"), run.out.constData());
    QVERIFY2(run.out.contains("Until it is set, this provider is not called: groups and pools pass over it"), run.out.constData());
    QVERIFY2(!run.out.contains("will fail"), run.out.constData());
    QVERIFY2(run.out.contains("warning: the variable $FAR_DSN is not set here (evidence.dsn_env)"), run.out.constData());
    QVERIFY2(run.out.contains("warning: the variable $FAR_ADMIN is not set here (admin.token_env)"), run.out.constData());
    m_home->set("FAR_KEY", QStringLiteral(" "));
    QVERIFY(check({QStringLiteral("ws")}).out.contains("note: the variable $FAR_KEY is empty here (providers.far.api_key_env)"));
    m_home->set("FAR_ADMIN", QStringLiteral("an-admin-token-of-ours"));
    m_home->set("FAR_KEY", QStringLiteral("hunter2"));
    m_home->set("FAR_DSN", QStringLiteral("host=far"));
    const auto set = check({QStringLiteral("ws")});
    QVERIFY2(!set.out.contains("is not set") && !set.out.contains("hunter2"), set.out.constData());
}

void TestCtlCheck::variablesThatNobodyReadsAreNoFinding() {
    const std::string digest(64, 'a');
    m_home->write("ws/gateway.toml", goodConfig().replace("[server]\n", "[server]\nauth = \"none\"\n") + "[auth]\ntoken_env = \"CLIENT_TOKEN\"\n[principals.ada]\ntoken_env = \"ADA_TOKEN\"\ntoken_sha256 = \"" +
                                         QByteArray::fromStdString(digest) + "\"\n");
    const auto run = check({QStringLiteral("ws")});
    QVERIFY2(run.code == 0 && !run.out.contains("is not set"), (run.out + run.err).constData());
}

// One is seen in the file alone, two only with the table; the last leads to one of them and has no fault of its own.
void TestCtlCheck::everyAliasIsJudgedAtOnce() {
    m_home->write("ws/gateway.toml", goodConfig() + "[aliases]\nx = \"lab:nope\"\ny = \"nope\"\nz = \"zz:amber-26b\"\nfine = \"amber-base\"\nlater = \"x\"\n");
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 1);
    for (const char* alias : {"(aliases.x)", "(aliases.y)", "(aliases.z)"}) QVERIFY2(run.out.contains(alias), run.out.constData());
    QVERIFY2(!run.out.contains("(aliases.fine)") && !run.out.contains("(aliases.later)"), run.out.constData());
    QVERIFY2(run.err.contains("not valid: 3 errors"), run.err.constData());
}

// Whoever says that a key is not needed is not told that it were.
void TestCtlCheck::aKeyThatIsNotRequiredIsToldSo() {
    m_home->write("ws/gateway.toml", goodConfig() + "[providers.far]\nbase_url = \"https://far.example/v1\"\napi_key_env = \"FAR_KEY\"\napi_key_required = false\n"
                                                    "[providers.played]\nprotocol = \"simulated\"\napi_key_env = \"PLAYED_KEY\"\n");
    const auto run = check({QStringLiteral("ws")});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("It is then called without a key."), run.out.constData());
    QVERIFY2(!run.out.contains("pass over") && !run.out.contains("PLAYED_KEY"), run.out.constData());
}

// The parameters of a router are its own to judge; check asks it.
void TestCtlCheck::routersAreJudgedToo() {
    m_home->write("ws/gateway.toml", goodConfig() + "\n[models.pool]\nrouter = \"routewise\"\nrouter_params = { budget_alfa = 0.5 }\n"
                                                    "[[models.pool.route]]\nprovider = \"lab\"\nmodel = \"amber-26b\"\n");
    const QStringList together{QStringLiteral("ws")}, alone{QStringLiteral("--config"), QStringLiteral("ws/gateway.toml")};
    for (const QStringList& arguments : {together, alone}) {
        const auto run = check(arguments);
        QCOMPARE(run.code, 1);
        QVERIFY2(run.out.contains("models.pool.router_params.budget_alfa") && run.out.contains("budget_alpha"), run.out.constData());
    }
}

// With the table it is an error; gateway.toml alone leaves room for a model of that name.
void TestCtlCheck::anAliasOfAnUnknownProviderIsTold() {
    m_home->write("ws/gateway.toml", goodConfig() + "[aliases]\n\"so fast\" = \"labb:amber-26b\"\nfine = \"lab:amber-26b\"\nof-table = \"amber-base\"\n");
    const auto together = check({QStringLiteral("ws")});
    QCOMPARE(together.code, 1);
    QVERIFY2(together.out.contains("error: there is no provider \"labb\""), together.out.constData());
    const auto alone = check({QStringLiteral("--config"), QStringLiteral("ws/gateway.toml")});
    QCOMPARE(alone.code, 0);
    QCOMPARE(alone.out.count('\n'), 1);
    QVERIFY2(alone.out.contains("warning: there is no provider \"labb\"") && alone.out.contains("(aliases.\"so fast\")"), alone.out.constData());
    QVERIFY2(alone.out.contains("Did you mean \"lab\"?") && alone.out.contains("--table FILE"), alone.out.constData());
    QVERIFY2(alone.err.startsWith("valid: 1 warning"), alone.err.constData());
}

QTEST_APPLESS_MAIN(TestCtlCheck)
#include "tst_ctl_check.moc"
