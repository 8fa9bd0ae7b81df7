// SPDX-License-Identifier: MIT
#include "router/gateway/in_flight.h"

#include <QTest>
#include <thread>
#include <vector>

using namespace signalbox;
using gateway::InFlightLedger;

class InFlightTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysCountByThemselves();
    void keyIsForgottenWithItsLastRequest();
    void movedGuardLeavesOnce();
    void everyEndingLeaves_fromManyThreads();
};

void InFlightTest::keysCountByThemselves() {
    InFlightLedger ledger;
    const auto first = ledger.enter("qwen"), second = ledger.enter("qwen"), other = ledger.enter("glm");
    QCOMPARE(first.number(), 1U);
    QCOMPARE(second.number(), 2U);
    QCOMPARE(other.number(), 1U);
    QCOMPARE(ledger.keys(), std::size_t{2});
    QCOMPARE(ledger.all(), 0U);
}

// The names are a client's own wherever a provider takes any model.
void InFlightTest::keyIsForgottenWithItsLastRequest() {
    InFlightLedger ledger;
    for (int i = 0; i < 1000; ++i)
        static_cast<void>(ledger.enter("cloud:invented-" + std::to_string(i)));
    QCOMPARE(ledger.keys(), std::size_t{0});
    auto first = ledger.enter("cloud:m");
    auto second = ledger.enter("cloud:m");
    first = {};
    QCOMPARE(ledger.keys(), std::size_t{1});
    QCOMPARE(ledger.enter("cloud:m").number(), 2U);
    second = {};
    QCOMPARE(ledger.keys(), std::size_t{0});
    QCOMPARE(ledger.enter("cloud:m").number(), 1U);
}

void InFlightTest::movedGuardLeavesOnce() {
    InFlightLedger ledger;
    auto place = ledger.enterAll(evidence::Edge::openai);
    InFlightLedger::Guard taken = std::move(place);
    place = {};
    QCOMPARE(ledger.all(), 1U);
    QCOMPARE(ledger.of(evidence::Edge::openai), 1U);
    taken = ledger.enterAll(evidence::Edge::anthropic);
    QCOMPARE(ledger.all(), 1U);
    QCOMPARE(ledger.of(evidence::Edge::openai), 0U);
    QCOMPARE(ledger.of(evidence::Edge::anthropic), 1U);
    taken = {};
    QCOMPARE(ledger.all(), 0U);
    QCOMPARE(ledger.of(evidence::Edge::anthropic), 0U);
}

void InFlightTest::everyEndingLeaves_fromManyThreads() {
    InFlightLedger ledger;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&ledger, t] {
            for (int i = 0; i < 2000; ++i) {
                const auto shared = ledger.enter("family");
                const auto own = ledger.enter("cloud:" + std::to_string(t) + "-" + std::to_string(i));
                if (shared.number() < 1 || own.number() != 1)
                    std::abort();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(ledger.keys(), std::size_t{0});
}

QTEST_APPLESS_MAIN(InFlightTest)
#include "tst_in_flight.moc"
