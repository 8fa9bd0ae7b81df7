// SPDX-License-Identifier: MIT
// A text with a number needs both of its English forms, or an operator reads "1 request(s)". They stand in
// resources/translations; its CMakeLists.txt has the command that finds new ones.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

class PluralsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTextWithANumberHasBothForms() {
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("signalbox_en.ts"));
        QVERIFY(QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/translations/signalbox_en.ts"), copy));
        QVERIFY(QFile::setPermissions(copy, QFileDevice::ReadOwner | QFileDevice::WriteOwner));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(SIGNALBOX_SOURCE_DIR));
        lupdate.setProcessChannelMode(QProcess::MergedChannels);
        lupdate.start(QStringLiteral(LUPDATE), {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-pluralonly"), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-no-obsolete"),
                                               QStringLiteral("ui"), QStringLiteral("app/console"), QStringLiteral("-ts"), copy});
        QVERIFY(lupdate.waitForFinished(60'000));
        QVERIFY2(lupdate.exitStatus() == QProcess::NormalExit && lupdate.exitCode() == 0, lupdate.readAll().constData());
        QFile refreshed(copy);
        QVERIFY(refreshed.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(refreshed.readAll());
        static const QRegularExpression message(QStringLiteral("<message numerus=\"yes\">\\s*<source>([^<]*)</source>\\s*<translation( type=\"unfinished\")?>\\s*(<numerusform>[^<]+</numerusform>\\s*){2}</translation>"));
        QStringList finished, all;
        for (auto found = message.globalMatch(text); found.hasNext();)
            if (const auto match = found.next(); match.captured(2).isEmpty()) finished << match.captured(1);
        static const QRegularExpression source(QStringLiteral("<source>([^<]*)</source>"));
        for (auto found = source.globalMatch(text); found.hasNext();) all << found.next().captured(1);
        QVERIFY(all.size() > 20);
        for (const QString& done : std::as_const(finished)) all.removeOne(done);
        QVERIFY2(all.isEmpty(), qPrintable(all.join(QLatin1Char('\n'))));
    }
};

QTEST_APPLESS_MAIN(PluralsTest)
#include "tst_plurals.moc"
