// SPDX-License-Identifier: MIT
// How an open circuit ends: by a probe, a last resort or an operator's hand, and what must not end it.
#include "tests/router/capacity/circuit_bench.h"

#include <QTest>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;
using test::kRefused;
using test::kStatus500;
using test::word;
using Bench = test::CircuitBench;

class TestCircuitEnds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // F56
    void halfOpenLetsExactlyOneProbeThrough() {
        Bench bench;
        bench.openIt();
        bench.clock.advance(30s);
        QCOMPARE(word(bench.state()), word(CircuitState::halfOpen));
        auto probe = bench.circuit->tryAdmit();
        QVERIFY(probe && probe->isProbe());
        QVERIFY(bench.cooling());
        QVERIFY(!bench.circuit->tryAdmit());
        probe->succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
        QVERIFY(!bench.cooling());
        // The old failures are forgotten: one more does not reopen.
        bench.failWith(kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    void failedProbeCoolsAgain() {
        Bench bench;
        bench.openIt();
        bench.clock.advance(31s);
        QVERIFY(bench.failWith(kRefused));
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::probeFailed));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(30s));
        QCOMPARE(bench.circuit->view().openedTotal, 2ULL);
    }

    void probeWithoutVerdictIsSetFree() {
        Bench bench;
        bench.openIt();
        bench.clock.advance(30s);
        { const auto cancelled = bench.circuit->tryAdmit(); }
        QVERIFY(!bench.cooling());
        QVERIFY(bench.failWith({FaultKind::status, 404, std::nullopt}));
        QVERIFY(!bench.cooling());
        QCOMPARE(word(bench.state()), word(CircuitState::halfOpen));
        QVERIFY(bench.succeed());
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    // However often that happens: each gives its place back at once, and the next one decides as if none had been.
    void neutralProbesAreGivenBack_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, FaultKind kind, int status) { QTest::newRow(name) << static_cast<int>(kind) << status; };
        row("client left, or its protocol has no words for the answer", FaultKind::cancelled, 0);
        row("not sent", FaultKind::notSent, 0);
        for (const int status : {400, 401, 403, 404, 409, 413, 422, 499})
            QTest::addRow("%d", status) << static_cast<int>(FaultKind::status) << status;
        row("400 in the stream", FaultKind::errorFrame, 400);
    }
    void neutralProbesAreGivenBack() {
        QFETCH(int, kind);
        QFETCH(int, status);
        const Fault neutral{static_cast<FaultKind>(kind), status, std::nullopt};
        for (const bool heals : {true, false}) {
            Bench bench;
            bench.openIt();
            bench.clock.advance(30s);
            for (int i = 0; i < 100; ++i) {
                auto probe = bench.circuit->tryAdmit();
                QVERIFY(probe && probe->isProbe());
                QVERIFY(bench.cooling() && !bench.circuit->tryAdmit());
                QVERIFY(!probe->failed(neutral));
                QVERIFY(!bench.cooling());
                QVERIFY(!bench.circuit->view().probing);
                QCOMPARE(word(bench.state()), word(CircuitState::halfOpen));
            }
            QVERIFY(heals ? bench.succeed() : bench.failWith(kRefused));
            QCOMPARE(word(bench.state()), word(heals ? CircuitState::closed : CircuitState::open));
        }
    }

    // Nor does anything that an operator or a policy does while it is out leave it taken.
    void aProbeInTheMidstOfOthersDoingsIsGivenBack() {
        const std::vector<std::function<void(Circuit&)>> doings{
            [](Circuit& circuit) { circuit.configure({}); }, [](Circuit& circuit) { circuit.coolByHand(1s); },
            [](Circuit& circuit) { circuit.setDrained(true); circuit.setDrained(false); }};
        for (const auto& happens : doings) {
            Bench bench;
            bench.openIt();
            bench.clock.advance(30s);
            {
                const auto probe = bench.circuit->tryAdmit();
                QVERIFY(probe && probe->isProbe());
                happens(*bench.circuit);
            }
            bench.clock.advance(1s);
            QVERIFY(!bench.cooling());
            auto next = bench.circuit->tryAdmit();
            QVERIFY(next && next->isProbe());
            next->succeeded();
            QCOMPARE(word(bench.state()), word(CircuitState::closed));
        }
    }

    // What was sent before the circuit opened must neither close it nor reopen it after it healed.
    void latecomersChangeNothing() {
        Bench bench;
        Permit lateSuccess = std::move(*bench.circuit->tryAdmit());
        Permit lateFailure = std::move(*bench.circuit->tryAdmit());
        Permit laterFailure = std::move(*bench.circuit->tryAdmit());
        bench.openIt();
        lateSuccess.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        bench.clock.advance(30s);
        lateFailure.failed(kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::halfOpen));
        QVERIFY(bench.succeed());
        laterFailure.failed(kStatus500);
        QCOMPARE(bench.circuit->view().attempts, 0U);
    }

    // F57
    void lastResortRunsWhileOpenAndHeals() {
        const Bench bench;
        bench.openIt();
        QVERIFY(!bench.circuit->tryAdmit());
        Permit first = std::move(*bench.circuit->admitAnyway());
        Permit second = std::move(*bench.circuit->admitAnyway());
        first.failed(kStatus500);
        QVERIFY(bench.cooling());
        second.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    void byHand() {
        Bench bench;
        bench.circuit->coolByHand(5min);
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::byHand));
        bench.clock.advance(4min);
        QVERIFY(!bench.circuit->tryAdmit());
        bench.circuit->closeByHand();
        QVERIFY(bench.circuit->tryAdmit());
    }

    void whatIsUnderWayDoesNotUndoTheHand() {
        Bench bench;
        bench.openIt();
        bench.clock.advance(30s);
        Permit probe = std::move(*bench.circuit->tryAdmit());
        QVERIFY(probe.isProbe());
        bench.circuit->coolByHand(5min);
        probe.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::byHand));
        QVERIFY(!bench.circuit->view().probing);
        // Its time over, the next one probes and heals.
        bench.clock.advance(5min);
        QVERIFY(!bench.cooling());
        Permit next = std::move(*bench.circuit->tryAdmit());
        QVERIFY(next.isProbe());
        next.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    // F57: a request that has no other choice goes there and is answered, which was not why the operator opened it.
    void theLastResortDoesNotUndoTheHand() {
        Bench bench;
        bench.circuit->coolByHand(5min);
        Permit direct = std::move(*bench.circuit->admitAnyway());
        direct.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(5min));
        QVERIFY(!bench.circuit->tryAdmit());
        // One that was under way when its time ended has proved that it answers, as ever.
        Permit late = std::move(*bench.circuit->admitAnyway());
        bench.clock.advance(5min);
        late.succeeded();
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    // Nor does a failure that is taken back, where the circuit cooled for longer already.
    void blameOfTheRequestDoesNotUndoTheHand() {
        Bench bench;
        const auto other = bench.circuits.of("west:m");
        bench.failWith(kStatus500);
        bench.failWith(kStatus500);
        Permit last = std::move(*bench.circuit->tryAdmit());
        const auto sample = last.failed(kStatus500);
        QVERIFY(sample);
        bench.circuit->coolByHand(1s);
        RequestBlame blame;
        blame.failed(bench.circuit, *sample, kStatus500);
        Permit elsewhere = std::move(*other->tryAdmit());
        blame.failed(other, *elsewhere.failed(kStatus500), kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(30s));
    }

    // For ThreadSanitizer, and: however many ask at once, one probes.
    void concurrentAttemptsAgreeOnOneProbe() {
        Bench bench;
        for (int round = 0; round < 50; ++round) {
            bench.openIt();
            bench.clock.advance(30s);
            std::atomic<int> probes{0};
            std::atomic<bool> done{false};
            std::vector<std::thread> threads;
            std::thread reader([&] {
                while (!done) {
                    static_cast<void>(bench.circuit->view());
                    static_cast<void>(bench.cooling());
                }
            });
            std::mutex heldMutex;
            std::vector<Permit> held;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&] {
                    for (int n = 0; n < 50; ++n)
                        if (auto permit = bench.circuit->tryAdmit()) {
                            ++probes;
                            const std::lock_guard lock(heldMutex);
                            held.push_back(std::move(*permit));
                        }
                });
            for (std::thread& thread : threads) thread.join();
            done = true;
            reader.join();
            QCOMPARE(probes.load(), 1);
            held.front().succeeded();
        }
    }
};

QTEST_APPLESS_MAIN(TestCircuitEnds)
#include "tst_circuit_ends.moc"
