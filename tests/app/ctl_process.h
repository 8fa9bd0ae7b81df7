// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/vectors.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <initializer_list>
#include <unistd.h>

namespace signalbox::test {

/// A routing table that is good and small.
inline QByteArray goodTable() {
    QFile file(QString::fromStdString((vectorsFolder() / "tables-bad/00-good.json").string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A configuration that serves every preset of it, from the simulated adapter.
inline QByteArray goodConfig() {
    return "[server]\nlisten = \"127.0.0.1:0\"\n\n"
           "[providers.lab]\nprotocol = \"simulated\"\nmodels = [\"amber-26b\", \"basalt-31b\"]\n\n"
           "[presets.amber-base]\nprovider = \"lab\"\n[presets.amber-k4]\nprovider = \"lab\"\n"
           "[presets.amber-wide]\nprovider = \"lab\"\n[presets.basalt-base]\nprovider = \"lab\"\n";
}

/// Runs signalboxctl in a temporary home, so that nothing of the user's is read or written.
class CtlHome {
public:
    struct Run {
        int code = -1;  ///< -1: did not start, crashed or took too long
        QByteArray out, err;
    };

    CtlHome() {
        m_environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
        m_environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        m_environment.insert(QStringLiteral("HOME"), m_folder.path());
        m_environment.insert(QStringLiteral("USER"), QStringLiteral("ada"));
        m_environment.insert(QStringLiteral("SIGNALBOX_DATA_DIR"), path("data"));
        for (const char* keep : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
            if (qEnvironmentVariableIsSet(keep))
                m_environment.insert(QString::fromLatin1(keep), qEnvironmentVariable(keep));
    }

    [[nodiscard]] static QString binary() { return QStringLiteral(SIGNALBOXCTL); }
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    [[nodiscard]] QProcessEnvironment environment() const { return m_environment; }
    void set(const char* variable, const QString& value) { m_environment.insert(QString::fromLatin1(variable), value); }
    void unset(const char* variable) { m_environment.remove(QString::fromLatin1(variable)); }

    void write(const char* name, const QByteArray& bytes) const {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY2(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(bytes) == bytes.size(), name);
    }
    [[nodiscard]] QByteArray read(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// The folder `ws` with a good table and a good configuration.
    void writeGoodWorkspace() const {
        write("ws/routing-table.json", goodTable());
        write("ws/gateway.toml", goodConfig());
    }

    /// As root the private cluster runs as another user, who must get in.
    void letOthersIn() const { QFile::setPermissions(m_folder.path(), QFile::permissions(m_folder.path()) | QFile::ExeGroup | QFile::ExeOther); }

    /// Arguments are paths relative to the home, which is the working directory.
    [[nodiscard]] Run run(const QStringList& arguments, const QByteArray& input = {}) const {
        return runProgram(binary(), arguments, input);
    }
    [[nodiscard]] Run runProgram(const QString& program, const QStringList& arguments, const QByteArray& input = {}) const {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessEnvironment(m_environment);
        process.start(program, arguments);
        process.write(input);
        process.closeWriteChannel();
        const bool ended = process.waitForFinished(60'000);
        if (!ended) process.kill();
        const bool normal = ended && process.exitStatus() == QProcess::NormalExit;
        return {normal ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    /// As a user who may not read what its permissions forbid: root without the right to override them.
    [[nodiscard]] Run runWithoutOverride(const QStringList& arguments) const {
        if (::geteuid() != 0) return run(arguments);
        QStringList all{QStringLiteral("--bounding-set=-dac_override,-dac_read_search"),
                        QStringLiteral("--inh-caps=-dac_override,-dac_read_search"), binary()};
        return runProgram(QStringLiteral("setpriv"), all + arguments);
    }
    [[nodiscard]] static bool canDropOverride() {
        return ::geteuid() != 0 || !QStandardPaths::findExecutable(QStringLiteral("setpriv")).isEmpty();
    }

    /// Everything below the home, one path a line: to see that nothing was left behind.
    [[nodiscard]] QStringList files(const char* below) const {
        QStringList out = QDir(path(below)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
        return out;
    }

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
};

/// One clear message: the exit code, one line on stderr that holds each of `says`, nothing on stdout.
#define VERIFY_ONE_MESSAGE(run, expectedCode, ...)                                                                     \
    do {                                                                                                               \
        const auto& seen = (run);                                                                                      \
        QVERIFY2(seen.code == (expectedCode), (seen.out + seen.err).constData());                                      \
        QVERIFY2(seen.err.count('\n') == 1, seen.err.constData());                                                     \
        QVERIFY2(seen.out.isEmpty(), seen.out.constData());                                                            \
        for (const QByteArray& part : std::initializer_list<QByteArray>{__VA_ARGS__})                                   \
            QVERIFY2(seen.err.contains(part), seen.err.constData());                                                   \
    } while (false)

}  // namespace signalbox::test
