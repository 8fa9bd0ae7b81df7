// SPDX-License-Identifier: MIT
// Many mixed requests over every router of pools, one in ten of which meets a fault and one in twenty of which is left
// by its client: nothing leaks, and counters, metrics and records say the same (F76, F77).
#include "tests/router/gateway/pool_scene.h"

#include "router/base/random.h"
#include "router/gateway/metrics.h"

#include <QRegularExpression>
#include <QTest>
#include <atomic>
#include <map>
#include <set>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::AttemptOutcome;
using evidence::Outcome;

class PoolSoakTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingLeaks_data() { kinds(); }
    void nothingLeaks();
    void stoppedUnderLoad_data() { kinds(); }
    void stoppedUnderLoad();

private:
    static void kinds();
};

namespace {

constexpr unsigned kClients = 8;
constexpr std::uint64_t kPolicies = 5;

/// One in ten breaks, each time otherwise; the seed makes the run repeatable up to the order of arrival.
class Breaking {
public:
    explicit Breaking(std::uint64_t seed) : m_random(seed) {}

    Reply operator()(const ReceivedRequest& request) {
        const bool stream = wantsStream(request);
        const std::uint64_t draw = m_random.next() % 1000;
        if (draw >= 100) return goodReply(stream);
        if (draw < 2) return Reply::nothing().stall();
        if (draw < 20) return Reply::json("{}", 500);
        if (draw < 35) return Reply::json("{}", 503);
        if (draw < 45) return Reply::json("{}", 400);
        if (draw < 55) return Reply::nothing().close();
        if (draw < 65) return Reply::nothing().reset();
        if (!stream) return Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{").close();
        const Reply role = Reply::stream().event(frames::kRole);
        if (draw < 75) return Reply(role).event(frames::kError).end();
        if (draw < 85) return Reply(role).close();
        return Reply(role).event(frames::kText).close();
    }

private:
    FastRandom m_random;
};

struct Seen {
    std::uint64_t complete = 0, failed = 0, left = 0;
};

/// Requests of one client: one in twenty is left, at its start or in the stream.
Seen play(std::uint16_t port, int requests, std::uint64_t seed) {
    FastRandom random(seed);
    Seen seen;
    for (int i = 0; i < requests; ++i) {
        const bool stream = random.next() % 3 != 0;
        const std::uint64_t draw = random.next() % 40;
        RawClient client(port, 60s);
        client.send(poolRequest(stream));
        if (draw < 2) {
            if (draw == 1) client.waitFor("\r\n\r\n");
            ++seen.left;
            continue;  // the socket closes here
        }
        const auto response = client.response();
        const bool broken = !response || response->status != 200 || response->body.find("\"error\"") != std::string::npos;
        ++(broken ? seen.failed : seen.complete);
    }
    return seen;
}

/// `name{…outcome="served"…} 12` of the metrics page, added up by outcome.
std::map<std::string, std::uint64_t> decisionsByOutcome(const std::string& text) {
    static const QRegularExpression line(QStringLiteral("^signalbox_decisions_total\\{[^}]*outcome=\"([a-z]+)\"[^}]*\\} (\\d+)$"),
                                         QRegularExpression::MultilineOption);
    std::map<std::string, std::uint64_t> out;
    for (auto found = line.globalMatch(QString::fromStdString(text)); found.hasNext();) {
        const auto match = found.next();
        out[match.captured(1).toStdString()] += match.captured(2).toULongLong();
    }
    return out;
}

std::uint64_t metric(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + name.size() + 2));
}

PoolSceneOptions soakOptions(PoolKind kind) {
    PoolSceneOptions options{.kind = kind, .endpoints = std::vector<EndpointSetup>(3), .slots = 4, .sloS = 1};
    for (EndpointSetup& setup : options.endpoints) setup.firstByteMs = setup.idleMs = 1'500;
    options.more = "[circuits]\ncool_for_ms = 50\n";
    return options;
}

/// Threads that are waited for, also when a check has failed.
struct Clients {
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    void join() {
        for (std::thread& thread : threads) thread.join();
        threads.clear();
    }
    ~Clients() {
        over = true;
        join();
    }
};

/// How often an endpoint was asked, by the records.
struct Asked {
    std::uint64_t answered = 0, cancelled = 0;
};

} // namespace

void PoolSoakTest::kinds() {
    QTest::addColumn<int>("kind");
    for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
}

void PoolSoakTest::nothingLeaks() {
    QFETCH(int, kind);
    const int wanted = qEnvironmentVariableIntValue("SIGNALBOX_TEST_REQUESTS");
    const int each = (wanted > 0 ? wanted : 2'000) / static_cast<int>(kPoolKinds.size() * kClients);
    const std::uint64_t total = static_cast<std::uint64_t>(each) * kClients;
    PoolScene scene(soakOptions(static_cast<PoolKind>(kind)));
    for (std::size_t i = 0; i < scene.size(); ++i) {
        scene.at(i).setResponder(Breaking(100 + i));
        // So well known that neither faults nor a busy machine make a backup look pointless.
        if (static_cast<PoolKind>(kind) == PoolKind::hedging) scene.teach(i, 2ms, 4'000);
    }
    std::vector<Seen> seen(kClients);
    Clients clients;
    for (unsigned c = 0; c < kClients; ++c)
        clients.threads.emplace_back([&, c] { seen[c] = play(scene.gateway().port(), each, 7'000 + c); });
    // Policies come and go meanwhile.
    std::vector<std::weak_ptr<const gateway::Serving>> earlier;
    for (std::uint64_t part = 0; part < kPolicies; ++part) {
        const auto serving = scene.gateway().makeServing();
        earlier.push_back(serving);
        QVERIFY(scene.gateway().server().apply(serving).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(scene.gateway().records().size() >= total * part / kPolicies, 300'000);
    }
    clients.join();
    Seen all;
    for (const Seen& one : seen) {
        all.complete += one.complete;
        all.failed += one.failed;
        all.left += one.left;
    }
    QCOMPARE(all.complete + all.failed + all.left, total);
    QVERIFY(all.complete > total / 2 && all.left > 0);

    // Whoever left early may not have been read yet: a request is known once its record is there.
    QTRY_COMPARE_WITH_TIMEOUT(scene.gateway().records().size(), std::size_t(total), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(scene.whatIsHeld(), std::string(), 20'000);

    const auto records = scene.gateway().records();
    std::map<std::string, std::uint64_t> outcomes;
    std::map<std::string, Asked> asked;
    std::set<std::string> ids;
    std::uint64_t decided = 0, dispatched = 0, seconds = 0, backups = 0;
    for (const evidence::DecisionRecord& record : records) {
        ids.insert(record.id.text());
        ++outcomes[std::string(toString(record.outcome))];
        decided += record.resolvedBy.empty() ? 0 : 1;
        dispatched += gateway::wasDispatched(record) ? 1 : 0;
        seconds += record.attempts.size() > 1 ? 1 : 0;
        for (const evidence::Attempt& attempt : record.attempts) {
            backups += attempt.role == evidence::AttemptRole::hedge ? 1 : 0;
            Asked& one = asked[attempt.endpointId];
            if (attempt.outcome == AttemptOutcome::cancelled) ++one.cancelled;
            else if (attempt.outcome != AttemptOutcome::refused) ++one.answered;
        }
    }
    QCOMPARE(ids.size(), std::size_t(total));
    QVERIFY2(outcomes["failed"] > 0 && seconds > 0, "the faults reached some, and others were asked again");
    QCOMPARE(backups > 0, static_cast<PoolKind>(kind) == PoolKind::hedging);
    // Who stayed saw what was recorded; who left may have been served before it was noticed.
    QVERIFY(outcomes["served"] >= all.complete && outcomes["served"] <= all.complete + all.left);
    QVERIFY(outcomes["cancelled"] <= all.left);

    const gateway::ServerCounters counters = scene.gateway().server().counters();
    const std::string metrics = scene.gateway().get("/metrics")->body;
    QCOMPARE(counters.decided, decided);
    QCOMPARE(counters.dispatched, dispatched);
    QCOMPARE(counters.served, outcomes["served"]);
    QCOMPARE(metric(metrics, "signalbox_decided_total"), decided);
    QCOMPARE(metric(metrics, "signalbox_dispatched_total"), dispatched);
    QCOMPARE(metric(metrics, "signalbox_served_total"), outcomes["served"]);
    std::erase_if(outcomes, [](const auto& one) { return one.second == 0; });
    QVERIFY(decisionsByOutcome(metrics) == outcomes);

    // What was sent is what arrived, what the quota counts, and nothing more; a leg given up early may not have arrived, and is
    // not counted if it was given up before it could.
    for (std::size_t i = 0; i < scene.size(); ++i) {
        const Asked& one = asked[PoolScene::idOf(i)];
        QVERIFY(scene.at(i).requestCount() >= one.answered && scene.at(i).requestCount() <= one.answered + one.cancelled);
        QVERIFY(scene.quotaUsed(i) >= scene.at(i).requestCount() && scene.quotaUsed(i) <= one.answered + one.cancelled);
    }

    // No coroutine of a request is left: nobody holds the policies that they ran under any more.
    QVERIFY(scene.gateway().server().apply(scene.gateway().makeServing()).has_value());
    for (const auto& policy : earlier) QTRY_VERIFY(policy.expired());
    scene.closeGateway();
    for (std::size_t i = 0; i < scene.size(); ++i) QTRY_COMPARE(scene.at(i).openConnections(), std::size_t{0});
}

/// Whatever is under way when the gateway stops gives back what it holds and is recorded once.
void PoolSoakTest::stoppedUnderLoad() {
    QFETCH(int, kind);
    PoolScene scene(soakOptions(static_cast<PoolKind>(kind)));
    for (std::size_t i = 0; i < scene.size(); ++i) scene.at(i).setResponder(Breaking(500 + i));
    const std::uint16_t port = scene.gateway().port();
    Clients clients;
    for (unsigned c = 0; c < kClients; ++c)
        clients.threads.emplace_back([&clients, port, c] {
            for (unsigned i = 0; !clients.over; ++i) {
                RawClient client(port);
                if (!client.isConnected()) return;
                client.send(poolRequest((i + c) % 2 == 0));
                static_cast<void>(client.response());
            }
        });
    QTRY_VERIFY_WITH_TIMEOUT(scene.gateway().records().size() > 60, 20'000);
    scene.gateway().server().stop(0ms);
    clients.over = true;
    clients.join();
    QCOMPARE(scene.whatIsHeld(), std::string());
    const auto records = scene.gateway().records();
    const gateway::ServerCounters counters = scene.gateway().server().counters();
    std::set<std::string> ids;
    std::uint64_t served = 0, dispatched = 0;
    for (const evidence::DecisionRecord& record : records) {
        ids.insert(record.id.text());
        served += record.outcome == Outcome::served ? 1 : 0;
        dispatched += gateway::wasDispatched(record) ? 1 : 0;
        QVERIFY(record.outcome != Outcome::cancelled || record.errorCode == "gateway_stopped");
    }
    QCOMPARE(ids.size(), records.size());
    QCOMPARE(counters.served, served);
    QCOMPARE(counters.dispatched, dispatched);
    QCOMPARE(counters.decided, std::uint64_t(records.size()));
    scene.closeGateway();
    for (std::size_t i = 0; i < scene.size(); ++i) QTRY_COMPARE(scene.at(i).openConnections(), std::size_t{0});
}

QTEST_APPLESS_MAIN(PoolSoakTest)
#include "tst_pool_soak.moc"
