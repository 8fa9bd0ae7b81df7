// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"

#include <QTest>

#include <future>

using namespace signalbox;
using namespace signalbox::ui;

/// On a machine with one core: what waits for others and what the program works at never wait for each other.
class AsyncTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QThreadPool::globalInstance()->setMaxThreadCount(1); }
    void init() { m_release = std::promise<void>(); }

    void whatWaitsKeepsNothingFromItsWork() {
        const auto released = m_release.get_future().share();
        int waited = 0;
        for (int i = 0; i < 20; ++i)
            runWaiting(
                this,
                [released] {
                    released.wait();
                    return 1;
                },
                [&waited](int one) { waited += one; });
        bool saved = false;
        runAsync(
            this, [] { return true; }, [&saved](bool done) { saved = done; });
        QTRY_VERIFY(saved);
        QCOMPARE(waited, 0);
        m_release.set_value();
        QTRY_COMPARE(waited, 20);
    }

    void aTryAndTheKillSwitchWaitForNoWork() {
        const auto released = m_release.get_future().share();
        bool worked = false;
        runAsync(
            this,
            [released] {
                released.wait();
                return true;
            },
            [&worked](bool done) { worked = done; });
        auto target = std::make_shared<test::FakeTarget>();
        Bridge bridge(target);
        bool answered = false;
        bridge.off(true, [&answered](const Result<void>&) { answered = true; });
        QTRY_VERIFY(answered);
        bool stopped = false;
        bridge.stop([&stopped](const Result<void>&) { stopped = true; });
        QTRY_VERIFY(stopped);
        engine::TryRequest request;
        request.baseUrl = "http://127.0.0.1:1/v1";  // nobody listens
        request.model = "m";
        TryRun run(request);
        bool ended = false;
        connect(&run, &TryRun::ended, this, [&ended](const engine::TryEnd& end) { ended = end.error.has_value(); });
        QTRY_VERIFY(ended);
        QVERIFY(!worked);
        m_release.set_value();
        QTRY_VERIFY(worked);
    }

private:
    std::promise<void> m_release;
};

QTEST_GUILESS_MAIN(AsyncTest)
#include "tst_async.moc"
