// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"
#include "ui/pages/simulator/pool_panel.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class PoolPanelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        m_target = std::make_shared<test::FakeTarget>();
        dispatch::PoolView pool;
        pool.id = "chat";
        m_target->setPools({pool});
        dispatch::PoolForecast forecast;
        forecast.choice.poolId = "chat";
        forecast.choice.router = "routewise";
        forecast.choice.drawn = "lab:small";
        forecast.choice.mixStatus = "optimal";
        forecast.choice.budgetUsd = 0.0006;
        forecast.choice.candidates = {{"lab:small", "", 0.0004, 210, 0.7}, {"cloud:large", "circuit_open", 0.001, 500, 0}};
        forecast.choice.candidatesTotal = 2;
        forecast.hedge = dispatch::HedgePlanView{2'000, {250, 500, 1'000}, 1'000, "cloud:large", 0.93};
        m_target->setForecast(forecast);
        m_bridge = std::make_unique<Bridge>(m_target);
        m_panel = std::make_unique<PoolPanel>(&m_bridge->fleet());
    }
    void cleanup() {
        m_panel.reset();
        m_bridge.reset();
    }

    void forecastIsSaidInWords() {
        QVERIFY(m_panel->isHidden());
        ask("chat");
        const QStringList texts = this->texts();
        QVERIFY(texts.contains(QStringLiteral("With this draw: lab:small.")));
        QVERIFY(texts.contains(QStringLiteral("the fastest mix within the budget")));
        QVERIFY(texts.contains(QStringLiteral("after 250 ms, 500 ms, 1.00 s")));
        QVERIFY(texts.contains(QStringLiteral("after 1.00 s, if nothing came until then")));
        QVERIFY(texts.contains(QStringLiteral("93 % within the objective (estimate)")));
        QVERIFY(texts.filter(QStringLiteral("left out: its circuit is open")).size() == 1);
    }

    void sliderAsksAgainWithItsDraw() {
        ask("chat");
        QSignalSpy spy(m_panel.get(), &PoolPanel::answered);
        m_panel->draw()->setValue(905);
        QTRY_COMPARE(spy.count(), 1);
        QVERIFY(texts().contains(QStringLiteral("0.905")));
    }

    void newModelSaysThatTheDraftMustRunFirst() {
        ask("brand-new");
        QVERIFY(texts().contains(QStringLiteral("The running gateway cannot forecast it: no model brand-new. Apply the draft if the model is new.")));
        QVERIFY(m_panel->draw()->isHidden() || m_panel->draw()->parentWidget()->isHidden());
    }

    void stoppedGatewayIsNamedAndALateAnswerIsDropped() {
        QSignalSpy spy(m_panel.get(), &PoolPanel::answered);
        m_panel->ask("chat", {});
        const QString why = QStringLiteral("It is forecast from the running gateway: start it.");
        m_panel->sayNobodyToAsk("chat", why);
        ask("chat");  // its answer comes after any of the first one
        QCOMPARE(spy.count(), 1);
        m_panel->sayNobodyToAsk("chat", why);
        QVERIFY(texts().filter(why).size() == 1);
        m_panel->clear();
        QVERIFY(m_panel->isHidden());
    }

private:
    void ask(const std::string& pool) {
        QSignalSpy spy(m_panel.get(), &PoolPanel::answered);
        m_panel->ask(pool, {});
        QVERIFY(spy.count() > 0 || spy.wait());
        QVERIFY(!m_panel->isHidden());
    }
    [[nodiscard]] QStringList texts() const {
        QStringList out;
        for (const auto* label : m_panel->findChildren<QLabel*>()) out << label->text();
        return out;
    }

    std::shared_ptr<test::FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<PoolPanel> m_panel;
};

QTEST_MAIN(PoolPanelTest)
#include "tst_pool_panel.moc"
