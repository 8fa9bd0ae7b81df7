// SPDX-License-Identifier: MIT
#include "tests/router/evidence/sample_events.h"
#include "tests/support/fake_target.h"
#include "ui/bridge/event_question.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;
using evidence::Event;
using evidence::EventKind;

namespace {

const Timestamp kStart{std::chrono::seconds(1'764'403'200)};
evidence::TimeRange day() { return {kStart, kStart + 24h}; }

std::vector<Event> ask(Bridge& bridge, const evidence::TimeRange& range) {
    std::optional<std::vector<Event>> answer;
    const TicketPtr ticket = askEvents(bridge, range, [&](std::vector<Event> events) { answer = std::move(events); });
    [[maybe_unused]] const bool done = QTest::qWaitFor([&] { return answer.has_value(); }, 5000);
    return answer.value_or(std::vector<Event>(1));
}

}  // namespace

class EventQuestionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A flapping endpoint must not push the day's only apply out of a chart.
    void whatPeopleDidIsThereBesideThousandsOfCircuits() {
        auto target = std::make_shared<test::FakeTarget>();
        std::vector<Event> events;
        for (std::uint64_t n = 0; n < 3000; ++n) {
            Event event = test::sampleEvent(kStart + std::chrono::seconds(n), n);
            event.kind = n == 0 ? EventKind::apply : n % 2 == 0 ? EventKind::circuitOpened : EventKind::circuitClosed;
            events.push_back(event);
        }
        events.push_back(test::sampleEvent(kStart + 25h, 5000));
        target->setEvents(events);
        Bridge bridge(target);
        const auto found = ask(bridge, day());
        QCOMPARE(found.size(), kMostEvents + 1);
        QVERIFY(found.back().kind == EventKind::apply);
        for (std::size_t i = 1; i < found.size(); ++i) QVERIFY(found[i].createdAt < found[i - 1].createdAt);
    }

    void aHistoryThatCannotBeReadHasNone() {
        auto target = std::make_shared<test::FakeTarget>();
        target->setEvents({test::sampleEvent(kStart, 1)});
        Bridge bridge(target);
        QCOMPARE(ask(bridge, day()).size(), std::size_t{1});
        target->setHistoryFailure(Error{ErrorKind::unavailable, "away", {}, {}});
        QVERIFY(ask(bridge, day()).empty());
    }
};

QTEST_GUILESS_MAIN(EventQuestionTest)
#include "tst_event_question.moc"
