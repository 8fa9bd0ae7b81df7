// SPDX-License-Identifier: MIT
#include "tests/ui/charts/series_samples.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/series_table_model.h"
#include "ui/charts/stack_view.h"
#include "ui/charts/time_chart.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QGraphicsTextItem>
#include <QLocale>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QtCharts/QAbstractSeries>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>

using namespace signalbox;
using namespace signalbox::ui;

Q_DECLARE_METATYPE(signalbox::evidence::TimeRange)

class TimeChartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init() {
        m_chart = std::make_unique<TimeChart>(QStringLiteral("Which presets served?"));
        m_chart->resize(900, 320);
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
        m_chart->setSeries(test::series(96, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
        m_hover = m_chart->findChild<ChartHover*>();
        m_view = m_chart->findChild<StackView*>();
    }
    void cleanup() { m_chart.reset(); }

    void geometryAndTimeAgree() {
        QCOMPARE(m_hover->size(), m_view->size());
        for (std::size_t i = 0; i < m_view->series().starts.size(); ++i) {
            const auto range = m_view->series().rangeOf(i);
            const double middle = (m_view->xOf(range.from) + m_view->xOf(range.to)) / 2;
            QCOMPARE(m_view->indexAtX(middle), std::optional(i));
        }
        QVERIFY(!m_view->indexAtX(m_view->plot().left() - 2));
        QVERIFY(std::abs(m_view->countAtY(m_view->yOf(3)) - 3) < 1e-6);
    }

    void hoverReadsAllSeriesWithoutTouchingTheScene() {
        auto* chart = m_chart->findChild<QChartView*>()->chart();
        QSignalSpy changed(chart->scene(), &QGraphicsScene::changed);
        QTest::qWait(20);
        changed.clear();
        QTest::mouseMove(m_hover, at(10, 2.5));
        QCOMPARE(m_hover->cursor(), std::optional<std::size_t>(10));
        QCOMPARE(m_hover->line(), std::optional<std::size_t>(1));
        for (const char* part : {"6 requests", "a 1", "b 2", "c 3"}) QVERIFY2(m_hover->spoken().contains(QString::fromLatin1(part)), qPrintable(m_hover->spoken()));
        QTest::qWait(20);
        QCOMPARE(changed.count(), 0);
    }

    void clickLeadsToWhatIsBehindThePoint() {
        QSignalSpy chosen(m_chart.get(), &TimeChart::pointChosen);
        QTest::mouseClick(m_hover, Qt::LeftButton, {}, at(10, 4.5));
        QTRY_COMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).value<evidence::TimeRange>(), m_view->series().rangeOf(10));
    }

    void draggingChoosesWholeBuckets() {
        QSignalSpy chosen(m_chart.get(), &TimeChart::rangeChosen);
        QTest::mousePress(m_hover, Qt::LeftButton, {}, at(20, 1));
        QTest::mouseMove(m_hover, at(15, 1));
        QTest::mouseMove(m_hover, at(10, 1));
        QTest::mouseRelease(m_hover, Qt::LeftButton, {}, at(10, 1));
        QCOMPARE(chosen.count(), 1);
        const evidence::TimeRange expected{m_view->series().rangeOf(10).from, m_view->series().rangeOf(20).to};
        QCOMPARE(chosen.at(0).at(0).value<evidence::TimeRange>(), expected);
    }

    void keysDoWhatTheMouseDoes() {
        QSignalSpy points(m_chart.get(), &TimeChart::pointChosen), ranges(m_chart.get(), &TimeChart::rangeChosen);
        QTest::keyClick(m_hover, Qt::Key_Home);
        QTest::keyClick(m_hover, Qt::Key_Right);
        QTest::keyClick(m_hover, Qt::Key_Up);
        QCOMPARE(m_hover->cursor(), std::optional<std::size_t>(1));
        QTest::keyClick(m_hover, Qt::Key_Return);
        QCOMPARE(points.count(), 1);
        QCOMPARE(points.at(0).at(1).toInt(), 0);
        QTest::keyClick(m_hover, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(m_hover, Qt::Key_Return);
        QCOMPARE(ranges.count(), 1);
        const evidence::TimeRange expected{m_view->series().rangeOf(1).from, m_view->series().rangeOf(2).to};
        QCOMPARE(ranges.at(0).at(0).value<evidence::TimeRange>(), expected);
        QTest::keyClick(m_hover, Qt::Key_Escape);
        QVERIFY(!m_hover->cursor());
    }

    // Else the next hover would draw, and Enter take, a range from a place long left.
    void aRangeBegunByKeysEndsWithTheFocus() {
        m_chart->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_chart.get()));
        m_hover->setFocus();
        const QString how = m_hover->spoken();
        QSignalSpy points(m_chart.get(), &TimeChart::pointChosen), ranges(m_chart.get(), &TimeChart::rangeChosen);
        QTest::keyClick(m_hover, Qt::Key_Home);
        QTest::keyClick(m_hover, Qt::Key_Right, Qt::ShiftModifier);
        m_hover->clearFocus();
        QCOMPARE(m_hover->spoken(), how);
        QTest::mouseMove(m_hover, at(30, 1));
        QTest::keyClick(m_hover, Qt::Key_Return);
        QCOMPARE(ranges.count(), 0);
        QCOMPARE(points.count(), 1);
    }

    void whatIsSpokenFollowsTheNumbers() {
        QTest::keyClick(m_hover, Qt::Key_Home);
        QVERIFY2(m_hover->spoken().contains(QStringLiteral("6 requests")), qPrintable(m_hover->spoken()));
        m_chart->setSeries(test::series(96, {QStringLiteral("a")}));
        QVERIFY2(m_hover->spoken().contains(QStringLiteral("1 requests")), qPrintable(m_hover->spoken()));
    }

    void largeCountsStandWholeAtTheScale() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        TimeChart chart(QStringLiteral("Which presets served?"));
        chart.resize(900, 320);
        TimeSeries large = test::series(24, {QStringLiteral("a")});
        for (auto& count : large.lines[0].counts) count = 250'000'000;
        large.lines[0].total = 24 * std::uint64_t{250'000'000};
        chart.setSeries(large);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QVERIFY(!chart.grab().isNull());  // lays the axes out
        QStringList texts;
        for (auto* item : chart.findChild<QChartView*>()->chart()->scene()->items())
            if (const auto* text = dynamic_cast<QGraphicsTextItem*>(item)) texts << text->toPlainText();
        QVERIFY2(texts.contains(QStringLiteral("250,000,000")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY2(!texts.join(QLatin1Char('|')).contains(QStringLiteral("...")), qPrintable(texts.join(QLatin1Char('|'))));
        auto* view = chart.findChild<StackView*>();
        QCOMPARE(view->indexAtX((view->xOf(view->rangeOf(5).from) + view->xOf(view->rangeOf(5).to)) / 2), std::optional<std::size_t>(5));
        QLocale::setDefault(before);
    }

    // A live chart has other numbers every few seconds.
    void whoReadsTheTableKeepsTheRow() {
        auto* table = m_chart->findChild<TableView*>(QStringLiteral("chartTable"));
        m_chart->setTableShown(true);
        table->selectSourceRow(40);
        const QString time = table->currentIndex().siblingAtColumn(0).data().toString();
        const auto place = [table] { return table->visualRect(table->currentIndex()).top(); };
        const int before = place();
        QVERIFY(table->verticalScrollBar()->value() > 0);
        m_chart->setSeries(test::series(96, {QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(table->currentSourceRow(), 40);
        QCOMPARE(place(), before);
        QVERIFY(table->selectionModel()->isSelected(table->currentIndex()));
        // A bucket more stands on top of it.
        m_chart->setSeries(test::series(97, {QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(table->currentSourceRow(), 41);
        QCOMPARE(table->currentIndex().siblingAtColumn(0).data().toString(), time);
        QCOMPARE(place(), before);
        m_chart->setSeries(test::series(3, {QStringLiteral("a")}));
        QCOMPARE(table->currentSourceRow(), 2);
    }

    void tableSaysTheSameAndTGoesBothWays() {
        auto* table = m_chart->findChild<QWidget*>(QStringLiteral("chartTable"));
        QVERIFY(!table->isVisible());
        QTest::keyClick(m_hover, Qt::Key_T);
        QVERIFY(table->isVisible());
        QTest::keyClick(table, Qt::Key_T);
        QVERIFY(!table->isVisible() && m_hover->isVisible());

        SeriesTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set(m_chart->series());
        QCOMPARE(model.rowCount(), 96);
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("6"));
        QCOMPARE(model.index(0, 4).data(SortRole).toInt(), 3);
    }

    void neverDrawsMoreThanItCanShow() {
        QStringList names;
        for (int i = 0; i < 30; ++i) names << QStringLiteral("p%1").arg(i);
        m_chart->setSeries(test::series(5000, names));
        QVERIFY(m_chart->series().starts.size() <= TimeChart::kMostPoints);
        QCOMPARE(m_chart->series().lines.size(), TimeChart::kMostLines);
        QCOMPARE(m_chart->findChild<QChartView*>()->chart()->series().size(), static_cast<qsizetype>(TimeChart::kMostLines));
        QCOMPARE(m_chart->findChild<QChartView*>()->chart()->animationOptions(), QChart::NoAnimation);
    }

    void exportsFilesThatHoldTheChart() {
        QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("a.csv")), png = folder.filePath(QStringLiteral("a.png")), svg = folder.filePath(QStringLiteral("a.svg"));
        QVERIFY(saveCsv(m_chart->series(), csv));
        QVERIFY(savePng(m_chart->sheet(), png));
        QVERIFY(saveSvg(m_chart->sheet(), svg));
        QCOMPARE(read(csv), toCsv(m_chart->series()).toUtf8());
        const QImage picture(png);
        QCOMPARE(picture.size(), m_chart->sheet().size() * 2);
        QVERIFY(read(svg).contains("Which presets served?") && read(svg).contains("<path"));

        const auto refused = saveCsv(m_chart->series(), folder.filePath(QStringLiteral("missing/a.csv")));
        QVERIFY(!refused);
        QVERIFY(refused.error().where.find("missing/a.csv") != std::string::npos && !refused.error().hint.empty());
    }

    // A preset that is added may take the colour that another one had so far; tables beside the chart show the new one at once.
    void whatIsDrawnFollowsItsColour() {
        Theme& theme = Theme::instance();
        const QString entity = QStringLiteral("a");
        const auto drawn = [this] { return qobject_cast<QAreaSeries*>(m_chart->findChild<QChartView*>()->chart()->series().constFirst())->color(); };
        const QColor before = theme.seriesColor(entity);
        QCOMPARE(drawn(), before);
        QStringList known{entity, QStringLiteral("b"), QStringLiteral("c")};
        for (int i = 0; i < 20 && theme.seriesColor(entity) == before; ++i) {
            known << QStringLiteral("0-%1").arg(i);
            theme.knowSeries(known);
        }
        QVERIFY(theme.seriesColor(entity) != before);
        QCOMPARE(drawn(), theme.seriesColor(entity));
        theme.knowSeries({});
    }

    void messagesTakeThePlaceOfTheDrawing() {
        m_chart->setMessage(QStringLiteral("Nothing here"), QStringLiteral("because"));
        QVERIFY(!m_view->isVisible());
        m_chart->setSeries(test::series(4, {QStringLiteral("a")}));
        QVERIFY(m_view->isVisible());
    }

    // What would be saved is what was drawn before.
    void behindAMessageNothingIsSaved() {
        const auto savable = [&] {
            QSet<bool> states;
            for (const QAction* action : m_chart->chartActions())
                if (action->text().contains(QStringLiteral("Save"))) states << action->isEnabled();
            for (const auto* button : m_chart->findChildren<QToolButton*>())
                if (button->accessibleName().contains(QStringLiteral("Save"))) states << button->isEnabled();
            return states;
        };
        QCOMPARE(savable(), QSet<bool>{true});
        m_chart->setMessage(QStringLiteral("Nothing here"), QStringLiteral("because"));
        QCOMPARE(savable(), QSet<bool>{false});
        m_chart->setSeries(test::series(4, {QStringLiteral("a")}));
        QCOMPARE(savable(), QSet<bool>{true});
    }

private:
    QPoint at(std::size_t index, double count) const {
        const auto range = m_view->series().rangeOf(index);
        return {static_cast<int>((m_view->xOf(range.from) + m_view->xOf(range.to)) / 2), static_cast<int>(m_view->yOf(count))};
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::unique_ptr<TimeChart> m_chart;
    ChartHover* m_hover = nullptr;
    StackView* m_view = nullptr;
};

QTEST_MAIN(TimeChartTest)
#include "tst_time_chart.moc"
