// SPDX-License-Identifier: MIT
#include "router/engine/feed_hub.h"
#include "router/engine/history_worker.h"

#include <QTest>
#include <algorithm>
#include <thread>

using namespace signalbox;
using namespace signalbox::engine;

class HistoryWorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersInOrderWithOneReader();
    void cancelledBeforeItsTurn_neverRuns();
    void cancelReachesARunningQuestion();
    void endingCancelsWhatRuns();
    void newFactory_newReader();
    void historyThatIsNotThereYet_isLookedForAgain();
    void feedKeepsTheNewest();
    void feedOfSomeKeepsNoOthers();
};

namespace {
HistoryWorker::ReaderFactory factory(std::atomic<int>& made) {
    return [&made] {
        ++made;
        return makeAbsentHistory({ErrorKind::unavailable, "none", {}, {}});
    };
}
} // namespace

void HistoryWorkerTest::answersInOrderWithOneReader() {
    std::atomic<int> made{0}, done{0};
    std::vector<int> order;
    HistoryWorker worker(factory(made));
    std::vector<std::unique_ptr<HistoryJob>> jobs;
    for (int i = 0; i < 10; ++i) {
        jobs.push_back(worker.ask([&, i](evidence::HistoryReader&, const evidence::CancelToken&) {
            order.push_back(i);
            ++done;
        }));
    }
    QTRY_COMPARE(done.load(), 10);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QCOMPARE(made.load(), 1);
}

void HistoryWorkerTest::cancelledBeforeItsTurn_neverRuns() {
    std::atomic<int> made{0};
    std::atomic<bool> release{false}, ran{false}, after{false};
    HistoryWorker worker(factory(made));
    const auto first = worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken&) {
        while (!release)
            std::this_thread::yield();
    });
    const auto second =
        worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken&) { ran = true; });
    const auto third =
        worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken&) { after = true; });
    second->cancel();
    release = true;
    QTRY_VERIFY(after);
    QVERIFY(!ran);
}

void HistoryWorkerTest::cancelReachesARunningQuestion() {
    std::atomic<int> made{0};
    std::atomic<bool> started{false}, ended{false};
    HistoryWorker worker(factory(made));
    const auto job = worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken& cancel) {
        started = true;
        while (!*cancel)
            std::this_thread::yield();
        ended = true;
    });
    QTRY_VERIFY(started);
    job->cancel();
    QTRY_VERIFY(ended);
}

void HistoryWorkerTest::endingCancelsWhatRuns() {
    std::atomic<int> made{0};
    std::atomic<bool> started{false}, waiting{false};
    {
        HistoryWorker worker(factory(made));
        static_cast<void>(worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken& cancel) {
            started = true;
            while (!*cancel)
                std::this_thread::yield();
        }));
        static_cast<void>(
            worker.ask([&](evidence::HistoryReader&, const evidence::CancelToken&) { waiting = true; }));
        QTRY_VERIFY(started);
    }
    QVERIFY(!waiting);
}

void HistoryWorkerTest::newFactory_newReader() {
    std::atomic<int> first{0}, second{0}, done{0};
    HistoryWorker worker(factory(first));
    const auto count = [&](evidence::HistoryReader&, const evidence::CancelToken&) { ++done; };
    static_cast<void>(worker.ask(count));
    QTRY_COMPARE(done.load(), 1);
    worker.setReaderFactory(factory(second));
    static_cast<void>(worker.ask(count));
    QTRY_COMPARE(done.load(), 2);
    QCOMPARE(first.load(), 1);
    QCOMPARE(second.load(), 1);
}

// Another process records and has not made its history yet: nothing here tells when it has.
void HistoryWorkerTest::historyThatIsNotThereYet_isLookedForAgain() {
    std::atomic<int> made{0}, done{0};
    std::vector<ErrorKind> told;
    HistoryWorker worker([&made] {
        const bool exists = ++made > 2;
        return makeAbsentHistory({exists ? ErrorKind::unavailable : ErrorKind::notFound, "none", {}, {}});
    });
    for (int i = 0; i < 4; ++i) {
        static_cast<void>(worker.ask([&](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            told.push_back(reader.spentByPrincipal({}, cancel).error().kind);
            ++done;
        }));
    }
    QTRY_COMPARE(done.load(), 4);
    QVERIFY((told == std::vector{ErrorKind::notFound, ErrorKind::notFound, ErrorKind::unavailable, ErrorKind::unavailable}));
    QCOMPARE(made.load(), 3);
}

void HistoryWorkerTest::feedKeepsTheNewest() {
    FeedHub hub;
    const auto record = [](int status) {
        auto made = std::make_shared<evidence::DecisionRecord>();
        made->status = status;
        return made;
    };
    const auto feed = hub.subscribe(2);
    for (int i = 0; i < 5; ++i)
        hub.push(record(i));
    const auto batch = feed->take();
    QCOMPARE(batch.records.size(), std::size_t{2});
    QCOMPARE(batch.records[0]->status, 3);
    QCOMPARE(batch.skipped, std::uint64_t{3});
    QVERIFY(feed->take().records.empty());
    QCOMPARE(feed->take().skipped, std::uint64_t{0});
}

void HistoryWorkerTest::feedOfSomeKeepsNoOthers() {
    FeedHub hub;
    const auto feed = hub.subscribe({2, [](const evidence::DecisionRecord& record) { return record.status >= 500; }});
    std::weak_ptr<const evidence::DecisionRecord> unwanted;
    for (const int status : {500, 200, 200, 503, 200}) {
        auto made = std::make_shared<evidence::DecisionRecord>();
        made->status = status;
        hub.push(made);
        if (status == 200)
            unwanted = made;
    }
    QVERIFY(unwanted.expired());
    const auto batch = feed->take();
    QCOMPARE(batch.records.size(), std::size_t{2});
    QCOMPARE(batch.records[0]->status, 500);
    QCOMPARE(batch.records[1]->status, 503);
    QCOMPARE(batch.skipped, std::uint64_t{0});
}

QTEST_APPLESS_MAIN(HistoryWorkerTest)
#include "tst_history_worker.moc"
