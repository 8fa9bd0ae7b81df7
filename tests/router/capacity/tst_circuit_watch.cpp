// SPDX-License-Identifier: MIT
#include "router/capacity/circuits.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <stdexcept>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

namespace {

const Fault kStatus500{FaultKind::status, 500, std::nullopt};
const Fault kLimited{FaultKind::status, 429, 20s};

struct Bench {
    test::ManualClock clock;
    Circuits circuits{clock};
    std::shared_ptr<Circuit> circuit = circuits.of("lab:m");
    std::vector<CircuitChange> changes;

    Bench() {
        circuits.setListener([this](const CircuitChange& change) { changes.push_back(change); });
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void failWith(const Fault& fault) const {
        if (auto permit = circuit->tryAdmit()) (void)permit->failed(fault);
    }
    void succeed() const {
        if (auto permit = circuit->tryAdmit()) permit->succeeded();
    }
    void openIt() const {
        for (int i = 0; i < 3; ++i) failWith(kStatus500);
    }
    /// "+consecutive_failures 30000", "-served 60000 1": what was heard, oldest first.
    [[nodiscard]] QString heard() const {
        QStringList out;
        for (const CircuitChange& change : changes) {
            const char* ends[] = {"served", "excused", "by_hand"};
            out << (change.opened ? QStringLiteral("+%1 %2").arg(QString::fromUtf8(toString(change.cause).data())).arg(change.coolsFor.count())
                                  : QStringLiteral("-%1 %2 %3").arg(QLatin1String(ends[static_cast<int>(change.end)]))
                                        .arg(change.wasOpenFor.count()).arg(change.failedProbes));
        }
        return out.join(QStringLiteral(", "));
    }
};

}  // namespace

class TestCircuitWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // F58: who cools, why, until when; and once for each outage, however many probes fail meanwhile.
    void anOutageIsToldTwice() {
        Bench bench;
        bench.failWith(kStatus500);
        QCOMPARE(bench.heard(), QString());
        bench.openIt();
        QCOMPARE(bench.heard(), QStringLiteral("+consecutive_failures 30000"));
        for (int i = 0; i < 4; ++i) {
            bench.clock.advance(31s);
            bench.failWith(kStatus500);
        }
        QCOMPARE(bench.changes.size(), std::size_t{1});
        bench.clock.advance(31s);
        bench.succeed();
        QCOMPARE(bench.heard(), QStringLiteral("+consecutive_failures 30000, -served 155000 4"));
        bench.succeed();
        QCOMPARE(bench.changes.size(), std::size_t{2});
        QCOMPARE(bench.changes.back().endpointId, std::string("lab:m"));
    }

    void everyWayInAndOutIsToldOnce() {
        Bench bench;
        bench.failWith(kLimited);
        bench.failWith(kLimited);
        QCOMPARE(bench.heard(), QStringLiteral("+rate_limited 20000"));
        bench.circuit->closeByHand();
        bench.circuit->closeByHand();
        bench.circuit->coolByHand(5s);
        bench.circuit->coolByHand(50s);
        bench.circuit->closeByHand();
        QCOMPARE(bench.heard(), QStringLiteral("+rate_limited 20000, -by_hand 0 0, +by_hand 5000, -by_hand 0 0"));
    }

    void aCircuitThatIsExcusedIsTold() {
        Bench bench;
        std::optional<SampleId> last;
        for (int i = 0; i < 3; ++i) last = bench.circuit->tryAdmit()->failed(kStatus500);
        QVERIFY(last && bench.circuit->excuse(*last));
        QCOMPARE(bench.heard(), QStringLiteral("+consecutive_failures 30000, -excused 0 0"));
    }

    // A listener that asks would wait for ever if it were called with the lock held.
    void theListenerMayAskTheCircuit() {
        Bench bench;
        std::vector<CircuitState> seen;
        bench.circuits.setListener([&](const CircuitChange&) {
            seen.push_back(bench.circuit->view().state);
            QCOMPARE(bench.circuits.views().size(), std::size_t{1});
        });
        bench.openIt();
        bench.clock.advance(31s);
        bench.succeed();
        QVERIFY(seen == (std::vector{CircuitState::open, CircuitState::closed}));
    }

    void aListenerThatThrowsHarmsNobody() {
        Bench bench;
        bench.circuits.setListener([](const CircuitChange&) { throw std::runtime_error("ouch"); });
        bench.openIt();
        QVERIFY(bench.circuit->view().state == CircuitState::open);
    }

    void nobodyIsTold_whenNobodyListens() {
        Bench bench;
        bench.circuits.setListener({});
        bench.openIt();
        QCOMPARE(bench.heard(), QString());
    }

    // As on the I/O threads: each opening and each closing once, whoever brings it about.
    void manyThreadsTellEachChangeOnce() {
        Bench bench;
        std::atomic<int> opened = 0, closed = 0;
        bench.circuits.setListener([&](const CircuitChange& change) { ++(change.opened ? opened : closed); });
        for (int round = 0; round < 50; ++round) {
            const auto everywhere = [&](auto&& run) {
                std::vector<std::thread> threads;
                for (int i = 0; i < 4; ++i) threads.emplace_back(run);
                for (auto& thread : threads) thread.join();
            };
            everywhere([&] { for (int i = 0; i < 5; ++i) bench.failWith(kStatus500); });
            bench.clock.advance(31s);
            everywhere([&] { bench.succeed(); });
            QCOMPARE(opened.load(), round + 1);
            QCOMPARE(closed.load(), round + 1);
        }
    }
};

QTEST_APPLESS_MAIN(TestCircuitWatch)
#include "tst_circuit_watch.moc"
