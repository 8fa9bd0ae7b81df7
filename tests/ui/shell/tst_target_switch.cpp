// SPDX-License-Identifier: MIT
// The switch on top of the navigation moves what is live, asks before anything is done elsewhere, and draws a gateway
// that cannot be reached.
#include "tests/support/console_fixture.h"
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "ui/dialogs/target_dialog.h"
#include "ui/shell/target_button.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/widgets/lamp.h"
#include "ui/widgets/tone_label.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class TargetSwitchTest : public QObject {
    Q_OBJECT

    std::unique_ptr<test::ConsoleFixture> m_console;

    MainWindow& window() { return *m_console->window; }
    TargetButton* button() { return window().findChild<TargetButton*>(); }
    ErrorBanner* banner() { return window().findChild<ErrorBanner*>(); }
    Lamp* lamp() { return window().findChild<Lamp*>(QStringLiteral("lamp.gateway")); }
    QPushButton* bannerButton() {
        for (auto* one : banner()->findChildren<QPushButton*>())
            if (one->isVisible()) return one;
        return nullptr;
    }
    void goAway() {
        engine::TargetStatus status = m_console->elsewhere->status();
        status.state = engine::GatewayState::failed;
        status.unreachableSince = status.heardAt + std::chrono::seconds(2);
        status.lastError = "https://gw.example:38082: nothing listens there. Look whether it runs, and at its address.";
        m_console->elsewhere->setStatus(status);
    }

private Q_SLOTS:
    void init() {
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
    }
    void cleanup() { m_console.reset(); }

    void theSwitchMovesWhatIsLive() {
        QCOMPARE(button()->text(), QStringLiteral("local"));
        QVERIFY(lamp()->text().contains(QStringLiteral("127.0.0.1:38082")));
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        QTRY_COMPARE(button()->text(), QStringLiteral("prod-a"));
        QVERIFY2(lamp()->text().contains(QStringLiteral("prod-a")) && lamp()->text().contains(QStringLiteral("gw.example")), qPrintable(lamp()->text()));
        // The menu says where we are, and leads back.
        const auto choices = button()->chooseActions();
        QCOMPARE(choices.size(), 2);
        QVERIFY(choices.at(1)->isChecked() && !choices.at(0)->isChecked());
        choices.at(0)->trigger();
        QTRY_COMPARE(button()->text(), QStringLiteral("local"));
        QVERIFY(lamp()->text().contains(QStringLiteral("127.0.0.1:38082")));
    }

    void pagesThatReadRecordsSayWhose() {
        const auto saying = [this](const char* page) {  // what stands there; nothing when nothing is shown
            window().go(QString::fromLatin1(page));
            const auto* label = window().page(QString::fromLatin1(page))->findChild<ToneLabel*>(QStringLiteral("whoseRecords"));
            return label != nullptr && label->isVisible() ? label->text() : QString();
        };
        m_console->gateway->setHome(SIGNALBOX_SOURCE_DIR "/resources/demo", {});
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        for (const char* page : {"history", "shadow", "rules", "presets", "groups"})
            QVERIFY2(saying(page).startsWith(QStringLiteral("You look at prod-a. The records on this page are of demo;")), qPrintable(saying(page)));
        m_console->targets->choose({}, [](const Result<void>&) {});
        for (const char* page : {"history", "shadow", "rules", "presets", "groups"}) QVERIFY2(saying(page).isEmpty(), page);
    }

    void anAmpersandOfANameIsNoShortcut() {
        m_console->lookElsewhere(QStringLiteral("R&D"));
        QTRY_COMPARE(button()->text(), QStringLiteral("R&&D"));
        QVERIFY(button()->accessibleName().contains(QStringLiteral("R&D,")));
        QVERIFY(button()->chooseActions().at(1)->text().startsWith(QStringLiteral("R&&D  (")));
    }

    void startAndStopAreOfItsOwnGatewayOnly() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        QTRY_VERIFY(!m_console->gateway->stopAction()->isEnabled());
        QVERIFY(!m_console->gateway->startAction()->isEnabled());
        QVERIFY(m_console->gateway->stopAction()->toolTip().contains(QStringLiteral("where it runs")));
        m_console->targets->choose({}, [](const Result<void>&) {});
        QTRY_VERIFY(m_console->gateway->stopAction()->isEnabled());
    }

    void theKillSwitchElsewhereIsAskedAboutByName() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        m_console->gateway->killAction()->trigger();
        QTRY_VERIFY(banner()->isVisible());
        QVERIFY(banner()->accessibleDescription().contains(QStringLiteral("prod-a")));
        QVERIFY(!m_console->elsewhere->status().killed);
        QVERIFY(!m_console->gateway->killAction()->isChecked());
        QVERIFY(bannerButton() != nullptr && bannerButton()->text().contains(QStringLiteral("prod-a")));
        bannerButton()->click();
        QTRY_VERIFY(m_console->elsewhere->status().killed);
        QVERIFY(!m_console->target->status().killed);
    }

    void aQuestionEndsWithTheLookThatAskedIt() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        m_console->gateway->killAction()->trigger();
        QTRY_VERIFY(banner()->isVisible());
        m_console->targets->choose({}, [](const Result<void>&) {});
        QTRY_VERIFY(!banner()->isVisible());
        // Of its own gateway it is one click.
        m_console->gateway->killAction()->trigger();
        QTRY_VERIFY(m_console->target->status().killed);
        QVERIFY(!m_console->elsewhere->status().killed);
    }

    void applyElsewhereIsAskedAboutAndTakesSavedFiles() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        engine::TargetStatus status = m_console->elsewhere->status();
        m_console->elsewhere->setStatus(status);
        QTRY_VERIFY(!m_console->gateway->applyAction()->isEnabled());  // it runs what is open
        QVERIFY(!m_console->gateway->draftDiffers());
    }

    void endpointActionsElsewhereNameTheGateway() {
        test::tellStory(*m_console->elsewhere);
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        window().go(QStringLiteral("endpoints"), {{QStringLiteral("endpoint"), QStringLiteral("lab_a:gemma-4-26b")}});
        QTRY_COMPARE(window().currentPage()->state().value(QStringLiteral("endpoint")).toString(), QStringLiteral("lab_a:gemma-4-26b"));
        QTRY_VERIFY(window().currentPage()->pageActions().at(1)->isEnabled());
        window().currentPage()->pageActions().at(1)->trigger();  // take it back: of its own gateway nobody is asked
        auto* asked = window().currentPage()->findChild<ErrorBanner*>();
        QTRY_VERIFY(asked->isVisible());
        QVERIFY2(asked->accessibleDescription().contains(QStringLiteral("On prod-a: ")), qPrintable(asked->accessibleDescription()));
    }

    void aGatewayThatCannotBeReachedIsDrawn() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        goAway();
        QTRY_COMPARE(lamp()->tone(), Tone::danger);
        QVERIFY2(lamp()->text().contains(QStringLiteral("not reached since")), qPrintable(lamp()->text()));
        QVERIFY(button()->accessibleName().contains(QStringLiteral("not reached")));
        QVERIFY(button()->toolTip().contains(QStringLiteral("Last heard")));
        // What is not known is not made up.
        for (const char* name : {"lamp.mode", "lamp.evidence"}) {
            auto* other = window().findChild<Lamp*>(QString::fromLatin1(name));
            QVERIFY2(other->tone() == Tone::idle && other->text().contains(QStringLiteral("not known")), qPrintable(other->text()));
        }
        QVERIFY(window().findChild<Lamp*>(QStringLiteral("lamp.draft"))->text().contains(QStringLiteral("not compared")));
        window().go(QStringLiteral("endpoints"));
        auto* answer = window().findChild<QLabel*>(QStringLiteral("pageAnswer"));
        if (answer != nullptr) QTRY_VERIFY(answer->text().contains(QStringLiteral("not reached since")));
        window().go(QStringLiteral("gateway"));
        QVERIFY(!m_console->gateway->killAction()->isEnabled());
        window().go(QStringLiteral("overview"));
        QVERIFY(!m_console->gateway->startAction()->isEnabled());
    }

    void addingOneTestsItFirstAndSaysWhatIsWrong() {
        button()->addAction()->trigger();
        auto* dialog = window().findChild<TargetDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* add = dialog->findChild<QPushButton*>(QStringLiteral("target.add"));
        auto* test = dialog->findChild<QPushButton*>(QStringLiteral("target.test"));
        auto* url = dialog->findChild<QLineEdit*>(QStringLiteral("target.url"));
        auto* source = dialog->findChild<QComboBox*>(QStringLiteral("target.source"));
        auto* token = dialog->findChild<QLineEdit*>(QStringLiteral("target.token"));
        auto* outcome = dialog->findChild<ToneLabel*>(QStringLiteral("target.outcome"));
        QVERIFY(!add->isEnabled() && !test->isEnabled());
        QCOMPARE(source->currentIndex(), 1);  // there is no keyring
        dialog->findChild<QLineEdit*>(QStringLiteral("target.name"))->setText(QStringLiteral("prod-b"));
        url->setText(QStringLiteral("gw.example:38082"));
        QVERIFY(test->isEnabled() && add->isEnabled());
        // The keyring is chosen although there is none, with a token that is not good.
        source->setCurrentIndex(0);
        token->setText(QStringLiteral("bad"));
        test->click();
        QTRY_COMPARE(outcome->tone(), Tone::danger);
        QVERIFY2(outcome->text().contains(QStringLiteral("does not accept this admin token")), qPrintable(outcome->text()));
        token->setText(QStringLiteral("good"));
        test->click();
        QTRY_COMPARE(outcome->tone(), Tone::clear);
        add->click();
        QTRY_COMPARE(outcome->tone(), Tone::danger);
        QVERIFY2(outcome->text().contains(QStringLiteral("keyring"), Qt::CaseInsensitive), qPrintable(outcome->text()));
        QVERIFY(m_console->targets->all().isEmpty());
        source->setCurrentIndex(1);
        add->click();
        QTRY_VERIFY(!dialog->isVisible());
        QCOMPARE(m_console->targets->all().size(), 1);
        QCOMPARE(m_console->targets->all().front().url, QStringLiteral("http://gw.example:38082"));
        QTRY_COMPARE(button()->text(), QStringLiteral("prod-b"));
    }

    void forgettingAsksFirst() {
        m_console->lookElsewhere(QStringLiteral("prod-a"));
        QAction* forget = nullptr;
        for (QAction* action : button()->targetMenu()->actions())
            if (action->objectName() == QLatin1String("target.forget")) forget = action;
        QVERIFY(forget != nullptr && forget->text().contains(QStringLiteral("prod-a")));
        forget->trigger();
        auto* box = window().findChild<QMessageBox*>(QStringLiteral("forgetQuestion"));
        QVERIFY(box != nullptr);
        for (auto* one : box->buttons())
            if (box->buttonRole(one) == QMessageBox::DestructiveRole) one->click();
        QTRY_COMPARE(button()->text(), QStringLiteral("local"));
        QVERIFY(m_console->targets->all().isEmpty());
    }
};

QTEST_MAIN(TargetSwitchTest)
#include "tst_target_switch.moc"
