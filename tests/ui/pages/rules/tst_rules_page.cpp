// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"
#include "tests/support/vectors.h"

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
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_harness->view.follow(format::now() + std::chrono::hours(1));
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void tellsRulesInOrderWithEvidence() {
        openDemo();
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
        openDemo();
        auto* prose = list(QStringLiteral("Declared gaps that name no cell"));
        QCOMPARE(prose->cards()->rowCount(), 1);
        QVERIFY(prose->cards()->at(0)->title.startsWith(QStringLiteral("tool calls with nested arguments")));
        QCOMPARE(prose->cards()->at(0)->status, QStringLiteral("declared for every family"));
    }

    void hitsAreCountedPerRuleAndGap() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 3; ++i) records->push_back(record(kStructuredMany));
        records->push_back(record(kToolSingle));
        m_harness->target->setHistory(records);
        openDemo();
        QTRY_COMPARE(rules()->cards()->at(0)->figure, QStringLiteral("3 hit(s)"));
        QCOMPARE(rules()->cards()->at(1)->figure, QStringLiteral("0 hit(s)"));
        QCOMPARE(gaps()->cards()->at(0)->figure, QStringLiteral("1 hit(s)"));
    }

    void unreadableHistorySaysSoAndKeepsTheRest() {
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the database does not answer", {}, {}});
        makePage();
        QSignalSpy answers(m_page.get(), &Page::answerChanged);
        QVERIFY(m_harness->open(demo()));
        QTRY_VERIFY(!answers.isEmpty() && answers.last().first().toString().contains(QStringLiteral("the database does not answer")));
        QCOMPARE(rules()->cards()->rowCount(), 2);
        QVERIFY(rules()->cards()->at(0)->figure.isEmpty());
    }

    void attendingToARuleLightsItsCells() {
        openDemo();
        Q_EMIT rules()->hovered(0);
        QVERIFY((matrix()->lit() >> kStructuredMany.index() & 1U) != 0);
        QVERIFY((matrix()->lit() >> kToolSingle.index() & 1U) == 0);
        Q_EMIT rules()->hovered(-1);
        QCOMPARE(matrix()->lit(), table::CellSet{0});
    }

    void attendingToACellLightsWhatDecides() {
        openDemo();
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
        openDemo();
        matrix()->selectCell(kStructuredMany);
        QTest::keyClick(matrix(), Qt::Key_Return);
        QCOMPARE(m_harness->visits.size(), std::size_t{1});
        QCOMPARE(m_harness->visits.front().first, QStringLiteral("history"));
        const QVariantMap expected{{QStringLiteral("family"), QStringLiteral("gemma4_moe_26b")},
                                   {QStringLiteral("cells"), QVariantList{static_cast<int>(kStructuredMany.index())}}};
        QCOMPARE(m_harness->visits.front().second, expected);
    }

    void selectionFillsTheInspector() {
        openDemo();
        m_page->open({{QStringLiteral("rule"), 1}});
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Rule"));
        m_page->open({{QStringLiteral("cell"), static_cast<int>(kToolSingle.index())}});
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Kind of request"));
        bool namesTheGap = false;
        for (const auto* label : m_harness->inspected->findChildren<QLabel*>()) namesTheGap |= label->text().startsWith(QStringLiteral("SJ-09"));
        QVERIFY(namesTheGap);
    }

    void pageMayGoWhileItsMatrixHasTheFocus() {
        openDemo();
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        matrix()->setFocus();
        matrix()->selectCell(kStructuredMany);
        QTRY_VERIFY(matrix()->hasFocus());
        m_page.reset();
    }

    void stateLeadsBack() {
        openDemo();
        m_page->open({{QStringLiteral("family"), QStringLiteral("gemma4_dense_31b")}, {QStringLiteral("cell"), 4}});
        const QVariantMap state = m_page->state();
        m_page->open({{QStringLiteral("family"), QStringLiteral("qwen36_35b")}});
        m_page->open(state);
        QCOMPARE(m_page->state(), state);
    }

    void realTableShowsItsGaps() {
        const auto file = test::sharedVectorsFolder() / "genesis-table-v1.json";
        if (!std::filesystem::exists(file)) QSKIP("The real emitted table does not stand beside this checkout.");
        makePage();
        QVERIFY(m_harness->open(QString::fromStdU16String(file.u16string())));
        QCOMPARE(rules()->cards()->rowCount(), 1);
        QCOMPARE(rules()->cards()->at(0)->status, QStringLiteral("measured, 23 May 2026"));
        QCOMPARE(gaps()->cards()->rowCount(), 2);  // its own and the one of every family
    }

    void withoutATableItTeaches() {
        makePage();
        m_page->resize(900, 700);
        m_page->show();
        bool teaches = false;
        for (const auto* label : m_page->findChildren<QLabel*>()) teaches |= label->isVisible() && label->text() == QStringLiteral("No routing table is open");
        QVERIFY(teaches);
    }

private:
    static QString demo() { return QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"); }
    void makePage() { m_page = std::make_unique<RulesPage>(m_harness->context()); }
    void openDemo() {
        makePage();
        QVERIFY(m_harness->open(demo()));
    }
    [[nodiscard]] CardList* list(const QString& name) const {
        for (auto* candidate : m_page->findChildren<CardList*>())
            if (candidate->accessibleName() == name) return candidate;
        return nullptr;
    }
    [[nodiscard]] CardList* rules() const { return list(QStringLiteral("Rules of the family")); }
    [[nodiscard]] CardList* gaps() const { return list(QStringLiteral("Declared gaps of the family")); }
    [[nodiscard]] CoverageMatrix* matrix() const { return m_page->findChild<CoverageMatrix*>(); }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<RulesPage> m_page;
};

QTEST_MAIN(RulesPageTest)
#include "tst_rules_page.moc"
