// SPDX-License-Identifier: MIT
#include "tests/ui/charts/series_samples.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/series_table_model.h"
#include "ui/charts/stack_view.h"
#include "ui/charts/time_chart.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QtCharts/QAbstractSeries>
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

    void messagesTakeThePlaceOfTheDrawing() {
        m_chart->setMessage(QStringLiteral("Nothing here"), QStringLiteral("because"));
        QVERIFY(!m_view->isVisible());
        m_chart->setSeries(test::series(4, {QStringLiteral("a")}));
        QVERIFY(m_view->isVisible());
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
