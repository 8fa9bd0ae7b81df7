// SPDX-License-Identifier: MIT
// What the simulator takes from a gateway that is looked at: its measurements and its routers' choices, named, and only
// where it runs what is open.
#include "tests/support/page_harness.h"
#include "ui/pages/simulator/pool_panel.h"
#include "ui/pages/simulator/simulator_page.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tone_label.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class SimulatorElsewhereTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_theirs = std::make_shared<test::FakeTarget>();
        engine::EndpointHealth health;
        health.endpointId = "lab_b:qwen3.5-9b";
        health.signals = {.cooling = true, .providerAttempts = 50, .providerSuccesses = 20, .attempts = 50, .latencyEwmaMs = 3'900};
        m_theirs->setEndpoints({health});
        dispatch::PoolView pool;
        pool.id = "assistant";
        m_theirs->setPools({pool});
        dispatch::PoolForecast forecast;
        forecast.choice.poolId = "assistant";
        forecast.choice.drawn = "theirs:choice";
        forecast.choice.candidates = {{"theirs:choice", "", 0.0004, 210, 1}};
        m_theirs->setForecast(forecast);
        m_page = std::make_unique<SimulatorPage>(m_harness->context());
        m_page->resize(1180, 860);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QSignalSpy answered(m_page.get(), &SimulatorPage::answered);
        QVERIFY(m_harness->open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")));
        QTRY_VERIFY(!answered.isEmpty());
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void measurementsOfAnotherPolicyDecideNothing() {
        look(otherPolicy());
        QTRY_COMPARE(health()->currentText(), QStringLiteral("not known: priors alone"));
        QVERIFY(!health()->isEnabled());
        QVERIFY2(whose()->text().startsWith(QStringLiteral("prod-a does not run what is open here")), qPrintable(whose()->text()));
        QVERIFY(whose()->isVisible());
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
    }

    void measurementsOfTheSamePolicyCountAndAreNamed() {
        look(snapshot());
        QTRY_COMPARE(result(), QStringLiteral("deepseek:deepseek-v4-flash"));
        QCOMPARE(health()->currentText(), QStringLiteral("as prod-a sees it"));
        QVERIFY2(whose()->isVisible() && whose()->text().contains(QStringLiteral("is that of prod-a")), qPrintable(whose()->text()));
        m_harness->bridge.lookAt(nullptr);
        QTRY_COMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
        QVERIFY(!whose()->isVisible());
        QVERIFY(!health()->isEnabled() && !health()->toolTip().isEmpty());
        QVERIFY(m_harness->target->start({snapshot(), {}}));
        QTRY_COMPARE(health()->currentText(), QStringLiteral("as the gateway sees it"));
        QVERIFY(health()->isEnabled() && health()->toolTip().isEmpty());
    }

    void noRouterOfAnotherPolicyIsAsked() {
        look(otherPolicy());
        m_page->open({{QStringLiteral("model"), QStringLiteral("assistant")}});
        QTRY_VERIFY(poolSays(QStringLiteral("prod-a does not run what is open here")));
        QVERIFY(!poolSays(QStringLiteral("theirs:choice")));
        m_harness->bridge.lookAt(nullptr);
        QTRY_VERIFY(poolSays(QStringLiteral("It is forecast from the running gateway: start it.")));
        look(snapshot());
        QTRY_VERIFY(poolSays(QStringLiteral("theirs:choice")));
        QVERIFY(poolSays(QStringLiteral("as it runs now at prod-a")));
    }

    void theHomesPolicyIsNoOlderStateOfAGuest() {
        QVERIFY(m_harness->target->start({otherPolicy(), {}}));
        auto* running = m_page->findChild<QWidget*>(QStringLiteral("runningResult"));
        QTRY_VERIFY(running->isVisible());
        m_harness->gateway.setHome("/somewhere/else", {});
        QTRY_VERIFY(!running->isVisible());
        QVERIFY2(whose()->isVisible() && whose()->text().startsWith(QStringLiteral("This console's gateway is that of else, not of demo")), qPrintable(whose()->text()));
    }

private:
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> snapshot() const { return m_harness->document.workspace()->snapshot; }
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> otherPolicy() const {
        auto config = std::make_shared<config::GatewayConfig>(*snapshot()->config);
        config->routing.groups[0].candidates[0].quality = 0.11;
        return policy::makeSnapshot(snapshot()->table, snapshot()->tableSha256, config);
    }
    void look(const std::shared_ptr<const policy::PolicySnapshot>& policy) {
        QVERIFY(m_theirs->start({policy, {}}));
        m_theirs->tellHashOnly();
        auto status = m_theirs->status();
        status.name = "prod-a";
        status.remote = true;
        m_theirs->setStatus(status);
        m_harness->bridge.lookAt(m_theirs);
    }
    [[nodiscard]] bool poolSays(const QString& text) const {
        const auto* panel = m_page->findChild<PoolPanel*>();
        if (!panel->isVisible()) return false;
        for (const auto* label : panel->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text)) return true;
        return false;
    }
    [[nodiscard]] ToneLabel* whose() const { return m_page->findChild<ToneLabel*>(QStringLiteral("whoseHealth")); }
    [[nodiscard]] QComboBox* health() const { return m_page->findChild<QComboBox*>(QStringLiteral("health")); }
    [[nodiscard]] QString result() const { return m_page->findChild<ElidedLabel*>(QStringLiteral("draftResult"))->text(); }

    std::unique_ptr<test::PageHarness> m_harness;
    std::shared_ptr<test::FakeTarget> m_theirs;
    std::unique_ptr<SimulatorPage> m_page;
};

QTEST_MAIN(SimulatorElsewhereTest)
#include "tst_simulator_elsewhere.moc"
