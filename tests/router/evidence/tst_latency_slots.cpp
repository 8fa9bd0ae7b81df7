// SPDX-License-Identifier: MIT
#include "router/evidence/latency_slots.h"

#include "router/base/random.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <vector>

using namespace signalbox;
using namespace signalbox::evidence;

class TestLatencySlots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSlotIsWithinTwoPercent() {
        for (double ms = 0.01; ms < 1e7; ms *= 1.0137) {
            const double shown = latencyOf(latencySlot(ms));
            QVERIFY2(std::abs(shown - ms) <= 0.02 * ms, qPrintable(QString::number(ms)));
        }
    }

    void strangeValuesStayInside() {
        QCOMPARE(latencySlot(0), latencySlot(1e-3));
        QCOMPARE(latencySlot(-5), latencySlot(1e-3));
        QCOMPARE(latencySlot(std::numeric_limits<double>::quiet_NaN()), latencySlot(1e-3));
        QCOMPARE(latencySlot(std::numeric_limits<double>::infinity()), latencySlot(1e9));
    }

    void percentilesOfASumAreThoseOfAllValues() {
        FastRandom random(42);
        std::map<std::int16_t, std::uint64_t> slots;
        std::vector<double> values;
        for (int i = 0; i < 5000; ++i) {
            values.push_back(5.0 + 2000.0 * random.unit() * random.unit());
            ++slots[latencySlot(values.back())];
        }
        std::sort(values.begin(), values.end());
        for (const double q : {0.5, 0.95}) {
            const double exact = values[static_cast<std::size_t>(std::ceil(q * 5000)) - 1];
            QVERIFY(std::abs(*percentile(slots, q) - exact) <= 0.02 * exact);
        }
        QVERIFY(!percentile({}, 0.5));
    }
};

QTEST_APPLESS_MAIN(TestLatencySlots)
#include "tst_latency_slots.moc"
