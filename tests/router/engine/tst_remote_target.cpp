// SPDX-License-Identifier: MIT
// A target elsewhere keeps the promises of the facade: views answer at once with what was heard, staleness shows, live
// decisions come back after a break with a count of what was missed, and what cannot be done from here says so.
#include "router/engine/remote_target.h"
#include "router/gateway/admin_paths.h"
#include "tests/support/fakes.h"
#include "tests/support/scripted_upstream.h"

#include <QElapsedTimer>
#include <QTest>

#include <deque>
#include <map>
#include <mutex>

using namespace signalbox;
using namespace std::chrono_literals;
using engine::GatewayState;
using Told = engine::RequestsUnderWay::Told;
using test::Reply;
using test::ScriptedUpstream;
namespace wire = engine::wire;

namespace {

constexpr const char* kAdminToken = "sbx_0123456789abcdef0123456789abcdef";

/// A gateway that says what the test sets.
class Elsewhere {
public:
    Elsewhere() {
        status.name = "gateway";
        status.version = "0.1.0";
        status.state = GatewayState::running;
        status.startedAt = SystemClock().now();
        m_server = std::make_unique<ScriptedUpstream>();
        m_server->setResponder([this](const test::ReceivedRequest& request) { return answer(request); });
    }
    engine::RemoteOptions options() const {
        engine::RemoteOptions options;
        options.name = "prod-a";
        options.access.url = m_server->baseUrl();
        options.access.token = kAdminToken;
        options.access.patience = 2s;
        options.interval = 50ms;
        return options;
    }
    ScriptedUpstream& server() { return *m_server; }
    int asked(const std::string& path) {
        const std::scoped_lock lock(m_mutex);
        return m_asked[path];
    }
    template <class Change>
    void change(const Change& change) {
        const std::scoped_lock lock(m_mutex);
        change();
    }

    engine::TargetStatus status;
    std::vector<engine::EndpointHealth> endpoints;
    std::optional<engine::RequestsUnderWay> requests = engine::RequestsUnderWay();  ///< none: it does not know the call
    std::optional<Reply> refusal;  ///< instead of every answer
    std::optional<Reply> lists;    ///< instead of every list
    std::deque<Reply> statusReplies;  ///< to the next questions for the status, the last one to all later ones
    std::function<Reply()> stream = [] { return Reply::stream().stall(); };

private:
    Reply answer(const test::ReceivedRequest& request) {
        const std::scoped_lock lock(m_mutex);
        const std::string line = request.requestLine();
        const std::string path = line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
        ++m_asked[path];
        if (refusal) return *refusal;
        const bool isList = path == "/admin/endpoints" || path == "/admin/pools" || path == "/admin/refusals";
        if (lists && isList) return *lists;
        const Steady now = std::chrono::steady_clock::now();
        if (path == "/admin/endpoints") return Reply::json(wire::encodeEndpoints(endpoints, now));
        if (path == "/admin/pools") return Reply::json(wire::encodePools({}));
        if (path == "/admin/resources") return Reply::json(wire::encodeResources({}));
        if (path == "/admin/principals") return Reply::json(wire::encodePrincipals({{"bot", 3, 1.5, true}}));
        if (path == "/admin/refusals") return Reply::json(wire::encodeRefusals({{"invalid_token", "Send it.", 2, SystemClock().now()}}));
        if (path == "/admin/requests" && requests) return Reply::json(wire::encodeRequests(*requests, now));
        if (path == "/admin/requests")
            return Reply::json(R"({"error":{"message":"This gateway does not know the path.","type":"x","code":"unknown_path","param":null}})", 404);
        if (path == "/admin/router/status") return Reply::json(R"({"mode":"off"})");
        if (path == "/admin/decisions") return stream();
        if (path == "/admin/off") status.killed = wire::decodeOff(request.body).value_or(false);
        if (path == "/admin/status" && !statusReplies.empty()) {
            const Reply reply = statusReplies.front();
            if (statusReplies.size() > 1) statusReplies.pop_front();
            return reply;
        }
        return Reply::json(wire::encodeStatus(status, now));
    }

    std::mutex m_mutex;
    std::map<std::string, int> m_asked;
    std::unique_ptr<ScriptedUpstream> m_server;
};

std::string lines(int count) {
    FastRandom random;
    std::string all;
    for (int i = 0; i < count; ++i) {
        evidence::DecisionRecord record;
        record.id = DecisionId::make(SystemClock().now(), random);
        record.resolvedBy = "alias";
        all += wire::decisionLine(record);
    }
    return all;
}

}  // namespace

class RemoteTargetTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Elsewhere> m_there;
    std::unique_ptr<engine::RemoteTarget> m_target;
    std::shared_ptr<test::ManualClock> m_clock;

    void look() {
        auto options = m_there->options();
        options.clock = m_clock;
        auto made = engine::makeRemoteTarget(options);
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        m_target = std::move(*made);
    }
    void lookAndHear() {
        look();
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
    }
    void setEndpoints(const std::vector<std::string>& ids) {
        std::vector<engine::EndpointHealth> all;
        for (const std::string& id : ids) all.emplace_back().endpointId = id;
        m_there->change([&] { m_there->endpoints = all; });
    }
    /// Whoever looks at all three lists now knows all of them, or none.
    bool areKnown(bool known) {
        const engine::KnownLists lists = m_target->knownLists();
        static_cast<void>(m_target->endpoints());
        static_cast<void>(m_target->pools());
        static_cast<void>(m_target->refusals());
        return lists.endpoints == known && lists.pools == known && lists.refusals == known;
    }

private Q_SLOTS:
    void init() {
        m_there = std::make_unique<Elsewhere>();
        m_clock = std::make_shared<test::ManualClock>();
    }
    void cleanup() {
        m_target.reset();
        m_there.reset();
    }

    void itConnectsAndThenSaysWhatTheGatewaySays() {
        m_there->status.inFlight = 7;
        look();
        QVERIFY(m_target->status().remote);
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
        const auto status = m_target->status();
        QCOMPARE(status.name, std::string("prod-a"));  // as its reader calls it
        QCOMPARE(status.inFlight, std::uint32_t{7});
        QVERIFY(status.heardAt != Timestamp{});
        QVERIFY(status.unreachableSince == Timestamp{});
        QVERIFY(m_target->running() == nullptr);
    }

    void whatGoesAwayIsSaidWithTheTimeAndComesBack() {
        lookAndHear();
        const Timestamp before = SystemClock().now();
        m_there->change([this] { m_there->refusal = Reply::nothing().close(); });
        QTRY_VERIFY(m_target->status().unreachableSince != Timestamp{});
        const auto gone = m_target->status();
        QVERIFY(gone.state == GatewayState::failed);
        QVERIFY(gone.unreachableSince >= before - 1s);
        QVERIFY(gone.heardAt != Timestamp{} && gone.heardAt <= SystemClock().now());
        QVERIFY2(gone.lastError.find("closed the connection") != std::string::npos, gone.lastError.c_str());
        QVERIFY(gone.lastError.find(kAdminToken) == std::string::npos);
        QTest::qWait(150);
        QVERIFY(m_target->status().unreachableSince == gone.unreachableSince);  // since, not at
        m_there->change([this] { m_there->refusal.reset(); });
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
        QVERIFY(m_target->status().unreachableSince == Timestamp{});
    }

    void aWrongTokenIsSaidAsSuch() {
        m_there->refusal = Reply::json(R"({"error":{"message":"No.","type":"x","code":"invalid_admin_token","param":null}})", 401);
        look();
        QTRY_VERIFY(m_target->status().state == GatewayState::failed);
        QVERIFY2(m_target->status().lastError.find("admin token") != std::string::npos, m_target->status().lastError.c_str());
    }

    void viewsAnswerAtOnceAndAreAskedForWhileLookedAt() {
        engine::EndpointHealth health;
        health.endpointId = "lab:m";
        m_there->endpoints = {health};
        lookAndHear();
        QCOMPARE(m_there->asked("/admin/endpoints"), 0);  // nobody looked
        m_there->change([this] { m_there->refusal.reset(); });
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!m_target->knownLists().endpoints);
        QVERIFY(m_target->endpoints().empty());
        QVERIFY(timer.elapsed() < 50);
        QTRY_COMPARE(m_target->endpoints().size(), std::size_t{1});
        QCOMPARE(m_target->endpoints().front().endpointId, std::string("lab:m"));
        QTRY_COMPARE(m_target->principals().size(), std::size_t{1});
        QTRY_COMPARE(m_target->refusals().size(), std::size_t{1});
        QTRY_COMPARE(m_target->routerStatusJson(), std::string(R"({"mode":"off"})"));
        // And at once while the gateway hangs.
        m_there->change([this] { m_there->refusal = Reply::nothing().stall(); });
        timer.restart();
        for (int i = 0; i < 100; ++i) static_cast<void>(m_target->endpoints());
        QVERIFY(timer.elapsed() < 100);
        QCOMPARE(m_target->endpoints().size(), std::size_t{1});
    }

    void requestsUnderWayAreToldWhileLookedAt() {
        evidence::RunningRequest request;
        FastRandom random;
        request.id = DecisionId::make(SystemClock().now(), random);
        request.admittedAt = SystemClock().steady() - 61s;
        request.endpointId = "lab:m";
        m_there->requests->rows = {request};
        m_there->requests->leftOut = 2;
        lookAndHear();
        QCOMPARE(m_there->asked("/admin/requests"), 0);
        QVERIFY(m_target->requests().told == Told::notYet);
        QTRY_VERIFY(m_target->requests().told == Told::told);
        const auto heard = m_target->requests();
        QCOMPARE(heard.rows.size(), std::size_t{1});
        QCOMPARE(heard.rows[0].id, request.id);
        QCOMPARE(heard.leftOut, std::uint64_t{2});
        const auto age = SystemClock().steady() - heard.rows[0].admittedAt;
        QVERIFY(age >= 61s && age < 2min);
        // What ran when nobody looked has ended since.
        m_there->change([this] { m_there->refusal = Reply::nothing().close(); });
        QTRY_VERIFY(m_target->status().state == GatewayState::failed);
        QVERIFY(m_target->requests().rows.empty() && m_target->requests().told == Told::notYet);
    }

    // It would count and log each question as refused.
    void anOlderGatewayIsAskedOnceForItsRequests() {
        m_there->requests.reset();
        lookAndHear();
        QTRY_VERIFY(m_target->requests().told == Told::never);
        QVERIFY(m_target->status().state == GatewayState::running);
        const int statuses = m_there->asked("/admin/status");
        QTRY_VERIFY(m_there->asked("/admin/status") > statuses + 3 && m_target->requests().told == Told::never);
        QCOMPARE(m_there->asked("/admin/requests"), 1);
        // Until it runs anew, and may be another version then.
        m_there->change([this] {
            m_there->requests = engine::RequestsUnderWay();
            m_there->status.startedAt += 1min;
        });
        QTRY_VERIFY(m_target->requests().told == Told::told);
    }

    // While nobody looks, an apply may bring what the lists that were told do not have.
    void whatWasToldBeforeNobodyLookedIsNotKnown() {
        setEndpoints({"lab:m"});
        lookAndHear();
        QTRY_VERIFY(areKnown(true));
        QCOMPARE(m_target->endpoints().size(), std::size_t{1});
        m_there->change([this] { m_there->lists = Reply::json("{}", 500); });
        setEndpoints({"lab:m", "new:model"});
        m_clock->advance(4s);
        QVERIFY(areKnown(true));  // it is still followed: what fails stays as it was heard
        m_clock->advance(4min);
        QVERIFY(areKnown(false));
        QVERIFY(areKnown(false));  // the look alone does not make them known
        QCOMPARE(m_target->endpoints().size(), std::size_t{1});
        m_there->change([this] { m_there->lists.reset(); });
        QTRY_VERIFY(areKnown(true));
        QCOMPARE(m_target->endpoints().size(), std::size_t{2});
    }

    void anAnswerToAnEarlierLookIsNotKnownToALaterOne() {
        setEndpoints({"lab:m"});
        lookAndHear();
        const std::string body = wire::encodeEndpoints(m_there->endpoints, std::chrono::steady_clock::now());
        const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
        m_there->change([&] { m_there->lists = Reply::nothing().awaitRelease().bytes(head + body); });
        QVERIFY(m_target->endpoints().empty());
        QTRY_COMPARE(m_there->asked("/admin/endpoints"), 1);
        m_there->change([this] { m_there->lists = Reply::json("{}", 500); });
        m_clock->advance(4min);
        QVERIFY(areKnown(false));
        m_there->server().release();
        QTRY_COMPARE(m_target->endpoints().size(), std::size_t{1});
        QVERIFY(areKnown(false));
        m_there->change([this] { m_there->lists.reset(); });
        QTRY_VERIFY(areKnown(true));
    }

    // It may have been started again with another policy.
    void whatWasToldBeforeItWentAwayIsNotKnown() {
        lookAndHear();
        QTRY_VERIFY(areKnown(true));
        m_there->change([this] { m_there->refusal = Reply::nothing().close(); });
        QTRY_VERIFY(m_target->status().state == GatewayState::failed);
        QVERIFY(areKnown(false));
        m_there->change([this] {
            m_there->lists = Reply::json("{}", 500);
            m_there->refusal.reset();
        });
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
        QVERIFY(areKnown(false));
        m_there->change([this] { m_there->lists.reset(); });
        QTRY_VERIFY(areKnown(true));
    }

    // The lists of the policy before say nothing of this one, or of a gateway that was started again between two questions.
    void whatWasToldOfAnotherPolicyIsNotKnown_data() {
        QTest::addColumn<bool>("isRestart");
        QTest::newRow("applied") << false;
        QTest::newRow("started again") << true;
    }
    void whatWasToldOfAnotherPolicyIsNotKnown() {
        QFETCH(bool, isRestart);
        m_there->change([this] { m_there->status.runningHash = "one"; });
        lookAndHear();
        QTRY_VERIFY(areKnown(true));
        m_there->change([&] {
            m_there->lists = Reply::json("{}", 500);
            if (isRestart) m_there->status.startedAt += 1h;
            else m_there->status.runningHash = "two";
        });
        QTRY_VERIFY(areKnown(false));
        m_there->change([this] { m_there->lists.reset(); });
        QTRY_VERIFY(areKnown(true));
    }

    void anActionShowsAtOnce() {
        lookAndHear();
        QVERIFY(m_target->off(true).has_value());
        QVERIFY(m_target->status().killed);
        m_there->change([this] { m_there->refusal = Reply::json(R"({"error":{"message":"the gateway does not run","type":"x","code":"not_running","param":null}})", 409); });
        const auto refused = m_target->off(false);
        QVERIFY(!refused && refused.error().kind == ErrorKind::conflict);
    }

    void aLateAnswerDoesNotUndoWhatAnActionShowed() {
        lookAndHear();
        std::string before = wire::encodeStatus(m_there->status, std::chrono::steady_clock::now());
        const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(before.size()) + "\r\n\r\n";
        m_there->change([&] { m_there->statusReplies = {Reply::nothing().awaitRelease().bytes(head + before), Reply::nothing().stall()}; });
        const int asked = m_there->asked("/admin/status");
        QTRY_VERIFY(m_there->asked("/admin/status") > asked);
        QVERIFY(m_target->off(true).has_value());
        const int held = m_there->asked("/admin/status");
        m_there->server().release();
        QTRY_VERIFY(m_there->asked("/admin/status") > held);  // the poll goes on: it has heard the late answer
        QVERIFY(m_target->status().killed);
    }

    void whatCannotBeDoneFromHereSaysSo() {
        look();
        for (const auto& result : {m_target->start({}), m_target->stop(1s), m_target->apply({})}) {
            QVERIFY(!result.has_value());
            QVERIFY2(result.error().text().find("a gateway elsewhere") != std::string::npos, result.error().text().c_str());
        }
        QVERIFY(m_target->clientToken().empty());
        std::optional<Error> error;
        std::mutex mutex;
        const auto job = m_target->ask([&](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            const auto summary = reader.summary({}, cancel);
            const std::scoped_lock lock(mutex);
            error = summary ? Error{} : summary.error();
        });
        QTRY_VERIFY([&] {
            const std::scoped_lock lock(mutex);
            return error.has_value();
        }());
        QVERIFY2(error->text().find("dsn_env") != std::string::npos, error->text().c_str());
    }

    void liveDecisionsComeBackAfterABreakWithWhatWasMissed() {
        m_there->status.decided = 100;
        int streams = 0;
        m_there->stream = [&streams] {
            // Three come, then the line breaks; the second stays.
            return ++streams == 1 ? Reply::stream().chunk(lines(3)).chunk(wire::skippedLine(5)).close() : Reply::stream().chunk(lines(2)).stall();
        };
        lookAndHear();
        m_there->change([this] { m_there->status.decided = 120; });
        // Of the twenty three came and five were told of; the rest was decided while nobody listened.
        const auto feed = m_target->subscribe(1000);
        std::size_t came = 0;
        std::uint64_t skipped = 0;
        const auto take = [&] {
            const auto batch = feed->take();
            came += batch.records.size();
            skipped += batch.skipped;
            return came;
        };
        QTRY_COMPARE(take(), std::size_t{3});
        m_there->change([this] { m_there->status.decided = 140; });
        QTRY_COMPARE(take(), std::size_t{5});
        static_cast<void>(take());
        QCOMPARE(skipped, std::uint64_t{5 + 12});  // 140 - 120 - 3 - 5
    }

    void itEndsAtOnceHoweverTheGatewayHangs() {
        look();
        m_there->change([this] { m_there->refusal = Reply::nothing().stall(); });
        const auto feed = m_target->subscribe(10);
        QTRY_VERIFY(m_there->server().openConnections() > 0);
        QElapsedTimer timer;
        timer.start();
        m_target.reset();
        QVERIFY2(timer.elapsed() < 1500, qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_GUILESS_MAIN(RemoteTargetTest)
#include "tst_remote_target.moc"
