// SPDX-License-Identifier: MIT
#include "tests/app/ctl_process.h"

#include <QDirIterator>

using signalbox::test::CtlHome;

class TestCtlUsage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpHasAnExample_data();
    void helpHasAnExample();
    void version();
    void wrongCommandLines_data();
    void wrongCommandLines();
    void fullDiskOnStandardOutputIsNoticed();

private:
    CtlHome m_home;
};

void TestCtlUsage::helpHasAnExample_data() {
    QTest::addColumn<QStringList>("verb");
    for (const char* verb : {"init", "serve", "check", "routing-table", "decide", "coverage", "history", "import", "keys", "sign", "verify",
                             "keys create", "keys list", "keys show", "keys import", "keys passwd",
                             "status", "off", "mode", "drain", "undrain", "circuit", "tail", "apply", "note"})
        QTest::newRow(verb) << QString::fromLatin1(verb).split(QLatin1Char(' '));
}

void TestCtlUsage::helpHasAnExample() {
    QFETCH(QStringList, verb);
    const auto run = m_home.run(verb + QStringList{QStringLiteral("--help")});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("Example:\n"), run.out.constData());
    QVERIFY2(run.out.contains("signalboxctl " + verb.join(QLatin1Char(' ')).toUtf8()), run.out.constData());
    QVERIFY(run.err.isEmpty());
}

void TestCtlUsage::version() {
    const auto run = m_home.run({QStringLiteral("--version")});
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.startsWith("signalboxctl "));
}

void TestCtlUsage::wrongCommandLines_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts); };
    QTest::newRow("no verb") << QStringList() << QByteArray("subcommand is required");
    QTest::newRow("unknown verb") << words("fly") << QByteArray("fly");
    QTest::newRow("unknown verb of keys") << words("keys creat") << QByteArray("there is no verb \"keys creat\", did you mean \"keys create\"?\nSee signalboxctl keys --help.");
    QTest::newRow("unknown option") << words("check --fast") << QByteArray("--fast");
    QTest::newRow("too many workspaces") << words("check a b") << QByteArray("b");
    QTest::newRow("keys without verb") << words("keys") << QByteArray("subcommand is required");
    QTest::newRow("sign without key") << words("sign table.json") << QByteArray("--key is required");
    QTest::newRow("verify without file") << words("verify --key a.pub") << QByteArray("FILE is required");
    QTest::newRow("in flight is no number") << words("decide --in-flight many") << QByteArray("many");
    QTest::newRow("in flight is negative") << words("decide --in-flight -1") << QByteArray("-1");
    QTest::newRow("hint of unknown name") << words("decide --hint size=long") << QByteArray("expected_length");
    QTest::newRow("hint without value") << words("decide --hint category") << QByteArray("category=code");
    QTest::newRow("pin of unknown kind") << words("decide --pin rule/3") << QByteArray("preset/");
    QTest::newRow("signature without key") << words("serve --require-signature") << QByteArray("--trusted-key");
    QTest::newRow("key without signature") << words("serve --trusted-key a.pub") << QByteArray("--require-signature");
    QTest::newRow("log level") << words("serve --log-level loud") << QByteArray("trace, debug");
    QTest::newRow("log format") << words("serve --log-format xml") << QByteArray("text or json");
    QTest::newRow("history: time") << words("history --since yesterday") << QByteArray("24h");
    QTest::newRow("history: range") << words("history --since 1h --until 2020-01-01") << QByteArray("ends before");
    QTest::newRow("history: outcome") << words("history --outcome good") << QByteArray("cancelled");
    QTest::newRow("history: coverage") << words("history --coverage most") << QByteArray("most");
    QTest::newRow("history: page key") << words("history --after 17") << QByteArray("page before");
    QTest::newRow("in flight says the range") << words("decide --in-flight -1") << QByteArray("whole number from 0 to 4294967295");
    QTest::newRow("history: rule 0") << words("history --rule 0") << QByteArray("--rule: \"0\" is not a whole number from 1 to ");
    QTest::newRow("history: gap and coverage") << words("history --gap --coverage rule") << QByteArray("--coverage");
    QTest::newRow("history: id") << words("history --id 17") << QByteArray("X-Signalbox-Decision-Id");
    QTest::newRow("demo and a workspace") << words("serve --demo ws") << QByteArray("--demo");
    QTest::newRow("the verb's own help") << words("check --fast") << QByteArray("signalboxctl check --help");
    QTest::newRow("history: limit") << words("history --limit 0") << QByteArray("limit");
}

void TestCtlUsage::wrongCommandLines() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const auto run = m_home.run(arguments);
    QVERIFY2(run.code == 2, run.err.constData());
    QVERIFY2(run.err.startsWith("signalboxctl: "), run.err.constData());
    QVERIFY2(run.err.contains(says), run.err.constData());
    QVERIFY(run.out.isEmpty());
}

void TestCtlUsage::fullDiskOnStandardOutputIsNoticed() {
    QProcess process;
    process.setProcessEnvironment(m_home.environment());
    process.setStandardOutputFile(QStringLiteral("/dev/full"));
    process.start(CtlHome::binary(), {QStringLiteral("--help")});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("standard output"));
}

QTEST_APPLESS_MAIN(TestCtlUsage)
#include "tst_ctl_usage.moc"
