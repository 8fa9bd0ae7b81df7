// SPDX-License-Identifier: MIT
#include "tests/router/evidence/sample_events.h"
#include "tests/support/page_harness.h"
#include "ui/pages/events/events_page.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;
using evidence::Event;
using evidence::EventKind;

namespace {

Event happened(std::chrono::minutes ago, EventKind kind, const char* subject, const char* actor, const char* words) {
    static std::uint64_t n = 0;
    Event made = test::sampleEvent(format::now() - ago, ++n);
    made.kind = kind;
    made.subject = subject;
    made.actor = actor;
    made.words = words;
    return made;
}

}  // namespace

class EventsPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_harness->view.follow(format::now());
        m_harness->view.setLive(24h);
        m_harness->target->setEvents({happened(90min, EventKind::circuitOpened, "lab:m", "gateway", "Three calls failed."),
                                      happened(60min, EventKind::drain, "lab:m", "operator:ada@ops-1", "Drained."),
                                      happened(30min, EventKind::apply, "abc", "operator:bob@ops-2", "A policy was applied."),
                                      happened(10min, EventKind::note, "", "operator", "Client 3.2 is out.")});
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void whatPeopleDidComesFirstWithWhoDidIt() {
        show();
        QTRY_COMPARE(rows(), 3);
        new QAbstractItemModelTester(m_view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_view);
        QCOMPARE(shown(1, 1), QStringLiteral("Policy applied"));
        QCOMPARE(shown(1, 3), QStringLiteral("bob@ops-2"));
        QCOMPARE(shown(0, 3), QStringLiteral("an operator"));
        QVERIFY2(m_answers->last().at(0).toString().contains(QStringLiteral("Note: Client 3.2 is out.")), qPrintable(m_answers->last().at(0).toString()));
    }

    void kindsAndPeopleRestrictIt() {
        show();
        QTRY_COMPARE(rows(), 3);
        choose(QStringLiteral("eventKinds"), QStringLiteral("All of it"));
        QTRY_COMPARE(rows(), 4);
        choose(QStringLiteral("eventPerson"), QStringLiteral("By ada@ops-1"));
        QTRY_COMPARE(rows(), 1);
        QCOMPARE(shown(0, 1), QStringLiteral("Endpoint drained"));
        const QVariantMap state = m_page->state();
        QCOMPARE(state.value(QStringLiteral("by")).toString(), QStringLiteral("operator:ada@ops-1"));
        choose(QStringLiteral("eventPerson"), QStringLiteral("By anybody"));
        QTRY_COMPARE(rows(), 4);
        m_page->open(state);
        QTRY_COMPARE(rows(), 1);
        choose(QStringLiteral("eventKinds"), QStringLiteral("What endpoints did by themselves"));
        auto* empty = m_page->findChild<EmptyState*>();
        QTRY_VERIFY(empty->isVisible());
        Q_EMIT empty->triggered();
        QTRY_COMPARE(rows(), 4);
    }

    void anEventLeadsOn() {
        show();
        QTRY_COMPARE(rows(), 3);
        m_view->selectSourceRow(2);
        QVERIFY(m_harness->inspected != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("Endpoint drained: lab:m"));
        press(QStringLiteral("Decisions around that time"));
        QCOMPARE(m_harness->visits.back().first, QStringLiteral("history"));
        const QVariantMap& range = m_harness->visits.back().second;
        QCOMPARE(range.value(QStringLiteral("to")).toLongLong() - range.value(QStringLiteral("from")).toLongLong(), static_cast<qlonglong>(1'800'000'000));
        press(QStringLiteral("All that happened to it"));
        QTRY_COMPARE(rows(), 2);  // its circuit as well
        auto* chip = m_page->findChild<QPushButton*>(QStringLiteral("eventSubject"));
        QVERIFY(chip->isVisible());
        chip->click();
        QTRY_COMPARE(rows(), 4);
        QVERIFY(!chip->isVisible());
    }

    void earlierOnesAreReadAPageAtATimeAndStay() {
        std::vector<Event> many;
        for (int i = 450; i > 0; --i) many.push_back(happened(std::chrono::minutes(i), EventKind::note, "", "operator:ada@ops-1", "One of many."));
        m_harness->target->setEvents(many);
        show();
        QTRY_COMPARE(rows(), 200);
        auto* more = button(m_page.get(), QStringLiteral("Show earlier ones"));
        QVERIFY(more != nullptr && more->isVisible());
        more->click();
        QTRY_COMPARE(rows(), 400);
        many.push_back(happened(0min, EventKind::note, "", "operator:ada@ops-1", "The newest."));
        m_harness->target->setEvents(many);
        m_page->hide();
        m_harness->view.follow(format::now() + 1min);
        m_page->show();
        QTRY_COMPARE(shown(0, 4), QStringLiteral("The newest."));
        QCOMPARE(m_view->model()->rowCount(), 200);  // asked anew, from the newest on
        more->click();
        QTRY_COMPARE(rows(), 400);
        more->click();
        QTRY_COMPARE(rows(), 451);
        QVERIFY(!more->isVisible());
    }

    // A live range that moves asks again for as many as are shown, and what is read stays where it is.
    void newOnesComeOnTopOfWhatIsRead() {
        std::vector<Event> many;
        for (int i = 300; i > 0; --i) many.push_back(happened(std::chrono::minutes(i), EventKind::note, "", "operator:ada@ops-1", "One of many."));
        m_harness->target->setEvents(many);
        show();
        QTRY_COMPARE(rows(), 200);
        button(m_page.get(), QStringLiteral("Show earlier ones"))->click();
        QTRY_COMPARE(rows(), 300);
        m_view->selectSourceRow(250);
        QVERIFY(m_harness->inspected != nullptr);
        m_harness->inspected.reset();
        const QString chosen = shown(250, 0);
        const int seenAt = m_view->rowViewportPosition(250);
        many.push_back(happened(0min, EventKind::note, "", "operator:ada@ops-1", "The newest."));
        m_harness->target->setEvents(many);
        auto* settle = m_page->findChild<QTimer*>(QStringLiteral("eventsSettle"));
        QVERIFY(settle != nullptr);
        m_harness->view.follow(format::now() + 1s);
        settle->start(0);
        QTRY_COMPARE(rows(), 301);
        QCOMPARE(shown(251, 0), chosen);
        QCOMPARE(m_view->currentSourceRow(), 251);
        QCOMPARE(m_view->rowViewportPosition(251), seenAt);
        QVERIFY(m_harness->inspected == nullptr);  // put away, and not brought back unasked
    }

    void aShorterRangeShowsWhatIsInIt() {
        show();
        QTRY_COMPARE(rows(), 3);
        m_harness->view.setLive(45min);
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rows(), 2);
        m_harness->view.setLive(24h);
        m_harness->view.follow(format::now());
        QTRY_COMPARE(rows(), 3);
    }

    void oneThatIsNamedIsSelected() {
        const auto events = std::vector{happened(5min, EventKind::note, "", "operator", "This one."), happened(1min, EventKind::note, "", "operator", "Another.")};
        m_harness->target->setEvents(events);
        make();
        m_page->open({{QStringLiteral("event"), format::text(events[0].id.text())}});
        m_page->show();
        QTRY_VERIFY(m_harness->inspected != nullptr);
        QCOMPARE(m_view->currentSourceRow(), 1);
    }

    void aHistoryThatIsAwayIsSaid() {
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the database does not answer", {}, "Start it."});
        show();
        auto* empty = m_page->findChild<EmptyState*>();
        QTRY_VERIFY(empty->isVisible());
        QStringList texts;
        for (const QLabel* label : empty->findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.join(QLatin1Char(' ')).contains(QStringLiteral("the database does not answer")), qPrintable(texts.join(QLatin1Char(' '))));
        m_harness->target->setHistoryFailure(std::nullopt);
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, 10'000);
        QVERIFY(!empty->isVisible());
    }

private:
    void make() {
        m_page = std::make_unique<EventsPage>(m_harness->context());
        m_page->resize(1100, 700);
        m_answers = std::make_unique<QSignalSpy>(m_page.get(), &Page::answerChanged);
        m_view = m_page->findChild<TableView*>(QStringLiteral("eventsTable"));
    }
    void show() {
        make();
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    [[nodiscard]] int rows() const { return m_view->isVisible() ? m_view->model()->rowCount() : 0; }
    [[nodiscard]] QString shown(int row, int column) const { return m_view->model()->index(row, column).data().toString(); }
    void choose(const QString& name, const QString& text) {
        auto* box = m_page->findChild<QComboBox*>(name);
        const int index = box->findText(text);
        QVERIFY2(index >= 0, qPrintable(text));
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }
    [[nodiscard]] static QPushButton* button(const QWidget* in, const QString& text) {
        for (auto* candidate : in->findChildren<QPushButton*>())
            if (candidate->text() == text) return candidate;
        return nullptr;
    }
    void press(const QString& text) {
        QPushButton* found = button(m_harness->inspected.get(), text);
        QVERIFY2(found != nullptr, qPrintable(text));
        found->click();
    }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<EventsPage> m_page;
    std::unique_ptr<QSignalSpy> m_answers;
    TableView* m_view = nullptr;
};

QTEST_MAIN(EventsPageTest)
#include "tst_events_page.moc"
