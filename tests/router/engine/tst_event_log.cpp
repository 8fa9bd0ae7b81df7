// SPDX-License-Identifier: MIT
#include "router/engine/gateway_events.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <future>

using namespace signalbox;
using namespace signalbox::engine;
using namespace std::chrono_literals;
using evidence::Event;
using evidence::EventKind;

namespace {

/// Keeps what is appended; can be made to wait, as a slow disk does, or to refuse, as a full journal does.
struct Paper {
    std::mutex mutex;
    std::vector<Event> events;
    std::atomic<bool> refuses = false;
    std::atomic<int> sinks = 0;
    std::promise<void> entered, released;
    std::atomic<bool> blocks = false;
    std::shared_future<void> release = released.get_future().share();

    class Sink final : public evidence::EventSink {
    public:
        explicit Sink(Paper& paper) : m_paper(paper) {}
        bool append(const Event& event) noexcept override {
            if (m_paper.blocks.exchange(false)) {
                m_paper.entered.set_value();
                m_paper.release.wait();
            }
            if (m_paper.refuses) return false;
            const std::lock_guard lock(m_paper.mutex);
            m_paper.events.push_back(event);
            return true;
        }

    private:
        Paper& m_paper;
    };
    EventLog::SinkFactory factory() {
        return [this]() -> Result<std::unique_ptr<evidence::EventSink>> {
            ++sinks;
            return std::make_unique<Sink>(*this);
        };
    }
};

EventLog::Scene scene() { return {true, "prod-a", "production", std::string(64, 'a')}; }

}  // namespace
Q_DECLARE_METATYPE(signalbox::capacity::CircuitChange)

class TestEventLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsPostedIsWrittenInItsOrder() {
        Paper paper;
        const test::ManualClock clock;  // stands still
        {
            EventLog log(paper.factory(), clock);
            log.setScene(scene());
            for (int n = 0; n < 100; ++n) log.post(EventKind::note, "s", std::to_string(n), "operator");
        }
        QCOMPARE(paper.events.size(), std::size_t{100});
        QCOMPARE(paper.sinks.load(), 1);
        for (std::size_t n = 0; n < 100; ++n) {
            const Event& event = paper.events[n];
            QCOMPARE(event.words, std::to_string(n));
            QVERIFY(event.target == "prod-a" && event.environment == "production" && event.actor == "operator" &&
                    event.policyHash == std::string(64, 'a') && event.subject == "s" && !event.id.isNull());
            if (n > 0) QVERIFY(event.createdAt > paper.events[n - 1].createdAt && event.id != paper.events[n - 1].id);
        }
        QVERIFY(paper.events.front().createdAt == clock.now());
    }

    void postingNeverWaitsForTheDisk() {
        Paper paper;
        paper.blocks = true;
        const test::ManualClock clock;
        std::uint64_t dropped = 0;
        {
            EventLog log(paper.factory(), clock, 10);
            log.setScene(scene());
            log.post(EventKind::note, "", "first", "gateway");
            paper.entered.get_future().wait();  // the disk holds it now
            for (int n = 0; n < 25; ++n) log.post(EventKind::note, "", std::to_string(n), "gateway");
            dropped = log.dropped();
            paper.released.set_value();
        }
        QCOMPARE(dropped, std::uint64_t{15});
        QCOMPARE(paper.events.size(), std::size_t{11});
        QCOMPARE(paper.events.back().words, std::string("9"));
    }

    void whatCannotBeWrittenIsCounted() {
        Paper paper;
        paper.refuses = true;
        const test::ManualClock clock;
        EventLog full(paper.factory(), clock);
        full.setScene(scene());
        full.post(EventKind::start, "", "x", "operator");
        QTRY_COMPARE(full.dropped(), std::uint64_t{1});
        int asked = 0;
        EventLog without(
            [&]() -> Result<std::unique_ptr<evidence::EventSink>> {
                ++asked;
                return fail(ErrorKind::conflict, "somebody else holds the journal", {}, {});
            },
            clock);
        without.setScene(scene());
        without.post(EventKind::start, "", "x", "operator");
        without.post(EventKind::stop, "", "x", "operator");
        QTRY_COMPARE(without.dropped(), std::uint64_t{2});
        QCOMPARE(asked, 2);  // it may be free by the next time
    }

    void nothingIsWrittenWhereNoEvidenceIsKept() {
        Paper paper;
        const test::ManualClock clock;
        {
            EventLog log(paper.factory(), clock);
            log.post(EventKind::start, "", "before there is a policy", "operator");
            auto off = scene();
            off.enabled = false;
            log.setScene(off);
            log.post(EventKind::start, "", "a policy without evidence", "operator");
            EventLog none(nullptr, clock);
            none.setScene(scene());
            none.post(EventKind::start, "", "no journal at all", "operator");
            QCOMPARE(log.dropped() + none.dropped(), std::uint64_t{0});
        }
        QVERIFY(paper.events.empty());
        QCOMPARE(paper.sinks.load(), 0);
    }

    void longTextsAreCut() {
        Paper paper;
        const test::ManualClock clock;
        {
            EventLog log(paper.factory(), clock);
            log.setScene(scene());
            log.post(EventKind::note, std::string(100'000, 's'), std::string(100'000, 'w'), std::string(100'000, 'a'));
        }
        const Event& event = paper.events.at(0);
        QVERIFY(event.subject.size() <= EventLog::kMostSubject + 3 && event.words.size() <= EventLog::kMostWords + 3 && event.actor.size() <= 303);
    }

    void circuitsAreToldInWords_data() {
        QTest::addColumn<capacity::CircuitChange>("change");
        QTest::addColumn<QString>("words");
        using capacity::OpenCause;
        using End = capacity::CircuitChange::End;
        const auto opened = [](OpenCause cause, std::chrono::milliseconds time) {
            return capacity::CircuitChange{.endpointId = "e:m", .opened = true, .cause = cause, .coolsFor = time};
        };
        const auto closed = [](End end, std::chrono::milliseconds time, std::uint64_t probes = 0) {
            return capacity::CircuitChange{.endpointId = "e:m", .end = end, .wasOpenFor = time, .failedProbes = probes};
        };
        QTest::newRow("failures") << opened(OpenCause::consecutiveFailures, 30s)
                                  << QStringLiteral("It gets no requests until 07:07:10 UTC at least: its attempts failed one after the other.");
        QTest::newRow("429") << opened(OpenCause::rateLimited, 90s) << QStringLiteral("It gets no requests until 07:08:10 UTC at least: it limits our rate (429).");
        QTest::newRow("trip") << opened(OpenCause::byHand, 30s) << QString();
        QTest::newRow("served") << closed(End::served, 45s) << QStringLiteral("It gets requests again after 45 s.");
        QTest::newRow("after probes") << closed(End::served, 27min, 53) << QStringLiteral("It gets requests again after 27 min and 53 failed probes.");
        QTest::newRow("after a night") << closed(End::served, 605min, 1) << QStringLiteral("It gets requests again after 10 h 5 min and 1 failed probe.");
        QTest::newRow("excused") << closed(End::excused, 1s) << QStringLiteral("It gets requests again after 1 s: the failures were the requests' own.");
        QTest::newRow("reset") << closed(End::byHand, 45s) << QString();
    }
    void circuitsAreToldInWords() {
        QFETCH(capacity::CircuitChange, change);
        QFETCH(QString, words);
        const test::ManualClock clock;  // 2025-11-29 07:06:40 UTC
        QCOMPARE(QString::fromStdString(circuitWords(change, clock.now())), words);
        Paper paper;
        {
            EventLog log(paper.factory(), clock);
            log.setScene(scene());
            postCircuit(log, change, clock);
        }
        QCOMPARE(paper.events.size(), words.isEmpty() ? std::size_t{0} : std::size_t{1});
        if (words.isEmpty()) return;
        const Event& event = paper.events.front();
        QVERIFY(event.kind == (change.opened ? EventKind::circuitOpened : EventKind::circuitClosed) && event.subject == "e:m" &&
                event.actor == "gateway");
    }

    void manyThreadsMayPost() {
        Paper paper;
        const test::ManualClock clock;
        {
            EventLog log(paper.factory(), clock, 100'000);
            log.setScene(scene());
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&] {
                    for (int n = 0; n < 250; ++n) log.post(EventKind::circuitOpened, "e:m", "x", "gateway");
                });
            for (auto& thread : threads) thread.join();
        }
        QCOMPARE(paper.events.size(), std::size_t{1000});
        for (std::size_t n = 1; n < 1000; ++n) QVERIFY(paper.events[n].createdAt > paper.events[n - 1].createdAt);
    }
};

QTEST_APPLESS_MAIN(TestEventLog)
#include "tst_event_log.moc"
