// SPDX-License-Identifier: MIT
#include "app/shared/start_apart.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace signalbox;

class StartApartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itIsCutLooseFromUs() {
        // As a gateway's listener is open.
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        const int descriptor = ::fcntl(listener, F_DUPFD, 300);
        QVERIFY(descriptor >= 300);
        const QString report = m_folder.filePath(QStringLiteral("report"));
        const auto started = app::startApart("/bin/sh", {"-c", "{ echo fds $(ls /proc/$$/fd); echo session $(cut -d' ' -f6 /proc/$$/stat) of $$; } > \"$0.part\"; mv \"$0.part\" \"$0\"",
                                                         report.toStdString()});
        ::close(listener);
        ::close(descriptor);
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(report), 10'000);
        const QStringList lines = contentOf(report).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        const QStringList descriptors = lines.at(0).split(QLatin1Char(' '));  // with some small ones of the shell's own
        QVERIFY2(descriptors.contains(QStringLiteral("2")) && !descriptors.contains(QString::number(descriptor)), qPrintable(lines.at(0)));
        const QStringList session = lines.at(1).split(QLatin1Char(' '));
        QCOMPARE(session.value(1), session.value(3));  // it leads its own
    }

    // A shell would not do here: it blocks signals of its own while it starts programs.
    void noSignalIsHeldBackFromIt() {
        sigset_t held, before;
        sigemptyset(&held);
        sigaddset(&held, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &held, &before);
        const QString status = m_folder.filePath(QStringLiteral("status"));
        const auto started = app::startApart("/bin/cp", {"/proc/self/status", status.toStdString()});
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(status).contains(QStringLiteral("\nvoluntary_ctxt_switches")), 10'000);
        QVERIFY2(contentOf(status).contains(QStringLiteral("\nSigBlk:\t0000000000000000\n")), qPrintable(contentOf(status)));
    }

    void whatIsNotThereIsSaidWithItsPath() {
        const auto started = app::startApart("/no/such/program", {});
        QVERIFY(!started);
        QCOMPARE(started.error().kind, ErrorKind::unavailable);
        QCOMPARE(started.error().where, std::string("/no/such/program"));
    }

private:
    static QString contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(StartApartTest)
#include "tst_start_apart.moc"
