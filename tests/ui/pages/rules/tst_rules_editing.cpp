// SPDX-License-Identifier: MIT
#include "tests/support/leaving_inspector.h"
#include "tests/support/page_harness.h"
#include "tests/support/text_undo.h"

#include "router/table/edit.h"
#include "ui/pages/read_only_banner.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/forms/record_form.h"
#include "ui/widgets/forms/word_boxes.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

static const table::Cell kStructuredMany{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::multiConc};

/// Rules and gaps of a table of ours: add, edit, reorder, duplicate, delete, undo.
class RulesEditingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<RulesPage>>();
        page()->resize(1200, 800);
        page()->show();
    }
    void cleanup() { m_fixture.reset(); }

    void foreignTableIsReadOnlyUntilForked() {
        QVERIFY(m_fixture->openDemo());
        auto* banner = page()->findChild<ReadOnlyBanner*>();
        QVERIFY(banner->isVisible());
        page()->open({{QStringLiteral("rule"), 0}});
        QVERIFY(form() == nullptr);
        rules()->setFocus();
        QTest::keyClick(rules(), Qt::Key_Delete);
        QCOMPARE(table().rules.size(), std::size_t{2});
        auto* fork = m_fixture->button(banner, QStringLiteral("Fork to edit"));
        QVERIFY(fork != nullptr && fork->isVisible());
        fork->click();
        QVERIFY(!banner->isVisible());
        QVERIFY(form() != nullptr);  // of the rule that was selected
        document().undoStack()->undo();
        QVERIFY(banner->isVisible());
        QVERIFY(form() == nullptr);
    }

    /// F80: one field, one value in the file; undo gives back the bytes.
    void aFieldChangesItsValueOnly() {
        openRule(0);
        const std::string before = document().tableText();
        choose(QStringLiteral("evidence_tag"), QStringLiteral("none"));
        QVERIFY(!table().rules[0].evidenceTag);
        const auto change = test::undoOf(before, document().tableText());
        QVERIFY(change.text.find('\n') == std::string::npos);
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("Evidence is of rule 1"));
        document().undoStack()->undo();
        QVERIFY(document().tableText() == before);
        QCOMPARE(control<QComboBox>(QStringLiteral("evidence_tag"))->currentText(), QStringLiteral("measured"));
    }

    /// A rule is deleted, on disk or by undo, while somebody types in the form of one: the text reaches no other rule.
    void whatIsTypedForARuleReachesNoOther() {
        m_fixture->page = std::make_unique<RulesPage>(test::leavingInspector(m_fixture->harness));
        openRule(0);
        const table::RoutingRule next = table().rules[1];
        control<QPlainTextEdit>(QStringLiteral("evidence"))->setPlainText(QStringLiteral("typed, not left yet"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::removeRule(text, 0); }).has_value());
        QCOMPARE(table().rules.size(), std::size_t{1});
        QVERIFY(table().rules[0] == next);
        QVERIFY(m_fixture->harness.inspected == nullptr);
        // The last one: there is no rule at its place at all.
        page()->open({{QStringLiteral("rule"), 0}});
        QVERIFY(form() != nullptr);
        control<QPlainTextEdit>(QStringLiteral("evidence"))->setPlainText(QStringLiteral("typed, not left yet"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::removeRule(text, 0); }).has_value());
        QVERIFY(table().rules.empty());
    }

    void whatIsTypedForAGapReachesNoOther() {
        m_fixture->page = std::make_unique<RulesPage>(test::leavingInspector(m_fixture->harness));
        QVERIFY(m_fixture->openFork());
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::duplicateGap(text, 0); }).has_value());
        page()->open({{QStringLiteral("gap"), 0}});
        QVERIFY(form() != nullptr);
        const auto rest = std::vector(table().gaps.begin() + 1, table().gaps.end());
        control<QPlainTextEdit>(QStringLiteral("next_phase"))->setPlainText(QStringLiteral("typed, not left yet"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::removeGap(text, 0); }).has_value());
        QVERIFY(table().gaps == rest);
    }

    /// As many rules as before, in another order.
    void whatIsTypedForARuleIsForgottenWhenAnotherTakesItsPlace() {
        openRule(0);
        QCOMPARE(table().rules[0].presetKey, table().rules[1].presetKey);
        const QString preset = QString::fromStdString(table().rules[0].presetKey);
        control<QComboBox>(QStringLiteral("preset_key"))->setEditText(QStringLiteral("g31-chat"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::moveRule(text, 0, 1); }).has_value());
        QVERIFY(form() != nullptr);
        QCOMPARE(control<QComboBox>(QStringLiteral("preset_key"))->currentText(), preset);
    }

    void evidenceIsRequired() {
        openRule(0);
        const std::string before = document().tableText();
        auto* evidence = control<QPlainTextEdit>(QStringLiteral("evidence"));
        leaveWith(evidence, QString());
        QVERIFY(document().tableText() == before);
        QVERIFY(evidence->property("invalid").toBool());
        QVERIFY(field(QStringLiteral("evidence"))->message().contains(QStringLiteral("cites no evidence")));
        leaveWith(evidence, QStringLiteral("CG-02: 40 runs"));
        QVERIFY(!evidence->property("invalid").toBool());
        QCOMPARE(table().rules[0].evidence, std::string("CG-02: 40 runs"));
    }

    /// F83: any is no list; a list of all and a list of none are lists.
    void anyIsSomethingElseThanAList() {
        openRule(0);
        auto* boxes = control<WordBoxes>(QStringLiteral("when/concurrency_mode"));
        QVERIFY(!boxes->anyBox()->isChecked());
        boxes->anyBox()->click();
        QVERIFY(!table().rules[0].when.concurrencyMode);
        QVERIFY(!boxes->box("multi_conc")->isEnabled());
        boxes->anyBox()->click();
        QCOMPARE(table().rules[0].when.concurrencyMode->size(), std::size_t{2});
        boxes->box("single_stream")->click();
        boxes->box("multi_conc")->click();
        QVERIFY(table().rules[0].when.concurrencyMode && table().rules[0].when.concurrencyMode->empty());
        QVERIFY(field(QStringLiteral("when/concurrency_mode"))->message().contains(QStringLiteral("empty list permits no value")));
    }

    void theMatrixFollowsTheDraft() {
        openRule(0);
        QVERIFY(landing(kStructuredMany) == table::Landing::ruleMeasured);
        choose(QStringLiteral("evidence_tag"), QStringLiteral("inferred"));
        QVERIFY(landing(kStructuredMany) == table::Landing::ruleInferred);
        control<WordBoxes>(QStringLiteral("when/workload_class"))->box("structured_json")->click();
        QVERIFY(landing(kStructuredMany) == table::Landing::familyDefault);
        QVERIFY(rules()->cards()->at(0)->title.startsWith(QStringLiteral("tool call")));
    }

    /// "measured" is a claim about what was measured: an edit that widens the condition says that it may be untrue by now.
    void whoWidensAMeasuredRuleIsTold() {
        openRule(0);
        auto* inferred = control<QPushButton>(QStringLiteral("markInferred"));
        const auto isTold = [this, inferred] {
            const bool says = field(QStringLiteral("evidence_tag"))->message().contains(QStringLiteral("when it was marked as measured"));
            return says && inferred->isVisibleTo(form());
        };
        QVERIFY(!isTold() && !inferred->isVisibleTo(form()));
        auto* boxes = control<WordBoxes>(QStringLiteral("when/concurrency_mode"));
        boxes->anyBox()->click();
        QCOMPARE(table().rules[0].evidenceTag, std::optional<std::string>("measured"));  // nothing behind anybody's back
        QVERIFY2(isTold(), qPrintable(field(QStringLiteral("evidence_tag"))->message()));
        // It is so whoever looks at the rule next, too.
        page()->open({{QStringLiteral("rule"), 1}});
        page()->open({{QStringLiteral("rule"), 0}});
        inferred = control<QPushButton>(QStringLiteral("markInferred"));
        QVERIFY(inferred->isVisibleTo(form()));
        const int steps = document().undoStack()->index();
        inferred->click();
        QCOMPARE(table().rules[0].evidenceTag, std::optional<std::string>("inferred"));
        QCOMPARE(document().undoStack()->index(), steps + 1);
        QVERIFY(!inferred->isVisibleTo(form()));
        QVERIFY(field(QStringLiteral("evidence_tag"))->message().isEmpty());
        document().undoStack()->undo();
        QVERIFY(inferred->isVisibleTo(form()));
        // Another evidence is another claim, and what is narrow again was measured.
        auto* evidence = control<QPlainTextEdit>(QStringLiteral("evidence"));
        leaveWith(evidence, QStringLiteral("CG-02: 40 runs of either"));
        QVERIFY(!inferred->isVisibleTo(form()));
        document().undoStack()->undo();
        QVERIFY(inferred->isVisibleTo(form()));
        document().undoStack()->undo();
        QVERIFY(!inferred->isVisibleTo(form()));
        QVERIFY(field(QStringLiteral("evidence_tag"))->message().isEmpty());
    }

    /// The new ones alone are counted: what the others of its evidence permit says nothing of this rule.
    void theNewKindsOfAWidenedRuleAreCounted_data() {
        QTest::addColumn<bool>("isCopy");
        QTest::addColumn<QStringList>("workloads");
        QTest::addColumn<QStringList>("lengths");
        QTest::addColumn<int>("kinds");
        const QString tool = QStringLiteral("tool_call"), structured = QStringLiteral("structured_json"), chat = QStringLiteral("free_chat");
        const QString shortly = QStringLiteral("short"), medium = QStringLiteral("medium"), longly = QStringLiteral("long");
        QTest::newRow("a copy for two others") << true << QStringList{chat} << QStringList{shortly, medium} << 2;
        QTest::newRow("a copy for less") << true << QStringList{tool} << QStringList{shortly} << 0;
        QTest::newRow("a moved axis") << false << QStringList{structured, tool} << QStringList{medium} << 2;
        QTest::newRow("a moved axis and more") << false << QStringList{structured, tool} << QStringList{medium, longly} << 4;
        QTest::newRow("as it was") << false << QStringList{structured, tool} << QStringList{shortly} << 0;
    }
    void theNewKindsOfAWidenedRuleAreCounted() {
        QFETCH(bool, isCopy);
        QFETCH(QStringList, workloads);
        QFETCH(QStringList, lengths);
        QFETCH(int, kinds);
        openRule(0);
        const auto words = [](const QStringList& list) {
            std::vector<std::string> all;
            for (const QString& one : list) all.push_back(one.toStdString());
            return all;
        };
        table::RoutingRule rule = table().rules[0];
        rule.when.workloadClass = words(workloads);
        rule.when.expectedOutputLength = words(lengths);
        const std::size_t place = isCopy ? 1 : 0;
        if (isCopy) QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::duplicateRule(text, 0); }).has_value());
        QVERIFY(document().editTable(QStringLiteral("test"), [rule, place](std::string_view text) { return table::changeRule(text, place, rule); }).has_value());
        page()->open({{QStringLiteral("rule"), static_cast<int>(place)}});
        const QString said = field(QStringLiteral("evidence_tag"))->message();
        if (kinds == 0) QVERIFY2(said.isEmpty(), qPrintable(said));
        else QVERIFY2(said.contains(QStringLiteral("Its condition permits %1 kind(s) of request that no rule of this evidence did").arg(kinds)), qPrintable(said));
        QCOMPARE(control<QPushButton>(QStringLiteral("markInferred"))->isVisibleTo(form()), kinds > 0);
    }

    void keysMoveDuplicateAndDelete() {
        openRule(0);
        const std::string before = document().tableText();
        const table::RoutingRule first = table().rules[0], second = table().rules[1];
        rules()->setFocus();
        QTest::keyClick(rules(), Qt::Key_Down, Qt::AltModifier);
        QVERIFY(table().rules[0] == second && table().rules[1] == first);
        QCOMPARE(rules()->currentIndex().row(), 1);
        QTest::keyClick(rules(), Qt::Key_Down, Qt::AltModifier);  // there is nowhere to go
        QTest::keyClick(rules(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(document().tableText() == before);
        QTest::keyClick(rules(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(table().rules.size(), std::size_t{3});
        QVERIFY(table().rules[1] == first);
        QCOMPARE(rules()->currentIndex().row(), 1);
        // The copy can never fire, and the form says so.
        bool said = false;
        for (const auto* label : form()->findChildren<QLabel*>()) said |= label->text().contains(QStringLiteral("never reached")) && label->isVisibleTo(form());
        QVERIFY(said);
        QTest::keyClick(rules(), Qt::Key_Delete);
        QVERIFY(document().tableText() == before);
        QVERIFY(m_fixture->harness.sayings.last().contains(QStringLiteral("Undo")));
        QCOMPARE(rules()->currentIndex().row(), 1);
        document().undoStack()->undo();
        QCOMPARE(table().rules.size(), std::size_t{3});
    }

    void rulesAreDragged() {
        openRule(0);
        const table::RoutingRule first = table().rules[0];
        QWidget* viewport = rules()->viewport();
        const QPoint from = rules()->visualRect(rules()->model()->index(0, 0)).center();
        const QPoint to(from.x(), rules()->visualRect(rules()->model()->index(1, 0)).bottom() - 2);
        const auto drag = [&](bool escape) {
            QTest::mousePress(viewport, Qt::LeftButton, {}, from);
            move(viewport, (from + to) / 2);
            move(viewport, to);
            if (escape) QTest::keyClick(rules(), Qt::Key_Escape);
            QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        };
        drag(true);
        QVERIFY(table().rules[0] == first);
        drag(false);
        QVERIFY(table().rules[1] == first);
    }

    void aRuleIsAddedOnceItIsWhole() {
        QVERIFY(m_fixture->openFork());
        matrix()->selectCell({table::WorkloadClass::freeChat, table::LengthBucket::longOutput, table::ConcurrencyMode::singleStream});
        m_fixture->button(page(), QStringLiteral("Add rule"))->click();
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("New rule"));
        auto* add = control<QPushButton>(QStringLiteral("add"));
        add->click();
        QCOMPARE(table().rules.size(), std::size_t{2});
        QVERIFY(field(QStringLiteral("evidence"))->isRefused());
        control<QPlainTextEdit>(QStringLiteral("evidence"))->setPlainText(QStringLiteral("FC-01"));
        add->click();
        QCOMPARE(table().rules.size(), std::size_t{3});
        QVERIFY(table().rules[2].when.workloadClass == std::vector<std::string>{"free_chat"});
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Rule 3"));
        QVERIFY(landing({table::WorkloadClass::freeChat, table::LengthBucket::longOutput, table::ConcurrencyMode::singleStream}) == table::Landing::ruleInferred);
    }

    void aRuleMayChangeItsFamily() {
        openRule(1);
        auto* family = control<QComboBox>(QStringLiteral("model_family"));
        family->setCurrentText(QStringLiteral("qwen36_35b"));
        Q_EMIT family->activated(family->currentIndex());
        QCOMPARE(table().rules[1].modelFamily, std::string("qwen36_35b"));
        QCOMPARE(page()->state().value(QStringLiteral("family")).toString(), QStringLiteral("qwen36_35b"));
    }

    /// F82: a form never opens for what it cannot show in full.
    void unknownAxesOpenNoForm_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("why");
        QTest::newRow("axis") << QStringLiteral("\"concurrency_mode\": [") << QStringLiteral("\"moon\": [") << QStringLiteral("moon");
        QTest::newRow("tag") << QStringLiteral("\"evidence_tag\": \"measured\"") << QStringLiteral("\"evidence_tag\": \"guessed\"") << QStringLiteral("guessed");
        QTest::newRow("characters") << QStringLiteral("\"evidence\": \"") << QStringLiteral("\"evidence\": \"a\\u0001b\\r\\n") << QStringLiteral("characters");
    }
    void unknownAxesOpenNoForm() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, why);
        QVERIFY(m_fixture->openFork());
        QVERIFY(document().editTable(QStringLiteral("test"), [from, to](std::string_view text) -> Result<std::string> {
            QString changed = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            return changed.replace(changed.indexOf(from), from.size(), to).toStdString();
        }).has_value());
        page()->open({{QStringLiteral("rule"), 0}});
        QVERIFY(form() == nullptr);
        bool said = false;
        for (const auto* label : m_fixture->harness.inspected->findChildren<QLabel*>()) said |= label->text().contains(why);
        QVERIFY(said);
    }

    void gapsAreEditedLikeRules() {
        QVERIFY(m_fixture->openFork());
        const std::string before = document().tableText();
        const std::size_t count = table().gaps.size();
        page()->open({{QStringLiteral("gap"), 0}});
        auto* next = control<QPlainTextEdit>(QStringLiteral("next_phase"));
        leaveWith(next, QStringLiteral("SJ-10"));
        QCOMPARE(table().gaps[0].nextPhase, std::string("SJ-10"));
        auto* cell = control<QPlainTextEdit>(QStringLiteral("missing_cell"));
        leaveWith(cell, QStringLiteral("workload_class=free_chat AND concurrency_mode=multi_conc"));
        QVERIFY(field(QStringLiteral("missing_cell"))->message().contains(QStringLiteral("3 cell(s)")));
        leaveWith(cell, QStringLiteral("something"));
        QVERIFY(field(QStringLiteral("missing_cell"))->message().contains(QStringLiteral("no cell"), Qt::CaseInsensitive));
        auto* list = m_fixture->view<CardList>(QStringLiteral("Declared gaps that name no cell"));
        page()->open({{QStringLiteral("gap"), 0}});
        list->setFocus();
        QTest::keyClick(list, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(table().gaps.size(), count + 1);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(table().gaps.size(), count);
        while (document().undoStack()->index() > 1) document().undoStack()->undo();
        QVERIFY(document().tableText() == before);
    }

    void aGapIsDeclaredForTheCellInHand() {
        QVERIFY(m_fixture->openFork());
        matrix()->selectCell(kStructuredMany);
        m_fixture->button(page(), QStringLiteral("Declare a gap"))->click();
        QCOMPARE(control<QPlainTextEdit>(QStringLiteral("missing_cell"))->toPlainText(),
                 QStringLiteral("workload_class=structured_json AND expected_output_length=short AND concurrency_mode=multi_conc"));
        control<QPushButton>(QStringLiteral("add"))->click();
        QCOMPARE(table().gaps.back().missingCell, std::string("workload_class=structured_json AND expected_output_length=short AND concurrency_mode=multi_conc"));
    }

    /// The inspector belongs to every page: changes made elsewhere leave it alone while it shows something else.
    void othersKeepTheirInspector() {
        openRule(0);
        auto* other = new QWidget;
        m_fixture->harness.context().inspect(other, QStringLiteral("Other"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::removeRule(text, 1); }).has_value());
        document().undoStack()->undo();
        document().undoStack()->undo();  // of the fork: rules become read-only
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Other"));
        rules()->setFocus();
        QTest::keyClick(rules(), Qt::Key_Delete);
        QVERIFY(document().undoStack()->canRedo());
        QCOMPARE(table().rules.size(), std::size_t{2});
    }

private:
    void openRule(int rule) {
        QVERIFY(m_fixture->openFork());
        page()->open({{QStringLiteral("rule"), rule}});
        QVERIFY(form() != nullptr);
    }
    void choose(const QString& key, const QString& text) {
        auto* box = control<QComboBox>(key);
        box->setCurrentText(text);
        Q_EMIT box->activated(box->currentIndex());
    }
    static void leaveWith(QPlainTextEdit* edit, const QString& text) {
        edit->setPlainText(text);
        QFocusEvent out(QEvent::FocusOut);
        QCoreApplication::sendEvent(edit, &out);
    }
    static void move(QWidget* viewport, const QPoint& to) {
        QMouseEvent event(QEvent::MouseMove, to, viewport->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(viewport, &event);
    }
    [[nodiscard]] RulesPage* page() const { return m_fixture->page.get(); }
    [[nodiscard]] PolicyDocument& document() const { return m_fixture->harness.document; }
    [[nodiscard]] const table::RoutingTable& table() const { return *document().workspace()->table.table; }
    [[nodiscard]] CardList* rules() const { return m_fixture->view<CardList>(QStringLiteral("Rules of the family")); }
    [[nodiscard]] CoverageMatrix* matrix() const { return page()->findChild<CoverageMatrix*>(); }
    [[nodiscard]] RecordForm* form() const { return m_fixture->harness.inspected ? m_fixture->harness.inspected->findChild<RecordForm*>() : nullptr; }
    [[nodiscard]] FormField* field(const QString& key) const {
        auto* found = form() != nullptr ? form() : qobject_cast<RecordForm*>(m_fixture->harness.inspected.get());
        return found->field(key);
    }
    template <class W>
    [[nodiscard]] W* control(const QString& key) const { return m_fixture->control<W>(key); }
    [[nodiscard]] table::Landing landing(const table::Cell& cell) const { return matrix()->cells()->coverageAt(matrix()->cells()->indexOf(cell))->landing; }

    std::unique_ptr<test::PageFixture<RulesPage>> m_fixture;
};

QTEST_MAIN(RulesEditingTest)
#include "tst_rules_editing.moc"
