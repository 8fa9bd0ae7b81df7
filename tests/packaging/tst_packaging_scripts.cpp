// SPDX-License-Identifier: MIT
// The README's two commands and what installs packages for them, in a copy whose path holds a space. Nothing is installed
// or built: apt-get, sudo, cmake, ctest and the like are stand-ins that write down how they were called.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace {

QByteArray readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Ran {
    int code = -1;
    QByteArray out, err;
};

class Stage {
public:
    Stage() {
        QDir().mkpath(clone(QStringLiteral("packaging")));
        QDir().mkpath(path(QStringLiteral("bin")));
        QDir().mkpath(path(QStringLiteral("caller/my ws")));
        QDir().mkpath(path(QStringLiteral("caller/half")));
        for (const char* file : {"my ws/routing-table.json", "my ws/gateway.toml", "half/routing-table.json"}) {
            QFile made(path(QStringLiteral("caller/") + QLatin1String(file)));
            QVERIFY(made.open(QIODevice::WriteOnly));
        }
        for (const char* name : {"run", "test", "install-deps", "deps.txt"})
            QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/packaging/") + QLatin1String(name), clone(QStringLiteral("packaging/") + QLatin1String(name)));
        for (const char* name : {"awk", "bash", "cat", "chmod", "dirname", "mkdir", "rm", "sed", "sh"})
            QFile::link(QStandardPaths::findExecutable(QLatin1String(name)), path(QStringLiteral("bin/") + QLatin1String(name)));
        standIn("nproc", "echo 3");
        standIn("id", "echo 1000");
        standIn("sudo", "cat >/dev/null </dev/null");
        standIn("apt-get");
        standIn("npm");
        haveAllBut("nothing");
        standIn("cmake", R"(if [ "$1" = --build ]; then mkdir -p build/release/app/ctl; cp=build/release/app/ctl/signalboxctl
            cat "$BIN/signalboxctl" > $cp; chmod +x $cp; fi)");
        standIn("ctest");
        standIn("signalboxctl");
    }

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString clone(const QString& name) const { return path(QStringLiteral("a clone/") + name); }

    /// A program that notes its name and arguments, with bars between, and does `more`.
    void standIn(const char* name, const QByteArray& more = {}) const {
        QFile file(path(QStringLiteral("bin/") + QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray("#!/bin/sh\n{ printf %s ") + name + R"(; for one in "$@"; do printf '|%s' "$one"; done; echo; } >> "$CALLS")" "\n" + more + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    /// Every package is installed, for two architectures, but these, with bars between.
    void haveAllBut(const QByteArray& packages) const {
        standIn("dpkg-query", "shift 2; for one; do case \"$one\" in " + packages + R"() ;; *) echo "$one installed"; echo "$one installed" ;; esac; done)");
    }
    void remove(const char* name) const { QFile::remove(path(QStringLiteral("bin/") + QLatin1String(name))); }

    [[nodiscard]] Ran run(const char* script, const QStringList& arguments, const QString& from = QStringLiteral("caller")) const {
        return runIn(path(from), clone(QStringLiteral("packaging/") + QLatin1String(script)), arguments);
    }
    [[nodiscard]] Ran runIn(const QString& folder, const QString& script, const QStringList& arguments, const QString& cdPath = {}) const {
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("PATH"), path(QStringLiteral("bin")));
        environment.insert(QStringLiteral("BIN"), path(QStringLiteral("bin")));
        environment.insert(QStringLiteral("CALLS"), path(QStringLiteral("calls")));
        environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        if (!cdPath.isEmpty()) environment.insert(QStringLiteral("CDPATH"), cdPath);
        QProcess process;
        process.setWorkingDirectory(folder);
        process.setProcessEnvironment(environment);
        process.start(path(QStringLiteral("bin/bash")), QStringList{script} + arguments);
        process.closeWriteChannel();
        const bool ended = process.waitForFinished(30'000) && process.exitStatus() == QProcess::NormalExit;
        return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    [[nodiscard]] QByteArray calls() const { return readAll(path(QStringLiteral("calls"))); }

private:
    QTemporaryDir m_folder;
};

QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts); }

}  // namespace

class TestPackagingScripts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_stage = std::make_unique<Stage>(); }
    void wrongCommandLinesDoNothing_data();
    void wrongCommandLinesDoNothing();
    void helpIsUsage();
    void aCheckoutThatCannotBeWrittenIsSaidFirst();

    void presentPackagesNeedNothing();
    void missingPackagesAreInstalled();
    void listsThatCannotBeHadStopNothing();
    void whatCannotBeHadChangesNothing();
    void withoutAptOrRootNothingIsChanged();

    void theWorkspaceIsTheCallersOwn();
    void cdpathLeadsNowhereElse();

    void longTestsAreLeftOutOrBrought();
    void theReleaseBuildHasTestsAfterARun();
    void whatWasSkippedIsSaid();
    void modulesThatCannotBeHadAreSaid();

private:
    std::unique_ptr<Stage> m_stage;
};

void TestPackagingScripts::wrongCommandLinesDoNothing_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* script, const QStringList& arguments, const char* says) {
        QTest::addRow("%s %s", script, qPrintable(arguments.join(QLatin1Char(' ')))) << QByteArray(script) << arguments << QByteArray(says);
    };
    row("install-deps", words("biuld"), "there is no group biuld; there are: build");
    row("install-deps", words("build --dry"), "unknown option --dry");
    row("run", words("--headles"), "unknown option --headles");
    row("run", words("a b"), "one workspace");
    row("run", {QString()}, "is empty");
    row("test", words("--fast"), "unknown option --fast");
    row("test", words("--preset"), "--preset needs dev, release, asan or tsan");
    row("test", words("--preset fuzz"), "--preset needs dev, release, asan or tsan");
    row("test", words("--preset nosuch --long"), "--preset needs dev, release, asan or tsan");
}

void TestPackagingScripts::wrongCommandLinesDoNothing() {
    QFETCH(QByteArray, script);
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Ran ran = m_stage->run(script.constData(), arguments);
    QVERIFY2(ran.code == 2, (ran.out + ran.err).constData());
    QVERIFY2(ran.err.startsWith("packaging/" + script + ": ") && ran.err.contains(says), ran.err.constData());
    QVERIFY2(m_stage->calls().isEmpty(), m_stage->calls().constData());
}

void TestPackagingScripts::helpIsUsage() {
    for (const char* script : {"run", "test", "install-deps"}) {
        const Ran ran = m_stage->run(script, {QStringLiteral("--help")});
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.out.contains(QByteArray("Usage: packaging/") + script) && !ran.out.contains("set -e"), ran.out.constData());
        // All of the comment, and nothing of what follows.
        const QByteArray head = readAll(m_stage->clone(QStringLiteral("packaging/") + QLatin1String(script)));
        QCOMPARE(ran.out.count('\n'), head.left(head.indexOf("\nset -e")).count('\n'));
        QVERIFY(m_stage->calls().isEmpty());
    }
}

void TestPackagingScripts::aCheckoutThatCannotBeWrittenIsSaidFirst() {
    QFile inTheWay(m_stage->clone(QStringLiteral("build")));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    for (const char* script : {"run", "test"}) {
        const Ran ran = m_stage->run(script, {});
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.err.contains("a clone/build cannot be written"), ran.err.constData());
        QVERIFY2(m_stage->calls().isEmpty(), m_stage->calls().constData());
    }
}

void TestPackagingScripts::presentPackagesNeedNothing() {
    const Ran ran = m_stage->run("install-deps", {});
    QVERIFY2(ran.code == 0 && ran.out.startsWith("packages: all "), (ran.out + ran.err).constData());
    QVERIFY(!m_stage->calls().contains("apt-get") && !m_stage->calls().contains("sudo"));
}

void TestPackagingScripts::missingPackagesAreInstalled() {
    m_stage->haveAllBut("libssl-dev|postgresql-15|prometheus|chromium");
    const Ran dry = m_stage->run("install-deps", words("--dry-run build run test"));
    QVERIFY2(dry.code == 0 && dry.out == "packages to install: libssl-dev postgresql-15 prometheus\n", (dry.out + dry.err).constData());
    QVERIFY(!m_stage->calls().contains("apt-get"));

    const Ran ran = m_stage->run("install-deps", words("build run test"));
    QVERIFY2(ran.code == 0, (ran.out + ran.err).constData());
    const QByteArray calls = m_stage->calls();
    const auto update = calls.indexOf("sudo|apt-get|-q|update\n");
    const auto sure = calls.indexOf("\napt-get|-qq|-s|install|--no-install-recommends|libssl-dev|postgresql-15|prometheus\n");
    const auto install = calls.indexOf("sudo|env|DEBIAN_FRONTEND=noninteractive|apt-get|-q|install|-y|--no-install-recommends|");
    QVERIFY2(update >= 0 && sure > update && install > sure, calls.constData());
    const QString cluster = QStringLiteral("/etc/postgresql-common/createcluster.d/signalbox.conf"), unit = QStringLiteral("/etc/systemd/system/prometheus.service");
    const auto said = calls.indexOf("sudo|tee|" + cluster.toUtf8() + '\n'), masked = calls.indexOf("sudo|ln|-s|/dev/null|" + unit.toUtf8() + '\n');
    // This machine may have both already.
    if (!QFile::exists(cluster)) QVERIFY2(said > sure && said < install, calls.constData());
    if (!QFile::exists(unit) && QFile::symLinkTarget(unit).isEmpty()) QVERIFY2(masked > sure && masked < install, calls.constData());
    QVERIFY2(!calls.contains("createcluster.conf"), "that file is its owner's");
}

void TestPackagingScripts::listsThatCannotBeHadStopNothing() {
    m_stage->haveAllBut("libssl-dev");
    m_stage->standIn("sudo", R"(case "$*" in *update*) exit 100 ;; esac)");
    const Ran ran = m_stage->run("install-deps", {});
    QVERIFY2(ran.code == 0 && ran.err.contains("going on"), (ran.out + ran.err).constData());
    QVERIFY2(m_stage->calls().contains("|libssl-dev\n") && m_stage->calls().contains("|install|-y|"), m_stage->calls().constData());
}

void TestPackagingScripts::whatCannotBeHadChangesNothing() {
    m_stage->haveAllBut("postgresql-15|prometheus");
    m_stage->standIn("apt-get", "echo 'E: Unable to locate package postgresql-15' >&2; exit 100");
    const Ran ran = m_stage->run("install-deps", {});
    QVERIFY2(ran.code == 1 && ran.err.contains("Unable to locate") && ran.err.contains("Debian 12"), (ran.out + ran.err).constData());
    for (const char* change : {"mkdir", "tee", "|ln|", "|install|-y|"})
        QVERIFY2(!m_stage->calls().contains(change), m_stage->calls().constData());
}

void TestPackagingScripts::withoutAptOrRootNothingIsChanged() {
    m_stage->haveAllBut("postgresql-15|prometheus");
    m_stage->remove("sudo");
    const Ran user = m_stage->run("install-deps", words("build run test"));
    QVERIFY2(user.code == 1 && user.err.contains("As root, run:\n  ") && user.err.contains("a\\ clone/packaging/install-deps build run test\n"), (user.out + user.err).constData());
    m_stage->standIn("sudo");
    m_stage->remove("apt-get");
    const Ran other = m_stage->run("install-deps", words("build run test"));
    QVERIFY2(other.code == 1 && other.err.contains("There is no apt-get here") && other.err.contains("--no-install"), (other.out + other.err).constData());
    QVERIFY2(!m_stage->calls().contains("sudo"), m_stage->calls().constData());
}

void TestPackagingScripts::theWorkspaceIsTheCallersOwn() {
    const Ran ran = m_stage->run("run", {QStringLiteral("--no-install"), QStringLiteral("my ws")});
    QVERIFY2(ran.code == 0 && ran.err.contains("No display here"), (ran.out + ran.err).constData());
    QVERIFY2(m_stage->calls().contains("\nsignalboxctl|serve|" + m_stage->path(QStringLiteral("caller/my ws")).toUtf8() + '\n'), m_stage->calls().constData());
    QVERIFY2(!m_stage->calls().contains("dpkg-query"), "it was told not to install");

    const Ran missing = m_stage->run("run", {QStringLiteral("--no-install"), QStringLiteral("nowhere")});
    QVERIFY2(missing.code == 1 && missing.err.contains("there is no workspace") && missing.err.contains("caller/nowhere"), missing.err.constData());
    const Ran half = m_stage->run("run", {QStringLiteral("--no-install"), QStringLiteral("half")});
    QVERIFY2(half.code == 1 && half.err.contains("caller/half is no workspace"), half.err.constData());
    QCOMPARE(m_stage->calls().count("--build"), 1);
}

void TestPackagingScripts::cdpathLeadsNowhereElse() {
    const Ran ran = m_stage->runIn(m_stage->clone(QString()), QStringLiteral("packaging/run"), {}, m_stage->clone(QString()));
    QVERIFY2(ran.code == 0, (ran.out + ran.err).constData());
    QVERIFY2(m_stage->calls().contains("\nsignalboxctl|serve|--demo\n"), m_stage->calls().constData());
}

void TestPackagingScripts::longTestsAreLeftOutOrBrought() {
    const Ran normal = m_stage->run("test", words("-- -R one"));
    QVERIFY2(normal.code == 0 && normal.out.contains("Left out: the tests labelled long"), (normal.out + normal.err).constData());
    QVERIFY2(m_stage->calls().contains("|--label-exclude|^(long|minute)$|-R|one\n") && m_stage->calls().contains("\nctest|--preset|dev|--parallel|3|"), m_stage->calls().constData());
    QVERIFY2(!m_stage->calls().contains("|chromium|") && !m_stage->calls().contains("|fuzz"), m_stage->calls().constData());

    m_stage = std::make_unique<Stage>();
    const Ran fuzzed = m_stage->run("test", words("--fuzz"));
    QVERIFY2(fuzzed.code == 0 && fuzzed.out.contains("Left out: the tests labelled long") && !fuzzed.out.contains("fuzz"), (fuzzed.out + fuzzed.err).constData());
    QVERIFY2(m_stage->calls().contains("|--label-exclude|^(long)$\n") && m_stage->calls().contains("|clang|"), m_stage->calls().constData());
    QVERIFY2(!m_stage->calls().contains("|chromium|"), m_stage->calls().constData());

    m_stage = std::make_unique<Stage>();
    const Ran all = m_stage->run("test", words("--long"));
    QVERIFY2(all.code == 0 && !all.out.contains("Left out"), (all.out + all.err).constData());
    QVERIFY2(!m_stage->calls().contains("--label-exclude"), m_stage->calls().constData());
    for (const char* brought : {"|chromium", "|clang|", "\nnpm|ci|--prefix|tests/clients|"})
        QVERIFY2(m_stage->calls().contains(brought), m_stage->calls().constData());

    const Ran sanitized = m_stage->run("test", words("--long --preset tsan"));
    QVERIFY2(sanitized.out.contains("fuzz_minute") && sanitized.out.contains("gateway_soak_long") && sanitized.out.contains("the console"), sanitized.out.constData());
}

void TestPackagingScripts::theReleaseBuildHasTestsAfterARun() {
    QCOMPARE(m_stage->run("run", words("--no-install")).code, 0);
    QVERIFY(m_stage->calls().contains("cmake|--preset|release|-DSIGNALBOX_TESTS=OFF"));
    QCOMPARE(m_stage->run("test", words("--no-install --preset release")).code, 0);
    QVERIFY2(m_stage->calls().contains("cmake|--preset|release|-DSIGNALBOX_TESTS=ON\n"), m_stage->calls().constData());
    // Configured by hand, for tests/bench, whose programs link helpers of the tests.
    const auto presets = QJsonDocument::fromJson(readAll(QStringLiteral(SIGNALBOX_SOURCE_DIR "/CMakePresets.json"))).object()[QStringLiteral("configurePresets")].toArray();
    QVERIFY(!presets.isEmpty());
    for (const auto preset : presets) {
        const auto variables = preset.toObject()[QStringLiteral("cacheVariables")].toObject();
        if (variables[QStringLiteral("SIGNALBOX_BENCH")].toString() == QStringLiteral("ON"))
            QCOMPARE(variables[QStringLiteral("SIGNALBOX_TESTS")].toString(), QStringLiteral("ON"));
    }
}

void TestPackagingScripts::whatWasSkippedIsSaid() {
    m_stage->standIn("ctest", R"(mkdir -p build/dev/Testing/Temporary
cat > build/dev/Testing/Temporary/LastTest.log <<'END'
1/3 Testing: browser_attack
1/3 Test: browser_attack
Command: "tst_browser_attack"
Output:
----------------------------------------------------------
SKIP   : BrowserAttackTest::initTestCase() no Chromium is installed
   Loc: [x.cpp(99)]
PASS   : BrowserAttackTest::cleanupTestCase()
<end of output>
2/3 Testing: fuzz_minute
2/3 Test: fuzz_minute
Output:
tests/fuzz/run: needs clang
<end of output>
3/3 Testing: table
3/3 Test: table
Output:
SKIP   : Table::real(a row) the table is not here
SKIP   : Table::real(another) the table is not here
PASS   : Table::ours()
<end of output>
END
printf '%s\n' '<testcase name="browser_attack" classname="browser_attack" time="1" status="run">' \
  '<testcase name="fuzz_minute" classname="fuzz_minute" time="1" status="notrun">' > build/dev/Testing/junit.xml
exit 8)");
    const Ran ran = m_stage->run("test", words("--no-install --long"));
    QCOMPARE(ran.code, 8);
    QVERIFY2(ran.out.endsWith("Skipped, and why:\n"
                              "  browser_attack: no Chromium is installed\n"
                              "  fuzz_minute: tests/fuzz/run: needs clang\n"
                              "  table: the table is not here\n"), ran.out.constData());
    // What an earlier run skipped is not told again.
    m_stage->standIn("ctest");
    const Ran clean = m_stage->run("test", words("--no-install --long"));
    QVERIFY2(clean.code == 0 && !clean.out.contains("Skipped"), clean.out.constData());
}

void TestPackagingScripts::modulesThatCannotBeHadAreSaid() {
    m_stage->standIn("npm", "exit 1");
    const Ran ran = m_stage->run("test", {});
    QVERIFY2(ran.code == 1 && ran.err.contains("tests/clients") && ran.err.contains("--no-install"), (ran.out + ran.err).constData());
    QVERIFY2(!m_stage->calls().contains("\ncmake|"), m_stage->calls().constData());
}

QTEST_APPLESS_MAIN(TestPackagingScripts)
#include "tst_packaging_scripts.moc"
