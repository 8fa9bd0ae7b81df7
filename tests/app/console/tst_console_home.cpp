// SPDX-License-Identifier: MIT
// The console as it is started, over its real gateway and folders of its own: whose console it is.
#include "app/console/console.h"
#include "app/shared/paths.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/lamp.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

/// Of the one console of this process; null until it is shown.
static MainWindow* window() {
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* found = qobject_cast<MainWindow*>(top)) return found;
    return nullptr;
}

static ErrorBanner* banner() { return window()->findChild<ErrorBanner*>(); }

static QAction* startAction() {
    for (const QMenu* menu : window()->menuBar()->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
            if (action->objectName() == QLatin1String("gateway.start")) return action;
    return nullptr;
}

class ConsoleHomeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qputenv("SIGNALBOX_DATA_DIR", path("data").toUtf8());
        qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
        qunsetenv("SIGNALBOX_TEST_NO_DSN");
        QVERIFY(QDir().mkpath(path("workspace")));
        const QString demo = QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/");
        QVERIFY(QFile::copy(demo + QStringLiteral("routing-table.json"), path("workspace/routing-table.json")));
        QFile from(demo + QStringLiteral("gateway.toml")), to(path("workspace/gateway.toml"));
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly));
        QByteArray toml = from.readAll();
        toml.replace("listen = \"127.0.0.1:38082\"", "listen = \"127.0.0.1:0\"").replace("\n[evidence]\n", "\n[evidence]\ndsn_env = \"SIGNALBOX_TEST_NO_DSN\"\n");
        QVERIFY(toml.contains("127.0.0.1:0") && toml.contains("\ndsn_env"));
        to.write(toml);
    }

    void aMistypedPathIsNobodysHome() {
        console::Console console({path("wrokspace"), {}});
        console.start();
        QTRY_VERIFY(window() != nullptr && banner()->isVisible());
        window()->openPath(path("workspace"));
        // The console is made anew for it, with its own settings.
        QTRY_VERIFY2(banner()->accessibleDescription().contains(QStringLiteral("$SIGNALBOX_TEST_NO_DSN")), qPrintable(banner()->accessibleDescription()));
        QVERIFY(startAction() != nullptr);
        QTRY_VERIFY(startAction()->isEnabled());
        startAction()->trigger();
        QTRY_COMPARE(window()->findChild<Lamp*>(QStringLiteral("lamp.draft"))->text(), QStringLiteral("draft runs"));
        QVERIFY(QDir(stateOf("workspace")).exists() && !QDir(stateOf(".")).exists());
    }

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QString stateOf(const char* name) const {
        const auto environment = config::processEnvironment();
        const auto folders = app::userFolders(environment);
        return QString::fromStdU16String(app::homeOfWorkspace(path(name).toStdU16String(), *folders, environment).state.u16string());
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(ConsoleHomeTest)
#include "tst_console_home.moc"
