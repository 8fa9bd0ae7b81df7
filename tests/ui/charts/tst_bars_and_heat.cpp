// SPDX-License-Identifier: MIT
#include "ui/charts/bar_chart.h"
#include "ui/charts/heat_map/heat_chart.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QFontMetricsF>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

using namespace signalbox;
using namespace signalbox::ui;

static Bars threeBars() {
    Bars bars;
    bars.unit = QStringLiteral("decisions");
    bars.bars = {{QStringLiteral("cheaper"), QStringLiteral("cheaper"), 60, {}}, {QStringLiteral("session"), QStringLiteral("session"), 30, {}}, {QStringLiteral("faster"), QStringLiteral("faster by the hint"), 10, {}}};
    return bars;
}

static HeatGrid grid() {
    HeatGrid made;
    made.rows = {QStringLiteral("a:m"), QStringLiteral("b:m")};
    made.columns = {QStringLiteral("a:m"), QStringLiteral("b:m"), QStringLiteral("c:m")};
    made.rowWord = QStringLiteral("tried first");
    made.columnWord = QStringLiteral("recommended");
    made.unit = QStringLiteral("decisions");
    made.counts = {700, 200, 0, 40, 60, 0};
    return made;
}

class BarsAndHeatTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void barsAreReadAndChosenByMouseAndKeys_data() {
        QTest::addColumn<int>("direction");
        QTest::newRow("lying") << static_cast<int>(BarView::Direction::lying);
        QTest::newRow("upright") << static_cast<int>(BarView::Direction::upright);
    }
    void barsAreReadAndChosenByMouseAndKeys() {
        QFETCH(int, direction);
        BarChart chart(QStringLiteral("Why?"), static_cast<BarView::Direction>(direction));
        chart.resize(500, 240);
        chart.setBars(threeBars());
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QSignalSpy chosen(&chart, &BarChart::barChosen);
        BarView* view = chart.view();
        QTest::mouseMove(view, view->boxOf(2).center().toPoint());
        QCOMPARE(view->accessibleDescription(), QStringLiteral("faster by the hint: 10 · 10.0 % decisions"));
        QTest::mouseClick(view, Qt::LeftButton, {}, view->boxOf(1).center().toPoint());
        QCOMPARE(chosen.back()[0].toInt(), 1);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Home);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(chosen.back()[0].toInt(), 0);
        QTest::keyClick(view, Qt::Key_T);
        QVERIFY(chart.findChild<QWidget*>(QStringLiteral("chartTable"))->isVisible());
        QVERIFY2(chart.csv().contains(QStringLiteral("faster by the hint,10,10\r\n")), qPrintable(chart.csv()));
    }

    void theScaleHasRoomForItsLargestCount() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        BarView view(BarView::Direction::upright, QStringLiteral("By how much?"));
        view.resize(500, 240);
        Bars bars = threeBars();
        view.setBars(bars);
        const double small = view.boxOf(0).left();
        bars.bars[0].count = 2'500'000;
        view.setBars(bars);
        QVERIFY(view.boxOf(0).left() >= QFontMetricsF(Theme::instance().smallFont()).horizontalAdvance(QStringLiteral("3,000,000")) + 8);
        QVERIFY(view.boxOf(2).right() <= view.width());
        view.setBars(threeBars());
        QCOMPARE(view.boxOf(0).left(), small);
        QLocale::setDefault(before);
    }

    void withoutACursorTheySayHowToReadThem() {
        BarView view(BarView::Direction::lying, QStringLiteral("Why?"));
        view.resize(400, 120);
        view.setBars(threeBars());
        view.show();
        const QString how = view.accessibleDescription();
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.accessibleDescription(), view.sentenceOf(0));
        Bars later = threeBars();
        later.bars[0].count = 90;
        view.setBars(later);
        QCOMPARE(view.accessibleDescription(), QStringLiteral("cheaper: 90 · 69.2 % decisions"));
        view.setBars({});
        QCOMPARE(view.accessibleDescription(), how);
    }

    void barsFitTheirBoxes() {
        BarView view(BarView::Direction::lying, QStringLiteral("Why?"));
        view.setBars(threeBars());
        view.resize(view.minimumSizeHint());
        QVERIFY(view.boxOf(2).bottom() <= view.height());
        view.setBars({});
        QVERIFY(!view.grab().isNull());
    }

    void cellsSpeakShareAndCount() {
        QCOMPARE(grid().sentence(0, 1), QStringLiteral("a:m tried first, b:m recommended: 200 decisions, 20.0 %"));
        QVERIFY(grid().isSame(0, 0) && !grid().isSame(1, 2));
        QCOMPARE(grid().highestDifference(), std::uint64_t{200});
        HeatModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setGrid(grid());
        QCOMPARE(model.index(0, 1).data(Qt::AccessibleTextRole).toString(), grid().sentence(0, 1));
        // Two rests are not the same thing, though both are called so.
        HeatGrid rests = grid();
        rests.rows[1] = rests.columns[2] = QStringLiteral("3 others");
        rests.restRow = rests.restColumn = true;
        QVERIFY(!rests.isSame(1, 2));
    }

    void namesOfEndpointsAreNeverTakenForMarkup() {
        HeatModel model;
        HeatGrid named = grid();
        named.rows[0] = QStringLiteral("a:<h1>All clear</h1>");
        model.setGrid(named);
        QVERIFY(Qt::mightBeRichText(named.rows[0]));
        const auto seen = [](const QVariant& tip) {
            QTextDocument document;
            document.setHtml(tip.toString());
            return document.toPlainText();
        };
        QVERIFY(seen(model.headerData(0, Qt::Vertical, Qt::ToolTipRole)).startsWith(named.rows[0]));
        QVERIFY(seen(model.index(0, 1).data(Qt::ToolTipRole)).contains(named.rows[0]));
        QVERIFY(model.index(0, 1).data(Qt::AccessibleTextRole).toString().contains(named.rows[0]));
    }

    void heatIsReadAndChosenByMouseAndKeys() {
        HeatChart chart(QStringLiteral("What instead of what?"));
        chart.resize(640, 320);
        chart.setGrid(grid());
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QSignalSpy chosen(&chart, &HeatChart::cellChosen);
        HeatMap* map = chart.map();
        map->setFocus();
        QVERIFY(map->currentIndex().isValid());
        QTest::keyClick(map, Qt::Key_Right);
        QTest::keyClick(map, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toInt(), 0);
        QCOMPARE(chosen[0][1].toInt(), 1);
        QTest::mouseClick(map->viewport(), Qt::LeftButton, {}, map->visualRect(map->model()->index(1, 0)).center());
        QCOMPARE(chosen.count(), 2);
        QTest::keyClick(map, Qt::Key_T);
        QVERIFY(chart.findChild<QWidget*>(QStringLiteral("chartTable"))->isVisible());
        QVERIFY2(chart.csv().startsWith(QStringLiteral("tried first,recommended,decisions,\"Share, %\"\r\na:m,a:m,700,70\r\n")), qPrintable(chart.csv()));
    }
};

QTEST_MAIN(BarsAndHeatTest)
#include "tst_bars_and_heat.moc"
