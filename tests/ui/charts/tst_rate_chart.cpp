// SPDX-License-Identifier: MIT
#include "tests/ui/charts/rate_samples.h"
#include "ui/charts/chart_hover.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/rate_view.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>

using namespace signalbox;
using namespace signalbox::ui;

Q_DECLARE_METATYPE(signalbox::evidence::TimeRange)

class RateChartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init() {
        m_chart = std::make_unique<RateChart>(QStringLiteral("How often does it differ?"));
        m_chart->resize(900, 320);
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
        auto series = test::rates(48, {QStringLiteral("a"), QStringLiteral("b")});
        for (std::size_t i = 0; i < 48; ++i) {  // b is thin: four hours make a point
            series.lines[1].whole[i] = 10;
            series.lines[1].part[i] = 5;
        }
        m_chart->setSeries(readyToDraw(series, RateChart::kMostPoints, RateChart::kMostLines, QStringLiteral("%1 others")));
        m_hover = m_chart->findChild<ChartHover*>();
        m_view = m_chart->findChild<RateView*>();
    }
    void cleanup() { m_chart.reset(); }

    void everyLineHasItsBand() {
        QCOMPARE(m_chart->findChild<QChartView*>()->chart()->series().size(), 4);
        QVERIFY(m_view->yOf(10) > m_view->yOf(50));
    }

    void hoverSaysShareMarginAndSample() {
        QTest::mouseMove(m_hover, at(9, 10));
        QCOMPARE(m_hover->line(), std::optional<std::size_t>(0));
        for (const char* part : {"a 10.0 % ±", "of 100", "b 50.0 % ±", "of 40"}) QVERIFY2(m_hover->spoken().contains(QString::fromUtf8(part)), qPrintable(m_hover->spoken()));
        QTest::mouseMove(m_hover, at(9, 30));
        QVERIFY(!m_hover->line());
    }

    void clickAsksAboutTheWholeJoinedPoint() {
        QSignalSpy chosen(m_chart.get(), &RateChart::pointChosen);
        QTest::mouseClick(m_hover, Qt::LeftButton, {}, at(9, 50));
        QCOMPARE(chosen.count(), 1);
        const auto range = chosen.at(0).at(0).value<evidence::TimeRange>();
        QVERIFY(range.to - range.from == std::chrono::hours(4));
        QCOMPARE(chosen.at(0).at(1).toInt(), 1);
    }

    // 0 % would be a verdict.
    void aLineWithoutTrialsHasNoShare() {
        auto series = test::rates(4, {QStringLiteral("a"), QStringLiteral("b")});
        series.lines[1].part.assign(4, 0);
        series.lines[1].whole.assign(4, 0);
        m_chart->setSeries(readyToDraw(series, RateChart::kMostPoints, RateChart::kMostLines, QStringLiteral("%1 others")));
        QCOMPARE(m_view->endLabels()[0].figure, QStringLiteral("10.0 %"));
        QCOMPARE(m_view->endLabels()[1].figure, format::none());
    }

    // Colours are given anew when a preset is added; a line that gave way to another must not run into a third.
    void aLineThatGaveWayFollowsItsColour() {
        Theme& theme = Theme::instance();
        theme.knowSeries({});
        const QString entity = QStringLiteral("a");
        QString twin;
        for (int i = 0; twin.isEmpty() || theme.seriesColor(twin) != theme.seriesColor(entity); ++i) twin = QStringLiteral("0-%1").arg(i);
        m_chart->setSeries(readyToDraw(test::rates(4, {entity, twin}), RateChart::kMostPoints, RateChart::kMostLines, QStringLiteral("%1 others")));
        const auto drawn = [this](const QString& name) {
            QColor color;
            for (const auto* series : m_chart->findChild<QChartView*>()->chart()->series())
                if (const auto* line = qobject_cast<const QLineSeries*>(series); line != nullptr && line->name() == name) color = line->pen().color();
            return color;
        };
        QVERIFY(drawn(entity).isValid() && drawn(twin).isValid() && drawn(entity) != drawn(twin));
        theme.knowSeries({entity, twin});
        QCOMPARE(drawn(entity), theme.seriesColor(entity));
        QCOMPARE(drawn(twin), theme.seriesColor(twin));
        theme.knowSeries({});
    }

    void brushAndKeysWorkAsOnEveryChart() {
        QSignalSpy ranges(m_chart.get(), &RateChart::rangeChosen);
        QTest::keyClick(m_hover, Qt::Key_Home);
        QTest::keyClick(m_hover, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(m_hover, Qt::Key_Return);
        QCOMPARE(ranges.count(), 1);
        QTest::keyClick(m_hover, Qt::Key_T);
        QVERIFY(m_chart->findChild<QWidget*>(QStringLiteral("chartTable"))->isVisible());
    }

    void tableHoldsEveryPoint() {
        RateTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set(m_chart->series());
        QCOMPARE(model.rowCount(), 48 + 12);
        QCOMPARE(model.index(0, 4).data().toString(), QStringLiteral("10.0"));
    }

    void exportsTheLinesAndTheirNumbers() {
        QTemporaryDir folder;
        const QString svg = folder.filePath(QStringLiteral("a.svg"));
        QVERIFY(saveSvg(m_chart->sheet(), svg));
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray drawn = file.readAll();
        QVERIFY(drawn.contains("How often does it differ?") && drawn.contains("95 % band"));
        QVERIFY(m_chart->csv().contains(QStringLiteral("low_95")));
    }

private:
    QPoint at(std::size_t index, double percent) const {
        const auto range = m_view->rangeOf(index);
        return {static_cast<int>((m_view->xOf(range.from) + m_view->xOf(range.to)) / 2), static_cast<int>(m_view->yOf(percent))};
    }
    std::unique_ptr<RateChart> m_chart;
    ChartHover* m_hover = nullptr;
    RateView* m_view = nullptr;
};

QTEST_MAIN(RateChartTest)
#include "tst_rate_chart.moc"
