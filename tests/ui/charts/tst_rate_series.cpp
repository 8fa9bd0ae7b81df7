// SPDX-License-Identifier: MIT
#include "tests/ui/charts/rate_samples.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace signalbox;
using namespace signalbox::ui;

class RateSeriesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Values of Brown, Cai and DasGupta (2001) and of any statistics package.
    void wilsonIsTheKnownInterval_data() {
        QTest::addColumn<quint64>("part");
        QTest::addColumn<quint64>("whole");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("none of ten") << quint64{0} << quint64{10} << 0.0 << 0.2775328;
        QTest::newRow("all of ten") << quint64{10} << quint64{10} << 0.7224672 << 1.0;
        QTest::newRow("half of hundred") << quint64{50} << quint64{100} << 0.4038315 << 0.5961685;
        QTest::newRow("one of twenty") << quint64{1} << quint64{20} << 0.0088814 << 0.2361308;
        QTest::newRow("the demo's week") << quint64{4048} << quint64{22'000} << 0.1789351 << 0.1891753;
        QTest::newRow("nothing known") << quint64{0} << quint64{0} << 0.0 << 1.0;
    }
    void wilsonIsTheKnownInterval() {
        QFETCH(quint64, part);
        QFETCH(quint64, whole);
        QFETCH(double, low);
        QFETCH(double, high);
        const Rate rate = wilson(part, whole);
        QVERIFY2(std::abs(rate.low - low) < 1e-6 && std::abs(rate.high - high) < 1e-6, qPrintable(QStringLiteral("%1 %2").arg(rate.low, 0, 'f', 7).arg(rate.high, 0, 'f', 7)));
        QVERIFY(rate.low <= rate.value && rate.value <= rate.high);
    }

    // The band holds the truth about as often as it promises.
    void wilsonCoversTheTruth() {
        std::mt19937 random(7);
        std::binomial_distribution<int> draw(60, 0.184);
        int held = 0;
        for (int i = 0; i < 4000; ++i) {
            const Rate rate = wilson(static_cast<std::uint64_t>(draw(random)), 60);
            held += rate.low <= 0.184 && 0.184 <= rate.high ? 1 : 0;
        }
        QVERIFY2(held > 3720 && held < 3920, qPrintable(QString::number(held)));
    }

    void thinBucketsAreJoined() {
        const std::vector<std::uint64_t> whole{0, 10, 0, 35, 100, 3, 0, 5}, part{0, 1, 0, 9, 20, 3, 0, 5};
        const auto points = joinThin(part, whole, 40);
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0].first, std::size_t{1});
        QCOMPARE(points[0].last, std::size_t{3});
        QCOMPARE(points[0].rate.whole, std::uint64_t{45});
        QCOMPARE(points[1].last, std::size_t{7});  // the thin end belongs to its neighbour
        QCOMPARE(points[1].rate.part, std::uint64_t{28});
        QCOMPARE(joinThin({1, 0}, {3, 4}, 40).size(), std::size_t{1});
        QVERIFY(joinThin({0, 0}, {0, 0}, 40).empty());
    }

    void joiningLosesNothing() {
        std::mt19937 random(3);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::uint64_t> whole(50), part(50);
            std::uint64_t wholes = 0, parts = 0;
            for (std::size_t i = 0; i < whole.size(); ++i) {
                whole[i] = random() % 30;
                part[i] = whole[i] == 0 ? 0 : random() % (whole[i] + 1);
                wholes += whole[i];
                parts += part[i];
            }
            std::uint64_t joinedWholes = 0, joinedParts = 0;
            std::size_t free = 0;
            for (const RatePoint& point : joinThin(part, whole, 40)) {
                QVERIFY(point.first >= free && point.last >= point.first);
                QVERIFY(point.rate.whole >= 40);
                free = point.last + 1;
                joinedWholes += point.rate.whole;
                joinedParts += point.rate.part;
            }
            QCOMPARE(joinedWholes, wholes);
            QCOMPARE(joinedParts, parts);
        }
    }

    void readyToDrawKeepsWhatIsLargest() {
        QStringList names;
        for (int i = 0; i < 9; ++i) names << QStringLiteral("g%1").arg(i);
        auto series = test::rates(1200, names);
        series.lines[4].whole.assign(1200, 500);
        const auto drawn = readyToDraw(series, 600, 4, QStringLiteral("%1 others"));
        QCOMPARE(drawn.starts.size(), std::size_t{600});
        QVERIFY(drawn.bucket == std::chrono::hours(2));
        QCOMPARE(drawn.lines.size(), std::size_t{4});
        QCOMPARE(drawn.lines[0].label, QStringLiteral("g4"));
        QCOMPARE(drawn.lines[3].label, QStringLiteral("6 others"));
        std::uint64_t before = 0, after = 0;
        for (const auto& line : series.lines)
            for (const auto count : line.whole) before += count;
        for (const auto& line : drawn.lines) after += line.totalWhole;
        QCOMPARE(after, before);
        QCOMPARE(RateSeries::pointAt(drawn.lines[0], 7)->first, std::size_t{7});
    }

    void wordsSayShareMarginAndSample() {
        QCOMPARE(rateText(wilson(4048, 22'000)), QStringLiteral("18.4 % ±0.5 of 22,000"));
        QCOMPARE(rateText(wilson(0, 0)), QStringLiteral("–"));
        const QString csv = toCsv(readyToDraw(test::rates(2, {QStringLiteral("a,b")}), 10, 4, QStringLiteral("%1")));
        QVERIFY(csv.startsWith(QStringLiteral("line,from_utc,to_utc,shadow decisions,differ,share,low_95,high_95\r\n\"a,b\",2026-11-28T12:00:00Z")));
        QCOMPARE(csv.count(QLatin1Char('\n')), 3);
    }
};

QTEST_MAIN(RateSeriesTest)
#include "tst_rate_series.moc"
