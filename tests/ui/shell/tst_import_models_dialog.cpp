// SPDX-License-Identifier: MIT
// A models registry is looked at before it is added to the draft, and added as one step.
#include "tests/ui/document/draft_harness.h"
#include "ui/shell/import_control.h"
#include "ui/shell/import_dialog.h"
#include "ui/theme/theme.h"

#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

class ImportModelsDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        m_world = std::make_unique<DraftHarness>();
        m_window = std::make_unique<QWidget>();
        m_action = std::make_unique<QAction>();
        m_complaints.clear();
        PageContext context;
        context.document = m_world->document.get();
        context.complain = [this](const Error& error) { m_complaints.push_back(error); };
        context.say = [](const QString&) {};
        context.inspect = [](QWidget* content, const QString&) { delete content; };
        m_control = new ImportControl(context, m_action.get(), m_window.get());
        QVERIFY(!m_action->isEnabled());
        QVERIFY(m_world->open());
        QVERIFY(m_action->isEnabled());
    }
    void cleanup() {
        m_window.reset();
        m_action.reset();
        m_world.reset();
    }

    void isOneStepThatUndoTakesBack() {
        const std::string before = document().configText();
        ImportDialog* dialog = importOf("fleet.yaml");
        QVERIFY(dialog != nullptr);
        auto* list = dialog->findChild<QTreeWidget*>();
        QVERIFY(list->topLevelItemCount() >= 3);
        int entries = 0;
        for (int i = 0; i < list->topLevelItemCount(); ++i) entries += list->topLevelItem(i)->childCount();
        QVERIFY(entries > 10);
        QVERIFY2(list->topLevelItem(0)->text(0).startsWith(QStringLiteral("Not carried")), qPrintable(list->topLevelItem(0)->text(0)));
        QVERIFY(!document().isDirty());
        dialog->findChild<QPushButton*>(QStringLiteral("import.apply"))->click();
        QTRY_VERIFY(document().isDirty());
        QCOMPARE(document().changeCount(), 1);
        QVERIFY(document().workspace()->writtenConfig->findModel("basalt-fast") != nullptr);
        document().undoStack()->undo();
        QCOMPARE(document().configText(), before);
        QVERIFY(m_complaints.empty());
    }

    void cancelLeavesTheDraft() {
        ImportDialog* dialog = importOf("fleet.yaml");
        QVERIFY(dialog != nullptr);
        dialog->findChild<QPushButton*>(QStringLiteral("import.cancel"))->click();
        QVERIFY(!document().isDirty());
    }

    void theSameAgainHasNothingToAdd() {
        importOf("fleet.yaml")->accept();
        QTRY_VERIFY(document().isDirty());
        ImportDialog* again = importOf("fleet.yaml");
        QVERIFY(again != nullptr);
        QVERIFY(!again->findChild<QPushButton*>(QStringLiteral("import.apply"))->isEnabled());
    }

    void aDraftEditedMeanwhileIsNotOverwritten() {
        ImportDialog* dialog = importOf("fleet.yaml");
        QVERIFY(dialog != nullptr);
        QVERIFY(document().editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        dialog->accept();
        QTRY_COMPARE(m_complaints.size(), std::size_t(1));
        QVERIFY(m_complaints.front().kind == ErrorKind::conflict);
        QCOMPARE(document().changeCount(), 1);
    }

    void keysAreNamedAndNotShown() {
        ImportDialog* dialog = importOf("spelled_out.yaml");
        QVERIFY(dialog != nullptr);
        auto* variables = dialog->findChild<QLabel*>(QStringLiteral("import.variables"));
        QVERIFY(variables != nullptr && variables->text().contains(QStringLiteral("OPENROUTER_API_KEY_2")));
        QString all;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) all += label->text();
        auto* list = dialog->findChild<QTreeWidget*>();
        for (int i = 0; i < list->topLevelItemCount(); ++i)
            for (int j = 0; j < list->topLevelItem(i)->childCount(); ++j)
                for (int column = 0; column < 3; ++column) all += list->topLevelItem(i)->child(j)->text(column);
        QVERIFY(!all.contains(QStringLiteral("PLANTED"), Qt::CaseInsensitive));
    }

    void aBrokenRegistryIsToldWithItsPlace() {
        m_world->put("broken.yaml", "models:\n\t- x\n");
        m_control->importFile(m_world->file("broken.yaml"));
        QTRY_COMPARE(m_complaints.size(), std::size_t(1));
        QVERIFY2(m_complaints.front().where.find("broken.yaml:2:") != std::string::npos, m_complaints.front().where.c_str());
        m_control->importFile(m_world->file("nowhere.yaml"));
        QTRY_COMPARE(m_complaints.size(), std::size_t(2));
        QVERIFY(m_window->findChild<ImportDialog*>() == nullptr);
    }

    void theActionAsksForAFile() {
        m_action->trigger();
        auto* chooser = m_window->findChild<QFileDialog*>(QStringLiteral("import.file"));
        QVERIFY(chooser != nullptr);
        chooser->reject();
    }

private:
    /// Null when no dialog came up.
    ImportDialog* importOf(const char* name) {
        m_control->importFile(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/data/registries/") + QString::fromLatin1(name));
        const auto shown = [this]() -> ImportDialog* {
            for (auto* dialog : m_window->findChildren<ImportDialog*>())
                if (dialog->isVisible()) return dialog;
            return nullptr;
        };
        static_cast<void>(QTest::qWaitFor([&] { return shown() != nullptr; }, 10'000));
        return shown();
    }
    PolicyDocument& document() const { return *m_world->document; }

    std::unique_ptr<DraftHarness> m_world;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<QAction> m_action;
    ImportControl* m_control = nullptr;
    std::vector<Error> m_complaints;
};

QTEST_MAIN(ImportModelsDialogTest)
#include "tst_import_models_dialog.moc"
