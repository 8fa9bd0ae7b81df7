// SPDX-License-Identifier: MIT
// Every page in the least window that a laptop has room for: nothing is cut off, squeezed or out of reach.
#include "tests/support/console_fixture.h"
#include "tests/visual/contrast_probe.h"
#include "ui/pages/start_here.h"
#include "ui/shell/inspector.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static constexpr QSize kLaptop(1000, 650);

class SmallPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        installLanguage(*QCoreApplication::instance());
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        m_console->window->resize(kLaptop);
        m_console->window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_console->window.get()));
        QVERIFY(QDir().mkpath(folder()));
    }
    void cleanupTestCase() { m_console.reset(); }

    // Alone, and beside the inspector.
    void room_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("inspected");
        QTest::addColumn<QString>("name");
        for (const QString& id : m_console->window->pageIds()) {
            QTest::addRow("%s in a small window", qPrintable(id)) << id << false << QStringLiteral("small");
            QTest::addRow("%s in a small window with an inspector", qPrintable(id)) << id << true << QStringLiteral("small-inspected");
        }
    }
    void room() {
        QFETCH(QString, id);
        QFETCH(bool, inspected);
        QFETCH(QString, name);
        MainWindow& window = *m_console->window;
        Theme::instance().setScheme(Scheme::light);
        window.resize(kLaptop);
        window.go(id);
        auto* content = inspected ? new QLabel(QStringLiteral("What is selected stands here")) : nullptr;
        window.findChild<Inspector*>()->setContent(id, content, QStringLiteral("Selected"));
        auto* fold = window.findChild<QAction*>(QStringLiteral("view.inspector"));
        QVERIFY(fold != nullptr);
        fold->setChecked(false);
        if (inspected) fold->trigger();
        m_console->settle();
        const QImage picture = window.grab().toImage();
        QCOMPARE(picture.size(), kLaptop);
        const QString file = folder() + QStringLiteral("/%1-%2-light.png").arg(id, name);
        QVERIFY2(picture.save(file), qPrintable(file));
        const QStringList clipped = test::clippedTexts(window);
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QStringLiteral("; "))));
    }

    // On top of a page that is scrolled in such a window anyway.
    void theFirstSteps_data() {
        QTest::addColumn<bool>("inspected");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("dark");
        for (const bool dark : {false, true}) {
            QTest::newRow(dark ? "dark" : "light") << false << QStringLiteral("start") << dark;
            QTest::newRow(dark ? "dark, with an inspector" : "light, with an inspector") << true << QStringLiteral("start-inspected") << dark;
        }
    }
    void theFirstSteps() {
        QFETCH(bool, inspected);
        QFETCH(QString, name);
        QFETCH(bool, dark);
        MainWindow& window = *m_console->window;
        Theme::instance().setScheme(dark ? Scheme::dark : Scheme::light);
        window.resize(kLaptop);
        window.findChild<QAction*>(QStringLiteral("help.start"))->trigger();
        auto* content = inspected ? new QLabel(QStringLiteral("What is selected stands here")) : nullptr;
        window.findChild<Inspector*>()->setContent(QStringLiteral("overview"), content, QStringLiteral("Selected"));
        auto* fold = window.findChild<QAction*>(QStringLiteral("view.inspector"));
        fold->setChecked(false);
        if (inspected) fold->trigger();
        m_console->settle();
        const QImage picture = window.grab().toImage();
        QCOMPARE(picture.size(), kLaptop);
        const QString file = folder() + QStringLiteral("/overview-small-%1-%2.png").arg(name, dark ? QStringLiteral("dark") : QStringLiteral("light"));
        QVERIFY2(picture.save(file), qPrintable(file));
        const QStringList clipped = test::clippedTexts(window);
        window.findChild<StartHere*>()->setShown(false);
        Theme::instance().setScheme(Scheme::light);
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QStringLiteral("; "))));
    }

private:
    static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }
    std::unique_ptr<test::ConsoleFixture> m_console;
};

QTEST_MAIN(SmallPicturesTest)
#include "tst_small_pictures.moc"
