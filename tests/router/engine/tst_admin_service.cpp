// SPDX-License-Identifier: MIT
// The admin API without sockets: what only shows when a gateway is not there, is busy, or is slow to be read.
#include "router/engine/admin_service.h"

#include "router/engine/admin_wire.h"
#include "router/engine/feed_hub.h"
#include "router/gateway/admin_paths.h"
#include "tests/support/fake_target.h"
#include "tests/support/fakes.h"
#include "tests/support/passing_target.h"

#include <QTest>
#include <future>
#include <latch>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
namespace paths = gateway::admin;

class AdminServiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGatewayThatDoesNotRunSaysSo_data();
    void aGatewayThatDoesNotRunSaysSo();
    void viewsGoOnWhileAnActionTakesItsTime();
    void tooManyOrdersAreRefusedAndAudited();
    void F46_our503SaysWhenToComeAgain();
    void nothingIsAnsweredAfterClosing();
    void slowReadersAreToldWhatTheyMissed();
    void aQuietStreamStillBeats();
    void failedActionsAreAuditedAndViewsAreNot();
    void theLogHearsOfEveryAction();
    void whoLooksAllTheTimeIsToldOnce();
    void eventsArePaged();
    void readersThatComeAtOnceAreCountedToo();
    void readersOfAQuietGatewayAreForgotten();
};

namespace {

/// Hands on to the fake, and remembers who was turned away.
class Actions final : public engine::AdminActions {
public:
    explicit Actions(FakeTarget& target) : m_target(target) {}
    Result<void> apply(engine::Policy policy, const engine::Actor&) override { return m_target.apply(std::move(policy)); }
    Result<engine::Acted> off(bool on, const engine::Actor&) override {
        if (hold)
            hold->wait();
        const bool isSoAlready = m_target.status().killed == on;
        return m_target.off(on).map([&] { return isSoAlready ? engine::Acted::unchanged : engine::Acted::done; });
    }
    Result<engine::Acted> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent, const engine::Actor&) override {
        return m_target.setMode(mode, percent).map([] { return engine::Acted::done; });
    }
    Result<void> act(const std::string& endpointId, engine::EndpointAction action, const engine::Actor&) override {
        return m_target.act(endpointId, action);
    }
    Result<void> note(const std::string& words, const engine::Actor&) override { return m_target.note(words); }
    void postRefused(std::string_view subject, const std::string& words, const engine::Actor& by) noexcept override {
        const std::scoped_lock lock(m_mutex);
        m_refused.push_back(by.name + " " + std::string(subject) + " " + words);
    }
    std::vector<std::string> refused() const {
        const std::scoped_lock lock(m_mutex);
        return m_refused;
    }
    std::latch* hold = nullptr;

private:
    FakeTarget& m_target;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_refused;
};

struct Scene {
    FakeTarget target;
    Actions actions{target};
    ManualClock clock;
    std::shared_ptr<gateway::AdminFeed> log = std::make_shared<gateway::AdminFeed>();
    engine::AdminService service{target, actions,
                                 [](const engine::wire::ApplyRequest&) -> Result<engine::Policy> { return engine::Policy{}; }, clock, log};

    /// `action subject outcome`, oldest first.
    std::vector<std::string> told() {
        std::vector<std::string> out;
        for (const gateway::AdminEntry& one : log->take().entries)
            out.push_back(one.action + (one.subject.empty() ? "" : " " + one.subject) + " " + std::string(toString(one.outcome)));
        return out;
    }

    std::future<gateway::AdminResult> call(std::string_view path, bool post, std::string body = {}, std::string query = {}) {
        auto answer = std::make_shared<std::promise<gateway::AdminResult>>();
        gateway::AdminCall call;
        call.path = path;
        call.isPost = post;
        call.query = std::move(query);
        call.body = std::move(body);
        call.actor = "ada";
        call.peer = "127.0.0.1";
        service.handle(std::move(call), [answer](gateway::AdminResult result) { answer->set_value(std::move(result)); });
        return answer->get_future();
    }
};

constexpr auto kSoon = std::chrono::seconds(20);

} // namespace

void AdminServiceTest::aGatewayThatDoesNotRunSaysSo_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("body");
    QTest::newRow("off") << QStringLiteral("/admin/off") << QStringLiteral(R"({"on":true})");
    QTest::newRow("mode") << QStringLiteral("/admin/mode") << QStringLiteral(R"({"mode":"shadow"})");
    QTest::newRow("policy") << QStringLiteral("/admin/policy") << QString();
}

void AdminServiceTest::aGatewayThatDoesNotRunSaysSo() {
    QFETCH(QString, path);
    QFETCH(QString, body);
    Scene scene;
    const auto answer = scene.call(path.toStdString(), !body.isEmpty(), body.toStdString()).get();
    QVERIFY(!answer);
    QCOMPARE(answer.error().status, 409);
    QVERIFY2(answer.error().message.find("does not run") != std::string::npos, answer.error().message.c_str());
    const auto status = scene.call(paths::kStatus, false).get();
    QVERIFY(status && nlohmann::json::parse(*status)["state"] == "stopped");
}

void AdminServiceTest::viewsGoOnWhileAnActionTakesItsTime() {
    Scene scene;
    std::latch hold(1);
    scene.actions.hold = &hold;
    auto action = scene.call(paths::kOff, true, R"({"on":true})");
    QVERIFY(scene.call(paths::kStatus, false).wait_for(kSoon) == std::future_status::ready);
    QVERIFY(scene.call(paths::kEndpoints, false).get().has_value());
    QVERIFY(action.wait_for(0s) == std::future_status::timeout);
    hold.count_down();
    QVERIFY(action.wait_for(kSoon) == std::future_status::ready);
}

void AdminServiceTest::tooManyOrdersAreRefusedAndAudited() {
    Scene scene;
    std::latch hold(1);
    scene.actions.hold = &hold;
    std::vector<std::future<gateway::AdminResult>> orders;
    for (int i = 0; i < 70; ++i)
        orders.push_back(scene.call(paths::kOff, true, R"({"on":true})"));
    auto last = scene.call(paths::kOff, true, R"({"on":true})");
    QVERIFY(last.wait_for(0s) == std::future_status::ready);
    const auto refused = last.get();
    QVERIFY(!refused && refused.error().status == 429 && refused.error().retryAfter);
    const auto audited = scene.actions.refused();
    hold.count_down();
    for (auto& order : orders) // those that had room and those that had not
        QVERIFY(order.wait_for(kSoon) == std::future_status::ready);
    QVERIFY(!audited.empty());
    QVERIFY2(audited.back().starts_with("operator:ada /admin/off") && audited.back().find("Too many admin calls") != std::string::npos,
             audited.back().c_str());
}

void AdminServiceTest::F46_our503SaysWhenToComeAgain() {
    Scene scene;
    scene.target.setHistoryFailure(Error{ErrorKind::unavailable, "the database cannot be reached", {}, {}});
    const auto answer = scene.call(paths::kEvents, false).get();
    QVERIFY(!answer);
    QCOMPARE(answer.error().status, 503);
    QVERIFY(answer.error().retryAfter == gateway::kRetryUnavailable);
}

void AdminServiceTest::nothingIsAnsweredAfterClosing() {
    Scene scene;
    scene.service.close();
    const auto answer = scene.call(paths::kStatus, false).get();
    QVERIFY(!answer && answer.error().status == 429);
}

void AdminServiceTest::slowReadersAreToldWhatTheyMissed() {
    Scene scene;
    const auto lines = scene.service.follow({});
    QVERIFY(lines.has_value());
    constexpr int kMore = 76;
    for (std::size_t i = 0; i < engine::AdminService::kStreamBuffer + kMore; ++i)
        scene.target.decide({});
    const std::string text = (*lines)->take();
    QCOMPARE(text.substr(0, text.find('\n')), std::string(R"({"skipped":76})"));
    QCOMPARE(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), engine::AdminService::kStreamBuffer + 1);
    QVERIFY((*lines)->take().empty());
}

void AdminServiceTest::aQuietStreamStillBeats() {
    Scene scene;
    const auto lines = scene.service.follow({});
    QVERIFY((*lines)->take().find("heartbeat") != std::string::npos);
    QVERIFY((*lines)->take().empty());
    scene.clock.advance(engine::AdminService::kHeartbeat - 1s);
    QVERIFY((*lines)->take().empty());
    scene.clock.advance(1s);
    QVERIFY((*lines)->take().find("heartbeat") != std::string::npos);
    QCOMPARE((*lines)->end("draining"), std::string("{\"end\":\"draining\"}\n"));
}

void AdminServiceTest::failedActionsAreAuditedAndViewsAreNot() {
    Scene scene;
    QVERIFY(!scene.call(paths::kForecast, true, R"({"pool":"none"})").get());
    QVERIFY(scene.actions.refused().empty());
    QVERIFY(!scene.call(paths::kDrain, true, R"({"endpoint":"no:where"})").get());
    const auto refused = scene.actions.refused();
    QCOMPARE(refused.size(), std::size_t{1});
    QVERIFY2(refused.front().starts_with("operator:ada /admin/drain") && refused.front().find("127.0.0.1") != std::string::npos,
             refused.front().c_str());
}

// Whatever becomes of the evidence: nobody shall switch something off without a trace.
void AdminServiceTest::theLogHearsOfEveryAction() {
    Scene scene;
    const auto table = std::make_shared<const table::RoutingTable>();
    const auto snapshot = policy::makeSnapshot(table, {}, std::make_shared<const config::GatewayConfig>());
    QVERIFY(scene.target.start({snapshot}));
    QVERIFY(scene.call(paths::kOff, true, R"({"on":true})").get());
    QVERIFY(scene.call(paths::kOff, true, R"({"on":true})").get());
    QVERIFY(!scene.call(paths::kDrain, true, R"({"endpoint":"no:where"})").get());
    QVERIFY(!scene.call(paths::kMode, true, "planted").get());
    QVERIFY(scene.call(paths::kEvents, true, R"({"words":"planted"})").get());
    const auto batch = scene.log->take();
    QCOMPARE(batch.missed, std::uint64_t{0});
    QCOMPARE(batch.entries.size(), std::size_t{5});
    for (const gateway::AdminEntry& one : batch.entries) {
        QCOMPARE(one.actor, std::string("operator:ada"));
        QCOMPARE(one.peer, std::string("127.0.0.1"));
        QVERIFY((one.subject + one.message).find("planted") == std::string::npos);
        scene.log->add(one);
    }
    const std::vector<std::string> expected{"off on done", "off on unchanged", "drain no:where refused", "mode refused", "note done"};
    QVERIFY(scene.told() == expected);
    QCOMPARE(batch.entries[0].policyHash, snapshot->hash);
    QVERIFY(batch.entries[2].status >= 400 && !batch.entries[2].message.empty() && batch.entries[2].policyHash.empty());
}

// A console asks every second, an on-call now and then.
void AdminServiceTest::whoLooksAllTheTimeIsToldOnce() {
    Scene scene;
    for (int i = 0; i < 10; ++i) {
        QVERIFY(scene.call(paths::kStatus, false).get());
        scene.clock.advance(1s);
    }
    gateway::AdminCall tail;
    tail.path = paths::kDecisions;
    QVERIFY(scene.service.follow(tail));
    QVERIFY((scene.told() == std::vector<std::string>{"status looked", "tail looked"}));
    scene.clock.advance(gateway::AdminFeed::kPause);
    QVERIFY(scene.call(paths::kStatus, false).get());
    QVERIFY((scene.told() == std::vector<std::string>{"status looked"}));
}

void AdminServiceTest::eventsArePaged() {
    Scene scene;
    std::vector<evidence::Event> events;
    FastRandom random(3);
    for (int i = 0; i < 5; ++i) {
        evidence::Event event;
        event.createdAt = Timestamp(std::chrono::seconds(1'764'400'000 + i));
        event.id = evidence::EventId::make(event.createdAt, random);
        event.words = "note " + std::to_string(i);
        events.push_back(event);
    }
    scene.target.setEvents(events);
    std::vector<evidence::Event> read;
    std::string query = "limit=2";
    for (int pages = 0; pages < 5; ++pages) {
        const auto answer = scene.call(paths::kEvents, false, {}, query).get();
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
        const auto page = engine::wire::decodeEvents(*answer);
        QVERIFY(page.has_value());
        read.insert(read.end(), page->rows.begin(), page->rows.end());
        if (!page->next)
            break;
        query = "before=" + engine::wire::encodeKey(*page->next) + "&limit=2";
        query.replace(query.find(','), 1, "%2C"); // as a careful client writes it
    }
    std::reverse(read.begin(), read.end());
    QVERIFY(read == events);
}

namespace {

/// While one reader subscribes, another one comes in.
class CrowdedTarget final : public PassingTarget {
public:
    explicit CrowdedTarget(const std::shared_ptr<FakeTarget>& to) : PassingTarget(to) {}
    std::unique_ptr<engine::DecisionFeed> subscribe(engine::FeedWish wish) override {
        if (++m_came < 2 * engine::AdminService::kMostStreams)
            if (auto reader = service->follow({}))
                readers.push_back(std::move(*reader));
        return PassingTarget::subscribe(wish);
    }
    engine::AdminService* service = nullptr;
    std::vector<std::unique_ptr<gateway::DecisionLines>> readers;

private:
    std::size_t m_came = 0;
};

} // namespace

void AdminServiceTest::readersThatComeAtOnceAreCountedToo() {
    const auto fake = std::make_shared<FakeTarget>();
    CrowdedTarget target(fake);
    Actions actions(*fake);
    const ManualClock clock;
    engine::AdminService service(target, actions, [](const engine::wire::ApplyRequest&) -> Result<engine::Policy> { return engine::Policy{}; }, clock);
    target.service = &service;
    auto first = service.follow({});
    QVERIFY(first);
    QCOMPARE(target.readers.size() + 1, engine::AdminService::kMostStreams);
    const auto oneMore = service.follow({});
    QVERIFY(!oneMore);
    QCOMPARE(oneMore.error().code, std::string("too_many_streams"));
    target.readers.pop_back();
    QVERIFY(service.follow({}));
    target.readers.clear();
}

void AdminServiceTest::readersOfAQuietGatewayAreForgotten() {
    engine::FeedHub hub;
    const auto stays = hub.subscribe(1);
    for (int i = 0; i < 100; ++i)
        static_cast<void>(hub.subscribe(1));
    QVERIFY(hub.remembered() <= 2);
    evidence::DecisionRecord record;
    hub.push(std::make_shared<const evidence::DecisionRecord>(record));
    QCOMPARE(hub.remembered(), std::size_t{1});
    QCOMPARE(stays->take().records.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(AdminServiceTest)
#include "tst_admin_service.moc"
