// SPDX-License-Identifier: MIT
#include "tests/support/leaving_inspector.h"
#include "tests/support/page_harness.h"
#include "tests/support/text_undo.h"

#include "router/table/edit.h"
#include "ui/pages/presets/presets_page.h"
#include "ui/pages/read_only_banner.h"
#include "ui/widgets/forms/record_form.h"
#include "ui/widgets/forms/word_boxes.h"
#include "ui/widgets/table_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

/// Presets of a table of ours: add, edit, reorder, duplicate, delete, undo.
class PresetsEditingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<PresetsPage>>();
        page()->resize(1200, 800);
        page()->show();
    }
    void cleanup() { m_fixture.reset(); }

    void foreignTableIsReadOnlyUntilForked() {
        QVERIFY(m_fixture->openDemo());
        auto* banner = page()->findChild<ReadOnlyBanner*>();
        QVERIFY(banner->isVisible());
        page()->open({{QStringLiteral("preset"), QStringLiteral("g31-chat")}});
        QVERIFY(form() == nullptr);
        m_fixture->button(banner, QStringLiteral("Fork to edit"))->click();
        QVERIFY(!banner->isVisible());
        QVERIFY(form() != nullptr);
    }

    /// The new key reaches rules, gaps and the binding in gateway.toml, in one step.
    void renamingTakesEverythingAlong() {
        openPreset("g26-struct-multi");
        const std::string table = document().tableText(), config = document().configText();
        type(QStringLiteral("preset_key"), QStringLiteral("g26-k4"));
        QCOMPARE(presets()[1].presetKey, std::string("g26-k4"));
        QCOMPARE(this->table().rules[0].presetKey, std::string("g26-k4"));
        QVERIFY(document().configText().find("[presets.\"g26-k4\"]") != std::string::npos);
        document().undoStack()->undo();
        QVERIFY(document().tableText() == table && document().configText() == config);
        QCOMPARE(control<QLineEdit>(QStringLiteral("preset_key"))->text(), QStringLiteral("g26-struct-multi"));
    }

    /// A preset is deleted, on disk or by undo, while somebody types in its form: the neighbour keeps its key and binding.
    void whatIsTypedForAPresetReachesNoOther() {
        m_fixture->page = std::make_unique<PresetsPage>(test::leavingInspector(m_fixture->harness));
        openPreset("q36-balanced");
        for (const char* copy : {"q36-b", "q36-a"})
            QVERIFY(document().editTable(QStringLiteral("test"), [copy](std::string_view text) { return table::duplicatePreset(text, 4, copy); }).has_value());
        QCOMPARE(presets().at(6).presetKey, std::string("q36-b"));
        page()->open({{QStringLiteral("preset"), QStringLiteral("q36-a")}});
        QVERIFY(form() != nullptr);
        control<QLineEdit>(QStringLiteral("preset_key"))->setText(QStringLiteral("q36-typed"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::removePreset(text, 5); }).has_value());
        QCOMPARE(presets().size(), std::size_t{6});
        QCOMPARE(presets().at(5).presetKey, std::string("q36-b"));
        QVERIFY(m_fixture->harness.inspected == nullptr);
    }

    /// As many presets as before, in another order: the form goes where its preset goes.
    void whatIsTypedForAPresetIsForgottenWhenAnotherTakesItsPlace() {
        openPreset("g26-default");
        QCOMPARE(presets()[0].model, presets()[1].model);
        control<QLineEdit>(QStringLiteral("model"))->setText(QStringLiteral("typed, not left yet"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::movePreset(text, 0, 1); }).has_value());
        QVERIFY(isFormOf("g26-default", 1));
        QCOMPARE(control<QLineEdit>(QStringLiteral("model"))->text(), QString::fromStdString(presets()[0].model));
        document().undoStack()->undo();
        QVERIFY(isFormOf("g26-default", 0));
    }

    void aPresetThatComesLeavesTheFormOfAnotherAlone() {
        openPreset("g26-default");
        const auto* sheet = m_fixture->harness.inspected.get();
        control<QLineEdit>(QStringLiteral("model"))->setText(QStringLiteral("typed, not left yet"));
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) { return table::duplicatePreset(text, 3, "another"); }).has_value());
        document().undoStack()->undo();
        QVERIFY(m_fixture->harness.inspected.get() == sheet && isFormOf("g26-default", 0));
        QCOMPARE(control<QLineEdit>(QStringLiteral("model"))->text(), QStringLiteral("typed, not left yet"));
    }

    void aKeyThatIsTakenIsRefusedWhereItStands() {
        openPreset("g26-struct-multi");
        const std::string before = document().tableText();
        type(QStringLiteral("preset_key"), QStringLiteral("g31-chat"));
        QVERIFY(document().tableText() == before);
        auto* key = control<QLineEdit>(QStringLiteral("preset_key"));
        QCOMPARE(key->text(), QStringLiteral("g31-chat"));
        QVERIFY(key->property("invalid").toBool());
        QVERIFY(form()->field(QStringLiteral("preset_key"))->message().contains(QStringLiteral("already has a preset")));
        type(QStringLiteral("preset_key"), QStringLiteral("g26-struct-multi"));
        QVERIFY(!key->property("invalid").toBool());
    }

    void aNewDefaultTakesThePlaceOfTheOld() {
        openPreset("g26-struct-multi");
        const std::string before = document().tableText();
        control<QCheckBox>(QStringLiteral("default_for_family"))->click();
        QVERIFY(presets()[1].defaultForFamily);
        QVERIFY(!presets()[0].defaultForFamily);
        // A default whose K is not 1 is worth a word at its row.
        document().undoStack()->undo();
        QVERIFY(document().tableText() == before);
        QVERIFY(!control<QCheckBox>(QStringLiteral("default_for_family"))->isChecked());
    }

    /// F80, and arrow after arrow is one step.
    void aNumberChangesItsValueOnly() {
        openPreset("g26-default");
        const std::string before = document().tableText();
        const int steps = document().undoStack()->count();
        auto* sequences = control<QSpinBox>(QStringLiteral("max_num_seqs"));
        for (int i = 0; i < 3; ++i) sequences->stepUp();
        QCOMPARE(presets()[0].maxNumSeqs, std::int64_t{7});
        QCOMPARE(document().undoStack()->count(), steps + 1);
        const auto change = test::undoOf(before, document().tableText());
        QCOMPARE(change.text, std::string("4"));
        document().undoStack()->undo();
        QVERIFY(document().tableText() == before);
        QCOMPARE(sequences->value(), 4);
    }

    void everyFieldIsWritten() {
        openPreset("g31-chat");
        type(QStringLiteral("model"), QStringLiteral("gemma-4-31b-it-awq"));  // as it was: no step
        const int steps = document().undoStack()->count();
        type(QStringLiteral("served_model_name"), QString());
        QVERIFY(!presets()[2].servedModelName);
        auto* role = control<QComboBox>(QStringLiteral("role"));
        role->setCurrentText(QStringLiteral("bench"));
        Q_EMIT role->lineEdit()->editingFinished();
        QCOMPARE(presets()[2].role, std::optional<std::string>("bench"));
        QVERIFY(form()->field(QStringLiteral("role"))->message().contains(QStringLiteral("not one that the contract lists")));
        control<WordBoxes>(QStringLiteral("intended_workloads"))->box("code_gen")->click();
        QCOMPARE(presets()[2].intendedWorkloads, (std::vector<std::string>{"free_chat", "summarization", "code_gen"}));
        control<QSpinBox>(QStringLiteral("spec_decode_K"))->setValue(3);
        QCOMPARE(presets()[2].specDecodeK, std::int64_t{3});
        QCOMPARE(document().undoStack()->count(), steps + 4);
    }

    void keysMoveDuplicateAndDelete() {
        openPreset("q36-balanced");
        const std::string before = document().tableText();
        QTest::keyClick(view(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(presets()[3].presetKey, std::string("q36-balanced"));
        QCOMPARE(view()->currentSourceRow(), 3);
        document().undoStack()->undo();
        page()->open({{QStringLiteral("preset"), QStringLiteral("q36-balanced")}});
        QTest::keyClick(view(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(presets().size(), std::size_t{6});
        QCOMPARE(presets()[5].presetKey, std::string("q36-balanced-copy"));
        QCOMPARE(view()->currentSourceRow(), 5);
        QTest::keyClick(view(), Qt::Key_Delete);
        QVERIFY2(presets().size() == 5, qPrintable(m_fixture->harness.sayings.join(QLatin1Char('|'))));
        QCOMPARE(QString::fromStdString(document().tableText()), QString::fromStdString(before));
        // Sorted by a column, rows stay where they are.
        view()->sortByColumn(0, Qt::DescendingOrder);
        QTest::keyClick(view(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(document().tableText() == before);
    }

    void aPresetThatRulesNameStays() {
        openPreset("g26-struct-multi");
        QTest::keyClick(view(), Qt::Key_Delete);
        QCOMPARE(presets().size(), std::size_t{5});
        QVERIFY(m_fixture->harness.sayings.last().contains(QStringLiteral("2 rule(s) lead to this preset")));
    }

    void aBindingGoesWithItsPreset() {
        openPreset("q36-balanced");
        const std::string config = document().configText();
        QVERIFY(config.find("[presets.\"q36-balanced\"]") != std::string::npos);
        QTest::keyClick(view(), Qt::Key_Delete);
        QCOMPARE(presets().size(), std::size_t{4});
        QVERIFY(document().configText().find("[presets.\"q36-balanced\"]") == std::string::npos);
        document().undoStack()->undo();
        QVERIFY(document().configText() == config);
    }

    void aPresetIsAddedOnceItIsWhole() {
        openPreset("g31-chat");
        m_fixture->button(page(), QStringLiteral("Add preset"))->click();
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("New preset"));
        auto* add = control<QPushButton>(QStringLiteral("add"));
        add->click();
        QCOMPARE(presets().size(), std::size_t{5});
        control<QLineEdit>(QStringLiteral("preset_key"))->setText(QStringLiteral("g31-new"));
        control<QLineEdit>(QStringLiteral("model"))->setText(QStringLiteral("gemma-4-31b-it-awq"));
        add->click();
        QCOMPARE(presets().size(), std::size_t{6});
        QCOMPARE(presets()[5].presetKey, std::string("g31-new"));
        QCOMPARE(presets()[5].modelFamily, std::string("gemma4_dense_31b"));
        QCOMPARE(page()->state().value(QStringLiteral("preset")).toString(), QStringLiteral("g31-new"));
    }

    /// F82: a form never opens for what it cannot show in full.
    void whatNoFieldShowsOpensNoForm() {
        QVERIFY(m_fixture->openFork());
        QVERIFY(document().editTable(QStringLiteral("test"), [](std::string_view text) -> Result<std::string> {
            std::string changed(text);
            return changed.replace(changed.find("\"max_num_seqs\": 4"), 17, "\"max_num_seqs\": 4000000000");
        }).has_value());
        page()->open({{QStringLiteral("preset"), QStringLiteral("g26-default")}});
        QVERIFY(form() == nullptr);
        bool said = false;
        for (const auto* label : m_fixture->harness.inspected->findChildren<QLabel*>()) said |= label->text().contains(QStringLiteral("One of its numbers"));
        QVERIFY(said);
    }

private:
    /// And the row for its buttons is the preset's.
    [[nodiscard]] bool isFormOf(const char* key, int row) const {
        return form() != nullptr && control<QLineEdit>(QStringLiteral("preset_key"))->text() == QString::fromLatin1(key) && view()->currentSourceRow() == row &&
               view()->selectionModel()->isSelected(view()->currentIndex());
    }
    void openPreset(const char* key) {
        QVERIFY(m_fixture->openFork());
        page()->open({{QStringLiteral("preset"), QString::fromLatin1(key)}});
        QVERIFY(form() != nullptr);
        view()->setFocus();
    }
    void type(const QString& key, const QString& text) {
        auto* line = control<QLineEdit>(key);
        line->setText(text);
        Q_EMIT line->editingFinished();
    }
    [[nodiscard]] PresetsPage* page() const { return m_fixture->page.get(); }
    [[nodiscard]] PolicyDocument& document() const { return m_fixture->harness.document; }
    [[nodiscard]] const table::RoutingTable& table() const { return *document().workspace()->table.table; }
    [[nodiscard]] const std::vector<table::Preset>& presets() const { return table().presets; }
    [[nodiscard]] TableView* view() const { return page()->findChild<TableView*>(); }
    [[nodiscard]] RecordForm* form() const { return m_fixture->harness.inspected ? m_fixture->harness.inspected->findChild<RecordForm*>() : nullptr; }
    template <class W>
    [[nodiscard]] W* control(const QString& key) const { return m_fixture->control<W>(key); }

    std::unique_ptr<test::PageFixture<PresetsPage>> m_fixture;
};

QTEST_MAIN(PresetsEditingTest)
#include "tst_presets_editing.moc"
