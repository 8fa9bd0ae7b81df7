// SPDX-License-Identifier: MIT
#include "tests/support/held_workers.h"
#include "tests/ui/shell/draft_window.h"
#include "ui/dialogs/conflict_dialog.h"
#include "ui/shell/inspector.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/lamp.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

#include <optional>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

static const auto kMorePercent = replacing("activation_percent = 0", "activation_percent = 5");

namespace {

/// Nothing of this test is about a page.
class BlankPage : public Page {
public:
    using Page::Page;
    QString id() const override { return QStringLiteral("blank"); }
    QString name() const override { return QStringLiteral("Blank"); }
    QString question() const override { return QStringLiteral("Is anything here?"); }
    QString iconName() const override { return QStringLiteral("overview"); }
};

std::vector<PageEntry> blankPage() {
    return {{PageGroup::now, [](PageContext context, QWidget* parent) -> Page* { return new BlankPage(std::move(context), parent); }}};
}

}  // namespace

class DraftWindowTest : public QObject, private test::DraftWindow {
    Q_OBJECT
public:
    DraftWindowTest() : DraftWindow(blankPage()) {}

private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        makeWorld();
    }
    void cleanup() { dropWorld(); }

    void titleLampAndActionsFollowTheDraft() {
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(!action("file.save")->isEnabled() && !action("edit.undo")->isEnabled());
        edit();
        QVERIFY(m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("[*]")));
        QCOMPARE(lamp("lamp.draft")->text(), QStringLiteral("draft +1"));
        QVERIFY(lamp("lamp.draft")->tone() == Tone::canary);
        QVERIFY2(action("edit.undo")->text().contains(QStringLiteral("share")), qPrintable(action("edit.undo")->text()));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!document().isDirty());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(document().isDirty());
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!m_window->isWindowModified());
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 5"));
    }

    void draftLampSaysWhatElseAnApplyChanges() {
        m_gateway->startAction()->trigger();
        QTRY_COMPARE(lamp("lamp.draft")->text(), QStringLiteral("draft runs"));
        QVERIFY(m_world->document->editConfig(QStringLiteral("port"), replacing("127.0.0.1:38082", "127.0.0.1:38083")));
        QVERIFY2(lamp("lamp.draft")->toolTip().contains(QStringLiteral("but at another address")), qPrintable(lamp("lamp.draft")->toolTip()));
    }

    void draftLampOpensTheListOfChanges() {
        edit();
        lamp("lamp.draft")->click();
        auto* inspector = m_window->findChild<Inspector*>();
        QVERIFY(inspector->isVisible() && !inspector->isEmpty());
        QStringList texts;
        for (const QLabel* label : inspector->findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.contains(QStringLiteral("share")), qPrintable(texts.join(QLatin1Char('\n'))));
    }

    // Saved, and not what runs: what an apply would change is what the lamp is about.
    void draftLampLeadsToWhatDiffers() {
        m_gateway->startAction()->trigger();
        QTRY_COMPARE(lamp("lamp.draft")->text(), QStringLiteral("draft runs"));
        edit();
        QVERIFY(m_world->save());
        QTRY_COMPARE(lamp("lamp.draft")->text(), QStringLiteral("draft differs"));
        lamp("lamp.draft")->click();
        const auto* inspector = m_window->findChild<Inspector*>();
        QVERIFY(inspector->isVisible());
        QStringList texts;
        for (const QLabel* label : inspector->findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.contains(QStringLiteral("routing.activation_percent")), qPrintable(texts.join(QLatin1Char('\n'))));
    }

    void revertCanItselfBeTakenBack() {
        edit();
        action("file.revert")->trigger();
        QVERIFY(!document().isDirty());
        action("edit.undo")->trigger();
        QVERIFY(document().isDirty());
    }

    void closingADirtyWindowAsks_data() {
        QTest::addColumn<int>("answer");
        QTest::addColumn<bool>("closes");
        QTest::addColumn<bool>("saves");
        QTest::addColumn<bool>("keeps");
        QTest::addRow("save") << int{QMessageBox::Save} << true << true << false;
        QTest::addRow("discard") << int{QMessageBox::Discard} << true << false << false;
        QTest::addRow("cancel") << int{QMessageBox::Cancel} << false << false << true;
    }
    void closingADirtyWindowAsks() {
        QFETCH(int, answer);
        QFETCH(bool, closes);
        QFETCH(bool, saves);
        QFETCH(bool, keeps);
        edit();
        QTRY_COMPARE(m_world->kept().size(), 1);
        m_window->close();
        QVERIFY(m_window->isVisible());
        auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("unsavedQuestion"));
        QVERIFY(box != nullptr);
        box->button(static_cast<QMessageBox::StandardButton>(answer))->click();
        QTRY_COMPARE(m_window->isVisible(), !closes);
        QCOMPARE(m_world->get("gateway.toml").contains("activation_percent = 5"), saves);
        QTRY_COMPARE(!m_world->kept().isEmpty(), keeps);
    }

    void savingToCloseSavesWhatCameMeanwhileToo() {
        edit();
        HeldWorkers workers;
        action("file.save")->trigger();
        QVERIFY(document().isSaving());
        QVERIFY(document().editConfig(QStringLiteral("more"), replacing("activation_percent = 5", "activation_percent = 6")));
        m_window->close();
        answer(QMessageBox::Save);
        workers.release();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 6"));
    }

    void savingToCloseIsOverOnceTheFilesWereReadInstead() {
        edit();
        m_world->put("gateway.toml", "# theirs\n" + m_world->get("gateway.toml"));
        HeldWorkers workers;
        document().reload();
        m_window->close();
        answer(QMessageBox::Save);
        workers.release();
        QTRY_VERIFY(!document().isLoading());
        QVERIFY(m_window->isVisible());
        QVERIFY(said().contains(QStringLiteral("before anything was saved")));
        edit();
        QVERIFY(m_world->save());
        QCoreApplication::processEvents();
        QVERIFY(m_window->isVisible());  // an ordinary save closes nothing
        QVERIFY(m_world->get("gateway.toml").startsWith("# theirs"));
    }

    void savingToCloseGoesOnWhenTheFilesCannotBeRead() {
        edit();
        m_world->put("routing-table.json", "{");
        HeldWorkers workers;
        document().reload();
        m_window->close();
        answer(QMessageBox::Save);
        workers.release();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 5"));
    }

    // A long policy is checked on a worker.
    void savingWhileClosingWaitsForACheckDoesBoth_data() {
        QTest::addColumn<bool>("saveFirst");
        QTest::addRow("closed, then saved") << false;
        QTest::addRow("saved, then closed") << true;
    }
    void savingWhileClosingWaitsForACheckDoesBoth() {
        QFETCH(bool, saveFirst);
        makeLongWorld();
        HeldWorkers workers;
        edit();
        if (saveFirst) action("file.save")->trigger();
        m_window->close();
        if (!saveFirst) action("file.save")->trigger();
        QVERIFY(document().isChecking() && m_window->isVisible());
        workers.release();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(question() == nullptr);
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 5"));
    }

    // The edit is checked, and by then files are being read.
    void savingWaitsForFilesThatAreReadMeanwhile_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<bool>("saves");
        QTest::addRow("which are shown instead") << QByteArray() << false;
        QTest::addRow("which cannot be read") << QByteArray("{") << true;
    }
    void savingWaitsForFilesThatAreReadMeanwhile() {
        QFETCH(QByteArray, table);
        QFETCH(bool, saves);
        makeLongWorld();
        std::optional<HeldWorkers> reading;
        connect(&document(), &PolicyDocument::busyChanged, m_window.get(), [this, &reading] {
            if (document().isChecking() || reading) return;
            reading.emplace();
            document().reload();
        });
        edit();
        action("file.save")->trigger();
        QTRY_VERIFY(document().isDirty());
        QCoreApplication::processEvents();
        QVERIFY(document().isLoading() && !document().isSaving());
        if (table.isEmpty()) m_world->put("gateway.toml", "# theirs\n" + m_world->get("gateway.toml"));
        else m_world->put("routing-table.json", table);
        reading->release();
        QTRY_VERIFY(!document().isLoading());
        QTRY_COMPARE(m_world->get("gateway.toml").contains("activation_percent = 5"), saves);
        QCOMPARE(said().contains(QStringLiteral("before anything was saved")), !saves);
    }

    void theQuestionEndsWithTheChangesItIsAbout() {
        edit();
        m_window->close();
        QVERIFY(question() != nullptr && question()->isVisible());
        document().reload();
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(m_window->isVisible());
    }

    void cleanWindowClosesWithoutAWord() {
        m_window->close();
        QVERIFY(!m_window->isVisible());
    }

    void F85_conflictIsShownAndTheirsCanBeRead() {
        edit();
        const QByteArray theirs = "# theirs\n" + m_world->get("gateway.toml");
        m_world->put("gateway.toml", theirs);
        action("file.save")->trigger();
        QTRY_VERIFY(m_window->findChild<ConflictDialog*>() != nullptr);
        auto* dialog = m_window->findChild<ConflictDialog*>();
        dialog->findChild<QPushButton*>(QStringLiteral("conflict.theirs"))->click();
        QTRY_COMPARE(document().configText(), theirs.toStdString());
        QVERIFY(!document().isDirty());
        action("edit.undo")->trigger();
        QVERIFY(document().configText().find("activation_percent = 5") != std::string::npos);
    }

    void bannerAboutTheDiskStaysWhileOneEdits() {
        edit();
        m_world->put("routing-table.json", m_world->get("routing-table.json") + "\n");
        auto* banner = m_window->findChild<ErrorBanner*>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 10'000);
        QVERIFY(document().editConfig(QStringLiteral("more"), replacing("activation_percent = 5", "activation_percent = 6")));
        QVERIFY(banner->isVisible());
    }

    void draftOfTheLastSessionIsOffered() {
        editAndBeginAnew();
        auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("recoveryQuestion"));
        QVERIFY(box != nullptr);
        for (QAbstractButton* button : box->buttons())
            if (button->text().contains(QStringLiteral("Bring them back"))) button->click();
        QTRY_VERIFY(document().isDirty());
        QVERIFY(document().configText().find("activation_percent = 5") != std::string::npos);
    }

    void aRefusedDraftOfTheLastSessionCanBeTriedAgain() {
        refuseTheDraftOfTheLastSession();
        if (QTest::currentTestFailed()) return;
        auto* banner = m_window->findChild<ErrorBanner*>();
        QVERIFY2(banner->accessibleDescription().contains(QStringLiteral("They stay kept")), qPrintable(banner->accessibleDescription()));
        QVERIFY(!document().isDirty());
        m_world->environment.clear();
        for (auto* button : banner->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Try again")) button->click();
        QTRY_VERIFY(document().isDirty());
        QVERIFY(document().configText().find("activation_percent = 5") != std::string::npos);
        QVERIFY(!banner->isVisible());
    }

    // Whoever saves something else meanwhile has not answered it.
    void aSaveLeavesTheWayToARefusedDraft() {
        refuseTheDraftOfTheLastSession();
        if (QTest::currentTestFailed()) return;
        auto* banner = m_window->findChild<ErrorBanner*>();
        m_world->environment.clear();
        QSignalSpy saved(&document(), &PolicyDocument::saved);
        QVERIFY(document().editConfig(QStringLiteral("other"), replacing("activation_percent = 0", "activation_percent = 6")));
        action("file.save")->trigger();
        QTRY_COMPARE(saved.count(), 1);
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->accessibleDescription().contains(QStringLiteral("They stay kept")), qPrintable(banner->accessibleDescription()));
    }

    void killSwitchIsOneKeyAndALoudLamp() {
        m_gateway->startAction()->trigger();
        QTRY_COMPARE(lamp("lamp.mode")->text(), QStringLiteral("mode off"));
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(lamp("lamp.mode")->text(), QStringLiteral("smart routing off by hand"));
        QVERIFY(lamp("lamp.mode")->tone() == Tone::danger);
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(lamp("lamp.mode")->text(), QStringLiteral("mode off"));
    }

    void modeLampOpensTheDial() {
        lamp("lamp.mode")->click();
        auto* popup = m_window->findChild<QFrame*>(QStringLiteral("modePopup"));
        QVERIFY(popup != nullptr && popup->isVisible());
        popup->findChild<QPushButton*>(QStringLiteral("mode.shadow"))->click();
        QVERIFY(document().workspace()->writtenConfig->routing.mode == config::RoutingMode::shadow);
        popup->close();
    }

private:
    /// Edits, and opens the workspace in a session that finds the draft.
    void editAndBeginAnew() {
        edit();
        m_window.reset();
        m_gateway.reset();
        m_world->start();
        makeWindow();
        QVERIFY(m_world->open());
    }

    /// Edits, begins anew, and finds that the environment keeps what was edited from coming back.
    void refuseTheDraftOfTheLastSession() {
        editAndBeginAnew();
        m_world->environment["SIGNALBOX_SMART_ROUTING_MODE"] = "sideways";
        for (QAbstractButton* button : m_window->findChild<QMessageBox*>(QStringLiteral("recoveryQuestion"))->buttons())
            if (button->text().contains(QStringLiteral("Bring them back"))) button->click();
        QTRY_VERIFY(m_window->findChild<ErrorBanner*>()->isVisible());
    }
    QString said() const { return m_window->findChild<QLabel*>(QStringLiteral("statusMessage"))->text(); }
    QMessageBox* question() const { return m_window->findChild<QMessageBox*>(QStringLiteral("unsavedQuestion")); }
    void answer(QMessageBox::StandardButton button) {
        QVERIFY(question() != nullptr);
        question()->button(button)->click();
    }
    void edit() { QVERIFY(document().editConfig(QStringLiteral("share"), kMorePercent)); }
    Lamp* lamp(const char* name) const { return m_window->findChild<Lamp*>(QString::fromLatin1(name)); }
    QAction* action(const char* name) const {
        for (QAction* action : m_window->actions())
            if (action->objectName() == QLatin1String(name)) return action;
        qFatal("there is no action %s", name);
    }
};

QTEST_MAIN(DraftWindowTest)
#include "tst_draft_window.moc"
