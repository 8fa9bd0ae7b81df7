// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"

#include "router/table/edit.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/coverage/family_strip.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/theme/format.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static const table::Cell kStructuredMany{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};
static const table::Cell kToolSingle{table::WorkloadClass::toolCall, table::LengthBucket::shortOutput, table::ConcurrencyMode::singleStream};

static evidence::DecisionRecord record(const table::Cell& cell) {
    evidence::DecisionRecord made;
    made.createdAt = format::now();
    made.family = "gemma4_moe_26b";
    made.features.cell = cell;
    return made;
}

class RulesPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_fixture = std::make_unique<test::PageFixture<RulesPage>>(); }
    void cleanup() { m_fixture.reset(); }

    void tellsRulesInOrderWithEvidence() {
        QVERIFY(m_fixture->openDemo());
        const Card* first = rules()->cards()->at(0);
        QVERIFY(first != nullptr);
        QCOMPARE(first->title, QStringLiteral("structured answer or tool call, short output, many at once"));
        QCOMPARE(first->id, QStringLiteral("g26-struct-multi"));
        QCOMPARE(first->status, QStringLiteral("measured, 28 Oct 2025"));
        QCOMPARE(first->tone, std::optional(Tone::clear));
        QCOMPARE(rules()->cards()->at(1)->tone, std::optional(Tone::caution));
        QCOMPARE(gaps()->cards()->rowCount(), 1);
    }

    void gapsThatNameNoCellStandApart() {
        QVERIFY(m_fixture->openDemo());
        auto* prose = list(QStringLiteral("Declared gaps that name no cell"));
        QCOMPARE(prose->cards()->rowCount(), 1);
        QVERIFY(prose->cards()->at(0)->title.startsWith(QStringLiteral("tool calls with nested arguments")));
        QCOMPARE(prose->cards()->at(0)->status, QStringLiteral("declared for every family"));
    }

    void hitsAreCountedPerRuleAndGap() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 3; ++i) records->push_back(record(kStructuredMany));
        records->push_back(record(kToolSingle));
        m_fixture->harness.target->setHistory(records);
        QVERIFY(m_fixture->openDemo());
        QTRY_COMPARE(rules()->cards()->at(0)->figure, QStringLiteral("3 hit(s)"));
        QCOMPARE(rules()->cards()->at(1)->figure, QStringLiteral("0 hit(s)"));
        QCOMPARE(gaps()->cards()->at(0)->figure, QStringLiteral("1 hit(s)"));
    }

    void hitsFollowTheOwnGatewayWhileAnotherIsLookedAt() {
        QVERIFY(m_fixture->openDemo());
        QTRY_COMPARE(rules()->cards()->at(0)->figure, QStringLiteral("0 hit(s)"));
        m_fixture->harness.bridge.lookAt(std::make_shared<test::FakeTarget>());
        const auto hit = record(kStructuredMany);
        m_fixture->harness.target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>(1, hit));
        m_fixture->harness.target->decide(hit);
        QTRY_COMPARE(rules()->cards()->at(0)->figure, QStringLiteral("1 hit(s)"));
    }

    void unreadableHistorySaysSoAndKeepsTheRest() {
        m_fixture->harness.target->setHistoryFailure(Error{ErrorKind::unavailable, "the database does not answer", {}, {}});
        QSignalSpy answers(m_fixture->page.get(), &Page::answerChanged);
        QVERIFY(m_fixture->openDemo());
        QTRY_VERIFY(!answers.isEmpty() && answers.last().first().toString().contains(QStringLiteral("the database does not answer")));
        QCOMPARE(rules()->cards()->rowCount(), 2);
        QVERIFY(rules()->cards()->at(0)->figure.isEmpty());
    }

    void attendingToARuleLightsItsCells() {
        QVERIFY(m_fixture->openDemo());
        Q_EMIT rules()->hovered(0);
        QVERIFY((matrix()->lit() >> kStructuredMany.index() & 1U) != 0);
        QVERIFY((matrix()->lit() >> kToolSingle.index() & 1U) == 0);
        Q_EMIT rules()->hovered(-1);
        QCOMPARE(matrix()->lit(), table::CellSet{0});
    }

    void attendingToACellLightsWhatDecides() {
        QVERIFY(m_fixture->openDemo());
        Q_EMIT matrix()->attended(kStructuredMany);
        QVERIFY(rules()->isLit(0));
        QVERIFY(!rules()->isLit(1));
        Q_EMIT matrix()->attended(kToolSingle);
        QVERIFY(!rules()->isLit(0));
        QVERIFY(gaps()->isLit(0));
        Q_EMIT matrix()->attended(std::nullopt);
        QVERIFY(!gaps()->isLit(0));
    }

    void enterOnACellGoesToItsRequests() {
        QVERIFY(m_fixture->openDemo());
        matrix()->selectCell(kStructuredMany);
        QTest::keyClick(matrix(), Qt::Key_Return);
        QCOMPARE(m_fixture->harness.visits.size(), std::size_t{1});
        QCOMPARE(m_fixture->harness.visits.front().first, QStringLiteral("history"));
        const QVariantMap expected{{QStringLiteral("family"), QStringLiteral("gemma4_moe_26b")},
                                   {QStringLiteral("cells"), QVariantList{static_cast<int>(kStructuredMany.index())}}};
        QCOMPARE(m_fixture->harness.visits.front().second, expected);
    }

    void selectionFillsTheInspector() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("rule"), 1}});
        QTRY_COMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Rule"));
        m_fixture->page->open({{QStringLiteral("cell"), static_cast<int>(kToolSingle.index())}});
        QTRY_COMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Kind of request"));
        bool namesTheGap = false;
        for (const auto* label : m_fixture->harness.inspected->findChildren<QLabel*>()) namesTheGap |= label->text().startsWith(QStringLiteral("SJ-09"));
        QVERIFY(namesTheGap);
    }

    void pageMayGoWhileItsMatrixHasTheFocus() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_fixture->page.get()));
        matrix()->setFocus();
        matrix()->selectCell(kStructuredMany);
        QTRY_VERIFY(matrix()->hasFocus());
        m_fixture->page.reset();
    }

    void stateLeadsBack() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("family"), QStringLiteral("gemma4_dense_31b")}, {QStringLiteral("cell"), 4}});
        const QVariantMap state = m_fixture->page->state();
        m_fixture->page->open({{QStringLiteral("family"), QStringLiteral("qwen36_35b")}});
        m_fixture->page->open(state);
        QCOMPARE(m_fixture->page->state(), state);
    }

    // The way back may name what an edit took away: the sheet of another one does not stand for it.
    void aLinkToWhatIsGoneSaysSo_data() {
        QTest::addColumn<QVariantMap>("link");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QVariantMap>("from");
        const QVariantMap rule{{QStringLiteral("rule"), 1}}, gap{{QStringLiteral("gap"), 2}}, cell{{QStringLiteral("cell"), 4}};
        QTest::newRow("rule") << QVariantMap{{QStringLiteral("rule"), 70}} << QStringLiteral("There is no rule 71 in what is open") << rule;
        QTest::newRow("rule, from a cell") << QVariantMap{{QStringLiteral("rule"), 70}} << QStringLiteral("There is no rule 71 in what is open") << cell;
        QTest::newRow("rule, from a gap") << QVariantMap{{QStringLiteral("rule"), 70}} << QStringLiteral("There is no rule 71 in what is open") << gap;
        QTest::newRow("gap") << QVariantMap{{QStringLiteral("gap"), 70}} << QStringLiteral("There is no declared gap 71 in what is open") << rule;
        QTest::newRow("family") << QVariantMap{{QStringLiteral("family"), QStringLiteral("gone")}, {QStringLiteral("rule"), 0}} << QStringLiteral("There is no family gone in what is open") << rule;
    }
    void aLinkToWhatIsGoneSaysSo() {
        QFETCH(QVariantMap, link);
        QFETCH(QString, says);
        QFETCH(QVariantMap, from);
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open(from);
        QTRY_VERIFY(m_fixture->harness.inspected != nullptr);
        m_fixture->page->open(link);
        QCOMPARE(m_fixture->harness.sayings, QStringList{says});
        QVERIFY(m_fixture->harness.inspected == nullptr);
        QCOMPARE(m_fixture->page->state(), (QVariantMap{{QStringLiteral("family"), QStringLiteral("gemma4_moe_26b")}}));
        QVERIFY(!matrix()->currentCell() && !rules()->currentIndex().isValid() && !gaps()->currentIndex().isValid());
    }

    // What was looked at last is what one comes back to, though the others keep their place for the keys.
    void theWayBackLeadsToWhatWasLookedAtLast() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("cell"), 4}});
        const QVariantMap cell = m_fixture->page->state();
        QCOMPARE(cell.value(QStringLiteral("cell")).toInt(), 4);
        rules()->selectRow(1);
        const QVariantMap rule = m_fixture->page->state();
        QVERIFY(rule.value(QStringLiteral("rule")).toInt() == 1 && !rule.contains(QStringLiteral("cell")));
        gaps()->selectRow(0);
        const QVariantMap gap = m_fixture->page->state();
        QVERIFY(gap.value(QStringLiteral("gap")).toInt() == 2 && !gap.contains(QStringLiteral("rule")));
        for (const auto& [visit, title] : {std::pair(cell, "Kind of request"), std::pair(gap, "Declared gap"), std::pair(rule, "Rule")}) {
            m_fixture->page->open(visit);
            QCOMPARE(m_fixture->harness.inspectedTitle, QString::fromLatin1(title));
            QCOMPARE(m_fixture->page->state(), visit);
        }
    }

    // An index is another rule's after an edit: it is found by what it says, or not at all.
    void theWayBackFindsARuleWhereverItStands_data() {
        QTest::addColumn<int>("visited");
        QTest::addColumn<int>("removed");
        QTest::addColumn<int>("found");
        QTest::newRow("it went up") << 1 << 0 << 0;
        QTest::newRow("gone, and one of another family in its place") << 1 << 1 << -1;
        QTest::newRow("gone, and a neighbour in its place") << 0 << 0 << -1;
    }
    void theWayBackFindsARuleWhereverItStands() {
        QFETCH(int, visited);
        QFETCH(int, removed);
        QFETCH(int, found);
        openForkWithRuleOfAnotherFamily();
        const QString name = QStringLiteral("%1 → %2").arg(words::when(table().rules[static_cast<std::size_t>(visited)].when), QStringLiteral("g26-struct-multi"));
        m_fixture->page->open({{QStringLiteral("rule"), visited}});
        const QVariantMap visit = m_fixture->page->state();
        edit([removed](std::string_view text) { return table::removeRule(text, static_cast<std::size_t>(removed)); });
        m_fixture->page->open(visit);
        const QVariantMap state = m_fixture->page->state();
        QCOMPARE(state.value(QStringLiteral("family")).toString(), QStringLiteral("gemma4_moe_26b"));
        QCOMPARE(state.value(QStringLiteral("rule"), -1).toInt(), found);
        QCOMPARE(m_fixture->harness.inspected != nullptr, found >= 0);
        const QStringList gone{QStringLiteral("Rule %1 was changed or removed since").arg(name)};
        QCOMPARE(m_fixture->harness.sayings, found >= 0 ? QStringList() : gone);
    }

    // The rule is the same, whatever preset it leads to by now.
    void theWayBackFindsARuleWithAnotherPreset() {
        QVERIFY(m_fixture->openFork());
        m_fixture->page->open({{QStringLiteral("rule"), 1}});
        const QVariantMap visit = m_fixture->page->state();
        putPreset(1, "g26-default");
        m_fixture->page->open(visit);
        QCOMPARE(m_fixture->page->state().value(QStringLiteral("rule"), -1).toInt(), 1);
        QVERIFY(m_fixture->harness.inspected != nullptr && m_fixture->harness.sayings.isEmpty());
    }

    void theWayBackFindsAGapWhereverItStands() {
        QVERIFY(m_fixture->openFork());
        m_fixture->page->open({{QStringLiteral("gap"), 1}});
        const QVariantMap visit = m_fixture->page->state();
        edit([](std::string_view text) { return table::removeGap(text, 0); });
        m_fixture->page->open(visit);
        QCOMPARE(m_fixture->page->state().value(QStringLiteral("gap"), -1).toInt(), 0);
        QVERIFY(m_fixture->harness.inspected != nullptr && m_fixture->harness.sayings.isEmpty());
        edit([](std::string_view text) { return table::removeGap(text, 0); });
        m_fixture->page->open(visit);
        QVERIFY(m_fixture->harness.inspected == nullptr && !m_fixture->page->state().contains(QStringLiteral("gap")));
        QVERIFY(m_fixture->harness.sayings.value(0).startsWith(QStringLiteral("Declared gap concurrency_mode=multi_conc AND")));
    }

    // What decides a cell may be another after an edit; the cell is where it was.
    void theSheetOfACellFollowsTheRules() {
        QVERIFY(m_fixture->openFork());
        m_fixture->page->open({{QStringLiteral("cell"), static_cast<int>(kStructuredMany.index())}});
        const QVariantMap visit = m_fixture->page->state();
        const auto* before = m_fixture->harness.inspected.get();
        putPreset(0, "g26-default");  // as many rules as before
        QVERIFY(m_fixture->harness.inspected != nullptr && m_fixture->harness.inspected.get() != before);
        before = m_fixture->harness.inspected.get();
        edit([](std::string_view text) { return table::removeRule(text, 0); });
        QVERIFY(m_fixture->harness.inspected != nullptr && m_fixture->harness.inspected.get() != before);
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Kind of request"));
        QCOMPARE(m_fixture->page->state(), visit);
        QVERIFY(matrix()->currentCell() == std::optional(kStructuredMany));
    }

    void nothingOfAFamilyStandsBesideAnother() {
        QVERIFY(m_fixture->openFork());
        m_fixture->page->open({{QStringLiteral("rule"), 1}});
        QVERIFY(m_fixture->harness.inspected != nullptr);
        const auto buttons = m_fixture->page->findChildren<FamilyButton*>();
        const auto other = std::find_if(buttons.rbegin(), buttons.rend(), [](FamilyButton* one) { return one->text() == QStringLiteral("gemma4_dense_31b"); });
        QVERIFY(other != buttons.rend());
        (*other)->click();
        QVERIFY(m_fixture->harness.inspected == nullptr);
        QVERIFY(!m_fixture->page->state().contains(QStringLiteral("rule")));
    }

    void realTableShowsItsGaps() {
        if (!m_fixture->hasGenesis()) QSKIP("The real emitted table does not stand beside this checkout.");
        QVERIFY(m_fixture->openGenesis());
        QCOMPARE(rules()->cards()->rowCount(), 1);
        QCOMPARE(rules()->cards()->at(0)->status, QStringLiteral("measured, 23 May 2026"));
        QCOMPARE(gaps()->cards()->rowCount(), 2);  // its own and the one of every family
    }

    void withoutATableItTeaches() { QVERIFY(m_fixture->showsText(QStringLiteral("No routing table is open"))); }

private:
    void edit(const std::function<Result<std::string>(std::string_view)>& how) { QVERIFY(m_fixture->harness.document.editTable(QStringLiteral("test"), how).has_value()); }
    void putPreset(std::size_t index, const char* key) {
        table::RoutingRule rule = table().rules[index];
        rule.presetKey = key;
        edit([&](std::string_view text) { return table::changeRule(text, index, rule); });
    }
    void openForkWithRuleOfAnotherFamily() {
        QVERIFY(m_fixture->openFork());
        table::RoutingRule other = table().rules[0];
        other.modelFamily = "gemma4_dense_31b";
        other.presetKey = "g31-chat";
        edit([other](std::string_view text) { return table::addRule(text, 2, other); });
        QCOMPARE(table().rules.size(), std::size_t{3});
    }
    [[nodiscard]] const table::RoutingTable& table() const { return *m_fixture->harness.document.workspace()->table.table; }
    [[nodiscard]] CardList* list(const QString& name) const { return m_fixture->view<CardList>(name); }
    [[nodiscard]] CardList* rules() const { return list(QStringLiteral("Rules of the family")); }
    [[nodiscard]] CardList* gaps() const { return list(QStringLiteral("Declared gaps of the family")); }
    [[nodiscard]] CoverageMatrix* matrix() const { return m_fixture->page->findChild<CoverageMatrix*>(); }

    std::unique_ptr<test::PageFixture<RulesPage>> m_fixture;
};

QTEST_MAIN(RulesPageTest)
#include "tst_rules_page.moc"
