// SPDX-License-Identifier: MIT
// The console's binary where no display is, as over ssh or in a service, and what it asks of the system.
#include "tests/support/huge_pages.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using signalbox::test::mayBeHuge;

class ConsoleDisplayTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutADisplayItSaysSoAndWhatToDo() {
        const Run run = start({}, {});
        QVERIFY2(run.code == 1, (QByteArray::number(run.code) + ": " + run.err).constData());
        QVERIFY2(run.err.startsWith("signalbox: No display: "), run.err.constData());
        QVERIFY2(run.err.contains("signalboxctl serve") && run.err.contains("set DISPLAY"), run.err.constData());
        QCOMPARE(run.err.count('\n'), 1);
        QVERIFY2(run.out.isEmpty(), run.out.constData());
    }

    void anEmptyVariableNamesNone() { QCOMPARE(start({}, {{QStringLiteral("DISPLAY"), QString()}}).code, 1); }

    void helpNeedsNone() {
        const Run run = start({QStringLiteral("--help")}, {});
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("signalbox"));
    }

    // Whoever names a platform is past the question: these arguments are refused by their own words.
    void aNamedPlatformIsEnough_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QStringList>("before");
        QTest::newRow("by a variable") << QStringLiteral("QT_QPA_PLATFORM") << QStringList{};
        QTest::newRow("by an argument") << QString() << QStringList{QStringLiteral("-platform"), QStringLiteral("offscreen")};
    }
    void aNamedPlatformIsEnough() {
        QFETCH(QString, variable);
        QFETCH(QStringList, before);
        QMap<QString, QString> more;
        if (!variable.isEmpty()) more.insert(variable, QStringLiteral("offscreen"));
        const Run run = start(before + QStringList{QStringLiteral("one"), QStringLiteral("two")}, more);
        QVERIFY2(run.code == 2, (QByteArray::number(run.code) + ": " + run.err).constData());
        QVERIFY2(run.err.contains("One workspace or table at a time"), run.err.constData());
    }

    // As `signalboxctl serve`: its gateway is in the same process.
    void itsPagesStaySmall() {
        if (mayBeHuge(QStringLiteral("self")) != 1) QSKIP("here a process has no huge pages or does not say so");
        QProcess process;
        process.setProcessEnvironment(environment({{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")}}));
        process.start(QStringLiteral(SIGNALBOX), {m_home.filePath(QStringLiteral("no-such-workspace"))});
        QVERIFY(process.waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(mayBeHuge(QString::number(process.processId())), 0, 20'000);
        process.kill();
        QVERIFY(process.waitForFinished());
    }

private:
    struct Run {
        int code = -1;  ///< -1: did not start, crashed or took too long
        QByteArray out, err;
    };
    [[nodiscard]] QProcessEnvironment environment(const QMap<QString, QString>& more) const {
        QProcessEnvironment environment;
        for (const char* keep : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"})
            if (qEnvironmentVariableIsSet(keep)) environment.insert(QString::fromLatin1(keep), qEnvironmentVariable(keep));
        environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        environment.insert(QStringLiteral("HOME"), m_home.path());
        environment.insert(QStringLiteral("SIGNALBOX_DATA_DIR"), m_home.filePath(QStringLiteral("data")));
        for (auto one = more.begin(); one != more.end(); ++one) environment.insert(one.key(), one.value());
        return environment;
    }
    [[nodiscard]] Run start(const QStringList& arguments, const QMap<QString, QString>& more) const {
        QProcess process;
        process.setProcessEnvironment(environment(more));
        process.start(QStringLiteral(SIGNALBOX), arguments);
        const bool ended = process.waitForFinished(60'000);
        if (!ended) process.kill();
        const bool normal = ended && process.exitStatus() == QProcess::NormalExit;
        return {normal ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
    }

    QTemporaryDir m_home;
};

QTEST_GUILESS_MAIN(ConsoleDisplayTest)
#include "tst_console_display.moc"
