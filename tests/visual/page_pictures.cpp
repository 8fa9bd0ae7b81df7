// SPDX-License-Identifier: MIT
#include "tests/visual/page_pictures.h"

#include "tests/visual/contrast_probe.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QTest>

namespace signalbox::test {

using ui::Scheme;
using ui::Theme;

static constexpr QSize kUsualSize(1440, 900);

static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }

void PagePictures::initTestCase() {
    ui::installLanguage(*QCoreApplication::instance());
    m_console = std::make_unique<ConsoleFixture>();
    QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
    window().resize(kUsualSize);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(QDir().mkpath(folder()));
    prepare();
}

void PagePictures::states_data() {
    QTest::addColumn<int>("scheme");
    QTest::newRow("light") << static_cast<int>(Scheme::light);
    QTest::newRow("dark") << static_cast<int>(Scheme::dark);
}

void PagePictures::begin() {
    QFETCH(int, scheme);
    Theme::instance().setScheme(static_cast<Scheme>(scheme));
    window().resize(kUsualSize);
}

void PagePictures::look(const QVariantMap& arguments) {
    window().go(m_page, arguments);
    console().settle();
}

void PagePictures::save(const QString& state, Checks checks, QWidget* widget) {
    QWidget& grabbed = widget != nullptr ? *widget : static_cast<QWidget&>(window());
    const QString scheme = Theme::instance().scheme() == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark");
    const QString file = folder() + QStringLiteral("/%1-%2-%3.png").arg(m_page, state, scheme);
    const QImage picture = grabbed.grab().toImage();
    QVERIFY2(picture.save(file), qPrintable(file));
    if (checks == Checks::none) return;
    const auto report = [&](const QStringList& problems) {
        QVERIFY2(problems.isEmpty(), qPrintable(file + QStringLiteral(": ") + problems.join(QStringLiteral("; "))));
    };
    report(clippedTexts(grabbed));
    if (checks == Checks::all) report(faintTexts(grabbed, picture));
}

}  // namespace signalbox::test
