// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"

#include "ui/pages/rules/rules_page.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
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
        QTest::newRow("rule") << QVariantMap{{QStringLiteral("rule"), 70}} << QStringLiteral("There is no rule 71 in what is open");
        QTest::newRow("gap") << QVariantMap{{QStringLiteral("gap"), 70}} << QStringLiteral("There is no declared gap 71 in what is open");
        QTest::newRow("family") << QVariantMap{{QStringLiteral("family"), QStringLiteral("gone")}, {QStringLiteral("rule"), 0}} << QStringLiteral("There is no family gone in what is open");
    }
    void aLinkToWhatIsGoneSaysSo() {
        QFETCH(QVariantMap, link);
        QFETCH(QString, says);
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("rule"), 1}});
        QTRY_VERIFY(m_fixture->harness.inspected != nullptr);
        m_fixture->page->open(link);
        QCOMPARE(m_fixture->harness.sayings, QStringList{says});
        QVERIFY(m_fixture->harness.inspected == nullptr && !m_fixture->page->state().contains(QStringLiteral("rule")));
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
    [[nodiscard]] CardList* list(const QString& name) const { return m_fixture->view<CardList>(name); }
    [[nodiscard]] CardList* rules() const { return list(QStringLiteral("Rules of the family")); }
    [[nodiscard]] CardList* gaps() const { return list(QStringLiteral("Declared gaps of the family")); }
    [[nodiscard]] CoverageMatrix* matrix() const { return m_fixture->page->findChild<CoverageMatrix*>(); }

    std::unique_ptr<test::PageFixture<RulesPage>> m_fixture;
};

QTEST_MAIN(RulesPageTest)
#include "tst_rules_page.moc"
