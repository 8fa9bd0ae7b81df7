// SPDX-License-Identifier: MIT
#include "router/capacity/local_ledger.h"

#include "router/base/random.h"

#include <QTest>
#include <atomic>
#include <thread>
#include <type_traits>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

class TestLocalLedger : public QObject {
    Q_OBJECT

    static constexpr Steady kStart{std::chrono::hours(1000)};
    static LocalDemand demand(std::int64_t prefill, std::int64_t decode, double rate = 100) {
        return {prefill + decode, prefill, decode, rate};
    }
    static LocalHold take(LocalLedger& ledger, const LocalDemand& one, Steady now = kStart) {
        auto holds = ledger.take(now, [&](const LocalLoad&) { return std::vector{one}; });
        return std::move(holds.front());
    }

private Q_SLOTS:
    void holdsAreMoveOnlyAndEndOnce();
    void decideSeesTheLoadAndTakesSeveral();
    void prefillEndsWithTheFirstContent();
    void outputShrinksByItsShareOfTheRate();
    void wholeBodiesGoByWhatWasPredicted();
    void timeDoesNotRunBackwards();
    void watchersHearOfRoom();
    void serversAreSharedByName();
    void eightThreadsNeverExceedTheLimit();
};

void TestLocalLedger::holdsAreMoveOnlyAndEndOnce() {
    QVERIFY(!std::is_copy_constructible_v<LocalHold> && !std::is_copy_assignable_v<LocalHold>);
    QVERIFY(std::is_nothrow_move_constructible_v<LocalHold>);
    const auto ledger = std::make_shared<LocalLedger>();
    LocalHold first = take(*ledger, demand(10, 5));
    LocalHold second = std::move(first);
    QVERIFY(!first.held() && second.held());
    first.release();
    QCOMPARE(ledger->load(kStart).runningRequests, std::int64_t{1});
    second = take(*ledger, demand(1, 1));  // overwriting ends the old one
    QCOMPARE(ledger->load(kStart).reservedTokens, std::int64_t{2});
    second.release();
    second.release();
    QVERIFY(ledger->load(kStart) == LocalLoad{});
    { LocalHold dropped = take(*ledger, demand(1, 1)); }
    QVERIFY(ledger->load(kStart) == LocalLoad{});
}

void TestLocalLedger::decideSeesTheLoadAndTakesSeveral() {
    const auto ledger = std::make_shared<LocalLedger>();
    const LocalHold before = take(*ledger, demand(10, 5));
    LocalLoad seen;
    const auto holds = ledger->take(kStart, [&](const LocalLoad& load) {
        seen = load;
        return std::vector{demand(1, 2), demand(3, 4)};
    });
    QVERIFY((seen == LocalLoad{1, 15, 10, 5}));
    QCOMPARE(holds.size(), std::size_t{2});
    QVERIFY((ledger->load(kStart) == LocalLoad{3, 25, 14, 11}));
    QVERIFY(ledger->take(kStart, [](const LocalLoad&) { return std::vector<LocalDemand>{}; }).empty());
}

void TestLocalLedger::prefillEndsWithTheFirstContent() {
    const auto ledger = std::make_shared<LocalLedger>();
    LocalHold hold = take(*ledger, demand(1000, 100));
    // However long it takes: time alone says nothing about a prompt.
    QCOMPARE(ledger->load(kStart + 1h).remainingPrefillTokens, std::int64_t{1000});
    QCOMPARE(ledger->load(kStart + 1h).remainingDecodeTokens, std::int64_t{100});
    hold.contentSeen(kStart + 1h);
    QVERIFY((ledger->load(kStart + 1h) == LocalLoad{1, 1100, 0, 100}));
    hold.contentSeen(kStart + 1h);
    QCOMPARE(ledger->load(kStart + 1h + 500ms).remainingDecodeTokens, std::int64_t{50});
    // A longer answer than thought: it still runs and holds its tokens.
    QVERIFY((ledger->load(kStart + 2h) == LocalLoad{1, 1100, 0, 0}));
}

void TestLocalLedger::outputShrinksByItsShareOfTheRate() {
    const auto ledger = std::make_shared<LocalLedger>();
    LocalHold a = take(*ledger, demand(0, 100)), b = take(*ledger, demand(0, 100));
    a.contentSeen(kStart);
    b.contentSeen(kStart);
    QCOMPARE(ledger->load(kStart + 1s).remainingDecodeTokens, std::int64_t{100});  // 100/s for two
    a.release();
    QCOMPARE(ledger->load(kStart + 1s).remainingDecodeTokens, std::int64_t{50});
    QCOMPARE(ledger->load(kStart + 1500ms).remainingDecodeTokens, std::int64_t{0});
    QCOMPARE(ledger->load(kStart + 1500ms).reservedTokens, std::int64_t{100});
}

void TestLocalLedger::wholeBodiesGoByWhatWasPredicted() {
    const auto ledger = std::make_shared<LocalLedger>();
    LocalHold hold = take(*ledger, demand(1000, 100));
    hold.expectContent(kStart + 2s);
    QVERIFY((ledger->load(kStart + 1999ms) == LocalLoad{1, 1100, 1000, 100}));
    QVERIFY((ledger->load(kStart + 2500ms) == LocalLoad{1, 1100, 0, 50}));  // from then on, and not from the last look
    QVERIFY((ledger->load(kStart + 2750ms) == LocalLoad{1, 1100, 0, 25}));
    hold.contentSeen(kStart + 3s);
    QVERIFY((ledger->load(kStart + 3s) == LocalLoad{1, 1100, 0, 0}));
}

void TestLocalLedger::timeDoesNotRunBackwards() {
    const auto ledger = std::make_shared<LocalLedger>();
    LocalHold hold = take(*ledger, demand(0, 100));
    hold.contentSeen(kStart + 1s);
    QCOMPARE(ledger->load(kStart).remainingDecodeTokens, std::int64_t{100});  // another thread's clock reading, taken earlier
    QCOMPARE(ledger->load(kStart + 1250ms).remainingDecodeTokens, std::int64_t{75});
}

void TestLocalLedger::watchersHearOfRoom() {
    struct Watcher final : LocalWatcher {
        int times = 0;
        void mayHaveRoom() override { ++times; }
    };
    const auto ledger = std::make_shared<LocalLedger>();
    const auto watcher = std::make_shared<Watcher>();
    ledger->watch(watcher);
    {
        const auto gone = std::make_shared<Watcher>();
        ledger->watch(gone);
    }
    LocalHold hold = take(*ledger, demand(10, 10));
    QCOMPARE(watcher->times, 0);
    hold.contentSeen(kStart);
    QCOMPARE(watcher->times, 1);
    hold.contentSeen(kStart);
    QCOMPARE(watcher->times, 1);
    hold.release();
    hold.release();
    QCOMPARE(watcher->times, 2);
}

void TestLocalLedger::serversAreSharedByName() {
    LocalLedgers ledgers;
    QVERIFY(ledgers.of("resource gpu-0") == ledgers.of("resource gpu-0"));
    QVERIFY(ledgers.of("resource gpu-0") != ledgers.of("resource gpu-1"));
}

void TestLocalLedger::eightThreadsNeverExceedTheLimit() {
    // Two routers that judge by their own rules, each seeing all that both took: five requests and 50 tokens at most.
    LocalLedgers ledgers;
    std::atomic<std::int64_t> highest{0}, tokens{0};
    std::atomic<bool> exceeded{false};
    const auto work = [&](std::uint64_t seed) {
        FastRandom random(seed);
        const auto ledger = ledgers.of("resource gpu-0");
        std::vector<LocalHold> mine;
        for (int i = 0; i < 1250; ++i) {
            const Steady now = kStart + std::chrono::milliseconds(i);
            const auto size = static_cast<std::int64_t>(1 + random.next() % 20);
            if (random.next() % 2 == 0) {
                auto taken = ledger->take(now, [&](const LocalLoad& load) {
                    if (load.runningRequests + 1 > 5 || load.reservedTokens + size > 50) return std::vector<LocalDemand>{};
                    // Under the ledger's lock.
                    highest = std::max(highest.load(), load.runningRequests + 1);
                    tokens = std::max(tokens.load(), load.reservedTokens + size);
                    return std::vector{LocalDemand{size, size / 2, size - size / 2, 100}};
                });
                for (LocalHold& hold : taken) mine.push_back(std::move(hold));
            } else if (!mine.empty()) {
                const std::size_t at = random.next() % mine.size();
                if (random.next() % 2 == 0) mine[at].contentSeen(now);
                std::swap(mine[at], mine.back());
                mine.pop_back();
            }
            const LocalLoad load = ledger->load(now);
            if (load.runningRequests > 5 || load.reservedTokens > 50) exceeded = true;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 8; ++t) threads.emplace_back([&, t] { work(40 + t); });
    }
    QVERIFY(!exceeded);
    QVERIFY2(highest.load() <= 5, std::to_string(highest.load()).c_str());
    QVERIFY(highest.load() > 0 && tokens.load() <= 50);
    QVERIFY(ledgers.of("resource gpu-0")->load(kStart + 10s) == LocalLoad{});
}

QTEST_APPLESS_MAIN(TestLocalLedger)
#include "tst_local_ledger.moc"
