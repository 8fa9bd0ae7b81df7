// SPDX-License-Identifier: MIT
#include "router/capacity/latency_profile.h"

#include "router/base/random.h"

#include <QTest>
#include <numeric>
#include <thread>

using namespace signalbox;
using namespace signalbox::capacity;
using namespace std::chrono_literals;

class TestLatencyProfile : public QObject {
    Q_OBJECT

    const Steady m_start{std::chrono::hours(1000)};

private Q_SLOTS:
    void unknownUntilTheFirstSample() {
        LatencyProfile profile;
        QCOMPARE(profile.mean(m_start), (MeanTtft{5s, ProfileBasis::none, 0}));
        QCOMPARE(profile.distribution(m_start)->samples(), std::uint64_t{0});
        QCOMPARE(profile.distribution(m_start)->within(1e9), 0.0);
    }

    void meanOfTheWindowThenOfThePriorOne() {
        LatencyProfile profile;
        profile.addFirstContent(m_start, 1s);
        profile.addFirstContent(m_start + 600s, 3s);
        QCOMPARE(profile.mean(m_start + 600s), (MeanTtft{2s, ProfileBasis::recent, 2}));
        QCOMPARE(profile.mean(m_start + 900s), (MeanTtft{2s, ProfileBasis::recent, 2}));
        QCOMPARE(profile.mean(m_start + 901s), (MeanTtft{3s, ProfileBasis::recent, 1}));
        // Nothing is recent any more: yesterday is a better guess than nothing.
        QCOMPARE(profile.mean(m_start + 3600s), (MeanTtft{2s, ProfileBasis::prior, 2}));
        QCOMPARE(profile.mean(m_start + 600s + 24h + 1s), (MeanTtft{5s, ProfileBasis::none, 0}));
    }

    void failedAttemptCountsAsAMinuteAndMeetsNoDeadline() {
        LatencyProfile profile;
        profile.addFirstContent(m_start, 2s);
        profile.addFailure(m_start);
        QCOMPARE(profile.mean(m_start).value, std::chrono::microseconds(31s));
        const auto distribution = profile.distribution(m_start);
        QCOMPARE(distribution->failures(), std::uint64_t{1});
        QCOMPARE(distribution->within(1e9), 0.5);
    }

    void distributionFollowsTheSamples() {
        LatencyProfile profile;
        profile.addFirstContent(m_start, 100ms);
        const auto before = profile.distribution(m_start);
        QCOMPARE(profile.distribution(m_start).get(), before.get());
        profile.addFirstContent(m_start + 1s, 300ms);
        QCOMPARE(profile.distribution(m_start + 1s)->within(100), 0.5);
        QCOMPARE(profile.distribution(m_start + 1s)->within(99.9), 0.0);
        QCOMPARE(profile.distribution(m_start + 901s)->within(100), 0.0);
        QCOMPARE(before->within(100), 1.0);
    }

    void keepsTheNewestOfTooMany() {
        LatencyProfileOptions options;
        options.maxSamples = 3;
        LatencyProfile profile(options);
        for (int i = 1; i <= 10; ++i) profile.addFirstContent(m_start, std::chrono::seconds(i));
        QCOMPARE(profile.mean(m_start), (MeanTtft{9s, ProfileBasis::recent, 3}));
    }

    void runningSumsAgreeWithTheSamples() {
        // Against a plain list, over windows that samples keep entering and leaving.
        LatencyProfileOptions options;
        options.window = 30s;
        options.priorWindow = 90s;
        options.maxSamples = 40;
        LatencyProfile profile(options);
        std::vector<std::pair<Steady, std::chrono::microseconds>> plain;
        FastRandom random(3);
        Steady now = m_start;
        for (int i = 0; i < 2000; ++i) {
            now += std::chrono::milliseconds(random.next() % (i % 50 == 0 ? 100000 : 3000));
            const std::chrono::microseconds ttft(1 + random.next() % 1000000);
            profile.addFirstContent(now, ttft);
            plain.emplace_back(now, ttft);
            if (plain.size() > options.maxSamples) plain.erase(plain.begin());
            const Steady later = now + std::chrono::seconds(random.next() % 40);
            std::vector<std::chrono::microseconds> recent, prior;
            for (const auto& [when, value] : plain) {
                if (later - when <= options.window) recent.push_back(value);
                if (later - when <= options.priorWindow) prior.push_back(value);
            }
            const auto& used = recent.empty() ? prior : recent;
            const auto sum = std::accumulate(used.begin(), used.end(), std::chrono::microseconds{});
            QCOMPARE(profile.mean(later).value, sum / static_cast<std::int64_t>(used.size()));
            QCOMPARE(profile.mean(later).samples, used.size());
            QCOMPARE(profile.distribution(later)->samples(), std::uint64_t{used.size()});
            now = later;
        }
    }

    void severalThreadsMayReport() {
        LatencyProfile profile;
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 300; ++i) {
                    profile.addFirstContent(m_start + std::chrono::milliseconds(i), 10ms);
                    static_cast<void>(profile.mean(m_start));
                    static_cast<void>(profile.distribution(m_start));
                }
            });
        threads.clear();
        QCOMPARE(profile.mean(m_start + 1s), (MeanTtft{10ms, ProfileBasis::recent, 1200}));
    }
};

QTEST_APPLESS_MAIN(TestLatencyProfile)
#include "tst_latency_profile.moc"
