// SPDX-License-Identifier: MIT
// Pictures of the shadow page with a week of made-up decisions: as a whole, read by hover, scrolled to its tables,
// restricted to one group, the way to the decisions, the receipt of one, and without any decision.
#include "tests/support/console_fixture.h"
#include "tests/ui/pages/shadow/shadow_records.h"
#include "tests/visual/contrast_probe.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/heat_map/heat_chart.h"
#include "ui/theme/format.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_view.h"

#include <QDir>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class ShadowPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        installLanguage(*QCoreApplication::instance());
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        window().resize(1440, 900);
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QVERIFY(QDir().mkpath(folder()));
        m_week = test::ShadowWeek().records(22'000, format::now() - 24h, format::now() - 1s);
    }
    void cleanupTestCase() { m_console.reset(); }

    void states_data() {
        QTest::addColumn<Scheme>("scheme");
        QTest::newRow("light") << Scheme::light;
        QTest::newRow("dark") << Scheme::dark;
    }
    void states() {
        QFETCH(Scheme, scheme);
        Theme::instance().setScheme(scheme);
        m_console->target->setHistory(m_week);
        askAnew();
        QWidget* page = window().findChild<QWidget*>(QStringLiteral("shadow"));
        QVERIFY(page != nullptr);
        save(QStringLiteral("whole"));
        QCOMPARE(test::clippedTexts(window()), QStringList());

        auto* hover = page->findChild<ChartHover*>();
        QTest::mouseMove(hover, QPoint(hover->width() / 2, hover->height() / 2));
        m_console->settle();
        save(QStringLiteral("hover"));

        auto* area = page->findChild<QScrollArea*>();
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        m_console->settle();
        const auto tables = page->findChildren<TableView*>();
        tables.last()->selectSourceRow(0);
        m_console->settle();
        save(QStringLiteral("tables"));
        area->verticalScrollBar()->setValue(0);

        window().go(QStringLiteral("shadow"), {{QStringLiteral("group"), QStringLiteral("auto")}});
        m_console->settle();
        save(QStringLiteral("group"));

        Q_EMIT page->findChild<HeatChart*>()->cellChosen(0, 1);
        m_console->settle();
        auto* rows = window().findChild<TableView*>(QStringLiteral("historyTable"));
        QVERIFY(rows->model()->rowCount() > 0);
        rows->selectSourceRow(0);
        m_console->settle();
        save(QStringLiteral("decisions"));
        Q_EMIT rows->rowOpened(0);
        auto* receipt = window().findChild<QWidget*>(QStringLiteral("receiptDialog"));
        QVERIFY(receipt != nullptr && receipt->isVisible());
        m_console->settle();
        QVERIFY(receipt->grab().save(file(QStringLiteral("receipt"))));
        receipt->close();

        m_console->target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>());
        askAnew();
        save(QStringLiteral("empty"));
    }

private:
    MainWindow& window() { return *m_console->window; }
    static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }
    static QString file(const QString& state) {
        return folder() + QStringLiteral("/shadow-%1-%2.png").arg(state, Theme::instance().scheme() == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark"));
    }
    // Without arguments a page stays as it was: another choice and back makes it ask again, of everything.
    void askAnew() {
        for (const char* profile : {"economy", ""}) {
            window().go(QStringLiteral("shadow"), {{QStringLiteral("profile"), QLatin1String(profile)}});
            m_console->settle();
        }
    }
    void save(const QString& state) { QVERIFY(window().grab().save(file(state))); }

    std::unique_ptr<test::ConsoleFixture> m_console;
    std::shared_ptr<std::vector<evidence::DecisionRecord>> m_week;
};

QTEST_MAIN(ShadowPicturesTest)
#include "tst_shadow_pictures.moc"
