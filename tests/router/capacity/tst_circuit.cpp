// SPDX-License-Identifier: MIT
// What opens a circuit and what does not, whom a fault blames, and which circuits are kept.
#include "tests/router/capacity/circuit_bench.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;
using test::kRefused;
using test::kStatus500;
using test::limited;
using test::word;
using Bench = test::CircuitBench;

class TestCircuit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // F61
    void oneErrorOpensNothing() {
        const Bench bench;
        bench.failWith(kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
        QVERIFY(!bench.cooling());
        bench.failWith(kStatus500);
        bench.succeed();
        bench.failWith(kStatus500);
        bench.failWith(kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    void threeConsecutiveFailuresOpen() {
        const Bench bench;
        bench.openIt();
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::consecutiveFailures));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(30s));
        QVERIFY(bench.cooling());
    }

    // F53: whatever else arrives, nobody is let in before the window has passed.
    void twentyFiveStraight500sCoolForTheWholeWindow() {
        Bench bench;
        std::vector<Permit> inFlight;
        for (int i = 0; i < 25; ++i) inFlight.push_back(std::move(*bench.circuit->tryAdmit()));
        for (Permit& permit : inFlight) permit.failed(kStatus500);
        for (int second = 0; second < 30; ++second) {
            QVERIFY2(!bench.circuit->tryAdmit(), std::to_string(second).c_str());
            QVERIFY(bench.cooling());
            bench.clock.advance(1s);
        }
        QVERIFY(!bench.cooling());
        QVERIFY(bench.circuit->tryAdmit());
    }

    // F54: by type; a refused connection counts like a 500.
    void faultsAreClassifiedByType_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("sample");
        const auto row = [](const char* name, FaultKind kind, int status, Sample sample) {
            QTest::newRow(name) << static_cast<int>(kind) << status << static_cast<int>(sample);
        };
        row("connection refused", FaultKind::connect, 0, Sample::failure);
        row("timeout", FaultKind::timeout, 0, Sample::failure);
        row("closed before the end", FaultKind::disconnected, 0, Sample::failure);
        row("not HTTP", FaultKind::protocol, 0, Sample::failure);
        row("500", FaultKind::status, 500, Sample::failure);
        row("503 (F48)", FaultKind::status, 503, Sample::failure);
        row("529", FaultKind::status, 529, Sample::failure);
        row("redirect", FaultKind::status, 302, Sample::failure);
        row("408", FaultKind::status, 408, Sample::failure);
        row("425", FaultKind::status, 425, Sample::failure);
        row("429 (F48)", FaultKind::status, 429, Sample::rateLimited);
        row("400", FaultKind::status, 400, Sample::none);
        row("401", FaultKind::status, 401, Sample::none);
        row("409 is no success (F48)", FaultKind::status, 409, Sample::none);
        row("499", FaultKind::status, 499, Sample::none);
        row("error frame with 429", FaultKind::errorFrame, 429, Sample::rateLimited);
        row("error frame without code", FaultKind::errorFrame, 0, Sample::failure);
        row("not sent", FaultKind::notSent, 0, Sample::none);
        row("client left", FaultKind::cancelled, 0, Sample::none);
    }
    void faultsAreClassifiedByType() {
        QFETCH(int, kind);
        QFETCH(int, status);
        QFETCH(int, sample);
        QCOMPARE(static_cast<int>(sampleOf({static_cast<FaultKind>(kind), status, std::nullopt})), sample);
    }

    void callersErrorsNeverCount() {
        const Bench bench;
        for (int i = 0; i < 50; ++i) QVERIFY(bench.failWith({FaultKind::status, 400, std::nullopt}));
        QCOMPARE(bench.circuit->view().attempts, 0U);
        // Nor do they interrupt a row of failures.
        bench.failWith(kStatus500);
        bench.failWith(kStatus500);
        bench.failWith({FaultKind::status, 409, std::nullopt});
        bench.failWith(kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::open));
    }

    void lowAvailabilityOpensFromTenAttemptsOn() {
        const Bench bench;
        // Two failures and a success in turn: never three in a row, availability 1/3.
        for (int i = 0; i < 9; ++i) {
            if (i % 3 == 2) bench.succeed();
            else bench.failWith(kRefused);
            QCOMPARE(word(bench.state()), word(CircuitState::closed));
        }
        bench.failWith(kRefused);
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::availability));
    }

    void availabilityOfExactlySeventyPercentStays() {
        const Bench bench;
        for (int i = 0; i < 20; ++i) {
            if (i % 10 == 3 || i % 10 == 6 || i % 10 == 9) bench.failWith(kRefused);
            else bench.succeed();
        }
        QCOMPARE(bench.circuit->view().availability, 0.7);
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
    }

    void availabilityLooksBackOnTwentyAttempts() {
        const Bench bench;
        for (int i = 0; i < 100; ++i) bench.succeed();
        QCOMPARE(bench.circuit->view().attempts, 20U);
        int failures = 0;
        while (bench.state() == CircuitState::closed && failures < 20) {
            bench.failWith(kRefused);
            ++failures;
            if (failures % 2 == 0 && bench.state() == CircuitState::closed) bench.succeed();
        }
        QCOMPARE(failures, 7);  // 13 of 20 are below 0.7, however many went well before
    }

    // F48
    void rateLimitOpensAtOnceUntilRetryAfter() {
        Bench bench;
        bench.failWith(limited(7s));
        QCOMPARE(word(bench.circuit->view().cause), word(OpenCause::rateLimited));
        bench.clock.advance(6'999ms);
        QVERIFY(bench.cooling());
        bench.clock.advance(1ms);
        QVERIFY(!bench.cooling());
    }

    void rateLimitWithoutRetryAfterCoolsThirtySeconds() {
        const Bench bench;
        bench.failWith(limited(std::nullopt));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(30s));
    }

    void noUpstreamClosesItselfOffForever() {
        const Bench bench;
        bench.failWith(limited(std::chrono::seconds(std::numeric_limits<std::int32_t>::max())));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(24h));
    }

    void laterDeadlineWins() {
        const Bench bench;
        Permit longer = std::move(*bench.circuit->tryAdmit());
        Permit shorter = std::move(*bench.circuit->tryAdmit());
        bench.failWith(limited(40s));
        longer.failed(limited(90s));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(90s));
        shorter.failed(limited(5s));
        QCOMPARE(bench.circuit->view().remaining, std::chrono::milliseconds(90s));
    }

    void sameFaultElsewhereBlamesTheRequest() {
        Bench bench;
        const auto other = bench.circuits.of("west:m");
        bench.failWith(kStatus500);
        bench.failWith(kStatus500);
        RequestBlame blame;
        const auto attempt = [&](const std::shared_ptr<Circuit>& circuit, const Fault& fault) {
            Permit permit = std::move(*circuit->tryAdmit());
            if (const auto sample = permit.failed(fault)) blame.failed(circuit, *sample, fault);
        };
        attempt(bench.circuit, kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::open));
        attempt(other, kStatus500);
        QCOMPARE(word(bench.state()), word(CircuitState::closed));
        QCOMPARE(bench.circuit->view().consecutiveFailures, 2U);
        QCOMPARE(other->view().consecutiveFailures, 0U);
    }

    void anotherFaultElsewhereBlamesNobody() {
        Bench bench;
        const auto other = bench.circuits.of("west:m");
        RequestBlame blame;
        for (const auto& [circuit, fault] : {std::pair(bench.circuit, kStatus500), std::pair(other, kRefused)}) {
            Permit permit = std::move(*circuit->tryAdmit());
            if (const auto sample = permit.failed(fault)) blame.failed(circuit, *sample, fault);
        }
        QCOMPARE(bench.circuit->view().consecutiveFailures, 1U);
        QCOMPARE(other->view().consecutiveFailures, 1U);
    }

    // F53 again: two endpoints that fail for everyone cannot excuse each other for ever.
    void brokenPairStillCools() {
        Bench bench;
        const auto other = bench.circuits.of("west:m");
        int requests = 0;
        while ((bench.state() == CircuitState::closed || other->view().state == CircuitState::closed) && requests < 25) {
            RequestBlame blame;
            ++requests;
            for (const auto& circuit : {bench.circuit, other}) {
                auto permit = circuit->tryAdmit();
                if (!permit) continue;
                if (const auto sample = permit->failed(kStatus500)) blame.failed(circuit, *sample, kStatus500);
            }
        }
        QCOMPARE(requests, 4);
    }

    void connectionFailuresAreNeverTheRequestsFault() {
        QVERIFY(!mayBlameRequest(kRefused));
        QVERIFY(!mayBlameRequest(limited(1s)));
        QVERIFY(!mayBlameRequest({FaultKind::status, 503, std::nullopt}));
        QVERIFY(mayBlameRequest(kStatus500));
        QVERIFY(mayBlameRequest({FaultKind::disconnected, 0, std::nullopt}));
    }

    void inventedEndpointsAreForgotten() {
        Bench bench;
        const auto held = bench.circuits.of("lab:held");
        bench.openIt();
        for (int i = 0; i < 10'000; ++i) static_cast<void>(bench.circuits.of("lab:invented-" + std::to_string(i)));
        const auto views = bench.circuits.views();
        QVERIFY(views.size() <= 4097);
        const auto has = [&](const char* id) {
            return std::any_of(views.begin(), views.end(), [&](const CircuitView& view) { return view.endpointId == id; });
        };
        QVERIFY(has("lab:held"));
        QVERIFY(has("lab:m"));
    }

    // Nobody may ever come to probe a model that does not exist.
    void inventedEndpointsThatCooledAreForgotten() {
        Bench bench;
        for (int i = 0; i < 5'000; ++i) {
            const auto circuit = bench.circuits.of("lab:invented-" + std::to_string(i));
            circuit->tryAdmit()->failed(limited(5s));
            if (i == 0) circuit->setDrained(true);
        }
        QCOMPARE(bench.circuits.views().size(), std::size_t{5'001});  // those that cool stay
        bench.clock.advance(5s);
        for (int i = 0; i < 5'000; ++i) static_cast<void>(bench.circuits.of("lab:more-" + std::to_string(i)));
        const auto views = bench.circuits.views();
        QVERIFY2(views.size() <= 4'098, std::to_string(views.size()).c_str());
        QVERIFY(std::any_of(views.begin(), views.end(), [](const CircuitView& view) { return view.drained; }));
    }

    // A look costs as much as there are, under the lock of all: with many in use it comes seldom.
    void idleOnesAreLookedForWhenThereAreTwiceAsMany() {
        const Bench bench;
        std::vector<std::shared_ptr<Circuit>> held;
        Circuits circuits(bench.clock);
        for (int i = 0; i < 5'000; ++i) held.push_back(circuits.of("lab:held-" + std::to_string(i)));
        for (int i = 0; i < 3'000; ++i) static_cast<void>(circuits.of("lab:invented-" + std::to_string(i)));
        QCOMPARE(circuits.views().size(), std::size_t{8'000});
        for (int i = 0; i < 30'000; ++i) static_cast<void>(circuits.of("lab:more-" + std::to_string(i)));
        QVERIFY(circuits.views().size() <= 10'001);
    }
};

QTEST_APPLESS_MAIN(TestCircuit)
#include "tst_circuit.moc"
