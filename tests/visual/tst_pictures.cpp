// SPDX-License-Identifier: MIT
// Grabs every page, light and dark, into build/visual, and checks what a picture must hold. The pictures are artefacts
// to be looked at; they are not compared byte by byte.
#include "tests/support/console_fixture.h"
#include "tests/visual/contrast_probe.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class PicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        installLanguage(*QCoreApplication::instance());
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        m_console->window->resize(1440, 900);
        m_console->window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_console->window.get()));
        QVERIFY(QDir().mkpath(folder()));
    }
    void cleanupTestCase() { m_console.reset(); }

    void page_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("scheme");
        for (const QString& id : m_console->window->pageIds()) {
            QTest::addRow("%s light", qPrintable(id)) << id << static_cast<int>(Scheme::light);
            QTest::addRow("%s dark", qPrintable(id)) << id << static_cast<int>(Scheme::dark);
        }
    }
    void page() {
        QFETCH(QString, id);
        QFETCH(int, scheme);
        MainWindow& window = *m_console->window;
        const auto wanted = static_cast<Scheme>(scheme);
        Theme::instance().setScheme(wanted);
        window.go(id);
        m_console->settle();
        const QImage picture = window.grab().toImage();
        QCOMPARE(picture.size(), window.size());
        const QString file = folder() + QStringLiteral("/%1-%2.png").arg(id, wanted == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark"));
        QVERIFY2(picture.save(file), qPrintable(file));
        QCOMPARE(test::clippedTexts(window), QStringList());
        QCOMPARE(test::faintTexts(window, picture), QStringList());
    }

private:
    static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }
    std::unique_ptr<test::ConsoleFixture> m_console;
};

QTEST_MAIN(PicturesTest)
#include "tst_pictures.moc"
