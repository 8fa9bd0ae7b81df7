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
        // As a gateway's listener is open and a console holds signals back.
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        const int descriptor = ::fcntl(listener, F_DUPFD, 300);
        QVERIFY(descriptor >= 300);
        sigset_t held, before;
        sigemptyset(&held);
        sigaddset(&held, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &held, &before);
        const QString report = m_folder.filePath(QStringLiteral("report"));
        const auto started = app::startApart("/bin/sh", {"-c", "{ echo fds $(ls /proc/$$/fd); grep SigBlk /proc/$$/status; echo session $(cut -d' ' -f6 /proc/$$/stat) of $$; } > \"$0.part\"; mv \"$0.part\" \"$0\"",
                                                         report.toStdString()});
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        ::close(listener);
        ::close(descriptor);
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(report), 10'000);
        QFile file(report);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        const QStringList descriptors = lines.at(0).split(QLatin1Char(' '));  // with some small ones of the shell's own
        QVERIFY2(descriptors.contains(QStringLiteral("2")) && !descriptors.contains(QString::number(descriptor)), qPrintable(lines.at(0)));
        QVERIFY2(lines.at(1).endsWith(QLatin1String("0000000000000000")), qPrintable(lines.at(1)));
        const QStringList session = lines.at(2).split(QLatin1Char(' '));
        QCOMPARE(session.value(1), session.value(3));  // it leads its own
    }

    void whatIsNotThereIsSaidWithItsPath() {
        const auto started = app::startApart("/no/such/program", {});
        QVERIFY(!started);
        QCOMPARE(started.error().kind, ErrorKind::unavailable);
        QCOMPARE(started.error().where, std::string("/no/such/program"));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(StartApartTest)
#include "tst_start_apart.moc"
