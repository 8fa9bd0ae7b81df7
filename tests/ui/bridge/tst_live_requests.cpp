// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "tests/support/passing_target.h"
#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using Told = engine::RequestsUnderWay::Told;

class LiveRequestsTest : public QObject {
    Q_OBJECT

    static engine::RequestsUnderWay some(std::size_t count) {
        engine::RequestsUnderWay out;
        out.rows.resize(count);
        out.told = Told::told;
        return out;
    }
    static std::shared_ptr<test::FakeTarget> serving(std::size_t count) {
        auto target = std::make_shared<test::FakeTarget>();
        auto status = target->status();
        status.state = engine::GatewayState::running;
        target->setStatus(status);
        target->setRequests(some(count));
        return target;
    }

private Q_SLOTS:
    void askedOnlyWhileSomebodyFollowsAndItServes() {
        const auto target = serving(2);
        Bridge bridge(target);
        QSignalSpy changed(&bridge.requests(), &LiveRequests::changed);
        auto interest = bridge.requests().follow();
        QVERIFY(bridge.requests().state().told == Told::notYet);  // the answer comes from a worker
        QTRY_COMPARE(bridge.requests().state().rows.size(), std::size_t{2});
        target->setRequests(some(1));
        QTRY_COMPARE(bridge.requests().state().rows.size(), std::size_t{1});
        auto status = target->status();
        status.state = engine::GatewayState::stopped;
        target->setStatus(status);
        QTRY_VERIFY(bridge.requests().state().rows.empty());
        QVERIFY(bridge.requests().state().told == Told::told);
        const int asked = target->requestsAsked();
        changed.clear();
        QTRY_VERIFY(changed.count() >= 1);  // ages count on
        QCOMPARE(target->requestsAsked(), asked);
        status.state = engine::GatewayState::running;
        target->setStatus(status);
        interest.reset();
        // The fleet is read as often: what is not asked by its third answer is not asked at all.
        QSignalSpy seconds(&bridge.fleet(), &Fleet::changed);
        const auto pace = bridge.fleet().follow();
        QTRY_VERIFY(seconds.count() >= 3);
        QCOMPARE(target->requestsAsked(), asked);
    }

    void aGatewayThatHangsHoldsNobodyUp() {
        class Hanging final : public test::PassingTarget {
        public:
            using PassingTarget::PassingTarget;
            engine::RequestsUnderWay requests() const override {
                while (!go) std::this_thread::yield();
                return PassingTarget::requests();
            }
            std::atomic<bool> go{false};
        };
        const auto hanging = std::make_shared<Hanging>(serving(3));
        Bridge bridge(hanging);
        QElapsedTimer took;
        took.start();
        const auto interest = bridge.requests().follow();
        QVERIFY(took.elapsed() < 500);
        bridge.lookAt(serving(1));
        QTRY_COMPARE(bridge.requests().state().rows.size(), std::size_t{1});
        hanging->go = true;  // its late answer is of another gateway
        QVERIFY(waitingPool().waitForDone(5'000));
        QCoreApplication::processEvents();
        QCOMPARE(bridge.requests().state().rows.size(), std::size_t{1});
    }
};

QTEST_MAIN(LiveRequestsTest)
#include "tst_live_requests.moc"
