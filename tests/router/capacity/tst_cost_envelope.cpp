// SPDX-License-Identifier: MIT
#include "router/capacity/cost_envelope.h"

#include <QTest>
#include <limits>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

/// The vectors of the envelope are in tst_routewise_estimates; here is what they do not say.
class TestCostEnvelope : public QObject {
    Q_OBJECT

    const Steady m_start{std::chrono::hours(1000)};

private Q_SLOTS:
    void interpolatesBetweenNeighbours() {
        CostEnvelope envelope({10, 90, 1h, 1, 100});
        for (int i = 10; i >= 0; --i) envelope.observe(m_start, 1 + i);
        QCOMPARE(envelope.bounds(m_start), std::optional(CostBounds{2, 10, 11}));
        envelope.observe(m_start, 12);
        QVERIFY(std::abs(envelope.bounds(m_start)->lower - 2.1) < 1e-12);
    }

    void oneCostStillLeavesRoomForAPrice() {
        CostEnvelope envelope;
        envelope.observe(m_start, 0.5);
        QCOMPARE(envelope.bounds(m_start), std::optional(CostBounds{0.0005, 0.5, 1}));
    }

    void sampleExactlyAtTheEdgeStays() {
        CostEnvelope envelope({10, 90, 10s, 1, 100});
        envelope.observe(m_start, 0.5);
        QVERIFY(envelope.bounds(m_start + 10s));
        QVERIFY(!envelope.bounds(m_start + 10s + 1ns));
    }

    void senselessCostsAreLeftOut() {
        CostEnvelope envelope;
        for (const double cost : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            envelope.observe(m_start, cost);
        QVERIFY(!envelope.bounds(m_start));
    }

    void memoryIsBoundedByTheNewest() {
        CostEnvelope envelope({0, 100, 1h, 1, 3});
        for (const double cost : {9.0, 1.0, 2.0, 3.0}) envelope.observe(m_start, cost);
        QCOMPARE(envelope.bounds(m_start), std::optional(CostBounds{1, 3, 3}));
    }

    void lateReportKeepsTheWindowInOrder() {
        CostEnvelope envelope({0, 100, 10s, 1, 100});
        envelope.observe(m_start + 5s, 1);
        envelope.observe(m_start, 2);
        QCOMPARE(envelope.bounds(m_start + 15s)->samples, std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TestCostEnvelope)
#include "tst_cost_envelope.moc"
