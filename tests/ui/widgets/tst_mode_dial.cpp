// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/theme/theme.h"
#include "ui/widgets/mode_dial/mode_dial.h"
#include "ui/widgets/mode_dial/mode_words.h"
#include "ui/widgets/tone_label.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

class ModeDialTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        m_world = std::make_unique<DraftHarness>();
        make();
    }
    void cleanup() {
        m_dial.reset();
        m_gateway.reset();
        m_bridge.reset();
        m_world.reset();
    }

    void dialTurnsTheDraftAndNotWhatRuns() {
        run();
        button("shadow")->click();
        QVERIFY(routing().mode == config::RoutingMode::shadow);
        QVERIFY(button("shadow")->isChecked());
        QCOMPARE(document().undoStack()->undoText(), QStringLiteral("routing mode"));
        QCOMPARE(m_bridge->status().mode, std::string("off"));
        QVERIFY(label("mode.running")->text().contains(QStringLiteral("running: off")));
        QVERIFY(m_gateway->applyAction()->isEnabled());
        connect(m_gateway.get(), &GatewayControl::asked, this, [](const QString&, const QString&, const std::function<void()>& go) { go(); });
        m_gateway->applyAction()->trigger();
        QTRY_COMPARE(m_bridge->status().mode, std::string("shadow"));
        QVERIFY(label("mode.running")->text().contains(QStringLiteral("shadow")));
        QVERIFY(!m_gateway->applyAction()->isEnabled());
    }

    void sliderAndSpinBoxAreOneStepTogether() {
        button("active")->click();
        const int before = document().undoStack()->count();
        for (const int percent : {1, 2, 3, 30}) m_dial->findChild<QSlider*>(QStringLiteral("mode.slider"))->setValue(percent);
        QCOMPARE(document().undoStack()->count(), before + 1);
        QCOMPARE(int{routing().activationPercent}, 30);
        auto* spin = m_dial->findChild<QSpinBox*>(QStringLiteral("mode.percent"));
        QCOMPARE(spin->value(), 30);
        m_world->clock->advance(std::chrono::seconds(2));
        spin->setValue(0);
        QCOMPARE(int{routing().activationPercent}, 0);
        QVERIFY(note().contains(QStringLiteral("nobody")));
        document().undoStack()->undo();
        QCOMPARE(m_dial->findChild<QSlider*>(QStringLiteral("mode.slider"))->value(), 30);
        QVERIFY(note().contains(QStringLiteral("raising keeps everyone who was in")));
    }

    void F83_environmentIsShownAsWhatWouldRun() {
        m_world->environment["SIGNALBOX_SMART_ROUTING_MODE"] = "shadow";
        m_world->start();
        make();
        auto* said = m_dial->findChild<ToneLabel*>(QStringLiteral("mode.override"));
        QVERIFY(!said->isHidden());
        QVERIFY2(said->text().contains(QStringLiteral("SIGNALBOX_SMART_ROUTING_MODE=shadow")), qPrintable(said->text()));
        QVERIFY(button("off")->isChecked());  // what the file says
        button("active")->click();
        QVERIFY(routing().mode == config::RoutingMode::active);
        QVERIFY(document().workspace()->config.config->routing.mode == config::RoutingMode::shadow);
    }

    void noGroupsNoDialAndAReason() {
        QByteArray toml = m_world->get("gateway.toml");
        m_world->put("gateway.toml", toml.left(toml.indexOf("[routing.groups.auto]")));
        m_world->start();
        make();
        for (const char* mode : {"off", "shadow", "active"}) QVERIFY(!button(mode)->isEnabled());
        QVERIFY(!m_dial->findChild<QSlider*>(QStringLiteral("mode.slider"))->isEnabled());
        QVERIFY2(note().contains(QStringLiteral("no smart group")), qPrintable(note()));
    }

    void killSwitchHoldsAndLetsGo() {
        run();
        QAction* kill = m_gateway->killAction();
        QCOMPARE(kill->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+K")));
        auto* button = m_dial->findChild<QPushButton*>(QStringLiteral("mode.kill"));
        QCOMPARE(button->text(), QStringLiteral("Smart routing off now"));
        const QString draft = QString::fromStdString(document().configText());
        button->click();
        QTRY_VERIFY(m_gateway->isKilled());
        QTRY_COMPARE(button->text(), QStringLiteral("Release the kill switch"));
        QVERIFY(runningModeWords(m_bridge->status()).tone == Tone::danger);
        QCOMPARE(runningModeWords(m_bridge->status()).sentence, QStringLiteral("smart routing off by hand"));
        QCOMPARE(QString::fromStdString(document().configText()), draft);  // it is no edit
        button->click();
        QTRY_VERIFY(!m_gateway->isKilled());
    }

    void killSwitchNeedsSomethingThatRuns() { QVERIFY(!m_gateway->killAction()->isEnabled()); }

    void F80_applySaysWhichDraftRunsNow() {
        run();
        QSignalSpy said(m_gateway.get(), &GatewayControl::said);
        button("shadow")->click();
        QVERIFY(m_gateway->applyAction()->toolTip().contains(QStringLiteral("1 unsaved")));
        connect(m_gateway.get(), &GatewayControl::asked, this, [](const QString&, const QString&, const std::function<void()>& go) { go(); });
        m_gateway->applyAction()->trigger();
        QTRY_COMPARE(said.count(), 1);
        const QString words = said.first().first().toString();
        QVERIFY2(words.contains(QStringLiteral("1 unsaved")), qPrintable(words));
        QVERIFY2(words.contains(QString::fromStdString(document().workspace()->snapshot->hash.substr(0, 12))), qPrintable(words));
        QCOMPARE(m_bridge->running()->hash, document().workspace()->snapshot->hash);
    }

private:
    void make() {
        m_dial.reset();
        m_gateway.reset();
        m_target = std::make_shared<FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_target);
        QVERIFY(m_world->open());
        m_gateway = std::make_unique<GatewayControl>(m_bridge.get(), &document());
        m_dial = std::make_unique<ModeDial>(m_bridge.get(), &document(), m_gateway.get());
    }
    void run() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_bridge->status().state == engine::GatewayState::running);
    }
    PolicyDocument& document() const { return *m_world->document; }
    config::Routing routing() const { return document().workspace()->writtenConfig->routing; }
    QPushButton* button(const char* mode) const { return m_dial->findChild<QPushButton*>(QStringLiteral("mode.") + QString::fromLatin1(mode)); }
    ToneLabel* label(const char* name) const { return m_dial->findChild<ToneLabel*>(QString::fromLatin1(name)); }
    QString note() const { return m_dial->findChild<QLabel*>(QStringLiteral("mode.note"))->text(); }

    std::unique_ptr<DraftHarness> m_world;
    std::shared_ptr<FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<GatewayControl> m_gateway;
    std::unique_ptr<ModeDial> m_dial;
};

QTEST_MAIN(ModeDialTest)
#include "tst_mode_dial.moc"
