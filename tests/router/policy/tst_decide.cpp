// SPDX-License-Identifier: MIT
#include "router/policy/decide.h"
#include "tests/router/policy/policies.h"

#include <QTest>

using namespace signalbox;
using policy::DecisionReason;
using policy::NullCause;
using policy::TableIndex;
using table::Cell;
using table::ConcurrencyMode;
using table::LengthBucket;
using table::WorkloadClass;

namespace {

constexpr Cell kShortJson{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::singleStream};
constexpr Cell kShortJsonBusy{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::multiConc};

std::string presetOf(const policy::TableDecision& decision) { return decision.presetKey.value_or("(none)"); }

}  // namespace

class TestDecide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstMatchingRuleThenDefault() {
        const auto snapshot = test::moePolicy().build();
        const TableIndex& index = snapshot->index;
        QCOMPARE(index.decide("moe-26b", kShortJsonBusy).ruleIndex, std::optional<std::size_t>(0));
        QCOMPARE(index.decide("moe-26b", kShortJson).ruleIndex, std::optional<std::size_t>(1));
        QCOMPARE(presetOf(index.decide("moe-26b", {})), std::string("moe-default"));
        QVERIFY(index.decide("moe-26b", {}).reason == DecisionReason::defaultForFamily);
    }

    // The cells decided beforehand say what the seed's loop over the rules says.
    void everyCellAgreesWithThePlainLoop() {
        const auto snapshot = test::moePolicy().build();
        for (std::size_t i = 0; i < table::kCellCount; ++i) {
            const Cell cell = Cell::fromIndex(i);
            std::string expected = "moe-default";
            for (const table::RoutingRule& rule : snapshot->table->rules) {
                if (!rule.when.matches(cell)) continue;
                expected = rule.presetKey;
                break;
            }
            QCOMPARE(presetOf(snapshot->index.decide("moe-k4", cell)), expected);
        }
    }

    void namesPresetKeyThenModelThenServedName() {
        test::PolicyBuilder builder;
        builder.preset("alpha", "shared", "beta", "one", true).preset("shared", "m2", "alpha", "two", true);
        const auto snapshot = builder.build();
        const TableIndex& index = snapshot->index;
        QCOMPARE(index.familyOf("alpha").label, std::optional<std::string>("one"));   // key, although two serves it
        QCOMPARE(index.familyOf("shared").label, std::optional<std::string>("two"));  // key, although it is one's model
        QCOMPARE(index.familyOf("beta").label, std::optional<std::string>("one"));
        QVERIFY(index.familyOf("gamma").cause == NullCause::modelNotListed);
        QVERIFY(index.familyOf("").cause == NullCause::modelMissing);
    }

    void severalFamiliesAreUnknown() {
        test::PolicyBuilder builder;
        builder.preset("a", "m", "s", "one", true).preset("b", "m", "t", "two", true).preset("c", "u", "u", "unknown");
        const auto snapshot = builder.build();
        QVERIFY(snapshot->index.familyOf("m").cause == NullCause::ambiguousFamily);
        QVERIFY(snapshot->index.familyOf("c").cause == NullCause::familyLabelUnknown);
        QVERIFY(!snapshot->index.decide("m", {}).presetKey);
    }

    void unknownSchemaVersionAppliesNothing() {
        auto builder = test::moePolicy();
        builder.table().schemaVersion = 2;
        const auto snapshot = builder.build();
        const auto& decision = snapshot->index.decide("moe-26b", kShortJson);
        QVERIFY(!decision.presetKey && !decision.ruleIndex);
        QVERIFY(decision.nullCause == NullCause::tableNotApplicable);
    }

    void amongOnlyTheAllowedPresets() {
        const auto snapshot = test::moePolicy().build();
        const TableIndex& index = snapshot->index;
        QCOMPARE(presetOf(index.decideAmong("moe-26b", kShortJson, {"moe-wide"})), std::string("moe-wide"));
        QCOMPARE(presetOf(index.decideAmong("moe-26b", {}, {"moe-default"})), std::string("moe-default"));
        QVERIFY(index.decideAmong("moe-26b", {}, {"moe-k4"}).nullCause == NullCause::familyWithoutDefault);
        QVERIFY(index.decideAmong("other", {}, {"moe-k4"}).nullCause == NullCause::modelNotListed);
    }

    void declaredGapsNameTheirCells() {
        auto builder = test::moePolicy();
        builder.gap("other", "workload_class=code_gen", "x")
            .gap("moe", "workload_class=structured_json AND expected_output_length=short (note)", "moe-default")
            .gap("all", "workload_class=code_gen", "-");
        const auto snapshot = builder.build();
        QCOMPARE(snapshot->index.gapFor("moe-26b", kShortJson), std::optional<std::size_t>(1));
        QCOMPARE(snapshot->index.gapFor("moe-26b", {WorkloadClass::codeGen, LengthBucket::longOutput, ConcurrencyMode::multiConc}),
                 std::optional<std::size_t>(2));
        QVERIFY(!snapshot->index.gapFor("moe-26b", {}));
        QVERIFY(!snapshot->index.gapFor("nobody", kShortJson));
    }

    void aCopyOutlivesItsOriginal() {
        auto original = std::make_unique<TableIndex>(test::moePolicy().build()->index);
        const TableIndex copy = *original;
        original.reset();
        QCOMPARE(presetOf(copy.decide("moe-26b", kShortJson)), std::string("moe-k4"));
    }
};

QTEST_APPLESS_MAIN(TestDecide)
#include "tst_decide.moc"
