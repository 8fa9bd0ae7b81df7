// SPDX-License-Identifier: MIT
#include "tests/support/console_fixture.h"
#include "tests/support/vectors.h"
#include "ui/shell/inspector.h"
#include "ui/widgets/error_banner.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

// What an operator gets who hands the console something wrong: one banner that says what, where and what to do.
class BadInputsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_console = std::make_unique<test::ConsoleFixture>(test::ConsoleFixture::Gateway::stopped);
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        m_folder = std::make_unique<QTemporaryDir>();
        copyDemo("routing-table.json");
        copyDemo("gateway.toml");
    }
    void cleanup() { m_console.reset(); }

    void badFileGivesOneLocatedMessage_data() {
        QTest::addColumn<QByteArray>("table");   // empty: as in the demo
        QTest::addColumn<QByteArray>("config");  // empty: as in the demo
        QTest::addColumn<QString>("opened");     // below the workspace
        QTest::addColumn<QString>("where");      // what the message must point at
        QTest::addColumn<QString>("says");
        const QByteArray same;
        const QString nothing;
        QTest::addRow("missing file") << same << same << QStringLiteral("none.json") << QStringLiteral("/none.json") << QStringLiteral("No such file");
        QTest::addRow("missing folder") << same << same << QStringLiteral("none/") << QStringLiteral("/none") << QStringLiteral("No such file");
        QTest::addRow("folder without a table") << same << same << QStringLiteral("empty") << QStringLiteral("/empty") << QStringLiteral("This folder is no workspace");
        QTest::addRow("folder without a gateway.toml") << same << same << QStringLiteral("table-only") << QStringLiteral("/table-only") << QStringLiteral("it holds no gateway.toml");
        QTest::addRow("file of another kind") << same << same << QStringLiteral("gateway.toml") << QStringLiteral("/gateway.toml:1:") << QStringLiteral("This file is no routing table");
        QTest::addRow("folder where the table belongs") << same << same << QStringLiteral("nested") << QStringLiteral("/nested/routing-table.json") << QStringLiteral("folder");
        QTest::addRow("cut off JSON") << QByteArray("{\"schema_version\": 1,\n \"presets\"") << same << nothing << QStringLiteral("routing-table.json:2:") << QStringLiteral("Expected");
        QTest::addRow("no JSON at all") << QByteArray("hello") << same << nothing << QStringLiteral("routing-table.json:1:1") << nothing;
        QTest::addRow("wrong TOML") << same << QByteArray("[server]\nbind = = 3\n") << nothing << QStringLiteral("gateway.toml:2:") << QStringLiteral("TOML");
        QTest::addRow("TOML of the wrong type") << same << QByteArray("[server]\nbind = 3\n") << nothing << QStringLiteral("gateway.toml:2:") << QStringLiteral("a text in quotes is needed");
    }
    void badFileGivesOneLocatedMessage() {
        QFETCH(QByteArray, table);
        QFETCH(QByteArray, config);
        QFETCH(QString, opened);
        QFETCH(QString, where);
        QFETCH(QString, says);
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("empty")));
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("nested/routing-table.json")));
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("table-only")));
        QVERIFY(QFile::copy(m_folder->filePath(QStringLiteral("routing-table.json")), m_folder->filePath(QStringLiteral("table-only/routing-table.json"))));
        if (!table.isEmpty()) write("routing-table.json", table);
        if (!config.isEmpty()) write("gateway.toml", config);
        const auto before = m_console->document->workspace();
        window().openPath(opened.isEmpty() ? m_folder->path() : m_folder->filePath(opened));

        auto* banner = window().findChild<ErrorBanner*>();
        QTRY_VERIFY(banner->isVisible());
        const Error& error = banner->error();
        const QString shown = labels(banner).join(QLatin1Char('\n'));
        QVERIFY2(QString::fromStdString(error.where).contains(where), error.where.c_str());
        QVERIFY2(shown.contains(says, Qt::CaseInsensitive), qPrintable(shown));
        QVERIFY2(!error.hint.empty(), "it says what to do");
        QVERIFY2(shown.contains(QString::fromStdString(error.hint)), qPrintable(shown));
        QCOMPARE(m_console->document->workspace(), before);
    }

    void mendedFileTakesTheMessageAway() {
        write("gateway.toml", "[server]\nbind = = 3\n");
        window().openPath(m_folder->path());
        auto* banner = window().findChild<ErrorBanner*>();
        QTRY_VERIFY(banner->isVisible());
        copyDemo("gateway.toml");
        window().openPath(m_folder->path());
        QTRY_VERIFY(!banner->isVisible());
        QTRY_COMPARE(m_console->document->folder(), QFileInfo(m_folder->path()).absoluteFilePath());
    }

    void takenPortAndRefusedDatabaseAreSaidWhole_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        QTest::addRow("port taken") << QStringLiteral("127.0.0.1:38082") << QStringLiteral("The address is taken by another program") << QStringLiteral("Stop that program, or change server.bind.");
        QTest::addRow("database variable unset") << QStringLiteral("$HARROW_EVIDENCE_DSN") << QStringLiteral("The variable that should name the database is not set") << QStringLiteral("Export it, or remove evidence.dsn_env.");
    }
    void takenPortAndRefusedDatabaseAreSaidWhole() {
        QFETCH(QString, where);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        m_console->target->failNext({ErrorKind::conflict, message.toStdString(), where.toStdString(), hint.toStdString()});
        m_console->gateway->startAction()->trigger();
        auto* banner = window().findChild<ErrorBanner*>();
        QTRY_VERIFY(banner->isVisible());
        const QStringList shown = labels(banner);
        for (const QString& part : {where, message, hint}) QVERIFY2(shown.contains(part), qPrintable(shown.join(QLatin1Char('|'))));
        QVERIFY(m_console->gateway->startAction()->isEnabled());  // to try again
    }

    void realTableShowsItsOneFindingAndNoEchoesOfTheMissingConfiguration() {
        const QString real = QString::fromStdU16String((test::vectorsFolder() / "genesis-table-v1.json").u16string());
        if (!QFile::exists(real)) QSKIP("the real table is not on this machine");
        window().openPath(real);
        QTRY_COMPARE(m_console->document->title(), QStringLiteral("genesis-table-v1.json"));
        const auto workspace = m_console->document->workspace();
        QCOMPARE(workspace->table.table->presets.size(), std::size_t{15});
        QCOMPARE(workspace->table.findings.size() + workspace->config.findings.size() + workspace->crossFindings.size(), std::size_t{1});
    }

    void whateverIsInspectedFitsTheInspector() {
        window().resize(1100, 700);
        auto* area = window().findChild<Inspector*>()->findChild<QScrollArea*>();
        for (const QString& id : {QStringLiteral("rules"), QStringLiteral("presets"), QStringLiteral("overview")}) {
            window().go(id);
            for (auto* view : window().currentPage()->findChildren<QAbstractItemView*>()) {
                if (!view->isVisible() || view->model() == nullptr || view->model()->rowCount() == 0) continue;
                view->setCurrentIndex(view->model()->index(0, 0));
                QTest::qWait(0);
                QVERIFY(area->widget() != nullptr);
                QVERIFY2(area->widget()->minimumSizeHint().width() <= 300, qPrintable(id + QLatin1Char(' ') + view->accessibleName()));
            }
        }
    }

    void firstWindowFitsTheScreenWithItsFrame() {
        const QSize room = window().screen()->availableSize();
        QVERIFY(window().minimumWidth() > room.width() || window().width() < room.width());
        QVERIFY(window().minimumHeight() > room.height() || window().height() < room.height());
    }

private:
    MainWindow& window() { return *m_console->window; }

    static QStringList labels(const QWidget* of) {
        QStringList texts;
        for (const QLabel* label : of->findChildren<QLabel*>())
            if (label->isVisible()) texts << label->text();
        return texts;
    }

    void copyDemo(const char* name) {
        QFile file(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/") + QLatin1String(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        write(name, file.readAll());
    }

    void write(const char* name, const QByteArray& bytes) {
        QFile file(m_folder->filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

    std::unique_ptr<test::ConsoleFixture> m_console;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(BadInputsTest)
#include "tst_bad_inputs.moc"
