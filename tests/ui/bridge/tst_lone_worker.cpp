// SPDX-License-Identifier: MIT
#include "ui/bridge/lone_worker.h"

#include <QTest>
#include <QThread>
#include <QThreadPool>

#include <atomic>
#include <future>

using namespace signalbox::ui;

/// Jobs wait here for the test, as a derivation waits for its scrypt.
class LoneWorkerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_release = std::promise<void>();
        m_begun = m_over = 0;
    }

    void answersComeOnTheGuiThreadAndFromNoPool() {
        LoneWorker worker;
        QThread* answered = nullptr;
        int pooled = -1;
        worker.run(
            this, [] { return QThreadPool::globalInstance()->activeThreadCount(); },
            [&](int count) {
                answered = QThread::currentThread();
                pooled = count;
            });
        QVERIFY(worker.isBusy());
        QTRY_COMPARE(answered, QThread::currentThread());
        QCOMPARE(pooled, 0);
        QVERIFY(!worker.isBusy());
    }

    void oneJobAfterTheOther() {
        LoneWorker worker;
        QList<int> order;
        worker.run(this, blocked(1), [&order](int number) { order << number; });
        worker.run(this, quick(2), [&order](int number) { order << number; });
        QTRY_COMPARE(m_begun.load(), 1);
        m_release.set_value();
        QTRY_COMPARE(order, (QList<int>{1, 2}));
    }

    void droppedItIsNotWaitedForAndAnswersNobody() {
        auto worker = std::make_unique<LoneWorker>();
        bool answered = false;
        worker->run(this, blocked(1), [&answered](int) { answered = true; });
        worker->run(this, quick(2), [&answered](int) { answered = true; });
        QTRY_COMPARE(m_begun.load(), 1);
        worker.reset();  // comes back although the job has not ended
        QCOMPARE(m_over.load(), 0);
        m_release.set_value();
        QTRY_COMPARE(m_over.load(), 1);
        QCoreApplication::processEvents();
        QVERIFY(!answered);
        QCOMPARE(m_begun.load(), 1);  // what had not begun never does
    }

    void whoeverAskedMayBeGone() {
        LoneWorker worker;
        auto asker = std::make_unique<QObject>();
        bool answered = false, other = false;
        worker.run(asker.get(), blocked(1), [&answered](int) { answered = true; });
        worker.run(this, quick(2), [&other](int) { other = true; });
        asker.reset();
        m_release.set_value();
        QTRY_VERIFY(other);
        QVERIFY(!answered);
    }

    void finishWaitsForWhatIsUnderWayAlone() {
        LoneWorker worker;
        worker.run(this, blocked(1), [](int) {});
        worker.run(this, quick(2), [](int) {});
        QTRY_COMPARE(m_begun.load(), 1);
        const auto releasing = std::async(std::launch::async, [this] { m_release.set_value(); });
        worker.finish();
        QCOMPARE(m_over.load(), 1);
        QCOMPARE(m_begun.load(), 1);
        QVERIFY(!worker.isBusy());
        // And it goes on working.
        bool answered = false;
        worker.run(this, quick(3), [&answered](int) { answered = true; });
        QTRY_VERIFY(answered);
    }

private:
    std::function<int()> blocked(int number) {
        return [this, number, released = m_release.get_future().share()] {
            ++m_begun;
            released.wait();
            ++m_over;
            return number;
        };
    }
    std::function<int()> quick(int number) {
        return [this, number] {
            ++m_begun;
            ++m_over;
            return number;
        };
    }

    std::promise<void> m_release;
    std::atomic<int> m_begun = 0, m_over = 0;
};

QTEST_GUILESS_MAIN(LoneWorkerTest)
#include "tst_lone_worker.moc"
