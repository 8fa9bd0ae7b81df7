// SPDX-License-Identifier: MIT
// What the groups page shows as measured: whose endpoint health it is, and how often tool calls were valid.
#include "tests/support/page_harness.h"
#include "tests/ui/pages/groups/group_samples.h"
#include "ui/pages/groups/candidates_model.h"
#include "ui/pages/groups/groups_page.h"
#include "ui/pages/groups/tool_calls.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/tone_label.h"

#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class GroupsMeasuredTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_harness->view.follow(format::now() + std::chrono::hours(1));
        QVERIFY(m_harness->openPolicy(test::kGroupToml));
        m_theirs = std::make_shared<test::FakeTarget>();
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void healthOfAnotherPolicyIsNotTheDrafts() {
        m_harness->target->setEndpoints({cooling("cloud:flash")});
        show();
        QTRY_COMPARE(cell(1, CandidatesModel::State), QStringLiteral("cooling 24 s"));
        QVERIFY(!whose()->isVisible());
        auto other = std::make_shared<config::GatewayConfig>(*snapshot()->config);
        other->routing.groups[0].candidates[1].quality = 0.1;
        look(policy::makeSnapshot(snapshot()->table, snapshot()->tableSha256, other), {cooling("cloud:flash"), busy("lab:small", 3'900, 120)});
        QVERIFY(whose()->isVisible());
        QVERIFY2(whose()->text().startsWith(QStringLiteral("prod-a does not run what is open here")), qPrintable(whose()->text()));
        for (const int row : {0, 1}) {
            QCOMPARE(cell(row, CandidatesModel::State), QStringLiteral("not known"));
            QCOMPARE(cell(row, CandidatesModel::Measured), QStringLiteral("–"));
        }
        m_harness->bridge.lookAt(nullptr);
        QCOMPARE(cell(1, CandidatesModel::State), QStringLiteral("cooling 24 s"));
        QVERIFY(!whose()->isVisible());
    }

    void healthOfTheSamePolicyElsewhereIsNamed() {
        show();
        look(snapshot(), {cooling("cloud:flash"), busy("lab:small", 3'900, 120)});
        QVERIFY(whose()->isVisible());
        QVERIFY2(whose()->text().contains(QStringLiteral("is that of prod-a")), qPrintable(whose()->text()));
        QCOMPARE(cell(1, CandidatesModel::State), QStringLiteral("cooling 24 s"));
        QCOMPARE(cell(0, CandidatesModel::Measured), QStringLiteral("3,900"));
        m_page->findChild<TableView*>()->selectSourceRow(1);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("Candidate, health from prod-a"));
        // Those that it serves no more stand in no row once it cannot be reached.
        auto status = m_theirs->status();
        status.state = engine::GatewayState::failed;
        status.unreachableSince = SystemClock().now();
        m_theirs->setStatus(status);
        QTRY_COMPARE(cell(1, CandidatesModel::State), QStringLiteral("not known"));
    }

    void toolCallsOfTheRangeStandInTheirColumn() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (std::uint64_t i = 0; i < 40; ++i) {
            evidence::DecisionRecord record = test::groupDecision(i);
            record.createdAt = format::now() - std::chrono::seconds(40 - i);
            record.endpointId = i % 2 == 0 ? "lab:small" : "cloud:flash";
            if (i % 2 == 0) record.toolsCalled = record.toolsValidJson = 2, record.toolsFitSchema = i == 0 ? 1 : 2;
            records->push_back(record);
        }
        m_harness->target->setHistory(records);
        show();
        QTRY_COMPARE(cell(0, CandidatesModel::ToolsValid), QStringLiteral("97.5 %"));
        QCOMPARE(cell(1, CandidatesModel::ToolsValid), QStringLiteral("–"));
        QVERIFY(!m_page->findChild<TableView*>()->isColumnHidden(CandidatesModel::ToolsValid));
        m_page->resize(900, 900);
        QVERIFY(m_page->findChild<TableView*>()->isColumnHidden(CandidatesModel::ToolsValid));  // the inspector has it
    }

    /// The question reads five ranges: a page that is drawn ten times a second asks it once.
    void toolCallsAreAskedOnceForTheSameRange() {
        make();
        QSignalSpy answers(m_page->findChild<ToolCallWatch*>(), &ToolCallWatch::changed);
        m_page->show();
        QTRY_COMPARE(answers.count(), 1);
        for (int i = 0; i < 5; ++i) {
            m_harness->view.follow(format::now() + std::chrono::hours(1) + std::chrono::seconds(i));
            m_harness->target->setEndpoints({busy("lab:small", 1'000 + i, 120)});
        }
        settle();
        QCOMPARE(answers.count(), 1);
        m_harness->view.setLive(std::chrono::hours(1));  // another range is asked for at once
        QTRY_COMPARE(answers.count(), 2);
    }

    void aCandidateHasTheToolCallsOfTheEndpointsBehindIt() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        const auto answered = [&](const char* endpoint, std::uint32_t calls, std::uint32_t fit, std::uint32_t unchecked) {
            evidence::DecisionRecord record = test::groupDecision(records->size());
            record.createdAt = format::now() - std::chrono::seconds(40 - records->size());
            record.endpointId = endpoint;
            record.toolsCalled = calls;
            record.toolsFitSchema = fit;
            record.toolsUnchecked = unchecked;
            records->push_back(record);
        };
        answered("lab:a", 4, 3, 0);
        answered("lab:b", 5, 2, 3);
        answered("lab:c", 9, 9, 0);
        m_harness->target->setHistory(records);
        ToolCallWatch watch(&m_harness->bridge, &m_harness->view, nullptr);
        QSignalSpy answers(&watch, &ToolCallWatch::changed);
        watch.refresh({{"pool:chat", {"lab:a", "lab:b"}}, {"lab:a", {"lab:a", "lab:nobody"}}});
        QTRY_COMPARE(answers.count(), 1);
        QCOMPARE(watch.of("pool:chat"), (ToolCallCount{5, 1, 3}));
        QCOMPARE(watch.of("lab:a"), (ToolCallCount{3, 1, 0}));
        QCOMPARE(watch.of("lab:c"), (ToolCallCount{9, 0, 0}));
        QCOMPARE(watch.of("lab:d"), ToolCallCount());
        // What cannot be read is not made up of what was.
        m_harness->target->setHistoryFailure(Error{ErrorKind::unavailable, "the database is away", {}, {}});
        m_harness->view.setLive(std::chrono::hours(2));
        watch.refresh({});
        QTRY_COMPARE(answers.count(), 2);
        QCOMPARE(watch.of("lab:c"), ToolCallCount());
    }

private:
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> snapshot() const { return m_harness->document.workspace()->snapshot; }
    void make() {
        m_page = std::make_unique<GroupsPage>(m_harness->context());
        m_page->resize(1300, 900);
    }
    void show() {
        make();
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void look(const std::shared_ptr<const policy::PolicySnapshot>& policy, const std::vector<engine::EndpointHealth>& health) {
        QVERIFY(m_theirs->start({policy, {}}));
        m_theirs->tellHashOnly();
        m_theirs->setEndpoints(health);
        auto status = m_theirs->status();
        status.name = "prod-a";
        status.remote = true;
        m_theirs->setStatus(status);
        m_harness->bridge.lookAt(m_theirs);
    }
    /// Every question asked so far is answered then.
    void settle() {
        bool answered = false;
        const auto nothing = [](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> { return 0; };
        const auto ticket = m_harness->bridge.ask<int>(nothing, [&answered](const Result<int>&) { answered = true; });
        QTRY_VERIFY(answered);
    }
    static engine::EndpointHealth busy(const char* id, double average, std::uint64_t calls) {
        engine::EndpointHealth health;
        health.endpointId = id;
        health.signals.attempts = calls;
        health.signals.latencyEwmaMs = average;
        return health;
    }
    static engine::EndpointHealth cooling(const char* id) {
        engine::EndpointHealth health;
        health.endpointId = id;
        health.circuit = "open";
        health.cause = "status_429";
        health.coolsFor = std::chrono::seconds(24);
        return health;
    }
    [[nodiscard]] ToneLabel* whose() const { return m_page->findChild<ToneLabel*>(QStringLiteral("whoseHealth")); }
    [[nodiscard]] QString cell(int row, int column) const { return m_page->findChild<CandidatesModel*>()->index(row, column).data().toString(); }

    std::unique_ptr<test::PageHarness> m_harness;
    std::shared_ptr<test::FakeTarget> m_theirs;
    std::unique_ptr<GroupsPage> m_page;
};

QTEST_MAIN(GroupsMeasuredTest)
#include "tst_groups_measured.moc"
