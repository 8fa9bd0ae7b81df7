// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"

#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static WorkspacePtr workspaceThatRuns() {
    auto table = std::make_shared<const table::RoutingTable>();
    auto config = std::make_shared<const config::GatewayConfig>();
    policy::LoadedWorkspace workspace;
    workspace.snapshot = policy::makeSnapshot(table, "00", config);
    return std::make_shared<const policy::LoadedWorkspace>(std::move(workspace));
}

class BridgeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_target = std::make_shared<test::FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_target);
    }
    void cleanup() {
        m_bridge.reset();
        m_target.reset();
    }

    void startAnswersOnTheGuiThreadAndMovesTheStatus() {
        std::optional<Result<void>> answer;
        QThread* thread = nullptr;
        m_bridge->start(workspaceThatRuns(), [&](Result<void> result) {
            answer = std::move(result);
            thread = QThread::currentThread();
        });
        QTRY_VERIFY(answer.has_value());
        QVERIFY(answer->has_value());
        QCOMPARE(thread, qApp->thread());
        QVERIFY(m_bridge->status().state == engine::GatewayState::running);
        QVERIFY(m_bridge->running() != nullptr);
    }

    void failedStartIsHandedOnWithItsHint() {
        m_target->failNext({ErrorKind::conflict, "the port is taken", "127.0.0.1:38082", "Choose another."});
        std::optional<Error> error;
        m_bridge->start(workspaceThatRuns(), [&](const Result<void>& result) { error = result.error(); });
        QTRY_VERIFY(error.has_value());
        QCOMPARE(error->hint, std::string("Choose another."));
        QVERIFY(m_bridge->status().state == engine::GatewayState::failed);
    }

    void policyWithErrorsNeverReachesTheTarget() {
        std::optional<Error> error;
        m_bridge->start(std::make_shared<const policy::LoadedWorkspace>(), [&](const Result<void>& result) { error = result.error(); });
        QVERIFY(error.has_value());
        QCOMPARE(error->kind, ErrorKind::badInput);
        m_bridge->applyByRestart(nullptr, [&](const Result<void>& result) { error = result.error(); });
        QCOMPARE(m_target->appliedCount(), 0);
    }

    void manyDecisionsComeInFewBatches() {
        int batches = 0;
        std::size_t seen = 0;
        connect(m_bridge.get(), &Bridge::decisionsArrived, this, [&](const std::vector<RecordPtr>& records, quint64) {
            ++batches;
            seen += records.size();
        });
        for (int i = 0; i < 500; ++i) m_target->decide({});
        QTRY_COMPARE(seen, std::size_t{500});
        QVERIFY2(batches <= 3, qPrintable(QString::number(batches)));
    }

    void recentIsBoundedAndOverflowIsCounted() {
        quint64 skipped = 0;
        connect(m_bridge.get(), &Bridge::decisionsArrived, this, [&](const std::vector<RecordPtr>&, quint64 lost) { skipped += lost; });
        for (std::size_t i = 0; i < Bridge::kRecentLimit + 50; ++i) {
            evidence::DecisionRecord record;
            record.status = static_cast<int>(i);
            m_target->decide(std::move(record));
        }
        QTRY_COMPARE(m_bridge->recent().size(), Bridge::kRecentLimit);
        QCOMPARE(m_bridge->recent().back()->status, static_cast<int>(Bridge::kRecentLimit) + 49);
        QCOMPARE(skipped, quint64{50});
    }

    void unchangedStatusIsNotAnnounced() {
        QSignalSpy spy(m_bridge.get(), &Bridge::statusChanged);
        engine::TargetStatus status = m_target->status();
        status.inFlight = 3;
        m_target->setStatus(status);
        QTRY_COMPARE(spy.count(), 1);
        m_target->setStatus(status);
        m_target->decide({});  // gives ticks something to do; counts change once
        QTRY_COMPARE(m_bridge->status().decided, std::uint64_t{1});
        QCOMPARE(spy.count(), 2);
    }

    void endpointsAreReadOnlyWhileSomebodyFollows() {
        engine::EndpointHealth health;
        health.endpointId = "lab:small";
        m_target->setEndpoints({health});
        QSignalSpy spy(m_bridge.get(), &Bridge::endpointsChanged);
        QVERIFY(m_bridge->endpoints().empty());
        Bridge::Interest interest = m_bridge->followEndpoints();
        QCOMPARE(m_bridge->endpoints().size(), std::size_t{1});
        QCOMPARE(spy.count(), 1);
        // What cools, why and until when comes by itself (F58).
        health.circuit = "open";
        health.coolsFor = std::chrono::seconds(30);
        m_target->setEndpoints({health});
        QTRY_COMPARE(m_bridge->endpoints().front().circuit, std::string("open"));
        QCOMPARE(spy.count(), 2);
        interest.reset();
        m_target->setEndpoints({});
        m_target->decide({});
        QTRY_COMPARE(m_bridge->status().decided, std::uint64_t{1});
        QCOMPARE(m_bridge->endpoints().size(), std::size_t{1});
        interest = m_bridge->followEndpoints();
        QVERIFY(m_bridge->endpoints().empty());
    }

    void principalsFollowTheirUse() {
        Bridge::Interest interest = m_bridge->followPrincipals();
        engine::PrincipalUse use;
        use.id = "support-bot";
        use.requestsThisMinute = 7;
        m_target->setPrincipals({use});
        QSignalSpy spy(m_bridge.get(), &Bridge::principalsChanged);
        QTRY_COMPARE(m_bridge->principals().size(), std::size_t{1});
        QCOMPARE(m_bridge->principals().front().requestsThisMinute, std::uint32_t{7});
        QCOMPARE(spy.count(), 1);
    }

    void droppedTicketNeverAnswers() {
        bool answered = false;
        TicketPtr ticket = m_bridge->ask<evidence::HistorySummary>(
            [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.summary({}, cancel); },
            [&](const Result<evidence::HistorySummary>&) { answered = true; });
        ticket.reset();
        bool second = false;
        ticket = m_bridge->ask<evidence::HistorySummary>(
            [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.summary({}, cancel); },
            [&](const Result<evidence::HistorySummary>&) { second = true; });
        QTRY_VERIFY(second);
        QVERIFY(!answered);
    }

    void historyFailureArrivesAsAnError() {
        m_target->setHistoryFailure(Error{ErrorKind::unavailable, "the database is away", {}, {}});
        std::optional<Error> error;
        const TicketPtr ticket = m_bridge->ask<evidence::HistorySummary>(
            [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.summary({}, cancel); },
            [&](const Result<evidence::HistorySummary>& answer) { error = answer.error(); });
        QTRY_VERIFY(error.has_value());
        QCOMPARE(error->message, std::string("the database is away"));
    }

private:
    std::shared_ptr<test::FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
};

QTEST_GUILESS_MAIN(BridgeTest)
#include "tst_bridge.moc"
