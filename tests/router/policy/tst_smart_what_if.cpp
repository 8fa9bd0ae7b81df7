// SPDX-License-Identifier: MIT
#include "router/policy/smart/what_if.h"

#include "router/base/random.h"

#include <QTest>
#include <cmath>

using namespace signalbox;
using namespace signalbox::policy;

namespace {

/// A group of eligible candidates whose every value a test can move on its own.
struct Scene {
    smart::Settings settings;
    smart::Group group;
    std::vector<smart::CandidateSignals> known;
    smart::Assignment assignment = smart::assign("p", "session", "r");
    smart::Sizes sizes{1'000'000, 0};  // so that the input price is the cost in USD

    Scene(FastRandom& random, std::size_t candidates) {
        settings.mode = config::RoutingMode::shadow;
        for (std::size_t i = 0; i < candidates; ++i) {
            auto candidate = smart::makeCandidate("provider-" + std::to_string(i), "m");
            candidate.quality = random.unit();
            candidate.latencyHintMs = 1 + random.unit() * 5000;
            candidate.enabled = i == 0 || random.unit() < 0.8;
            candidate.pricing = {.inputPerMillion = random.unit() * 10};
            group.candidates.push_back(std::move(candidate));
            known.push_back({.providerAttempts = 96, .providerSuccesses = random.next() % 97});
        }
    }
    [[nodiscard]] smart::Plan plan(std::optional<smart::Profile> profile = std::nullopt) const {
        return *smart::plan({settings, group, known, assignment, profile, sizes});
    }
    void set(std::uint16_t candidate, smart::Term term, double value) {
        if (term == smart::Term::quality) group.candidates[candidate].quality = value;
        if (term == smart::Term::latency) group.candidates[candidate].latencyHintMs = value;
        if (term == smart::Term::cost) group.candidates[candidate].pricing.inputPerMillion = value;
    }
};

}  // namespace

/// The simulator's questions, each answer held against planning the changed request for real.
class TestSmartWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherProfilesChooseAsTheyWouldHave() {
        FastRandom random(11);
        int differ = 0;
        for (int n = 0; n < 500; ++n) {
            const Scene scene(random, 2 + random.next() % 8);
            const smart::Plan plan = scene.plan();
            for (const smart::Profile profile : smart::kProfiles) {
                const std::uint16_t choice = smart::choiceUnder(plan, smart::weightsOf(scene.settings.weights, profile));
                QCOMPARE(choice, scene.plan(profile).recommended);
                differ += choice != plan.recommended ? 1 : 0;
            }
        }
        QVERIFY(differ > 100);
    }

    void flipsFlipAndNothingLessDoes() {
        FastRandom random(12);
        std::array<int, 5> seen{};
        for (int n = 0; n < 300; ++n) {
            const Scene scene(random, 2 + random.next() % 6);
            const smart::Plan plan = scene.plan();
            for (std::uint16_t i = 0; i < plan.candidates.size(); ++i)
                for (const smart::Flip& flip : smart::flipsFor(plan, i)) {
                    ++seen.at(static_cast<std::size_t>(flip.term));
                    if (flip.term == smart::Term::reliability) continue;  // is a count, and cannot be set to a value
                    Scene changed = scene;
                    // The last bits of a cost differ between a price and the plan's USD.
                    const double step = (flip.to - flip.from) * 1e-6;
                    changed.set(i, flip.term, flip.to + (flip.term == smart::Term::cost ? step : 0));
                    QCOMPARE(changed.plan().recommended, i);
                    changed.set(i, flip.term, flip.to - step);
                    QVERIFY(changed.plan().recommended != i);
                }
        }
        for (const auto term : {smart::Term::quality, smart::Term::cost, smart::Term::latency, smart::Term::reliability})
            QVERIFY2(seen.at(static_cast<std::size_t>(term)) > 10, std::string(toString(term)).c_str());
    }

    // What is not offered must not exist: the best value of each term, tried for real.
    void noFlipIsOverlooked() {
        FastRandom random(13);
        int without = 0;
        for (int n = 0; n < 300; ++n) {
            const Scene scene(random, 2 + random.next() % 6);
            const smart::Plan plan = scene.plan();
            for (std::uint16_t i = 0; i < plan.candidates.size(); ++i) {
                const auto flips = smart::flipsFor(plan, i);
                if (i == plan.recommended || !plan.candidates[i].eligible()) {
                    QVERIFY(flips.empty());
                    continue;
                }
                for (const auto& [term, best] :
                     {std::pair(smart::Term::quality, 1.0), std::pair(smart::Term::cost, 0.0), std::pair(smart::Term::latency, 0.0)}) {
                    if (std::any_of(flips.begin(), flips.end(), [&](const smart::Flip& flip) { return flip.term == term; })) continue;
                    ++without;
                    Scene changed = scene;
                    changed.set(i, term, best);
                    QVERIFY(changed.plan().recommended != i);
                }
            }
        }
        QVERIFY(without > 50);
    }

    void leastEffortComesFirst() {
        FastRandom random(14);
        for (int n = 0; n < 100; ++n) {
            const smart::Plan plan = Scene(random, 6).plan();
            for (std::uint16_t i = 0; i < plan.candidates.size(); ++i) {
                const auto flips = smart::flipsFor(plan, i);
                for (std::size_t f = 1; f < flips.size(); ++f) QVERIFY(flips[f - 1].effort <= flips[f].effort);
            }
        }
    }

    void decidingTermIsTheLargestDifference() {
        smart::CandidateTerms winner;
        smart::CandidateTerms loser;
        winner.quality = 0.6;
        loser.quality = 0.9;
        winner.costValue = 1;
        winner.latencyValue = 1;
        const auto& weights = smart::weightsOf(smart::builtinWeights(), smart::Profile::economy);
        QCOMPARE(int(smart::decidingTerm(winner, loser, weights)), int(smart::Term::cost));
        QCOMPARE(int(smart::decidingTerm(loser, winner, weights)), int(smart::Term::quality));
    }
};

QTEST_APPLESS_MAIN(TestSmartWhatIf)
#include "tst_smart_what_if.moc"
