// SPDX-License-Identifier: MIT
// Capacity belongs to the resource: two routers, each with the book of its own policy, never both take the last slot.
#include "router/capacity/capacity_book.h"

#include "router/base/random.h"

#include <QTest>
#include <atomic>
#include <cstdlib>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;

namespace {

constexpr std::uint32_t kSlots = 5;
constexpr std::uint64_t kUnits = 1'000'000;

/// What is taken and given back, counted beside the resources.
struct Tally {
    std::atomic<std::uint32_t> held{0}, highest{0};
    std::atomic<std::uint64_t> spent{0}, refused{0};

    void took() {
        const std::uint32_t now = held.fetch_add(1) + 1;
        std::uint32_t before = highest.load();
        while (now > before && !highest.compare_exchange_weak(before, now)) {}
    }
};

config::Route route(std::vector<std::string> resources) {
    config::Route out;
    out.provider = "p";
    out.model = "m";
    out.resources = std::move(resources);
    return out;
}

}  // namespace

class TestSharedCapacity : public QObject {
    Q_OBJECT

    const Steady m_start{std::chrono::hours(1000)};

    static config::GatewayConfig config(std::uint32_t slots) {
        config::GatewayConfig out;
        out.resources.push_back({"gpu", config::Resource::Kind::concurrency, slots, {}});
        out.resources.push_back({"monthly", config::Resource::Kind::quota, kUnits, {}});
        return out;
    }

    /// One thread of a router: takes and ends calls at random, in all the ways in which they end.
    void work(const EndpointCapacity& endpoint, std::uint64_t seed, std::uint64_t steps, Tally& tally) const {
        FastRandom random(seed);
        std::vector<Reservations> mine;
        const auto end = [&](std::size_t at) {
            const bool sent = random.next() % 4 != 0;
            if (sent) {
                mine[at].markSpent();
                ++tally.spent;
            }
            --tally.held;  // before the slot is free for somebody else
            if (random.next() % 2 == 0) mine[at].release();
            std::swap(mine[at], mine.back());
            mine.pop_back();
        };
        for (std::uint64_t i = 0; i < steps; ++i) {
            if (random.next() % 2 == 0) {
                auto taken = endpoint.tryTake(m_start);
                if (taken) {
                    tally.took();
                    mine.push_back(std::move(*taken));
                } else {
                    ++tally.refused;
                }
            } else if (!mine.empty()) {
                end(random.next() % mine.size());
            }
        }
        while (!mine.empty()) end(mine.size() - 1);
    }

private Q_SLOTS:
    void twoRoutersNeverExceedTheSlots();
    void aRefusalTakesNothing();
    void aChangedLimitReachesBoth();
};

void TestSharedCapacity::twoRoutersNeverExceedTheSlots() {
    // The ctest entry with label "long" asks for 100,000 steps; this is its short twin.
    const char* asked = std::getenv("SIGNALBOX_TEST_STEPS");
    const std::uint64_t steps = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 10'000;
    QVERIFY(steps >= 10'000);
    ResourceRegistry registry;
    const config::GatewayConfig running = config(kSlots), applied = config(kSlots);
    const CapacityBook first(running, registry, m_start), second(applied, registry, m_start);
    const EndpointCapacity ofFirst = first.of(route({"gpu", "monthly"})), ofSecond = second.of(route({"monthly", "gpu"}));
    Tally tally;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 8; ++t)
            threads.emplace_back([&, t] { work(t % 2 == 0 ? ofFirst : ofSecond, 500 + t, steps / 8, tally); });
    }
    QVERIFY2(tally.highest.load() <= kSlots, std::to_string(tally.highest.load()).c_str());
    QVERIFY(tally.highest.load() > 0 && tally.refused.load() > 0);
    QCOMPARE(registry.slots("concurrency:gpu", kSlots).value()->inUse(), 0u);
    const auto quota = registry.quota("quota:monthly", {static_cast<double>(kUnits), {}, false}, m_start).value();
    // What was sent stays used, and nothing else does.
    QCOMPARE(quota->state(m_start)->remaining, kUnits - tally.spent.load());
}

void TestSharedCapacity::aRefusalTakesNothing() {
    ResourceRegistry registry;
    config::GatewayConfig both = config(1);
    both.resources[1].limit = 1;
    const CapacityBook book(both, registry, m_start);
    const EndpointCapacity endpoint = book.of(route({"monthly", "gpu"}));
    auto held = endpoint.tryTake(m_start);
    QVERIFY(held.has_value());
    auto refused = endpoint.tryTake(m_start);
    QVERIFY(!refused);
    QCOMPARE(refused.error().resource, std::string("monthly"));
    QVERIFY(refused.error().isQuota);
    held->release();  // nothing was sent, so the unit is back
    const auto slot = registry.slots("concurrency:gpu", 1).value()->tryTake();
    auto noSlot = endpoint.tryTake(m_start);
    QVERIFY(!noSlot);
    QVERIFY(!noSlot.error().isQuota);
    const auto quota = registry.quota("quota:monthly", {1, {}, false}, m_start).value();
    QCOMPARE(quota->state(m_start)->remaining, std::uint64_t{1});  // and the unit taken before the slot was missed, too
}

void TestSharedCapacity::aChangedLimitReachesBoth() {
    ResourceRegistry registry;
    const config::GatewayConfig before = config(2), after = config(1);
    const CapacityBook old(before, registry, m_start);
    const EndpointCapacity ofOld = old.of(route({"gpu"}));
    auto running = ofOld.tryTake(m_start);
    QVERIFY(running.has_value());
    const CapacityBook fresh(after, registry, m_start);  // the policy is applied while a call of the old one runs
    QVERIFY(!fresh.of(route({"gpu"})).tryTake(m_start));
    QVERIFY(!ofOld.tryTake(m_start));
    running->release();
    QVERIFY(fresh.of(route({"gpu"})).tryTake(m_start).has_value());
}

QTEST_APPLESS_MAIN(TestSharedCapacity)
#include "tst_shared_capacity.moc"
