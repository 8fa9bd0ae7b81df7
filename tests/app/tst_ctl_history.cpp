// SPDX-License-Identifier: MIT
#include "tests/app/ctl_process.h"

using namespace signalbox::test;

namespace {
QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); }
}  // namespace

class TestCtlHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
    }
    void databaseRefused_data();
    void databaseRefused();
    void variableNotSet();
    void nothingRecordedYet();
    void brokenConfigurationAsksNoOtherDatabase();
    void missingWorkspace();

private:
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home->run(words(arguments)); }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlHistory::databaseRefused_data() {
    QTest::addColumn<QString>("dsn");
    QTest::newRow("nobody listens") << QStringLiteral("postgresql://ada:hunter2@127.0.0.1:1/none");
    QTest::newRow("key and value form") << QStringLiteral("host=127.0.0.1 port=1 user=ada password=hunter2 dbname=none");
    QTest::newRow("socket is missing") << QStringLiteral("host=/nowhere user=ada password=hunter2");
}

void TestCtlHistory::databaseRefused() {
    QFETCH(QString, dsn);
    m_home->set("DSN", dsn);
    const auto asked = run("history ws --dsn-env DSN");
    VERIFY_ONE_MESSAGE(asked, 3, "signalboxctl: ", "$DSN");
    QVERIFY2(!asked.err.contains("hunter2"), asked.err.constData());
}

void TestCtlHistory::variableNotSet() {
    VERIFY_ONE_MESSAGE(run("history ws --dsn-env NO_SUCH_DSN"), 1, "$NO_SUCH_DSN: ", "not set", "leave --dsn-env out");
}

void TestCtlHistory::nothingRecordedYet() {
    VERIFY_ONE_MESSAGE(run("history ws"), 1, "no history here yet");
    QVERIFY(m_home->files("data").isEmpty());
}

void TestCtlHistory::brokenConfigurationAsksNoOtherDatabase() {
    m_home->write("ws/gateway.toml", "[evidence]\ndsn_env = 3\n");
    VERIFY_ONE_MESSAGE(run("history ws"), 1, "ws/gateway.toml: ", "--dsn-env");
}

void TestCtlHistory::missingWorkspace() { VERIFY_ONE_MESSAGE(run("history nowhere"), 1, "nowhere: "); }

QTEST_APPLESS_MAIN(TestCtlHistory)
#include "tst_ctl_history.moc"
