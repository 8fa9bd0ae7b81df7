// SPDX-License-Identifier: MIT
// Many thousand mixed requests, one in ten of which meets a fault and one in twenty of which is left by its client, against
// a real `signalboxctl serve` with a real PostgreSQL, while an operator applies policies, changes the mode and resets
// circuits, and the database goes and comes back. At the end nothing is held, no socket is open that was not before, the
// memory is what it was after the warm-up, and clients, rows and counters tell the same (F19, F45, F76, F77).
#include "router/base/file.h"
#include "router/engine/admin_client.h"
#include "tests/integration/counted.h"
#include "tests/integration/process_state.h"
#include "tests/integration/serve_process.h"
#include "tests/integration/soak_clients.h"
#include "tests/integration/soak_upstreams.h"
#include "tests/support/sanitized.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <map>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

class GatewaySoakTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mixedRequestsLeaveNothingBehind();

private:
    void play(std::uint64_t requests);
    void compareRows();
    void compareCounters();

    Postgres m_postgres;
    std::unique_ptr<GatewayScene> m_scene;
    std::unique_ptr<SoakUpstreams> m_upstreams;
    std::unique_ptr<ServeProcess> m_serve;
    std::unique_ptr<engine::AdminClient> m_operator;
    SoakSeen m_seen;
    std::uint64_t m_orders = 0;
};

namespace {

constexpr unsigned kClients = 24;
constexpr std::uint64_t kSeed = 20'261'130;
constexpr int kQuietMs = 120'000;
constexpr int kStoredMs = 600'000;  // the database may be a good deal behind
constexpr std::uint64_t kHedgedAmong = 50'000, kFullWarmUp = 20'000, kWriterKb = 12 * 1024;

std::uint64_t wantedRequests() {
    const int wanted = qEnvironmentVariableIntValue("SIGNALBOX_TEST_REQUESTS");
    return wanted > 0 ? static_cast<std::uint64_t>(wanted) : 4'000;
}

std::string adminToken(const GatewayScene& scene) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scene.dataFolder()))
        if (entry.path().filename() == "admin-token") {
            const std::string text = readFile(entry.path(), 4096).value();
            return text.substr(0, text.find('\n'));
        }
    return {};
}

/// What the gateway says that requests hold; empty when nothing.
std::string whatIsHeld(engine::AdminClient& gateway) {
    const auto status = gateway.status();
    const auto endpoints = gateway.endpoints();
    const auto resources = gateway.resources();
    const auto pools = gateway.pools();
    if (!status || !endpoints || !resources || !pools) return "the gateway does not tell";
    std::string out;
    const auto say = [&](const std::string& what, std::uint64_t count) {
        if (count != 0) out += std::to_string(count) + " " + what + "; ";
    };
    say("requests in flight", status->inFlight);
    for (const auto& endpoint : *endpoints) say("attempts at " + endpoint.endpointId, endpoint.inFlight);
    for (const auto& resource : *resources) say("slots of " + resource.name, resource.used);
    for (const auto& pool : *pools)
        if (pool.local) say("requests in the ledger of " + pool.id, static_cast<std::uint64_t>(pool.local->runningRequests + pool.local->reservedTokens));
    return out;
}

void tell(const char* when, const ProcessState& state, std::size_t upstream) {
    std::fprintf(stderr, "%s: %llu KiB resident, %zu sockets, %zu of them to upstreams, %zu other files, %zu threads\n", when,
                 static_cast<unsigned long long>(state.residentKb), state.sockets, upstream, state.otherFiles, state.threads);
}

/// The operator's next order: another policy most often, else what is done by hand.
Result<engine::TargetStatus> nextOrder(engine::AdminClient& gateway, GatewayScene& scene, const SoakUpstreams& upstreams,
                                       std::uint64_t number) {
    static constexpr std::array kModes{std::pair{"active", 40}, std::pair{"off", 0}, std::pair{"shadow", 40}, std::pair{"active", 100}};
    switch (number % 8) {
    case 3: return gateway.off(true);
    case 4: return gateway.off(false);
    case 5: return gateway.act(number % 16 == 5 ? "oa:fine" : "an:fine", engine::EndpointAction::reset);
    case 6: return gateway.setMode(config::RoutingMode::active, static_cast<std::uint8_t>(number % 100));
    case 7: return gateway.note("order " + std::to_string(number));
    default: break;
    }
    const auto& [mode, percent] = kModes[(number / 8 + number) % kModes.size()];
    scene.setMore(upstreams.sections(mode, percent));
    engine::wire::ApplyRequest release;
    for (const char* name : {"routing-table.json", "gateway.toml"})
        release.files.push_back({name, readFile(scene.workspace() / name, 1 << 20).value(), {}});
    return gateway.apply(release);
}

} // namespace

/// Sends so many requests, with an order after each fortieth part of a run and the database away for up to a half of them, so
/// that its writer has once held as much as it may; waits until all is quiet again.
void GatewaySoakTest::play(std::uint64_t requests) {
    const std::uint64_t step = std::max<std::uint64_t>(wantedRequests() / 40, 1);
    SoakClients clients(m_serve->port(), m_scene->token(), requests, kClients, kSeed + 1'000 * (m_orders + 1));
    const std::uint64_t goes = requests / 4, returns = goes + std::min<std::uint64_t>(requests / 2, 10'000);
    bool away = false;
    for (std::uint64_t next = step; next < requests; next += step) {
        QTRY_VERIFY_WITH_TIMEOUT(clients.finished() >= next || clients.isOver(), 600'000);
        const bool shouldBeAway = next >= goes && next < returns;
        if (shouldBeAway != away) QVERIFY(away ? m_postgres.start() : m_postgres.stop());
        away = shouldBeAway;
        const auto done = nextOrder(*m_operator, *m_scene, *m_upstreams, m_orders++);
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
    }
    if (away) QVERIFY(m_postgres.start());
    QTRY_VERIFY_WITH_TIMEOUT(clients.isOver(), 600'000);
    m_seen.add(clients.join());
    std::fprintf(stderr, "the slowest took %lld ms: %s\n", static_cast<long long>(m_seen.slowest.count()), m_seen.slowestWhat.c_str());
    for (const std::string& what : m_seen.lostWhat) std::fprintf(stderr, "lost: %s\n", what.c_str());
    QCOMPARE(m_seen.lost, std::uint64_t{0});
    QTRY_COMPARE_WITH_TIMEOUT(whatIsHeld(*m_operator), std::string(), kQuietMs);
    // Whoever left at once may not have been read yet: a request is known once its row is there.
    QTRY_COMPARE_WITH_TIMEOUT(m_postgres.value("SELECT count(*) FROM signalbox.decisions"), std::to_string(m_seen.admitted()), kStoredMs);
}

void GatewaySoakTest::mixedRequestsLeaveNothingBehind() {
    // What caches and pools take at first is known after some thousands.
    const std::uint64_t total = wantedRequests(), warmUp = std::min(total / 2, kFullWarmUp);
    QVERIFY2(m_postgres.problem().empty(), m_postgres.problem().c_str());
    m_scene = std::make_unique<GatewayScene>(m_postgres.dsn());
    m_scene->setVariable("SOAK_KEY", kSoakUpstreamKey);
    m_upstreams = std::make_unique<SoakUpstreams>(*m_scene, kSeed);
    m_scene->setMore(m_upstreams->sections("shadow", 40));
    m_serve = std::make_unique<ServeProcess>(*m_scene, QStringList{QStringLiteral("--log-level"), QStringLiteral("error")});
    QVERIFY2(m_serve->port() != 0, "signalboxctl serve does not get ready; see its messages above");
    engine::AdminAccess access;
    access.url = "http://127.0.0.1:" + std::to_string(m_serve->port());
    access.token = adminToken(*m_scene);
    access.patience = 30s;
    m_operator = std::make_unique<engine::AdminClient>(access);

    QElapsedTimer timer;
    timer.start();
    play(warmUp);
    if (QTest::currentTestFailed()) return;
    const ProcessState warm = stateOfProcess(m_serve->id());
    const std::size_t own = warm.sockets - m_upstreams->openConnections();
    tell("warm", warm, m_upstreams->openConnections());

    play(total - warmUp);
    if (QTest::currentTestFailed()) return;
    std::fprintf(stderr, "%llu requests in %.1f s: %llu answered, %llu failed, %llu left, %llu never sent, %llu refused; %zu reached upstreams\n",
                 static_cast<unsigned long long>(total), static_cast<double>(timer.elapsed()) / 1000, static_cast<unsigned long long>(m_seen.answered),
                 static_cast<unsigned long long>(m_seen.failed), static_cast<unsigned long long>(m_seen.leftEarly),
                 static_cast<unsigned long long>(m_seen.neverSent), static_cast<unsigned long long>(m_seen.refused), m_upstreams->requestCount());
    ProcessState end;
    const auto ownSockets = [&] {
        const std::size_t upstream = m_upstreams->openConnections();
        end = stateOfProcess(m_serve->id());
        return end.sockets - upstream;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(ownSockets() <= own, "sockets are open that were not there after the warm-up", kQuietMs);
    tell("end", end, m_upstreams->openConnections());
    // What asks the history keeps its session until the next question, also one whose database went away meanwhile.
    QVERIFY2(end.localSockets <= warm.localSockets + 1, "sessions with the database are open that were not there after the warm-up");
    QVERIFY2(end.otherFiles <= warm.otherFiles, "no file is left open");
    QCOMPARE(end.threads, warm.threads);
    compareRows();
    if (QTest::currentTestFailed()) return;
    compareCounters();
    if (QTest::currentTestFailed()) return;
    // In a short warm-up the writer to the database has not yet held as many decisions as it may at a time.
    const std::uint64_t mayGrowKb = warm.residentKb / 10 + (warmUp < kFullWarmUp ? kWriterKb : 0);
    if (kMemoryTells) QVERIFY2(end.residentKb <= warm.residentKb + mayGrowKb, "the memory has grown by more than a tenth since the warm-up");
    m_operator.reset();
    QVERIFY(m_serve->isRunning());
    QVERIFY2(m_serve->terminate(), "it does not end well");
    QTRY_COMPARE(m_upstreams->openConnections(), std::size_t{0});
}

/// What each client saw is what its row says.
void GatewaySoakTest::compareRows() {
    std::map<std::string, std::string> outcomes;
    for (const std::string& row : m_postgres.column("SELECT 'rtd_' || replace(id::text, '-', '') || '|' || outcome FROM signalbox.decisions"))
        QVERIFY2(outcomes.emplace(row.substr(0, row.find('|')), row.substr(row.find('|') + 1)).second, row.c_str());
    QCOMPARE(outcomes.size(), m_seen.admitted());
    for (const std::string& id : m_seen.answeredIds) QVERIFY2(outcomes[id] == "served", (id + " " + outcomes[id]).c_str());
    for (const std::string& id : m_seen.failedIds) QVERIFY2(outcomes[id] == "failed" || outcomes[id] == "refused", (id + " " + outcomes[id]).c_str());
    QCOMPARE(outcomes.size(), m_seen.admitted());  // none was asked for that was not there
    const Counts all = counted(m_postgres, "outcome", "true");
    const auto of = [&](const char* outcome) { return all.contains(outcome) ? all.at(outcome) : 0; };
    // Who left may have been served before it was noticed.
    QVERIFY(of("served") >= m_seen.answered && of("served") <= m_seen.answered + m_seen.leftEarly);
    QVERIFY(of("cancelled") > 0 && of("cancelled") <= m_seen.leftEarly);
    // The mix was one: most were answered, and every part of it took place.
    QVERIFY(m_seen.answered > m_seen.admitted() * 2 / 3);
    for (const char* part : {"outcome = 'failed'", "outcome = 'refused'", "attempts > 1", "mode = 'shadow'", "mode = 'active'",
                             "mode = 'off_static'", "shadow_disagreement", "edge = 'anthropic'", "edge = 'openai'",
                             R"(receipt LIKE '%"stream":true%')", R"(receipt NOT LIKE '%"stream":true%')"})
        QVERIFY2(m_postgres.value(std::string("SELECT count(*) > 0 FROM signalbox.decisions WHERE ") + part) == "t", part);
    // Whether a backup would help in time is a matter of speed; of so many requests some must have had one.
    if (m_seen.admitted() >= kHedgedAmong)
        QVERIFY(m_postgres.value(R"(SELECT count(*) > 0 FROM signalbox.decisions WHERE receipt LIKE '%"role":"hedge"%')") == "t");
}

/// Metrics and rows, number for number.
void GatewaySoakTest::compareCounters() {
    const std::string metrics = fetch(m_serve->port(), {"GET", "/metrics", {}, {}})->body;
    const auto rows = [&](const std::string& where) {
        return std::stoull(m_postgres.value("SELECT count(*) FROM signalbox.decisions WHERE " + where));
    };
    QCOMPARE(sum(metric(metrics, "signalbox_decisions_total")), rows("true"));
    QCOMPARE(sum(metric(metrics, "signalbox_decided_total")), rows("resolved_by <> ''"));
    QCOMPARE(sum(metric(metrics, "signalbox_dispatched_total")), rows(R"(jsonb_path_exists(calls, '$[*] ? (@.o <> "refused")'))"));
    QCOMPARE(sum(metric(metrics, "signalbox_served_total")), rows("outcome = 'served'"));
    const std::uint64_t attempts = std::stoull(m_postgres.value("SELECT coalesce(sum(attempts), 0) FROM signalbox.decisions"));
    QCOMPARE(sum(metric(metrics, "signalbox_attempts_total")), attempts);
    QVERIFY(m_upstreams->requestCount() <= attempts);
    for (const std::string edge : {"openai", "anthropic"}) {
        const std::string here = " AND edge = '" + edge + "'";
        const Counts requests = metric(metrics, "signalbox_requests_total");
        for (const std::string outcome : {"served", "failed", "refused", "cancelled"})
            QCOMPARE(requests.at("{edge=\"" + edge + "\",outcome=\"" + outcome + "\"}"), rows("outcome = '" + outcome + "'" + here));
        QCOMPARE(metric(metrics, "signalbox_shadow_disagreements_total").at("{edge=\"" + edge + "\"}"), rows("shadow_disagreement" + here));
    }
    QCOMPARE(sum(metric(metrics, "signalbox_in_flight_requests")), std::uint64_t{0});
    QCOMPARE(sum(metric(metrics, "signalbox_slots_in_use")), std::uint64_t{0});
    QCOMPARE(sum(metric(metrics, "signalbox_endpoint_attempts_in_flight")), std::uint64_t{0});
    QCOMPARE(sum(metric(metrics, "signalbox_evidence_dropped_total")), std::uint64_t{0});
    QCOMPARE(metric(metrics, "signalbox_refusals_total")["{code=\"unsupported_encoding\"}"], m_seen.refused);
}

QTEST_GUILESS_MAIN(GatewaySoakTest)
#include "tst_gateway_soak.moc"
