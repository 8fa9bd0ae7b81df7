// SPDX-License-Identifier: MIT
// What stands in the inspector of the rules page is of one rule, gap or cell, and goes where that goes.
#include "tests/support/leaving_inspector.h"
#include "tests/support/page_harness.h"

#include "router/table/edit.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/forms/record_form.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QTranslator>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

namespace {

/// Every word of the program is another one.
class OtherLanguage : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override { return QLatin1Char('~') + QString::fromUtf8(source); }
};

}  // namespace

class RulesSheetTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<RulesPage>>();
        m_fixture->page = std::make_unique<RulesPage>(test::leavingInspector(m_fixture->harness));
        page()->resize(1200, 800);
        page()->show();
        QVERIFY(m_fixture->openFork());
    }
    void cleanup() { m_fixture.reset(); }

    /// As many rules as before: the form is of the same one, with its number and its buttons.
    void theFormOfARuleGoesWhereAMoveTakesIt() {
        open(QStringLiteral("rule"), 0);
        const std::string evidence = table().rules[0].evidence;
        edit([](std::string_view text) { return table::moveRule(text, 0, 1); });
        QVERIFY(isFormOfRule(1, evidence));
        undo();
        QVERIFY(isFormOfRule(0, evidence));
        m_fixture->button(m_fixture->harness.inspected.get(), QStringLiteral("Delete"))->click();
        QCOMPARE(table().rules.size(), std::size_t{1});
        QVERIFY(table().rules[0].evidence != evidence);
    }

    void theFormOfARuleGoesWithItsNumber() {
        open(QStringLiteral("rule"), 1);
        const std::string evidence = table().rules[1].evidence;
        edit([](std::string_view text) { return table::removeRule(text, 0); });
        QVERIFY(isFormOfRule(0, evidence));
        undo();
        QVERIFY(isFormOfRule(1, evidence));
    }

    /// What happens to a gap is nothing to a rule, nor the other way round; not even what is typed is forgotten.
    void anEditOfAnotherListLeavesTheFormAlone_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("field");
        QTest::addColumn<bool>("isOfGaps");
        QTest::newRow("gap, while a rule is shown") << QStringLiteral("rule") << QStringLiteral("evidence") << true;
        QTest::newRow("rule, while a gap is shown") << QStringLiteral("gap") << QStringLiteral("next_phase") << false;
        QTest::newRow("rule behind the one that is shown") << QStringLiteral("rule") << QStringLiteral("evidence") << false;
    }
    void anEditOfAnotherListLeavesTheFormAlone() {
        QFETCH(QString, what);
        QFETCH(QString, field);
        QFETCH(bool, isOfGaps);
        open(what, 0);
        const auto* sheet = m_fixture->harness.inspected.get();
        const QVariantMap state = page()->state();
        control<QPlainTextEdit>(field)->setPlainText(QStringLiteral("typed, not left yet"));
        edit([isOfGaps](std::string_view text) { return isOfGaps ? table::duplicateGap(text, 1) : table::duplicateRule(text, 1); });
        QVERIFY(m_fixture->harness.inspected.get() == sheet);
        undo();
        QVERIFY(m_fixture->harness.inspected.get() == sheet);
        QCOMPARE(control<QPlainTextEdit>(field)->toPlainText(), QStringLiteral("typed, not left yet"));
        QCOMPARE(page()->state(), state);
        if (what == QStringLiteral("rule")) QVERIFY(rules()->selectionModel()->isSelected(rules()->cards()->index(0)));  // for the buttons
    }

    void theSheetOfWhatIsTakenBackGoes() {
        edit([](std::string_view text) { return table::duplicateRule(text, 0); });
        open(QStringLiteral("rule"), 1);
        undo();
        QVERIFY(m_fixture->harness.inspected == nullptr && !page()->state().contains(QStringLiteral("rule")));
        edit([](std::string_view text) { return table::duplicateGap(text, 0); });
        open(QStringLiteral("gap"), 1);
        undo();
        QVERIFY(m_fixture->harness.inspected == nullptr && !page()->state().contains(QStringLiteral("gap")));
    }

    void thePageGoesToTheFamilyOfTheRuleThatIsShown() {
        open(QStringLiteral("rule"), 1);
        auto* family = control<QComboBox>(QStringLiteral("model_family"));
        family->setCurrentText(QStringLiteral("qwen36_35b"));
        Q_EMIT family->activated(family->currentIndex());
        QCOMPARE(page()->state().value(QStringLiteral("family")).toString(), QStringLiteral("qwen36_35b"));
        undo();
        QCOMPARE(page()->state().value(QStringLiteral("family")).toString(), QStringLiteral("gemma4_moe_26b"));
        QCOMPARE(page()->state().value(QStringLiteral("rule"), -1).toInt(), 1);
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Rule 2"));
    }

    void aLinkToAnotherFamilyLeavesNothingOfThisOne() {
        open(QStringLiteral("rule"), 1);
        page()->open({{QStringLiteral("family"), QStringLiteral("gemma4_dense_31b")}});
        QVERIFY(m_fixture->harness.inspected == nullptr);
    }

    /// What somebody begins to add stays, whatever happens to what was shown before.
    void theFormOfANewRuleStays() {
        open(QStringLiteral("rule"), 1);
        m_fixture->button(page(), QStringLiteral("Add rule"))->click();
        edit([](std::string_view text) { return table::removeRule(text, 1); });
        undo();
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("New rule"));
    }

    void aVisitFindsItsRuleInAnotherLanguage() {
        open(QStringLiteral("rule"), 1);
        const QVariantMap visit = page()->state();
        edit([](std::string_view text) { return table::removeRule(text, 0); });
        page()->open({{QStringLiteral("family"), QStringLiteral("gemma4_dense_31b")}});
        OtherLanguage language;
        QVERIFY(QCoreApplication::installTranslator(&language));
        page()->open(visit);
        QCOMPARE(page()->state().value(QStringLiteral("rule"), -1).toInt(), 0);
        QVERIFY(m_fixture->harness.sayings.isEmpty());
        // And says in it what is gone.
        edit([](std::string_view text) { return table::removeRule(text, 0); });
        page()->open(visit);
        QVERIFY2(m_fixture->harness.sayings.value(0).startsWith(QStringLiteral("~Rule ~code")), qPrintable(m_fixture->harness.sayings.join(QLatin1Char('|'))));
    }

private:
    void open(const QString& what, int index) {
        page()->open({{what, index}});
        QVERIFY(form() != nullptr);
    }
    void edit(const std::function<Result<std::string>(std::string_view)>& how) { QVERIFY(document().editTable(QStringLiteral("test"), how).has_value()); }
    void undo() { document().undoStack()->undo(); }
    [[nodiscard]] bool isFormOfRule(int rule, const std::string& evidence) const {
        return form() != nullptr && m_fixture->harness.inspectedTitle == QStringLiteral("Rule %1").arg(rule + 1) &&
               control<QPlainTextEdit>(QStringLiteral("evidence"))->toPlainText() == QString::fromStdString(evidence) &&
               rules()->selectionModel()->isSelected(rules()->cards()->index(rule)) && page()->state().value(QStringLiteral("rule"), -1).toInt() == rule;
    }
    [[nodiscard]] RulesPage* page() const { return m_fixture->page.get(); }
    [[nodiscard]] PolicyDocument& document() const { return m_fixture->harness.document; }
    [[nodiscard]] const table::RoutingTable& table() const { return *document().workspace()->table.table; }
    [[nodiscard]] CardList* rules() const { return m_fixture->view<CardList>(QStringLiteral("Rules of the family")); }
    [[nodiscard]] RecordForm* form() const { return m_fixture->harness.inspected ? m_fixture->harness.inspected->findChild<RecordForm*>() : nullptr; }
    template <class W>
    [[nodiscard]] W* control(const QString& key) const { return m_fixture->control<W>(key); }

    std::unique_ptr<test::PageFixture<RulesPage>> m_fixture;
};

QTEST_MAIN(RulesSheetTest)
#include "tst_rules_sheet.moc"
