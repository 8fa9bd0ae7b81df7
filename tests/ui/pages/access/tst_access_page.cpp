// SPDX-License-Identifier: MIT
#include "router/config/edit.h"
#include "tests/support/leaving_inspector.h"
#include "tests/support/page_harness.h"
#include "tests/ui/pages/access/access_policy.h"
#include "ui/pages/access/access_model.h"
#include "ui/pages/access/access_page.h"
#include "ui/pages/access/field_form.h"
#include "ui/pages/access/new_entry_form.h"
#include "ui/theme/format.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_text.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QUndoStack>
#include <QWheelEvent>

using namespace signalbox;
using namespace signalbox::ui;

class AccessPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_harness = std::make_unique<test::PageHarness>(); }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void everyListTellsItsRows() {
        openPolicy();
        QCOMPARE(rows(QStringLiteral("principals")), QStringLiteral("support-bot|support|SUPPORT_TOKEN, set|everything||600|unknown, of $50.00\n"
                                                                    "research||by its SHA-256|nothing|yes|no limit|unknown"));
        QCOMPARE(rows(QStringLiteral("providers")), QStringLiteral("lab|simulated|built in|none|gemma-4-26b, gemma-4-31b|yes|not said\n"
                                                                   "cloud|openai_compat|api.cloud.example:8443|CLOUD_KEY, not set|flash|its key is missing|tools, one tool at a time, vision, 128,000 tokens\n"
                                                                   "empty|openai_compat|none|none|none|has no base URL|not said"));
        QVERIFY2(rows(QStringLiteral("prices")).startsWith(QStringLiteral("cloud|flash|0.28|0.42|0.00|0.00|")), qPrintable(rows(QStringLiteral("prices"))));
        QVERIFY(rows(QStringLiteral("prices")).endsWith(QStringLiteral("old|price list")));
        QCOMPARE(rows(QStringLiteral("aliases")), QStringLiteral("fast|static|cloud:flash\nauto|smart|group auto, 1 candidate(s)"));
        for (const char* name : {"principals", "providers", "prices", "aliases"})
            QAbstractItemModelTester tester(table(QLatin1String(name))->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    // Keys and tokens are named, never shown: neither what the variables hold nor their hash in a list.
    void noSecretIsShown() {
        openPolicy();
        for (const char* list : {"principals", "providers"})
            for (int row = 0; row < table(QLatin1String(list))->model()->rowCount(); ++row) {
                show(QLatin1String(list), row);
                for (const QWidget* widget : m_harness->inspected->findChildren<QWidget*>())
                    for (const QString& text : {widget->toolTip(), widget->accessibleDescription(), widget->property("text").toString()})
                        QVERIFY2(!text.contains(QStringLiteral("s3cr3t")), qPrintable(text));
                QVERIFY(!rows(QLatin1String(list)).contains(QStringLiteral("s3cr3t")));
                QVERIFY(!rows(QLatin1String(list)).contains(QStringLiteral("aaaa")));
            }
    }

    // F83: file, environment, default; and an empty list is an empty list.
    void everyValueSaysWhereItComesFrom() {
        openPolicy();
        show(QStringLiteral("principals"), 1);
        QCOMPARE(origin("allowed_models"), QStringLiteral("line 46"));
        QCOMPARE(origin("allowed_providers"), QStringLiteral("default"));
        QVERIFY(originPlace("allowed_models").contains(QStringLiteral("gateway.toml, line 46, column 18")));
        QCOMPARE(restriction("allowed_models")->currentIndex(), 1);
        QCOMPARE(lines("allowed_models"), QString());
        QCOMPARE(restriction("allowed_providers")->currentText(), QStringLiteral("Unrestricted"));
        show(QStringLiteral("providers"), 1);
        QCOMPARE(origin("tools"), QStringLiteral("line 14"));
        QVERIFY(originPlace("tools").contains(QStringLiteral("tool_use.supported")));
        m_variables["CLOUD_URL"] = "http://127.0.0.1:1/v1";
        type("base_url_env", QStringLiteral("CLOUD_URL"));
        QCOMPARE(origin("base_url"), QStringLiteral("environment"));
        QVERIFY(originPlace("base_url").contains(QStringLiteral("CLOUD_URL")));
    }

    // F80: an edit of one field changes only that field in the file.
    void anEditChangesOnlyItsValue() {
        openPolicy();
        const std::string before = m_harness->document.configText();
        show(QStringLiteral("principals"), 0);
        type("monthly_budget_hard_usd", QStringLiteral("75.5"));
        QString expected = QString::fromUtf8(before.c_str());
        expected.replace(QStringLiteral("monthly_budget_hard_usd = 50"), QStringLiteral("monthly_budget_hard_usd = 75.5"));
        QCOMPARE(QString::fromUtf8(m_harness->document.configText().c_str()), expected);
        QCOMPARE(m_harness->document.undoStack()->undoText(), QStringLiteral("Hard budget, US dollars a month of support-bot"));
        m_harness->document.undoStack()->undo();
        QVERIFY(m_harness->document.configText() == before);
        QCOMPARE(line("monthly_budget_hard_usd")->text(), QStringLiteral("50"));
    }

    void aRefusedEditStaysInItsField() {
        openPolicy();
        const std::string before = m_harness->document.configText();
        show(QStringLiteral("principals"), 1);
        auto* names = editor("allowed_groups")->findChild<QPlainTextEdit*>();
        names->moveCursor(QTextCursor::End);
        QTest::keyClick(names, Qt::Key_Return);
        QTest::keyClicks(names, QStringLiteral("autp"));
        leave(names);
        QVERIFY(editor("allowed_groups")->isRefused());
        QCOMPARE(names->toPlainText(), QStringLiteral("auto\nautp"));
        QVERIFY2(spoken("allowed_groups").contains(QStringLiteral("Did you mean \"auto\"")), qPrintable(spoken("allowed_groups")));
        QVERIFY(m_harness->document.configText() == before);
        // Another field goes on, and what was refused stays.
        type("team", QStringLiteral("science"));
        QVERIFY(editor("allowed_groups")->isRefused());
        QCOMPARE(names->toPlainText(), QStringLiteral("auto\nautp"));
        QTest::keyClick(names, Qt::Key_Escape);
        QVERIFY(!editor("allowed_groups")->isRefused());
        QCOMPARE(names->toPlainText(), QStringLiteral("auto"));
    }

    void whatIsNoNumberIsRefusedInItsField() {
        openPolicy();
        show(QStringLiteral("principals"), 0);
        type("requests_per_minute", QStringLiteral("many"));
        QVERIFY(editor("requests_per_minute")->isRefused());
        type("requests_per_minute", QStringLiteral("0"));
        QVERIFY2(spoken("requests_per_minute").contains(QStringLiteral("out of range")), qPrintable(spoken("requests_per_minute")));
        type("requests_per_minute", QString());
        QVERIFY(!editor("requests_per_minute")->isRefused());
        QCOMPARE(origin("requests_per_minute"), QStringLiteral("default"));
    }

    // F82: never open a form that cannot show a value in full.
    void aValueThatCannotBeShownKeepsTheFormClosed() {
        openPolicy(QStringLiteral("team = \"support\""), QStringLiteral("team = \"two\\nlines\""));
        const std::string before = m_harness->document.configText();
        show(QStringLiteral("principals"), 0);
        QVERIFY(m_harness->inspected->findChild<FieldForm*>() == nullptr);
        QStringList texts;
        for (const QLabel* label : m_harness->inspected->findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.join(QLatin1Char(' ')).contains(QStringLiteral("Team holds something that this form cannot show in full")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY(m_harness->document.configText() == before);
        show(QStringLiteral("principals"), 1);
        QVERIFY(m_harness->inspected->findChild<FieldForm*>() != nullptr);
    }

    void principalsAreAddedCopiedRenamedAndDeleted() {
        openPolicy();
        const std::string before = m_harness->document.configText();
        list(QStringLiteral("principals"));
        action(QStringLiteral("Add principal"))->trigger();
        auto* form = m_harness->inspected->findChild<NewEntryForm*>();
        if (form == nullptr) form = qobject_cast<NewEntryForm*>(m_harness->inspected.get());
        QVERIFY(form);
        press(form);
        QVERIFY(form->findChild<FieldEditor*>(QStringLiteral("name"))->isRefused());
        enter(form, "name", QStringLiteral("batch"));
        enter(form, "token_env", QStringLiteral("not a name"));
        press(form);
        QVERIFY(form->findChild<FieldEditor*>(QStringLiteral("token_env"))->isRefused());
        QVERIFY(m_harness->document.configText() == before);
        enter(form, "token_env", QStringLiteral("BATCH_TOKEN"));
        press(form);
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Principal batch"));
        QCOMPARE(m_page->state().value(QStringLiteral("name")).toString(), QStringLiteral("batch"));

        show(QStringLiteral("principals"), 0);
        action(QStringLiteral("Duplicate"))->trigger();
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Principal support-bot-copy"));
        QVERIFY(rows(QStringLiteral("principals")).contains(QStringLiteral("support-bot-copy|support|none, so nobody|everything||600|")));
        type("id", QStringLiteral("dispatch"));
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Principal dispatch"));
        action(QStringLiteral("Delete"))->trigger();
        QVERIFY(!rows(QStringLiteral("principals")).contains(QStringLiteral("dispatch")));
        QVERIFY(m_harness->sayings.last().contains(QStringLiteral("dispatch")));
        while (m_harness->document.undoStack()->canUndo()) m_harness->document.undoStack()->undo();
        QVERIFY(m_harness->document.configText() == before);
    }

    void aliasesAndPricesAreAddedAndDeleted() {
        openPolicy();
        const std::string before = m_harness->document.configText();
        list(QStringLiteral("aliases"));
        action(QStringLiteral("Add alias"))->trigger();
        auto* form = qobject_cast<NewEntryForm*>(m_harness->inspected.get());
        enter(form, "name", QStringLiteral("fast"));
        enter(form, "target", QStringLiteral("lab:gemma-4-26b"));
        press(form);
        QVERIFY(form->findChild<FieldEditor*>(QStringLiteral("name"))->isRefused());
        enter(form, "name", QStringLiteral("small"));
        press(form);
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Alias small"));
        type("target", QStringLiteral("lab:gemma"));
        QVERIFY(editor("target")->isRefused());
        type("name", QStringLiteral("fast"));
        QVERIFY(editor("name")->isRefused());
        action(QStringLiteral("Delete"))->trigger();
        QVERIFY(!rows(QStringLiteral("aliases")).contains(QStringLiteral("small")));

        list(QStringLiteral("prices"));
        action(QStringLiteral("Add price"))->trigger();
        form = qobject_cast<NewEntryForm*>(m_harness->inspected.get());
        form->findChild<FieldEditor*>(QStringLiteral("provider"))->findChild<QComboBox*>()->setCurrentText(QStringLiteral("lab"));
        enter(form, "input_per_million", QStringLiteral("0"));
        press(form);
        QVERIFY(form->findChild<FieldEditor*>(QStringLiteral("output_per_million"))->isRefused());
        enter(form, "output_per_million", QStringLiteral("0.05"));
        press(form);
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Price lab"));
        QVERIFY(rows(QStringLiteral("prices")).contains(QStringLiteral("lab|every other model|0.00|0.050|")));
        while (m_harness->document.undoStack()->canUndo()) m_harness->document.undoStack()->undo();
        QVERIFY(m_harness->document.configText() == before);
    }

    /// It is deleted, on disk or by undo, while somebody types in its form: the text does not bring it back.
    void whatIsTypedForADeletedAliasIsForgotten() {
        openPolicy();
        m_page = std::make_unique<AccessPage>(test::leavingInspector(*m_harness), nullptr, config::Environment([](const std::string&) { return std::optional<std::string>(); }));
        m_page->open({{QStringLiteral("list"), QStringLiteral("aliases")}, {QStringLiteral("name"), QStringLiteral("fast")}});
        line("target")->setText(QStringLiteral("lab:gemma-4-31b"));
        line("target")->setModified(true);
        QVERIFY(m_harness->document.editConfig(QStringLiteral("test"), [](std::string_view text) { return config::removeValue(text, {"aliases", "fast"}); }).has_value());
        QVERIFY(m_harness->inspected == nullptr);
        QVERIFY2(m_harness->document.configText().find("fast =") == std::string::npos, m_harness->document.configText().c_str());
    }

    // The way back may name what an edit took away: the sheet of another one does not stand for it.
    void aLinkToWhatIsGoneSaysSo() {
        openPolicy();
        m_page->open({{QStringLiteral("list"), QStringLiteral("aliases")}, {QStringLiteral("name"), QStringLiteral("fast")}});
        QVERIFY(m_harness->inspected != nullptr);
        m_page->open({{QStringLiteral("list"), QStringLiteral("aliases")}, {QStringLiteral("name"), QStringLiteral("gone")}});
        QCOMPARE(m_harness->sayings, QStringList{QStringLiteral("gone is not in what is open")});
        QVERIFY(m_harness->inspected == nullptr && !m_page->state().contains(QStringLiteral("name")));
        m_page->open({{QStringLiteral("list"), QStringLiteral("prices")}, {QStringLiteral("name"), QStringLiteral("cloud")}, {QStringLiteral("model"), QStringLiteral("old")}});
        QCOMPARE(m_harness->sayings.last(), QStringLiteral("cloud:old is not in what is open"));
        list(QStringLiteral("principals"));  // nothing of it was asked for
        QCOMPARE(m_harness->sayings.size(), 2);
    }

    void aRenamedAliasKeepsItsPlaceAndItsComment() {
        openPolicy(QStringLiteral("fast = \"cloud:flash\""), QStringLiteral("# for batch jobs\nfast = \"cloud:flash\"  # until March\nslow = \"lab:gemma-4-31b\""));
        const QString before = QString::fromStdString(m_harness->document.configText());
        m_page->open({{QStringLiteral("list"), QStringLiteral("aliases")}, {QStringLiteral("name"), QStringLiteral("fast")}});
        type("name", QStringLiteral("quick"));
        QTRY_COMPARE(m_harness->inspectedTitle, QStringLiteral("Alias quick"));
        QCOMPARE(QString::fromStdString(m_harness->document.configText()), QString(before).replace(QStringLiteral("fast ="), QStringLiteral("quick =")));
        type("name", QStringLiteral("slow"));
        QVERIFY(editor("name")->isRefused());
    }

    void aBudgetThatIsOverIsColoured() {
        openPolicy();
        m_harness->target->setPrincipals({{"support-bot", 3, 43.0, true}});
        show(QStringLiteral("principals"), 0);
        m_page->show();
        const auto budget = [this]() -> ToneText* { return m_harness->inspected->findChild<ToneText*>(); };
        QTRY_VERIFY(budget() != nullptr && budget()->tone() == Tone::caution);
        QVERIFY(budget()->text().startsWith(QStringLiteral("Over its soft budget")));
    }

    void spendFollowsTheGateway() {
        m_harness->target->setPrincipals({{"support-bot", 12, 45.0, true}, {"research", 0, 3.0, true}});
        openPolicy();
        m_page->show();
        const auto spend = [this] { return table(QStringLiteral("principals"))->model()->index(0, 6); };
        QTRY_COMPARE(spend().data().toString(), QStringLiteral("$45.00 of $50.00"));
        QCOMPARE(spend().data(ShareRole).toDouble(), 0.9);
        QCOMPARE(spend().data(ToneRole).toInt(), static_cast<int>(Tone::caution));
        show(QStringLiteral("principals"), 0);
        QCOMPARE(m_harness->inspected->findChild<QProgressBar*>()->value(), 900);
        m_harness->target->setPrincipals({{"support-bot", 12, 51.0, true}, {"research", 0, 3.0, true}});
        QTRY_COMPARE(spend().data(ToneRole).toInt(), static_cast<int>(Tone::danger));
        QTRY_COMPARE(m_harness->inspected->findChild<QProgressBar*>()->value(), 1000);
    }

    // The inspector scrolls with the wheel; what the pointer happens to be over does not change by that.
    void theWheelChangesNothing() {
        openPolicy();
        const std::string before = m_harness->document.configText();
        show(QStringLiteral("providers"), 0);
        auto* box = editor("protocol")->findChild<QComboBox*>();
        QWheelEvent event(QPointF(4, 4), QPointF(4, 4), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(box, &event);
        QCOMPARE(box->currentIndex(), 3);
        QVERIFY(m_harness->document.configText() == before);
    }

    void smartAliasesLeadToTheirGroup() {
        openPolicy();
        m_page->open({{QStringLiteral("list"), QStringLiteral("aliases")}, {QStringLiteral("name"), QStringLiteral("auto")}});
        m_harness->inspected->findChild<QPushButton*>()->click();
        QCOMPARE(m_harness->visits.back().first, QStringLiteral("groups"));
        QCOMPARE(m_harness->visits.back().second.value(QStringLiteral("group")).toString(), QStringLiteral("auto"));
        QVERIFY(!action(QStringLiteral("Delete"))->isEnabled());
    }

    void everyControlHasAName() {
        openPolicy();
        for (const char* name : {"principals", "providers", "prices", "aliases"})
            for (int row = 0; row < table(QLatin1String(name))->model()->rowCount(); ++row) {
                show(QLatin1String(name), row);
                for (const QWidget* widget : m_harness->inspected->findChildren<QWidget*>())
                    if (widget->focusPolicy() != Qt::NoFocus && (qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QPlainTextEdit*>(widget)))
                        QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
            }
    }

    void withoutAConfigurationThePageTeaches() {
        m_page = std::make_unique<AccessPage>(m_harness->context());
        QVERIFY(!action(QStringLiteral("Add principal"))->isEnabled());
        QStringList texts;
        for (const QLabel* label : m_page->findChildren<QLabel*>()) texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("No principals yet")));
    }

private:
    void openPolicy(const QString& instead = {}, const QString& with = {}) {
        m_variables = {{"SUPPORT_TOKEN", "s3cr3t-token"}, {"EMPTY", ""}};
        const QString folder = m_harness->folder.path();
        QVERIFY(QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json"), folder + QStringLiteral("/routing-table.json")));
        QFile file(folder + QStringLiteral("/gateway.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QString text = QString::fromUtf8(kAccessPolicy);
        if (!instead.isEmpty()) text.replace(instead, with);
        file.write(text.toUtf8());
        file.close();
        m_page = std::make_unique<AccessPage>(m_harness->context(), nullptr, [this](const std::string& name) -> std::optional<std::string> {
            const auto at = m_variables.find(name);
            return at == m_variables.end() ? std::nullopt : std::optional(at->second);
        });
        QVERIFY(m_harness->open(folder));
    }
    [[nodiscard]] TableView* table(const QString& name) const { return m_page->findChild<TableView*>(name); }
    void list(const QString& name) { m_page->open({{QStringLiteral("list"), name}}); }
    void show(const QString& name, int row) {
        list(name);
        table(name)->selectSourceRow(-1);
        table(name)->selectSourceRow(row);
    }
    [[nodiscard]] QString rows(const QString& name) const {
        QStringList lines;
        const QAbstractItemModel* model = table(name)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column) cells << model->index(row, column).data().toString();
            lines << cells.join(QLatin1Char('|'));
        }
        return lines.join(QLatin1Char('\n'));
    }
    [[nodiscard]] QAction* action(const QString& text) const {
        for (QAction* one : m_page->pageActions())
            if (one->text() == text) return one;
        return nullptr;
    }
    [[nodiscard]] FieldEditor* editor(const char* key) const { return m_harness->inspected->findChild<FieldEditor*>(QLatin1String(key)); }
    [[nodiscard]] QLineEdit* line(const char* key) const { return editor(key)->findChild<QLineEdit*>(); }
    [[nodiscard]] QComboBox* restriction(const char* key) const { return editor(key)->findChild<QComboBox*>(); }
    [[nodiscard]] QString lines(const char* key) const { return editor(key)->findChild<QPlainTextEdit*>()->toPlainText(); }
    [[nodiscard]] QLabel* originLabel(const char* key) const {
        for (QLabel* label : editor(key)->findChildren<QLabel*>())
            if (!label->toolTip().isEmpty()) return label;
        return nullptr;
    }
    [[nodiscard]] QString origin(const char* key) const { return originLabel(key)->text(); }
    [[nodiscard]] QString originPlace(const char* key) const { return originLabel(key)->toolTip(); }
    [[nodiscard]] QString spoken(const char* key) const {
        QStringList texts;
        for (const QLabel* label : editor(key)->findChildren<QLabel*>()) texts << label->text();
        return texts.join(QLatin1Char(' '));
    }
    static void leave(QWidget* control) {
        QFocusEvent event(QEvent::FocusOut, Qt::TabFocusReason);
        QCoreApplication::sendEvent(control, &event);
    }
    void type(const char* key, const QString& text) {
        QLineEdit* control = line(key);
        control->selectAll();
        if (text.isEmpty()) QTest::keyClick(control, Qt::Key_Delete);
        else QTest::keyClicks(control, text);
        QTest::keyClick(control, Qt::Key_Return);
    }
    static void enter(NewEntryForm* form, const char* key, const QString& text) {
        form->findChild<FieldEditor*>(QLatin1String(key))->findChild<QLineEdit*>()->setText(text);
    }
    static void press(NewEntryForm* form) { form->findChild<QPushButton*>()->click(); }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<AccessPage> m_page;
    std::map<std::string, std::string> m_variables;
};

QTEST_MAIN(AccessPageTest)
#include "tst_access_page.moc"
