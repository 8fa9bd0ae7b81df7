// SPDX-License-Identifier: MIT
#include "tests/ui/charts/series_samples.h"
#include "ui/charts/chart_labels.h"
#include "ui/charts/ticks.h"
#include "ui/theme/format.h"

#include <QDateTime>
#include <QTest>

#include <algorithm>
#include <ctime>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

namespace {

/// The computer stands in another time zone for a while.
class Zone {
public:
    explicit Zone(const char* rules) { set(rules); }
    ~Zone() { set(m_before); }
    Q_DISABLE_COPY_MOVE(Zone)

private:
    static void set(const QByteArray& rules) {
        qputenv("TZ", rules);
        tzset();
    }
    QByteArray m_before = qgetenv("TZ");
};

Timestamp utc(const QDate& day, const QTime& time) { return Timestamp(std::chrono::milliseconds(QDateTime(day, time, Qt::UTC).toMSecsSinceEpoch())); }

}  // namespace

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

    // In Europe the hour after two o'clock is missing on a day in March.
    void ticksTellTheTimeWhenClocksGoForward() {
        const Zone zone("CET-1CEST,M3.5.0,M10.5.0/3");
        const Timestamp midnight = utc({2026, 3, 28}, {23, 0});
        const auto made = timeTicks({midnight, midnight + 12h}, 13);
        QStringList labels;
        for (std::size_t i = 0; i < made.size(); ++i) {
            QVERIFY(i == 0 || made[i].at > made[i - 1].at);
            labels << made[i].label;
            if (i > 0) QCOMPARE(made[i].label, format::local(made[i].at).toString(QStringLiteral("HH:mm")));
        }
        QCOMPARE(labels.mid(0, 4), (QStringList{QStringLiteral("Sun 29"), QStringLiteral("01:00"), QStringLiteral("03:00"), QStringLiteral("04:00")}));
        QCOMPARE(labels.last(), QStringLiteral("13:00"));
    }

    // Elsewhere it is the one after midnight.
    void aDayWithoutMidnightHasItsTick() {
        const Zone zone("XST4XDT,M9.1.0/0,M4.1.0/0");
        const Timestamp from = utc({2026, 9, 5}, {12, 0});
        const auto made = timeTicks({from, from + 48h}, 4);
        const auto sunday = std::find_if(made.begin(), made.end(), [](const TimeTick& tick) { return tick.label == QStringLiteral("Sun 6"); });
        QVERIFY(sunday != made.end());
        QVERIFY(sunday->at == utc({2026, 9, 6}, {4, 0}));
    }

    void aWholeDayDoesNotEndWhereItBegins() {
        const Timestamp midnight = utc({2026, 11, 29}, {0, 0});
        QCOMPARE(rangeText({midnight, midnight + 24h}), QStringLiteral("Sun 29 Nov 00:00 – 24:00"));
        QCOMPARE(rangeText({midnight + 23h, midnight + 24h}), QStringLiteral("Sun 29 Nov 23:00 – 24:00"));
        QCOMPARE(rangeText({midnight, midnight + 15min}), QStringLiteral("Sun 29 Nov 00:00 – 00:15"));
        QCOMPARE(rangeText({midnight, midnight + 48h}), QStringLiteral("Sun 29 Nov 00:00 – Tue 1 Dec 00:00"));
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
