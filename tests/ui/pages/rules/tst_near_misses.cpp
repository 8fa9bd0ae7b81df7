// SPDX-License-Identifier: MIT
// Why a rule did not fire: which of its conditions alone was missed, and by how many.
#include "tests/support/page_harness.h"

#include "ui/pages/rules/near_misses.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/widgets/cards/card_list.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using table::Cell;

// The first rule of the demo's first family: structured answer or tool call, short output, many at once.
static const Cell kInside{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};
static const Cell kLong{table::WorkloadClass::structuredJson, table::LengthBucket::longOutput, table::ConcurrencyMode::multiConc};
static const Cell kAlone{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::singleStream};
static const Cell kChat{table::WorkloadClass::freeChat, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};
static const Cell kLongChat{table::WorkloadClass::freeChat, table::LengthBucket::longOutput, table::ConcurrencyMode::multiConc};

class NearMissesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<test::PageFixture<RulesPage>> m_fixture;

    [[nodiscard]] FamilyView view() const {
        const auto workspace = m_fixture->harness.document.workspace();
        const auto coverage = table::computeCoverage(*workspace->table.table);
        for (std::size_t i = 0; i < coverage.families.size(); ++i)
            if (coverage.families[i].family == "gemma4_moe_26b") return FamilyView(workspace, coverage, i);
        return FamilyView(workspace, coverage, 0);
    }

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<RulesPage>>();
        QVERIFY(m_fixture->openDemo());
    }
    void cleanup() { m_fixture.reset(); }

    void countsEachConditionAlone() {
        evidence::CellHits hits;
        hits.hits[kInside.index()] = 100;
        hits.hits[kLong.index()] = 60;
        hits.hits[kAlone.index()] = 7;
        hits.hits[kChat.index()] = 5;
        hits.hits[kLongChat.index()] = 1000;  // misses two of them: no near miss
        hits.total = 1172;
        evidence::CellCaps caps;
        caps.cells[kLong.index()] = {40, 30};
        caps.cells[kLongChat.index()] = {500, 500};
        const FamilyView family = view();
        const NearMisses misses = nearMisses(family, family.rules().front(), hits, caps);
        QCOMPARE(misses.byLength, std::uint64_t{60});
        QCOMPARE(misses.byConcurrency, std::uint64_t{7});
        QCOMPARE(misses.byWorkload, std::uint64_t{5});
        QCOMPARE(misses.takenEarlier, std::uint64_t{0});
        QCOMPARE(misses.lengthSample, std::uint64_t{40});
        QCOMPARE(misses.withoutCap, std::uint64_t{30});
        QCOMPARE(largestMiss(misses), QStringLiteral("5.1 % of 1,172 missed it only by length; no cap 75.0 % of 40"));
        const auto all = allMisses(misses);
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[1].second, QStringLiteral("7, 0.6 % of the family"));
    }

    void nothingMissedSaysNothing() {
        evidence::CellHits hits;
        hits.hits[kInside.index()] = hits.total = 4;
        const FamilyView family = view();
        const NearMisses misses = nearMisses(family, family.rules().front(), hits, std::nullopt);
        QVERIFY(largestMiss(misses).isEmpty() && allMisses(misses).empty());
    }

    void thePageTellsItOnTheRule() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 10; ++i) {
            evidence::DecisionRecord record;
            record.createdAt = format::now();
            record.family = "gemma4_moe_26b";
            record.features.cell = i < 6 ? kInside : kLong;
            if (i == 9) record.features.outputCap = 4000;
            records->push_back(record);
        }
        m_fixture->harness.target->setHistory(records);
        // A live view asks for caps rarely; a chosen range asks at once.
        m_fixture->harness.view.setRange({format::now() - std::chrono::hours(1), format::now() + std::chrono::minutes(1)});
        auto* rules = m_fixture->view<CardList>(QStringLiteral("Rules of the family"));
        QVERIFY(rules != nullptr);
        QTRY_COMPARE(rules->cards()->at(0)->remark, QStringLiteral("40.0 % of 10 missed it only by length; no cap 75.0 % of 4"));
        rules->selectRow(0);
        QVERIFY(m_fixture->harness.inspected != nullptr);
        bool told = false;
        for (const auto* label : m_fixture->harness.inspected->findChildren<QLabel*>()) told |= label->text().startsWith(QStringLiteral("4, 40.0 % of 10"));
        QVERIFY(told);
    }
};

QTEST_MAIN(NearMissesTest)
#include "tst_near_misses.moc"
