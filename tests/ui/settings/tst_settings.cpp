// SPDX-License-Identifier: MIT
#include "ui/settings/settings.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox::ui;

class SettingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void freshFileHasDefaultsAndAVersion() {
        const Settings settings(file(QStringLiteral("fresh.ini")));
        QCOMPARE(settings.theme(), ThemeChoice::system);
        QVERIFY(settings.recentWorkspaces().isEmpty());
        QCOMPARE(QSettings(file(QStringLiteral("fresh.ini")), QSettings::IniFormat).value(QStringLiteral("version")).toInt(), Settings::kVersion);
    }

    void everyThemeIsRemembered() {
        for (const auto choice : {ThemeChoice::dark, ThemeChoice::light, ThemeChoice::system}) {
            Settings(file(QStringLiteral("theme.ini"))).setTheme(choice);
            QCOMPARE(Settings(file(QStringLiteral("theme.ini"))).theme(), choice);
        }
    }

    void versionZeroIsBroughtUpToDate() {
        {
            QSettings old(file(QStringLiteral("old.ini")), QSettings::IniFormat);
            old.setValue(QStringLiteral("dark"), true);
            old.setValue(QStringLiteral("something/unknown"), 7);
        }
        QCOMPARE(Settings(file(QStringLiteral("old.ini"))).theme(), ThemeChoice::dark);
        const QSettings now(file(QStringLiteral("old.ini")), QSettings::IniFormat);
        QVERIFY(!now.contains(QStringLiteral("dark")));
        QCOMPARE(now.value(QStringLiteral("something/unknown")).toInt(), 7);
    }

    void newerVersionIsLeftAsItIs() {
        { QSettings(file(QStringLiteral("newer.ini")), QSettings::IniFormat).setValue(QStringLiteral("version"), Settings::kVersion + 1); }
        { const Settings settings(file(QStringLiteral("newer.ini"))); }
        QCOMPARE(QSettings(file(QStringLiteral("newer.ini")), QSettings::IniFormat).value(QStringLiteral("version")).toInt(), Settings::kVersion + 1);
    }

    void firstStepsAreForFirstStarts() {
        Settings fresh(file(QStringLiteral("start.ini")));
        QVERIFY(fresh.startShown() && fresh.startDone().isEmpty());
        fresh.setStartDone({QStringLiteral("serving")});
        fresh.setLastPage(QStringLiteral("overview"));
        QVERIFY(!Settings(file(QStringLiteral("start.ini"))).startShown());  // somebody who has been here
        fresh.setStartShown(true);
        QVERIFY(Settings(file(QStringLiteral("start.ini"))).startShown());
        QCOMPARE(Settings(file(QStringLiteral("start.ini"))).startDone(), QStringList{QStringLiteral("serving")});
    }

    void recentIsNewestFirstWithoutDoublesAndWithoutWhatIsGone() {
        Settings settings(file(QStringLiteral("recent.ini")));
        const QDir root(m_folder.path());
        for (int i = 0; i < Settings::kRecentLimit + 2; ++i) {
            QVERIFY(root.mkpath(QString::number(i)));
            settings.addRecentWorkspace(root.filePath(QString::number(i)));
        }
        settings.addRecentWorkspace(root.filePath(QStringLiteral("5")));
        QVERIFY(QDir(root.filePath(QStringLiteral("11"))).removeRecursively());
        const QStringList recent = settings.recentWorkspaces();
        QCOMPARE(recent.first(), root.filePath(QStringLiteral("5")));
        QCOMPARE(recent.size(), Settings::kRecentLimit - 1);
        QVERIFY(!recent.contains(root.filePath(QStringLiteral("11"))));
        QCOMPARE(QSet<QString>(recent.begin(), recent.end()).size(), recent.size());
    }

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "tst_settings.moc"
