// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "tests/support/passing_target.h"
#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <atomic>

using namespace signalbox;
using namespace signalbox::ui;

class FleetTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_target = std::make_shared<test::FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_target);
        engine::EndpointHealth health;
        health.endpointId = "lab:small";
        m_target->setEndpoints({health});
        dispatch::PoolView pool;
        pool.id = "chat";
        m_target->setPools({pool});
        engine::ResourceView slots;
        slots.name = "gpu";
        m_target->setResources({slots});
    }
    void cleanup() {
        m_bridge.reset();
        m_target.reset();
    }

    void nothingIsReadBeforeSomebodyFollows() {
        QVERIFY(!fleet().wasRead());
        QVERIFY(fleet().state().endpoints.empty());
    }

    void everythingComesTogetherAndFollows() {
        QSignalSpy spy(&fleet(), &Fleet::changed);
        const Fleet::Interest interest = fleet().follow();
        QVERIFY(!fleet().wasRead());  // the answer comes from a worker
        QTRY_VERIFY(fleet().wasRead());
        QCOMPARE(fleet().state().endpoints.size(), std::size_t{1});
        QCOMPARE(fleet().state().pools.front().id, std::string("chat"));
        QCOMPARE(fleet().state().resources.front().name, std::string("gpu"));
        m_target->setPools({});
        QTRY_VERIFY(fleet().state().pools.empty());
        QVERIFY(spy.count() >= 2);
    }

    // Of one that stands still, and of one elsewhere that has not answered, nobody knows whether it has any.
    void noneIsKnownOnlyOnceItIsTold() {
        m_target->setEndpoints({});
        m_target->setPools({});
        const Fleet::Interest interest = fleet().follow();
        QTRY_VERIFY(fleet().wasRead());
        QVERIFY(!fleet().state().endpointsTold && !fleet().state().poolsTold);
        auto status = m_target->status();
        status.state = engine::GatewayState::running;
        m_target->setStatus(status);
        m_target->setKnownLists({.endpoints = true, .pools = false});
        QTRY_VERIFY(fleet().state().endpointsTold);
        QVERIFY(!fleet().state().poolsTold);
        m_target->setKnownLists({});
        QTRY_VERIFY(fleet().state().poolsTold);
    }

    void whoComesAgainSeesWhatIsNow() {
        Fleet::Interest interest = fleet().follow();
        QTRY_VERIFY(fleet().wasRead());
        interest.reset();
        m_target->setEndpoints({});
        interest = fleet().follow();
        QTRY_VERIFY(fleet().state().endpoints.empty());
    }

    void actionsReachTheTargetAndShowAtOnce() {
        const Fleet::Interest interest = fleet().follow();
        QTRY_VERIFY(fleet().wasRead());
        std::optional<Result<void>> done;
        QThread* thread = nullptr;
        fleet().act("lab:small", engine::EndpointAction::drain, [&](Result<void> result) {
            done = std::move(result);
            thread = QThread::currentThread();
        });
        QTRY_VERIFY(done.has_value());
        QVERIFY(done->has_value());
        QCOMPARE(thread, qApp->thread());
        QTRY_VERIFY(fleet().state().endpoints.front().drained);
    }

    void failedActionComesBackWithItsHint() {
        m_target->failNext({ErrorKind::conflict, "the gateway does not run", {}, "Start it."});
        std::optional<Error> error;
        fleet().act("lab:small", engine::EndpointAction::trip, [&](const Result<void>& result) { error = result.error(); });
        QTRY_VERIFY(error.has_value());
        QCOMPARE(error->hint, std::string("Start it."));
    }

    void onlyTheNewestForecastAnswers() {
        dispatch::PoolForecast forecast;
        forecast.choice.drawn = "lab:small";
        m_target->setForecast(forecast);
        QStringList answers;
        fleet().forecast("chat", {}, [&](const Result<dispatch::PoolForecast>&) { answers << QStringLiteral("first"); });
        fleet().forecast("chat", {}, [&](const Result<dispatch::PoolForecast>& answer) { answers << QString::fromStdString(answer->choice.drawn); });
        QTRY_COMPARE(answers, QStringList{QStringLiteral("lab:small")});
        std::optional<Error> error;
        fleet().forecast("nowhere", {}, [&](const Result<dispatch::PoolForecast>& answer) { error = answer.error(); });
        QTRY_VERIFY(error.has_value());
    }

    // Its end waits for its threads, and those perhaps for a name that is being looked up.
    void nobodyLetsGoOfAnotherGatewayOnThisThread() {
        QThread* endedOn = nullptr;
        std::atomic<bool> ended = false;
        class Ending final : public test::PassingTarget {
        public:
            Ending(const std::shared_ptr<engine::Target>& to, std::function<void()> onEnd) : PassingTarget(to), m_onEnd(std::move(onEnd)) {}
            ~Ending() override { m_onEnd(); }

        private:
            std::function<void()> m_onEnd;
        };
        class Slow final : public test::PassingTarget {
        public:
            using PassingTarget::PassingTarget;
            std::unique_ptr<engine::DecisionFeed> subscribe(engine::FeedWish wish) override {
                waitingPool().waitForDone();  // all that was let go before has gone
                return PassingTarget::subscribe(wish);
            }
        };
        m_bridge->lookAt(std::make_shared<Ending>(m_target, [&] {
            endedOn = QThread::currentThread();
            ended = true;
        }));
        m_bridge->lookAt(std::make_shared<Slow>(m_target));
        QTRY_VERIFY(ended);
        QVERIFY(endedOn != qApp->thread());
    }

private:
    [[nodiscard]] Fleet& fleet() const { return m_bridge->fleet(); }
    std::shared_ptr<test::FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
};

QTEST_MAIN(FleetTest)
#include "tst_fleet.moc"
