// SPDX-License-Identifier: MIT
#include "router/capacity/circuits.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <functional>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

namespace {

const Fault kStatus500{FaultKind::status, 500, std::nullopt};
const Fault kRefused{FaultKind::connect, 0, std::nullopt};

Fault limited(std::optional<std::chrono::seconds> retryAfter) { return {FaultKind::status, 429, retryAfter}; }

template <class T>
QString word(T value) {
    const std::string_view text = toString(value);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A circuit, its clock, and attempts as short words.
struct Bench {
    test::ManualClock clock;
    Circuits circuits;
    std::shared_ptr<Circuit> circuit;

    explicit Bench(const CircuitSettings& settings = {}) : circuits(clock, settings), circuit(circuits.of("lab:m")) {}
    bool succeed() const {
        auto permit = circuit->tryAdmit();
        if (permit) permit->succeeded();
        return permit.has_value();
    }
    bool failWith(const Fault& fault) const {
        auto permit = circuit->tryAdmit();
        if (permit) permit->failed(fault);
        return permit.has_value();
    }
    [[nodiscard]] bool cooling() const { return circuit->isCooling(clock.steady()); }
    [[nodiscard]] CircuitState state() const { return circuit->view().state; }
    void openIt() const {
        for (int i = 0; i < 3; ++i) failWith(kStatus500);
    }
};

}  // namespace

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

QTEST_APPLESS_MAIN(TestCircuit)
#include "tst_circuit.moc"
