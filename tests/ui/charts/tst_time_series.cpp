// SPDX-License-Identifier: MIT
#include "tests/ui/charts/series_samples.h"
#include "ui/charts/chart_labels.h"
#include "ui/charts/ticks.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class TimeSeriesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsBucketsAndLines() {
        const TimeSeries series = test::series(4, {QStringLiteral("a"), QStringLiteral("b")});
        QCOMPARE(series.total(), 12U);
        QCOMPARE(series.highest(), 3U);
        QCOMPARE(series.indexAt(series.from()), std::optional<std::size_t>(0));
        QCOMPARE(series.indexAt(series.from() + 15min), std::optional<std::size_t>(1));
        QCOMPARE(series.indexAt(series.to() - 1us), std::optional<std::size_t>(3));
        QVERIFY(!series.indexAt(series.to()));
        QVERIFY(!series.indexAt(series.from() - 1us));
        QCOMPARE(series.lineAt(0, 0.5), std::optional<std::size_t>(0));
        QCOMPARE(series.lineAt(0, 1.5), std::optional<std::size_t>(1));
        QVERIFY(!series.lineAt(0, 3.0));
    }

    void coarseningKeepsEveryRequest() {
        const TimeSeries fine = test::series(1441, {QStringLiteral("a"), QStringLiteral("b")});
        const TimeSeries coarse = coarsened(fine, 600);
        QVERIFY(coarse.starts.size() <= 600);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < coarse.starts.size(); ++i) sum += coarse.totalAt(i);
        QCOMPARE(sum, fine.total());
        QCOMPARE(coarse.bucket, std::chrono::seconds(45min));
        QCOMPARE(coarse.from(), fine.from());
    }

    void joinsTheSmallestAndKeepsNoneOnTop() {
        QStringList names;
        for (int i = 0; i < 12; ++i) names << QStringLiteral("p%1").arg(i);
        TimeSeries many = test::series(3, names);
        many.lines[0].kind = TimeSeries::Kind::none;  // the smallest of all
        const auto total = many.total();
        const TimeSeries few = largest(many, 5, QStringLiteral("%1 others"));
        QCOMPARE(few.lines.size(), 5U);
        QCOMPARE(few.total(), total);
        QCOMPARE(few.lines.front().label, QStringLiteral("p11"));
        QCOMPARE(few.lines[3].label, QStringLiteral("8 others"));
        QCOMPARE(few.lines[4].kind, TimeSeries::Kind::none);
    }

    void csvHoldsEveryNumber() {
        const TimeSeries series = test::series(2, {QStringLiteral("a,\"b\""), QStringLiteral("c")});
        QCOMPARE(toCsv(series), QStringLiteral("from_utc,from_local,seconds,\"a,\"\"b\"\"\",c,total\r\n"
                                               "2026-11-28T12:00:00Z,2026-11-28T12:00:00,900,1,2,3\r\n"
                                               "2026-11-28T12:15:00Z,2026-11-28T12:15:00,900,1,2,3\r\n"));
    }

    void ticks_data() {
        QTest::addColumn<qlonglong>("span");
        for (const auto& [name, span] : std::initializer_list<std::pair<const char*, std::chrono::seconds>>{
                 {"15 minutes", 15min}, {"6 hours", 6h}, {"a day", 24h}, {"a week", 24h * 7}, {"4 weeks", 24h * 28}, {"2 years", 24h * 730}})
            QTest::newRow(name) << static_cast<qlonglong>(span.count());
    }
    void ticks() {
        QFETCH(qlonglong, span);
        const Timestamp from = test::series(1, {}).from() + 137s;
        const evidence::TimeRange range{from, from + std::chrono::seconds(span)};
        const auto made = timeTicks(range, 8);
        QVERIFY2(!made.empty() && made.size() <= 8, qPrintable(QString::number(made.size())));
        for (const TimeTick& tick : made) {
            QVERIFY(tick.at >= range.from && tick.at <= range.to);
            QCOMPARE(tick.at.time_since_epoch() % std::chrono::minutes(1), std::chrono::microseconds(0));
            QVERIFY(!tick.label.isEmpty());
        }
    }

    void countStepsAreRound() {
        QCOMPARE(countStep(0, 4), 1.0);
        QCOMPARE(countStep(3, 4), 1.0);
        QCOMPARE(countStep(150, 4), 50.0);
        QCOMPARE(countStep(58'412, 4), 20'000.0);
    }

    void labelsSpreadWithinTheirRoom() {
        const auto placed = spread({10, 11, 12, 95}, 20, 0, 100);
        for (std::size_t i = 1; i < placed.size(); ++i) QVERIFY(placed[i] - placed[i - 1] >= 20 - 1e-9);
        QVERIFY(placed.front() >= 10 && placed.back() <= 90);
    }
};

QTEST_GUILESS_MAIN(TimeSeriesTest)
#include "tst_time_series.moc"
