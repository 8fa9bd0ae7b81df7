// SPDX-License-Identifier: MIT
#include "router/capacity/resource_registry.h"

#include "router/base/random.h"

#include <QTest>
#include <atomic>
#include <thread>
#include <type_traits>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

class TestResource : public QObject {
    Q_OBJECT

    const Steady m_start{std::chrono::hours(1000)};

    static void raise(std::atomic<std::uint32_t>& highest, std::uint32_t seen) {
        std::uint32_t before = highest.load();
        while (seen > before && !highest.compare_exchange_weak(before, seen)) {}
    }

    /// One router of several: takes and gives back at random, and keeps its own count of what everybody holds.
    static void work(ResourceRegistry& registry, std::uint64_t seed, int steps, std::atomic<std::uint32_t>& held,
                     std::atomic<std::uint32_t>& highest) {
        FastRandom random(seed);
        const auto slots = registry.slots("gpu-0", 5).value();
        std::vector<Reservation> mine;
        const auto giveBack = [&](std::size_t i) {
            held.fetch_sub(1);
            std::swap(mine[i], mine.back());
            if (random.next() % 2 == 0) mine.back().release();
            mine.pop_back();
        };
        for (int i = 0; i < steps; ++i) {
            if (random.next() % 2 == 0) {
                if (auto taken = slots->tryTake()) {
                    raise(highest, held.fetch_add(1) + 1);
                    mine.push_back(*std::move(taken));
                }
            } else if (!mine.empty()) {
                giveBack(random.next() % mine.size());
            }
        }
        while (!mine.empty()) giveBack(0);
    }

private Q_SLOTS:
    void reservationsAreMoveOnly() {
        QVERIFY(!std::is_copy_constructible_v<Reservation>);
        QVERIFY(!std::is_copy_assignable_v<Reservation>);
        QVERIFY(std::is_nothrow_move_constructible_v<Reservation>);
    }

    void lastSlotGoesToOneOnly() {
        auto slots = std::make_shared<Slots>("gpu-0", 1);
        auto first = slots->tryTake();
        QVERIFY(first);
        QVERIFY(!slots->tryTake());
        first->release();
        QVERIFY(slots->tryTake());
        QCOMPARE(slots->inUse(), 0u);
    }

    void releaseIsIdempotentAndMovesWithTheValue() {
        auto slots = std::make_shared<Slots>("gpu-0", 2);
        Reservation kept;
        {
            auto taken = slots->tryTake();
            kept = *std::move(taken);
            QVERIFY(!taken->held());
            taken->release();
        }
        QCOMPARE(slots->inUse(), 1u);
        QCOMPARE(kept.resource()->identity(), std::string("gpu-0"));
        kept.release();
        kept.release();
        QCOMPARE(slots->inUse(), 0u);
    }

    void overwritingAReservationEndsTheOldOne() {
        auto slots = std::make_shared<Slots>("gpu-0", 2);
        Reservation kept = slots->tryTake().value();
        kept = slots->tryTake().value();
        QCOMPARE(slots->inUse(), 1u);
    }

    void reservationOutlivesItsRouter() {
        auto slots = std::make_shared<Slots>("gpu-0", 1);
        const std::weak_ptr<Slots> watch = slots;
        auto taken = slots->tryTake();
        slots.reset();
        QVERIFY(!watch.expired());
        taken.reset();
        QVERIFY(watch.expired());
    }

    void lowerLimitWaitsForRunningCalls() {
        auto slots = std::make_shared<Slots>("gpu-0", 3);
        auto a = slots->tryTake(), b = slots->tryTake();
        slots->setLimit(1);
        a.reset();
        QVERIFY(!slots->tryTake());
        b.reset();
        QVERIFY(slots->tryTake());
    }

    void eightThreadsNeverExceedTheLimit() {
        // Two routers' worth of threads on one identity; 100,000 randomised steps in all.
        ResourceRegistry registry;
        std::atomic<std::uint32_t> held{0}, highest{0};
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 8; ++t)
            threads.emplace_back([&, t] { work(registry, 100 + t, 12500, held, highest); });
        threads.clear();
        QVERIFY2(highest.load() <= 5, std::to_string(highest.load()).c_str());
        QVERIFY(highest.load() > 0);
        QCOMPARE(registry.slots("gpu-0", 5).value()->inUse(), 0u);
    }

    void eightThreadsNeverOverspendAQuota() {
        auto quota = std::make_shared<Quota>("plan", QuotaOptions{1000, {}, false}, m_start);
        std::atomic<std::uint32_t> spent{0};
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
                FastRandom random(t);
                for (int i = 0; i < 1000; ++i) {
                    auto taken = quota->tryTake(m_start);
                    if (!taken || random.next() % 2 == 0) continue;
                    taken->markSpent();
                    spent.fetch_add(1);
                }
            });
        threads.clear();
        QVERIFY(spent.load() <= 1000);
        QCOMPARE(quota->state(m_start)->remaining, std::uint64_t{1000 - spent.load()});
    }

    void quotaUnitComesBackUnlessSpent() {
        auto quota = std::make_shared<Quota>("plan", QuotaOptions{2, {}, false}, m_start);
        auto refused = quota->tryTake(m_start);
        QCOMPARE(quota->state(m_start), std::optional(QuotaState{1, 0.5}));
        refused.reset();
        QCOMPARE(quota->state(m_start), std::optional(QuotaState{2, 0}));
        auto sent = quota->tryTake(m_start);
        sent->markSpent();
        sent.reset();
        QCOMPARE(quota->state(m_start), std::optional(QuotaState{1, 0.5}));
        QVERIFY(!quota->tryTake(m_start, 2));
        QVERIFY(quota->tryTake(m_start, 1));
    }

    void windowGivesTheQuotaBack() {
        auto quota = std::make_shared<Quota>("plan", QuotaOptions{1, 60s, false}, m_start);
        quota->tryTake(m_start)->markSpent();
        QVERIFY(!quota->tryTake(m_start + 59s));
        QCOMPARE(quota->resetsAt(m_start), std::optional(m_start + 60s));
        QCOMPARE(quota->resetsAt(m_start + 60s), std::optional(m_start + 120s));
        QVERIFY(quota->tryTake(m_start + 60s));
        // After a long silence the next reset still lies on the grid.
        QCOMPARE(quota->resetsAt(m_start + 3605s), std::optional(m_start + 3660s));
    }

    void callAcrossAResetStillCounts() {
        auto quota = std::make_shared<Quota>("plan", QuotaOptions{1, 60s, false}, m_start);
        auto taken = quota->tryTake(m_start);
        QVERIFY(!quota->tryTake(m_start + 61s));
        taken.reset();
        QVERIFY(quota->tryTake(m_start + 61s));
    }

    void externallyCountedQuotaWaitsForItsReading() {
        auto quota = std::make_shared<Quota>("plan", QuotaOptions{0, {}, true}, m_start);
        QVERIFY(!quota->state(m_start));
        QVERIFY(!quota->tryTake(m_start));
        quota->applyReading({7, 10, m_start + 30s});
        QCOMPARE(quota->state(m_start), std::optional(QuotaState{3, 0.7}));
        auto held = quota->tryTake(m_start);
        quota->tryTake(m_start)->markSpent();
        QCOMPARE(quota->state(m_start)->remaining, std::uint64_t{1});
        // The next reading knows what was spent, and the call on its way is counted on top of it.
        quota->applyReading({8, 10, std::nullopt});
        QCOMPARE(quota->state(m_start)->remaining, std::uint64_t{1});
        held.reset();
        QCOMPARE(quota->state(m_start)->remaining, std::uint64_t{2});
        QCOMPARE(quota->state(m_start + 30s)->remaining, std::uint64_t{10});
        QVERIFY(!quota->resetsAt(m_start + 30s));
    }

    void everyRouterGetsTheSameResource() {
        ResourceRegistry registry;
        const auto one = registry.slots("gpu-0", 2).value();
        const auto running = one->tryTake();
        const auto other = registry.slots("gpu-0", 4).value();
        QCOMPARE(one.get(), other.get());
        QCOMPARE(other->inUse(), 1u);
        QCOMPARE(one->limit(), 4u);
        const auto plan = registry.quota("plan", {10, 60s, false}, m_start).value();
        QCOMPARE(registry.quota("plan", {20, 60s, false}, m_start).value().get(), plan.get());
        QCOMPARE(plan->state(m_start)->remaining, std::uint64_t{20});
        QCOMPARE(registry.all().size(), std::size_t{2});
    }

    // A policy applied by restart brings another window: what was used stays used, and comes back with the new one's end.
    void anotherWindowTakesEffectAtOnce_data() {
        QTest::addColumn<int>("before");  // seconds; 0 is none
        QTest::addColumn<int>("after");
        QTest::addColumn<int>("resets");  // after the change
        QTest::newRow("shorter") << 3600 << 60 << 60;
        QTest::newRow("longer") << 60 << 3600 << 3600;
        QTest::newRow("first one") << 0 << 60 << 60;
        QTest::newRow("none any more") << 60 << 0 << 0;
        QTest::newRow("the same") << 60 << 60 << 30;
    }
    void anotherWindowTakesEffectAtOnce() {
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(int, resets);
        const auto windowOf = [](int seconds) { return seconds == 0 ? std::nullopt : std::optional(std::chrono::seconds(seconds)); };
        ResourceRegistry registry;
        const auto quota = registry.quota("plan", {2, windowOf(before), false}, m_start).value();
        quota->tryTake(m_start)->markSpent();
        auto held = quota->tryTake(m_start);
        const Steady change = m_start + 30s;
        QCOMPARE(registry.quota("plan", {2, windowOf(after), false}, change).value().get(), quota.get());
        QVERIFY(!quota->tryTake(change));
        held.reset();
        QCOMPARE(quota->state(change)->remaining, std::uint64_t{1});
        if (resets == 0) {
            QVERIFY(!quota->resetsAt(change));
            QCOMPARE(quota->state(change + 24h)->remaining, std::uint64_t{1});
            return;
        }
        const Steady end = change + std::chrono::seconds(resets);
        QCOMPARE(quota->resetsAt(change), std::optional(end));
        QCOMPARE(quota->state(end - 1s)->remaining, std::uint64_t{1});
        QCOMPARE(quota->state(end)->remaining, std::uint64_t{2});
        if (after != before) QCOMPARE(quota->resetsAt(end), std::optional(end + std::chrono::seconds(after)));
    }

    // The window that was over when the policy came had given its units back.
    void anotherWindowKeepsWhatTheOldOneGaveBack() {
        ResourceRegistry registry;
        const auto quota = registry.quota("plan", {1, 60s, false}, m_start).value();
        quota->tryTake(m_start)->markSpent();
        (void)registry.quota("plan", {1, 3600s, false}, m_start + 61s);
        QVERIFY(quota->tryTake(m_start + 61s));
    }

    // What the provider says about its window outranks the configuration.
    void anExternallyCountedQuotaKeepsItsReset() {
        ResourceRegistry registry;
        const auto quota = registry.quota("plan", {0, 60s, true}, m_start).value();
        quota->applyReading({7, 10, m_start + 30s});
        (void)registry.quota("plan", {0, 3600s, true}, m_start);
        QCOMPARE(quota->resetsAt(m_start), std::optional(m_start + 30s));
    }

    void oneNameIsOneKind() {
        ResourceRegistry registry;
        static_cast<void>(registry.slots("gpu-0", 2));
        const auto quota = registry.quota("gpu-0", {10, {}, false}, m_start);
        QVERIFY(!quota);
        QCOMPARE(quota.error().kind, ErrorKind::conflict);
        QCOMPARE(quota.error().where, std::string("resources.gpu-0"));
        static_cast<void>(registry.quota("plan", {10, {}, false}, m_start));
        QVERIFY(!registry.slots("plan", 2));
    }
};

QTEST_APPLESS_MAIN(TestResource)
#include "tst_resource.moc"
