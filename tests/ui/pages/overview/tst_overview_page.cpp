// SPDX-License-Identifier: MIT
// The overview asks what is usual, says what is worse and for whom, and leads to the decisions behind it.
#include "tests/support/page_harness.h"

#include "ui/charts/time_chart.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/overview/usual_figure.h"
#include "ui/widgets/tone_label.h"

#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class OverviewPageTest : public QObject {
    Q_OBJECT
    std::unique_ptr<test::PageFixture<OverviewPage>> m_fixture;

    /// An hour of sixty requests now and in each of `weeks` weeks before; now `failed` of them fail, all of the blue team.
    void setHistory(int weeks, int failed, bool isCalled = false) {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int week = weeks; week >= 0; --week)
            for (int minute = 59; minute >= 0; --minute) {
                evidence::DecisionRecord record;
                record.createdAt = m_fixture->harness.view.range().to - week * 168h - minute * 1min - 1min;
                record.team = minute % 2 == 0 ? "blue" : "red";
                record.presetKey = "p";
                record.endpointId = "a:x";
                const bool fails = week == 0 && minute % 2 == 0 && minute / 2 < failed;
                if (isCalled) {
                    record.attempts.emplace_back().endpointId = "a:x";
                    record.attempts.back().outcome = evidence::AttemptOutcome::served;
                }
                record.outcome = fails ? evidence::Outcome::failed : evidence::Outcome::served;
                records->push_back(record);
            }
        m_fixture->harness.target->setHistory(records);
        m_fixture->harness.view.setLive(1h);
        m_fixture->harness.view.follow(m_fixture->harness.view.range().to);
    }
    [[nodiscard]] UsualFigure* figure(UsualTopic topic) const {
        for (auto* one : m_fixture->page->findChildren<UsualFigure*>())
            if (one->topic() == topic) return one;
        return nullptr;
    }

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<OverviewPage>>();
        m_fixture->page->resize(1200, 800);
        m_fixture->page->show();
    }
    void cleanup() { m_fixture.reset(); }

    void saysWhatIsWorseAndForWhom() {
        QSignalSpy answers(m_fixture->page.get(), &Page::answerChanged);
        setHistory(4, 12);
        QTRY_COMPARE(figure(UsualTopic::errors)->text().value, QStringLiteral("20.0 %"));
        QVERIFY(figure(UsualTopic::errors)->text().tone == Tone::danger);
        QCOMPARE(figure(UsualTopic::errors)->text().team, QStringLiteral("team blue: 40.0 % of 30"));
        QTRY_VERIFY(answers.last().first().toString().startsWith(QStringLiteral("Worse than usual: Errors 20.0 %, usual 0.0 % (team blue first).")));
        QCOMPARE(figure(UsualTopic::traffic)->text().usual, QStringLiteral("usual 1.00"));
    }

    void withoutWeeksItSaysSo() {
        setHistory(0, 0);
        QTRY_COMPARE(figure(UsualTopic::errors)->text().usual, QStringLiteral("no usual yet: 0 day(s) of history"));
    }

    // A gateway elsewhere tells its lists a moment after it was asked: what stands in them may need attention.
    void nothingIsSaidOfWhatWasNotTold_data() {
        using engine::GatewayState;
        QTest::addColumn<engine::KnownLists>("known");
        QTest::addColumn<GatewayState>("state");
        QTest::newRow("endpoints") << engine::KnownLists{.endpoints = false} << GatewayState::running;
        QTest::newRow("refusals") << engine::KnownLists{.refusals = false} << GatewayState::running;
        QTest::newRow("one that drains") << engine::KnownLists{.endpoints = false, .refusals = false} << GatewayState::draining;
        QTest::newRow("one that has not answered") << engine::KnownLists{.endpoints = false, .refusals = false} << GatewayState::starting;
    }
    void nothingIsSaidOfWhatWasNotTold() {
        QFETCH(const engine::KnownLists, known);
        QFETCH(const engine::GatewayState, state);
        QVERIFY(m_fixture->openDemo());
        QSignalSpy answers(m_fixture->page.get(), &Page::answerChanged);
        auto theirs = std::make_shared<test::FakeTarget>();
        QVERIFY(theirs->start({m_fixture->harness.document.workspace()->snapshot, {}}).has_value());
        auto status = theirs->status();
        status.state = state;
        status.evidence.state = evidence::StoreState::ready;
        theirs->setStatus(status);
        theirs->setKnownLists(known);
        m_fixture->harness.bridge.lookAt(theirs);
        const auto says = [&](const char* words) { return !answers.isEmpty() && answers.last().first().toString().contains(QLatin1String(words)); };
        QTRY_VERIFY2(says("What needs attention is known once the gateway has told its endpoints and what it refused."), qPrintable(answers.last().first().toString()));
        const auto shows = [this](const char* words) {
            const auto labels = m_fixture->page->findChildren<ToneLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const ToneLabel* label) { return label->text() == QLatin1String(words); });
        };
        QVERIFY(shows("The gateway is being asked what needs attention") && !shows("Nothing needs attention"));
        theirs->setKnownLists({});
        QTRY_VERIFY(says("Nothing needs attention."));
        QVERIFY(shows("Nothing needs attention") && !shows("The gateway is being asked what needs attention"));
        theirs->setRefusals({{"invalid_token", "Send the token.", 2, format::now()}});
        QTRY_VERIFY(says("1 thing(s) need attention."));
    }

    void aHistoryThatWasNotReadYetIsNotCalledUnreadable() {
        m_fixture->harness.target->setHistoryFailure(Error{ErrorKind::unavailable, "away", {}, {}});
        auto page = std::make_unique<OverviewPage>(m_fixture->harness.context());
        QSignalSpy answers(page.get(), &Page::answerChanged);
        Q_EMIT m_fixture->harness.bridge.statusChanged();
        QVERIFY2(answers.last().first().toString().contains(QStringLiteral("The history is being asked for the traffic.")), qPrintable(answers.last().first().toString()));
        page->show();
        QTRY_VERIFY(answers.last().first().toString().contains(QStringLiteral("History is not readable right now.")));
    }

    void aFigureOpensItsWeeksInTheInspector() {
        setHistory(2, 3);
        QTRY_VERIFY(figure(UsualTopic::errors)->text().usual.contains(QStringLiteral("usual")) && !figure(UsualTopic::errors)->text().value.isEmpty());
        QTest::keyClick(figure(UsualTopic::errors), Qt::Key_Return);
        QVERIFY(m_fixture->harness.inspected != nullptr);
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Errors"));
        m_fixture->button(m_fixture->harness.inspected.get(), QStringLiteral("Show these requests"))->click();
        QCOMPARE(m_fixture->harness.visits.back().second.value(QStringLiteral("outcome")).toString(), QStringLiteral("failed"));
    }

    // The figures are of this console's own gateway: another one's endpoint of that name is another server.
    void anEndpointInTheInspectorLeadsToItsPage() {
        setHistory(2, 3, true);
        QTRY_COMPARE(figure(UsualTopic::traffic)->text().usual, QStringLiteral("usual 1.00"));
        QTest::keyClick(figure(UsualTopic::traffic), Qt::Key_Return);
        QVERIFY(m_fixture->harness.inspected != nullptr);
        auto* link = m_fixture->harness.inspected->findChild<QPushButton*>(QStringLiteral("endpoint.a:x"));
        QVERIFY(link != nullptr);
        QTest::keyClick(link, Qt::Key_Space);
        QCOMPARE(m_fixture->harness.visits.back().first, QStringLiteral("endpoints"));
        QCOMPARE(m_fixture->harness.visits.back().second, (QVariantMap{{QStringLiteral("endpoint"), QStringLiteral("a:x")}}));
        const auto visits = m_fixture->harness.visits.size();
        m_fixture->harness.bridge.lookAt(std::make_shared<test::FakeTarget>());
        link = m_fixture->harness.inspected->findChild<QPushButton*>(QStringLiteral("endpoint.a:x"));
        QVERIFY(link != nullptr);
        link->click();
        QCOMPARE(m_fixture->harness.visits.size(), visits);
        QVERIFY2(m_fixture->harness.sayings.last().contains(QStringLiteral("a:x")), qPrintable(m_fixture->harness.sayings.join(QLatin1Char('|'))));
    }

    // What stands beside the page is as new as its figure, in place: nobody loses focus or selection.
    void theFigureInTheInspectorFollowsIt() {
        setHistory(2, 3);
        QTRY_COMPARE(figure(UsualTopic::errors)->text().value, QStringLiteral("5.0 %"));
        QTest::keyClick(figure(UsualTopic::errors), Qt::Key_Return);
        const QWidget* sheet = m_fixture->harness.inspected.get();
        const auto texts = [sheet] {
            QStringList all;
            for (const auto* label : sheet->findChildren<QLabel*>()) all << label->text();
            return all;
        };
        QVERIFY2(texts().contains(QStringLiteral("5.0 % of 60")), qPrintable(texts().join(QLatin1Char('|'))));
        setHistory(2, 12);
        m_fixture->harness.view.setLive(2h);
        QTRY_VERIFY2(texts().contains(QStringLiteral("20.0 % of 60")), qPrintable(texts().join(QLatin1Char('|'))));
        QCOMPARE(m_fixture->harness.inspected.get(), sheet);
    }

    void trafficIsDrawnAndLeadsToItsDecisions() {
        setHistory(0, 0);
        auto* chart = m_fixture->page->findChild<TimeChart*>(QStringLiteral("trafficChart"));
        QVERIFY(chart != nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(chart->series().total(), std::uint64_t{60}, 15'000);
        const auto first = chart->series().rangeOf(0);
        Q_EMIT chart->pointChosen(first, 0);
        QCOMPARE(m_fixture->harness.visits.back().first, QStringLiteral("history"));
        QCOMPARE(m_fixture->harness.visits.back().second.value(QStringLiteral("from")).toLongLong(), static_cast<qlonglong>(first.from.time_since_epoch().count()));
        Q_EMIT chart->rangeChosen(first);
        QVERIFY(!m_fixture->harness.view.isLive());
    }

    void titlesBesideEachOtherStandLevel() {
        QVERIFY(QTest::qWaitForWindowExposed(m_fixture->page.get()));
        const auto middleOf = [this](const QString& title) {
            for (const auto* label : m_fixture->page->findChildren<QLabel*>())
                if (label->text() == title) return label->mapTo(m_fixture->page.get(), label->rect().center()).y();
            return -1;
        };
        QVERIFY(middleOf(QStringLiteral("Needs attention")) > 0);
        QVERIFY(qAbs(middleOf(QStringLiteral("Needs attention")) - middleOf(QStringLiteral("When did who serve how much?"))) <= 1);
    }

    // What failed and what is unusual stands under "Needs attention", whichever gateway is looked at.
    void saysWhoseWhatNeedsAttentionIs() {
        const auto* whose = m_fixture->page->findChild<ToneLabel*>(QStringLiteral("overview.whose"));
        QVERIFY(whose != nullptr && !whose->isVisible());
        m_fixture->harness.bridge.lookAt(std::make_shared<test::FakeTarget>());
        QVERIFY(whose->isVisible());
        QVERIFY2(whose->text().contains(QStringLiteral("what needs attention in them")), qPrintable(whose->text()));
    }

    void trafficFollowsTheOwnGatewayWhileAnotherIsLookedAt() {
        QSignalSpy answers(m_fixture->page.get(), &Page::answerChanged);
        m_fixture->harness.bridge.lookAt(std::make_shared<test::FakeTarget>());
        QTRY_VERIFY(!answers.isEmpty() && answers.last().first().toString().contains(QStringLiteral("0 requests in the last")));
        evidence::DecisionRecord record;
        record.createdAt = m_fixture->harness.view.range().to - 1min;
        record.outcome = evidence::Outcome::served;
        m_fixture->harness.target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>(1, record));
        m_fixture->harness.target->decide(record);
        QTRY_VERIFY(!answers.isEmpty() && answers.last().first().toString().contains(QStringLiteral("1 requests in the last")));
    }

    void unreadableHistorySaysSoInPlace() {
        m_fixture->harness.target->setHistoryFailure(Error{ErrorKind::unavailable, "the database does not answer", {}, {}});
        m_fixture->harness.view.setLive(2h);
        QTRY_COMPARE(figure(UsualTopic::errors)->text().usual, QStringLiteral("the database does not answer"));
        QCOMPARE(figure(UsualTopic::errors)->text().value, format::none());
    }
};

QTEST_MAIN(OverviewPageTest)
#include "tst_overview_page.moc"
