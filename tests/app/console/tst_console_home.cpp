// SPDX-License-Identifier: MIT
// The console as it is started, over its real gateway and folders of its own: whose console it is.
#include "app/console/console.h"
#include "app/console/prepare.h"
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
        to.close();
        for (const char* name : {"empty", "table-only", "toml-only"}) QVERIFY(QDir().mkpath(path(name)));
        QVERIFY(QFile::copy(demo + QStringLiteral("routing-table.json"), path("table-only/routing-table.json")));
        QVERIFY(QFile::copy(path("workspace/gateway.toml"), path("toml-only/gateway.toml")));
        QFile notes(path("empty/notes.txt"));
        QVERIFY(notes.open(QIODevice::WriteOnly) && notes.write("hello\n") > 0);
    }

    void whatBecomesAHome_data() {
        QTest::addColumn<QString>("opened");
        QTest::addColumn<QString>("home");  // empty: nobody's
        const QString nobody;
        QTest::addRow("mistyped path") << QStringLiteral("wrokspace") << nobody;
        QTest::addRow("empty folder") << QStringLiteral("empty") << nobody;
        QTest::addRow("folder without gateway.toml") << QStringLiteral("table-only") << nobody;
        QTest::addRow("folder without a table") << QStringLiteral("toml-only") << nobody;
        QTest::addRow("file of another kind") << QStringLiteral("empty/notes.txt") << nobody;
        QTest::addRow("file of another kind in a workspace") << QStringLiteral("workspace/gateway.toml") << nobody;
        QTest::addRow("no file") << QStringLiteral("/dev/null") << nobody;
        QTest::addRow("workspace") << QStringLiteral("workspace") << QStringLiteral("workspace");
        QTest::addRow("table of a workspace") << QStringLiteral("workspace/routing-table.json") << QStringLiteral("workspace");
        QTest::addRow("table alone") << QStringLiteral("table-only/routing-table.json") << QStringLiteral("table-only");
    }
    void whatBecomesAHome() {
        QFETCH(QString, opened);
        QFETCH(QString, home);
        const auto absolute = [this](const QString& name) { return name.startsWith(QLatin1Char('/')) ? name : m_folder.filePath(name); };
        const auto prepared = console::prepare(absolute(opened).toStdU16String());
        QVERIFY(prepared.has_value());
        QCOMPARE(QString::fromStdU16String(prepared->home.u16string()), home.isEmpty() ? home : absolute(home));
        // Only the workspace's own evidence section says where records go, and that variable is not set.
        QCOMPARE(prepared->complaint.has_value(), home == QLatin1String("workspace"));
        QVERIFY(prepared->target->status().evidence.state == evidence::StoreState::off);
        QVERIFY(!QDir(path("data")).exists());
    }

    void whatIsNoPolicyIsNobodysHome_data() {
        QTest::addColumn<QString>("opened");
        QTest::addColumn<QString>("says");
        QTest::addRow("mistyped path") << QStringLiteral("wrokspace") << QStringLiteral("no such file or folder");
        QTest::addRow("empty folder") << QStringLiteral("empty") << QStringLiteral("holds no routing-table.json");
        QTest::addRow("folder without gateway.toml") << QStringLiteral("table-only") << QStringLiteral("holds no gateway.toml");
        QTest::addRow("file of another kind") << QStringLiteral("empty/notes.txt") << QStringLiteral("no routing table");
    }
    void whatIsNoPolicyIsNobodysHome() {
        QFETCH(QString, opened);
        QFETCH(QString, says);
        console::Console console({m_folder.filePath(opened), {}});
        console.start();
        QTRY_VERIFY(window() != nullptr && banner()->isVisible());
        QVERIFY2(banner()->accessibleDescription().contains(says), qPrintable(banner()->accessibleDescription()));
        QVERIFY(!startAction()->isEnabled());
        window()->openPath(path("workspace"));
        // The console is made anew for it, with its own settings.
        QTRY_VERIFY2(banner()->accessibleDescription().contains(QStringLiteral("$SIGNALBOX_TEST_NO_DSN")), qPrintable(banner()->accessibleDescription()));
        QVERIFY(startAction() != nullptr);
        QTRY_VERIFY(startAction()->isEnabled());
        startAction()->trigger();
        QTRY_COMPARE(window()->findChild<Lamp*>(QStringLiteral("lamp.draft"))->text(), QStringLiteral("draft runs"));
        QVERIFY(QDir(stateOf("workspace")).exists());
        for (const char* name : {".", "empty", "table-only"}) QVERIFY2(!QDir(stateOf(name)).exists(), name);
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
