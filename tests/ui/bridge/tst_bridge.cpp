// SPDX-License-Identifier: MIT
#include "router/engine/remote_target.h"
#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
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

namespace {

/// A gateway elsewhere that keeps what it is sent; all else is a fake's.
class FakeRemote final : public engine::RemoteTarget {
public:
    Result<void> applyFiles(const engine::wire::ApplyRequest& release) override {
        const std::lock_guard lock(m_mutex);
        m_taken.push_back(release);
        return {};
    }
    std::vector<engine::wire::ApplyRequest> taken() const {
        const std::lock_guard lock(m_mutex);
        return m_taken;
    }

    engine::TargetStatus status() const override { return m_fake.status(); }
    std::shared_ptr<const policy::PolicySnapshot> running() const override { return nullptr; }
    Result<void> start(engine::Policy policy) override { return m_fake.start(std::move(policy)); }
    Result<void> apply(engine::Policy policy) override { return m_fake.apply(std::move(policy)); }
    Result<void> stop(std::chrono::milliseconds patience) override { return m_fake.stop(patience); }
    Result<void> off(bool on) override { return m_fake.off(on); }
    Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) override { return m_fake.setMode(mode, percent); }
    Result<void> note(const std::string& words) override { return m_fake.note(words); }
    std::vector<engine::EndpointHealth> endpoints() const override { return m_fake.endpoints(); }
    std::vector<dispatch::PoolView> pools() const override { return m_fake.pools(); }
    Result<dispatch::PoolForecast> forecast(const std::string& poolId, const dispatch::PoolQuestion& question) const override { return m_fake.forecast(poolId, question); }
    std::vector<engine::ResourceView> resources() const override { return m_fake.resources(); }
    Result<void> act(const std::string& endpointId, engine::EndpointAction action) override { return m_fake.act(endpointId, action); }
    std::vector<engine::PrincipalUse> principals() const override { return m_fake.principals(); }
    std::string routerStatusJson() const override { return m_fake.routerStatusJson(); }
    std::string clientToken() const override { return m_fake.clientToken(); }
    std::vector<engine::RefusalCount> refusals() const override { return m_fake.refusals(); }
    engine::RequestsUnderWay requests() const override { return m_fake.requests(); }
    std::unique_ptr<engine::DecisionFeed> subscribe(engine::FeedWish wish) override { return m_fake.subscribe(wish); }
    std::unique_ptr<engine::HistoryJob> ask(std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> question) override { return m_fake.ask(std::move(question)); }

private:
    test::FakeTarget m_fake;
    mutable std::mutex m_mutex;
    std::vector<engine::wire::ApplyRequest> m_taken;
};

}  // namespace

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

    void anotherOwnGatewayTakesThePlaceOfTheFirst_data() {
        QTest::addColumn<bool>("elsewhere");
        QTest::addRow("looked at") << false;
        QTest::addRow("while another one is looked at") << true;
    }
    void anotherOwnGatewayTakesThePlaceOfTheFirst() {
        QFETCH(bool, elsewhere);
        const auto remote = std::make_shared<FakeRemote>();
        if (elsewhere) m_bridge->lookAt(remote);
        auto own = std::make_shared<test::FakeTarget>();
        engine::TargetStatus status = own->status();
        status.name = "settled";
        own->setStatus(status);
        evidence::DecisionRecord record;
        record.createdAt = SystemClock().now();
        own->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>(1, record));
        QSignalSpy moved(m_bridge.get(), &Bridge::targetChanged);
        m_bridge->setOwn(own);
        QCOMPARE(moved.count(), elsewhere ? 0 : 1);
        QCOMPARE(m_bridge->looksElsewhere(), elsewhere);
        QCOMPARE(m_bridge->ownStatus().name, std::string("settled"));
        if (elsewhere) m_bridge->lookAt(nullptr);
        QCOMPARE(m_bridge->status().name, std::string("settled"));
        std::uint64_t found = 0;  // history is asked of the new one
        const auto ticket = m_bridge->ask<evidence::HistorySummary>(
            [at = record.createdAt](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
                return reader.summary({at - std::chrono::hours(1), at + std::chrono::hours(1)}, cancel);
            },
            [&found](const Result<evidence::HistorySummary>& summary) { found = summary ? summary->requests : 0; });
        QTRY_COMPARE(found, std::uint64_t{1});
        const std::weak_ptr<test::FakeTarget> first = m_target;
        m_target.reset();
        QTRY_VERIFY(first.expired());
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

    void elsewhereGetsTheBytesThatAreOpenOrNone() {
        const QTemporaryDir folder;
        const std::filesystem::path table(folder.filePath(QStringLiteral("routing-table.json")).toStdString()), toml(folder.filePath(QStringLiteral("gateway.toml")).toStdString());
        const QString demo = QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/");
        for (const auto& file : {table, toml}) put(file, get(std::filesystem::path(demo.toStdString()) / file.filename()));
        auto loaded = policy::loadWorkspace(table, toml, [](const std::string&) { return std::nullopt; }, SystemClock().now());
        QVERIFY(loaded.has_value());
        const auto workspace = std::make_shared<const policy::LoadedWorkspace>(std::move(*loaded));
        QVERIFY(workspace->snapshot != nullptr);
        const auto prod = std::make_shared<FakeRemote>();
        m_bridge->lookAt(prod);
        for (const auto& file : {table, toml}) {
            const QByteArray seen = get(file);
            put(file, seen + "\n");
            const auto refused = apply(workspace);
            QVERIFY(refused && !*refused);
            QCOMPARE(refused->error().kind, ErrorKind::conflict);
            QCOMPARE(refused->error().message, std::string("the files on disk are not the ones that are open"));
            QCOMPARE(refused->error().where, file.string());
            QCOMPARE(refused->error().hint, std::string("Read them again, look at the change, then apply."));
            QVERIFY(prod->taken().empty());
            put(file, seen);
        }
        const auto applied = apply(workspace);
        QVERIFY(applied && *applied);
        QCOMPARE(prod->taken().size(), std::size_t{1});
        QCOMPARE(prod->taken().front().files.front().text, get(table).toStdString());
    }

    void ownDecisionsAreFollowedWhileAnotherIsLookedAt() {
        const auto theirs = std::make_shared<test::FakeTarget>();
        m_bridge->lookAt(theirs);
        QSignalSpy seen(m_bridge.get(), &Bridge::decisionsArrived), own(m_bridge.get(), &Bridge::ownDecisionsArrived);
        m_target->decide({});
        QTRY_COMPARE(m_bridge->ownRecent().size(), std::size_t{1});
        QCOMPARE(own.count(), 1);
        QVERIFY(seen.isEmpty() && m_bridge->recent().empty());
        theirs->decide({});
        QTRY_COMPARE(m_bridge->recent().size(), std::size_t{1});
        QCOMPARE(m_bridge->ownRecent().size(), std::size_t{1});
        QCOMPARE(own.count(), 1);
        QCOMPARE(seen.count(), 1);
        m_bridge->lookAt(nullptr);  // what the session decided meanwhile is there
        QCOMPARE(m_bridge->recent().size(), std::size_t{1});
        m_target->decide({});
        QTRY_COMPARE(m_bridge->recent().size(), std::size_t{2});
        QCOMPARE(own.count(), 2);
        QCOMPARE(seen.count(), 2);

        const auto another = std::make_shared<test::FakeTarget>();
        m_bridge->setOwn(another);
        QVERIFY(m_bridge->recent().empty() && m_bridge->ownRecent().empty());
        another->decide({});
        QTRY_COMPARE(m_bridge->ownRecent().size(), std::size_t{1});
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

    // That nothing was refused is something else once it is known.
    void refusalsFollowAndSoDoesWhetherTheyAreKnown() {
        m_target->setKnownLists({.refusals = false});
        QSignalSpy spy(m_bridge.get(), &Bridge::refusalsChanged);
        const Bridge::Interest interest = m_bridge->followRefusals();
        QVERIFY(!m_bridge->knowsRefusals());
        QCOMPARE(spy.count(), 1);
        m_target->setKnownLists({});
        QTRY_VERIFY(m_bridge->knowsRefusals());
        QCOMPARE(spy.count(), 2);
        m_target->setRefusals({{"invalid_token", "Send the token.", 2, Timestamp{}}});
        QTRY_COMPARE(m_bridge->refusals().size(), std::size_t{1});
        QCOMPARE(spy.count(), 3);
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
    static QByteArray get(const std::filesystem::path& file) {
        QFile in(QString::fromStdString(file.string()));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    static void put(const std::filesystem::path& file, const QByteArray& bytes) {
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    std::optional<Result<void>> apply(const WorkspacePtr& workspace) {
        std::optional<Result<void>> answer;
        m_bridge->applyByRestart(workspace, [&answer](Result<void> result) { answer = std::move(result); });
        [[maybe_unused]] const bool came = QTest::qWaitFor([&answer] { return answer.has_value(); }, 10'000);
        return answer;
    }

    std::shared_ptr<test::FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
};

QTEST_GUILESS_MAIN(BridgeTest)
#include "tst_bridge.moc"
