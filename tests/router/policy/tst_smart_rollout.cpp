// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/policy/smart/json_chars.h"
#include "router/policy/smart/sizes.h"
#include "tests/router/policy/smart_world.h"

#include <QTest>
#include <cmath>

using namespace signalbox;
using namespace signalbox::policy;

namespace {

/// A drawn group with everything about it drawn too.
struct Drawn {
    smart::Settings settings;
    smart::Group group;
    std::vector<smart::CandidateSignals> known;
    smart::Assignment assignment;

    Drawn(FastRandom& random, std::size_t candidates) {
        for (std::size_t i = 0; i < candidates; ++i) {
            auto candidate = smart::makeCandidate("provider-" + std::to_string(i), "model");
            candidate.quality = random.unit();
            candidate.latencyHintMs = 1 + random.unit() * 5000;
            candidate.enabled = random.unit() < 0.9;
            candidate.pricing = {.inputPerMillion = random.unit() * 10, .outputPerMillion = random.unit() * 40};
            group.candidates.push_back(std::move(candidate));
            smart::CandidateSignals now;
            now.credentialReady = random.unit() < 0.9;
            now.cooling = random.unit() < 0.3;
            now.capable = random.unit() < 0.9;
            now.policyAllows = random.unit() < 0.9;
            now.providerAttempts = random.next() % 1000;
            now.providerSuccesses = now.providerAttempts - random.next() % (now.providerAttempts + 1);
            now.attempts = random.next() % 50;
            now.latencyEwmaMs = random.unit() * 8000;
            known.push_back(now);
        }
        const std::string session = "session-" + std::to_string(random.next());
        assignment = smart::assign("principal", random.unit() < 0.5 ? std::optional<std::string_view>(session) : std::nullopt,
                                   "request-" + std::to_string(random.next()));
    }
    [[nodiscard]] tl::expected<smart::Plan, smart::Refusal> plan() const {
        return smart::plan({settings, group, known, assignment, std::nullopt, {1000, 500}});
    }
};

bool inRollout(const smart::Assignment& assignment, int percent) {
    return assignment.isActive(static_cast<std::uint8_t>(percent));
}

struct SizedBody {
    const char* name;
    const char* body;
    int chars;
    int output;
};

constexpr int kAllNull = 91;  // the five members that are always there

constexpr SizedBody kUnusualBodies[] = {
    {"empty object", "{ }", kAllNull, 4096},
    {"escaped key", "{\"mod\\u0065l\":null}", kAllNull, 4096},
    {"limit zero wins", "{\"max_completion_tokens\":0,\"max_tokens\":7}", kAllNull - 6, 0},
    {"limit as text is none", "{\"max_tokens\":\"9\"}", kAllNull - 1, 4096},
    {"fractional limit is none", "{\"max_tokens\":9.0}", kAllNull - 1, 4096},
    {"limits inside others do not count", "{\"model\":{\"max_tokens\":5}}", kAllNull + 12, 4096},
    {"astral pair, escaped", "{\"model\":\"\\ud83d\\udf01\"}", kAllNull - 1, 4096},
    {"escaped slash", "{\"model\":\"\\/\"}", kAllNull - 1, 4096},
    {"number in its shortest form", "{\"model\":1.500}", kAllNull - 1, 4096},
    {"whole number with exponent", "{\"model\":1e3}", kAllNull + 2, 4096},
    {"cut short", "{\"model\":\"abc", kAllNull - 1, 4096},
};

}  // namespace

/// What must hold for every request, whatever the numbers.
class TestSmartRollout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void raisingThePercentageKeepsEveryoneWhoWasIn() {
        FastRandom random(1);
        for (int n = 0; n < 2000; ++n) {
            const auto assignment = smart::assign("p" + std::to_string(n % 7), std::nullopt, std::to_string(random.next()));
            bool wasIn = false;
            for (int percent = 0; percent <= 100; ++percent) {
                const bool isIn = inRollout(assignment, percent);
                QVERIFY(isIn || !wasIn);
                wasIn = isIn;
            }
            QVERIFY(wasIn);
        }
    }

    void zeroAndHundredDependOnNoKey() {
        FastRandom random(2);
        for (int n = 0; n < 20'000; ++n) {
            const auto assignment = smart::assign("p", std::nullopt, std::to_string(random.next()));
            QVERIFY(!inRollout(assignment, 0));
            QVERIFY(inRollout(assignment, 100));
        }
    }

    // Chi-square with 99 degrees of freedom: 148.23 is exceeded once in a thousand. The keys are fixed, so a good
    // hash passes always and a bad one never.
    void bucketsAreEven() {
        constexpr int kKeys = 100'000;
        std::array<int, 100> counts{};
        for (int n = 0; n < kKeys; ++n) ++counts.at(smart::assign("team", std::nullopt, "req-" + std::to_string(n)).bucket);
        double chiSquare = 0;
        for (const int count : counts) chiSquare += std::pow(count - kKeys / 100.0, 2) / (kKeys / 100.0);
        QVERIFY2(chiSquare < 148.23, std::to_string(chiSquare).c_str());
        QVERIFY2(chiSquare > 54, std::to_string(chiSquare).c_str());  // nor suspiciously even
    }

    // Nothing but principal and session goes in, so a restart cannot move a session; another principal is another session.
    void sessionKeepsItsBucket() {
        for (int n = 0; n < 1000; ++n) {
            const std::string session = "s-" + std::to_string(n);
            const auto first = smart::assign("alice", session, "request-1");
            QCOMPARE(smart::assign("alice", session, "request-2"), first);
            QVERIFY(smart::assign("bob", session, "request-1").activationKey != first.activationKey);
        }
        // As any process computes it, on any day.
        const auto pinned = smart::assign("alice", "s-1", "request");
        QVERIFY(pinned.activationKey.view() == "e1f5eb52ad11a195085a19295f941057aa1f552f8a297fca8037ba6195ef4666");
        QCOMPARE(int(pinned.bucket), 93);
    }

    // The order in every mode, for groups of every size (F62: nobody is listed twice; F73: shadow changes no route).
    void plansHoldTogether() {
        FastRandom random(3);
        int planned = 0;
        for (int n = 0; n < 3000; ++n) {
            Drawn drawn(random, 1 + random.next() % 12);
            const auto off = drawn.plan();
            drawn.settings.mode = config::RoutingMode::shadow;
            const auto shadow = drawn.plan();
            drawn.settings.mode = config::RoutingMode::active;
            const auto control = drawn.plan();
            drawn.settings.activationPercent = 100;
            const auto active = drawn.plan();
            QCOMPARE(shadow.has_value(), off.has_value());
            if (!off) {
                QCOMPARE(int(active.error().error), int(off.error().error));
                continue;
            }
            ++planned;
            QCOMPARE(shadow->attemptOrder, off->attemptOrder);
            QCOMPARE(control->attemptOrder, off->attemptOrder);
            QVERIFY(std::is_sorted(off->attemptOrder.begin(), off->attemptOrder.end()));
            QCOMPARE(active->selected, active->recommended);
            QCOMPARE(active->recommended, shadow->recommended);
            QVERIFY(!active->facts.shadowDisagreement && !off->facts.shadowDisagreement);
            QCOMPARE(shadow->facts.shadowDisagreement, shadow->selected != shadow->recommended);
            auto sorted = active->attemptOrder;
            for (std::size_t i = 1; i < sorted.size(); ++i)
                QVERIFY(active->candidates[sorted[i - 1]].score >= active->candidates[sorted[i]].score);
            std::sort(sorted.begin(), sorted.end());
            QCOMPARE(sorted, off->attemptOrder);
            for (const std::uint16_t index : sorted) {
                QVERIFY(active->candidates[index].eligible());
                QVERIFY(active->candidates[index].score >= 0 && active->candidates[index].score <= 1.02);
            }
            QVERIFY(active->facts.reasons.size() <= 16);
        }
        QVERIFY(planned > 1000);
    }

    // F63, F65: the favourite of a session that is cut stays visible, with what cut it.
    void affinityToACutCandidateIsDroppedAndSaid() {
        FastRandom random(4);
        int dropped = 0;
        for (int n = 0; n < 500; ++n) {
            const Drawn drawn(random, 6);
            const auto plan = drawn.plan();
            if (!plan) continue;
            QCOMPARE(plan->affinityFavourite.has_value(), drawn.assignment.sessionHash.has_value());
            if (!plan->affinityFavourite) {
                QVERIFY(smart::affinityResult(*plan) == smart::AffinityResult::noSession);
                continue;
            }
            const auto& favourite = plan->candidates[*plan->affinityFavourite];
            for (const auto& other : plan->candidates) QVERIFY(other.affinity <= favourite.affinity);
            QCOMPARE(smart::affinityResult(*plan) == smart::AffinityResult::favouriteCut, !favourite.eligible());
            QCOMPARE(smart::affinityResult(*plan) == smart::AffinityResult::followed,
                     *plan->affinityFavourite == plan->selected);
            if (favourite.eligible()) continue;
            ++dropped;
            QVERIFY(std::find(plan->attemptOrder.begin(), plan->attemptOrder.end(), *plan->affinityFavourite) ==
                    plan->attemptOrder.end());
        }
        QVERIFY(dropped > 10);
    }

    // F66
    void writtenWeightsBecomeShares() {
        const auto scaled = smart::makeWeights({.quality = 60, .cost = 10, .latency = 15, .reliability = 15});
        QVERIFY(scaled);
        QVERIFY(std::abs(scaled->quality - 0.60) < 1e-12 && std::abs(scaled->reliability - 0.15) < 1e-12);
        const auto partial = smart::makeWeights({.cost = 3});
        QCOMPARE(*partial, (smart::Weights{.cost = 1}));
        const auto huge = smart::makeWeights({.quality = 1e308, .cost = 1e308});
        QCOMPARE(*huge, (smart::Weights{.quality = 0.5, .cost = 0.5}));
        for (const smart::WrittenWeights& bad :
             {smart::WrittenWeights{}, {.quality = 0, .cost = 0}, {.quality = -1, .cost = 2}, {.latency = std::nan("")},
              {.latency = std::numeric_limits<double>::infinity()}}) {
            const auto refused = smart::makeWeights(bad);
            QVERIFY(!refused);
            QVERIFY(!refused.error().hint.empty());
        }
        for (const smart::Weights& weights : smart::builtinWeights())
            QVERIFY(std::abs(weights.quality + weights.cost + weights.latency + weights.reliability - 1) < 1e-12);
    }

    // Weights belong to the policy version; builtin-v1 is read-only (contract B). F66: written in any scale.
    void customVersionsBringTheirWeights() {
        config::GatewayConfig config;
        config.routing.policies = {{"speedy", {{"latency", {.latency = 3}}, {"balanced", {.quality = 1, .cost = 3}}}},
                                   {"builtin-v1", {{"balanced", {.cost = 1}}}}};
        config.routing.policyVersion = "speedy";
        const smart::WeightTable table = smart::SmartPolicy(config).settings().weights;
        QCOMPARE(smart::weightsOf(table, smart::Profile::latency), (smart::Weights{.latency = 1}));
        QCOMPARE(smart::weightsOf(table, smart::Profile::balanced), (smart::Weights{.quality = 0.25, .cost = 0.75}));
        QCOMPARE(smart::weightsOf(table, smart::Profile::quality),
                 smart::weightsOf(smart::builtinWeights(), smart::Profile::quality));
        config.routing.policyVersion = "nobody-defines-this";
        QCOMPARE(smart::SmartPolicy(config).settings().weights, smart::builtinWeights());
        config.routing.policyVersion = smart::kBuiltinVersion;
        QCOMPARE(smart::SmartPolicy(config).settings().weights, smart::builtinWeights());
    }

    void policyIsPreparedFromTheConfiguration() {
        config::GatewayConfig config;
        config::Provider priced;
        priced.id = "priced";
        priced.pricing = config::Pricing{.inputPerMillion = 2, .outputPerMillion = 3};
        priced.modelPricing["special"] = {.inputPerMillion = 5, .outputPerMillion = 7};
        config::Provider free;
        free.id = "free";
        config.providers = {priced, free};
        config::SmartGroup group;
        group.id = "general";
        group.aliases = {"auto", "auto-general"};
        group.defaultProfile = "economy";
        group.candidates = {{"priced", "plain"}, {"priced", "special"}, {"free", "m", 0.5, 300, false}, {"gone", "m"}};
        config.routing.groups = {group};
        const smart::SmartPolicy policy(config);
        QVERIFY(policy.findByAlias("general") == nullptr);
        const smart::Group* found = policy.findByAlias("auto-general");
        QVERIFY(found != nullptr && found == policy.findByAlias("auto"));
        QCOMPARE(found->candidates[0].pricing.outputPerMillion, 3.0);
        QCOMPARE(found->candidates[1].pricing.outputPerMillion, 7.0);
        QCOMPARE(found->candidates[2].pricing.outputPerMillion, 4.0);
        QVERIFY(found->candidates[2].providerKnown && !found->candidates[3].providerKnown);
        QCOMPARE(policy.enabledCandidates(), (std::vector<std::string>{"gone:m", "priced:plain", "priced:special"}));
    }

    void refusalSaysWhatWasCut() {
        FastRandom random(5);
        Drawn drawn(random, 3);
        drawn.group.id = "general";
        for (auto& candidate : drawn.group.candidates) candidate.enabled = true;
        for (auto& now : drawn.known) now = {};
        drawn.known[0].credentialReady = false;
        drawn.known[1].capable = false;
        drawn.known[2].policyAllows = false;
        const auto plan = drawn.plan();
        QVERIFY(!plan);
        const Error error = toError(plan.error(), drawn.group);
        QCOMPARE(int(error.kind), int(ErrorKind::denied));
        for (const char* part : {"general", "credential 1", "capability 1", "policy 1"})
            QVERIFY2(error.message.find(part) != std::string::npos, error.message.c_str());
    }

    void sizesOfUnusualBodies_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("chars");
        QTest::addColumn<int>("output");
        for (const SizedBody& row : kUnusualBodies) QTest::newRow(row.name) << QByteArray(row.body) << row.chars << row.output;
    }
    void sizesOfUnusualBodies() {
        QFETCH(QByteArray, body);
        QFETCH(int, chars);
        QFETCH(int, output);
        const smart::ChatSizes got = smart::chatSizes({body.constData(), static_cast<std::size_t>(body.size())});
        QCOMPARE(int(got.serializedChars), chars);
        QCOMPARE(int(got.sizes.outputTokens), output);
    }

    // The counter looks at eight bytes at a time; every split and every kind of character must count alike.
    void stringsCountAlikeAtEveryOffset() {
        FastRandom random(6);
        const std::array<std::string, 9> pieces{"a", "ß", "字", "🜁", "\\n", "\\u0001", "\\\"", "\\u00e9", " "};
        const std::array<int, 9> chars{1, 1, 1, 1, 2, 6, 2, 1, 1};
        for (int n = 0; n < 3000; ++n) {
            std::string text = "\"";
            std::uint64_t want = 2;
            for (std::size_t length = random.next() % 40; length > 0; --length) {
                const std::size_t i = random.next() % pieces.size();
                text += pieces.at(i);
                want += static_cast<std::uint64_t>(chars.at(i));
            }
            text += '"';
            const auto counted = smart::countString(text.data(), text.data() + text.size());
            QCOMPARE(counted.chars, want);
            QCOMPARE(counted.end - text.data(), std::ptrdiff_t(text.size()));
        }
    }
};

QTEST_APPLESS_MAIN(TestSmartRollout)
#include "tst_smart_rollout.moc"
