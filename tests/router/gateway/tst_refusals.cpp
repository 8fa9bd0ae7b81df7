// SPDX-License-Identifier: MIT
// Refusals of the last hour by code and client, bounded however many come.
#include "router/gateway/refusals.h"
#include "router/gateway/refused_client.h"
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/fakes.h"

#include <QTest>

#include <algorithm>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using gateway::Refusal;
using gateway::RefusalLog;
using gateway::RefusedClient;

namespace {

const std::string kChat = R"({"model":"model-a","messages":[]})";

struct Scene {
    ManualClock clock;
    RefusalLog log;

    void refuse(const std::string& code, RefusedClient client, const std::string& message = "no") {
        log.add({code, message, evidence::Edge::openai, clock.now()}, std::move(client), clock.steady());
    }
    [[nodiscard]] std::vector<Refusal> rows() { return log.ofLastHour(clock.steady()); }
    [[nodiscard]] std::uint64_t sum() {
        std::uint64_t all = 0;
        for (const Refusal& row : rows())
            all += row.count;
        return all;
    }
};

RefusedClient at(const std::string& peer, const std::string& agent = {}) {
    return {peer, agent, {}, false};
}

const Refusal* find(const std::vector<Refusal>& rows, const std::string& code, const RefusedClient& client) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Refusal& row) { return row.code == code && row.client == client; });
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

class RefusalsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clientsAreCountedApart() {
        Scene scene;
        scene.refuse("invalid_token", at("192.0.2.1", "curl/8.5.0"), "first");
        scene.clock.advance(1s);
        scene.refuse("invalid_token", at("192.0.2.1", "curl/8.5.0"), "second");
        scene.refuse("invalid_token", at("192.0.2.1", "OpenAI/JS 4.20.0"));
        scene.refuse("invalid_json", at("192.0.2.1", "curl/8.5.0"));
        scene.refuse("invalid_token", {"192.0.2.1", "curl/8.5.0", "batch", false});
        const auto rows = scene.rows();
        QCOMPARE(rows.size(), std::size_t{4});
        const Refusal* row = find(rows, "invalid_token", at("192.0.2.1", "curl/8.5.0"));
        QVERIFY(row != nullptr);
        QCOMPARE(row->count, std::uint64_t{2});
        QCOMPARE(row->message, std::string("second"));
        QVERIFY(row->newest == scene.clock.now());
    }

    void whatIsAnHourOldFallsOut() {
        Scene scene;
        scene.refuse("invalid_token", at("192.0.2.1"));
        scene.clock.advance(30min);
        scene.refuse("invalid_token", at("192.0.2.1"));
        scene.refuse("invalid_json", at("192.0.2.1"));
        scene.clock.advance(29min);
        QCOMPARE(scene.sum(), std::uint64_t{3});
        scene.clock.advance(1min);
        QCOMPARE(scene.sum(), std::uint64_t{2});
        scene.clock.advance(30min);
        QVERIFY(scene.rows().empty());
        scene.refuse("invalid_token", at("192.0.2.1"));
        QCOMPARE(scene.sum(), std::uint64_t{1});
        // Counters only ever go up.
        QCOMPARE(scene.log.of(evidence::Edge::openai), std::uint64_t{4});
        const auto totals = scene.log.totals();
        QCOMPARE(totals.size(), std::size_t{2});
        QCOMPARE(totals[1].code, std::string("invalid_token"));
        QCOMPARE(totals[1].count, std::uint64_t{3});
    }

    void eachMinuteIsForgottenByItself() {
        Scene scene;
        for (int minute = 0; minute < 300; ++minute) {
            scene.refuse("invalid_token", at("192.0.2.1"));
            QCOMPARE(scene.sum(), static_cast<std::uint64_t>(std::min(minute + 1, 60)));
            scene.clock.advance(1min);
        }
        scene.clock.advance(45min);
        QCOMPARE(scene.sum(), std::uint64_t{14});
    }

    void furtherClientsAreOthers() {
        Scene scene;
        for (std::size_t i = 0; i < RefusalLog::kMostRows; ++i)
            scene.refuse("invalid_token", at("peer " + std::to_string(i)));
        QCOMPARE(scene.rows().size(), RefusalLog::kMostRows);
        for (int i = 0; i < 1000; ++i) {
            scene.refuse("invalid_token", at("late " + std::to_string(i)), "newest of the others");
            scene.refuse("invalid_json", at("late " + std::to_string(i)));
        }
        scene.refuse("invalid_token", at("peer 7"));
        const auto rows = scene.rows();
        QCOMPARE(rows.size(), RefusalLog::kMostRows + 2);
        const RefusedClient others{{}, {}, {}, true};
        QCOMPARE(find(rows, "invalid_token", others)->count, std::uint64_t{1000});
        QCOMPARE(find(rows, "invalid_token", others)->message, std::string("newest of the others"));
        QCOMPARE(find(rows, "invalid_json", others)->count, std::uint64_t{1000});
        QCOMPARE(find(rows, "invalid_token", at("peer 7"))->count, std::uint64_t{2});
        // There is room again once they have fallen out.
        scene.clock.advance(60min);
        scene.refuse("invalid_token", at("late 1"));
        QVERIFY(find(scene.rows(), "invalid_token", at("late 1")) != nullptr);
        QCOMPARE(scene.rows().size(), std::size_t{1});
    }

    /// A stranger who fills the rows hides no principal: theirs were let in by a token.
    void whoseTokenItWasStaysKnown() {
        Scene scene;
        for (int i = 0; i < 1000; ++i)
            scene.refuse("invalid_token", at("192.0.2.66", "scan/" + std::to_string(i)));
        scene.refuse("model_not_found", {"192.0.2.66", "app/1", "batch", false});
        scene.refuse("model_not_found", {"192.0.2.66", "app/2", "batch", false});
        const auto rows = scene.rows();
        const Refusal* row = find(rows, "model_not_found", {"192.0.2.66", {}, "batch", true});
        QVERIFY(row != nullptr);
        QCOMPARE(row->count, std::uint64_t{2});
    }

    /// Else a scanner, with a name of its own in each request, would hide everybody for an hour.
    void oneAddressDoesNotTakeAllTheRoom() {
        Scene scene;
        for (int i = 0; i < 1000; ++i)
            scene.refuse("invalid_token", at("192.0.2.66", "scan/" + std::to_string(i)));
        scene.refuse("invalid_token", at("192.0.2.1", "curl/8.5.0"));
        auto rows = scene.rows();
        QCOMPARE(rows.size(), RefusalLog::kMostOfOnePeer + 2);
        QCOMPARE(find(rows, "invalid_token", {"192.0.2.66", {}, {}, true})->count, std::uint64_t{1000 - RefusalLog::kMostOfOnePeer});
        QVERIFY(find(rows, "invalid_token", at("192.0.2.1", "curl/8.5.0")) != nullptr);
        // Nor do those whose address is not known any more.
        for (int i = 0; i < 1000; ++i)
            scene.refuse("invalid_token", at({}, "scan/" + std::to_string(i)));
        rows = scene.rows();
        QCOMPARE(find(rows, "invalid_token", {{}, {}, {}, true})->count, std::uint64_t{1000 - RefusalLog::kMostOfOnePeer});
    }

    void aClockThatIsReadBeforeTheLockLosesNothing() {
        Scene scene;
        const Steady before = scene.clock.steady();
        scene.clock.advance(1min);
        scene.refuse("invalid_token", at("192.0.2.1"));
        scene.log.add({"invalid_token", "no", evidence::Edge::openai, scene.clock.now()}, at("192.0.2.1"), before);
        QCOMPARE(scene.sum(), std::uint64_t{2});
        QCOMPARE(scene.log.ofLastHour(before).front().count, std::uint64_t{2});
        QCOMPARE(scene.sum(), std::uint64_t{2});
    }

    void threadsCountTogether() {
        Scene scene;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&scene, t] {
                for (int i = 0; i < 2'000; ++i) {
                    scene.refuse("invalid_token", at("192.0.2." + std::to_string(i % 100), std::to_string(t)));
                    if (i % 100 == 0)
                        scene.clock.advance(100ms);
                    if (i % 500 == 0)
                        static_cast<void>(scene.rows());
                }
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(scene.sum(), std::uint64_t{8'000});
        QCOMPARE(scene.log.of(evidence::Edge::openai), std::uint64_t{8'000});
    }

    void agents_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("agent");
        QTest::newRow("none") << QByteArray() << QByteArray();
        QTest::newRow("product") << QByteArray("curl/8.5.0") << QByteArray("curl/8.5.0");
        QTest::newRow("OpenAI's SDK") << QByteArray("OpenAI/JS 4.20.0") << QByteArray("OpenAI/JS 4.20.0");
        QTest::newRow("Anthropic's SDK") << QByteArray("Anthropic/Python 0.39.0") << QByteArray("Anthropic/Python 0.39.0");
        QTest::newRow("browser") << QByteArray("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/115.0") << QByteArray("Mozilla/5.0");
        QTest::newRow("comment") << QByteArray("claude-cli/2.0.1 (external, cli)") << QByteArray("claude-cli/2.0.1");
        QTest::newRow("name alone") << QByteArray("node") << QByteArray("node");
        QTest::newRow("spaces") << QByteArray(" \t curl/8.5.0 ") << QByteArray("curl/8.5.0");
        QTest::newRow("no version behind it") << QByteArray("OpenAI/JS for me") << QByteArray("OpenAI/JS");
        QTest::newRow("not ASCII") << QByteArray("cl\xc3\xbcient\x1b[31m/1\x7f") << QByteArray("client[31m/1");
        QTest::newRow("long") << QByteArray(200, 'x') << QByteArray(64, 'x');
        QTest::newRow("only a key") << QByteArray("sk-planted0123456789") << QByteArray("[redacted]");
        QTest::newRow("a key for a version") << QByteArray("App/sk-planted0123456789") << QByteArray("App/[redacted]");
        QTest::newRow("bearer") << QByteArray("Bearer 0planted.token") << QByteArray("Bearer");
        QTest::newRow("its own token") << QByteArray("App/own-token-0123456789") << QByteArray("App/[redacted]");
        QTest::newRow("its own token, long") << "App/own-token-0123456789" + QByteArray(200, 'x') << "App/[redacted]" + QByteArray(50, 'x');
        QTest::newRow("no name") << QByteArray(60'000, '/') << QByteArray();
        QTest::newRow("its own token, with a slash") << QByteArray("a/b+c==/1") << QByteArray("[redacted]/1");
        QTest::newRow("its own token for a version") << QByteArray("OpenAI/JS 12345678901") << QByteArray("OpenAI/JS [redacted]");
    }
    void agents() {
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, agent);
        QCOMPARE(QByteArray::fromStdString(gateway::agentOf(header.toStdString(), {"own-token-0123456789", "a/b+c==", "12345678901"})), agent);
    }

    void whoWasRefusedIsKnownByAddressAndName() {
        GatewayFixture fixture;
        const auto ask = [&](const std::string& agent, const std::string& token) {
            return fetch(fixture.port(), {"POST", "/v1/chat/completions", {"User-Agent: " + agent, "Authorization: Bearer " + token}, kChat})->status;
        };
        QCOMPARE(ask("OpenAI/JS 4.20.0", "wrong-token"), 401);
        QCOMPARE(ask("curl/8.5.0", "wrong-token"), 401);
        QCOMPARE(ask("curl/8.5.0", "other-wrong-token"), 401);
        QCOMPARE(ask("thief/wrong-token", "wrong-token"), 401);
        const auto rows = fixture.server().refusals();
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(find(rows, "invalid_token", at("127.0.0.1", "OpenAI/JS 4.20.0"))->count, std::uint64_t{1});
        QCOMPARE(find(rows, "invalid_token", at("127.0.0.1", "curl/8.5.0"))->count, std::uint64_t{2});
        QVERIFY(find(rows, "invalid_token", at("127.0.0.1", "thief/[redacted]")) != nullptr);
    }

    /// A token that was pasted as the model, or into the address, is no model and no path.
    void aKeyInTheWrongPlaceIsKeptNowhere() {
        GatewayFixture fixture;
        const std::string key = "sbx_planted0123456789abcdef";
        const std::string body = "{\"model\":\"" + key + "\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}";
        QCOMPARE(fetch(fixture.port(), {"POST", "/v1/chat/completions", {kAuth}, body})->status, 404);
        QCOMPARE(fetch(fixture.port(), {"GET", "/v1/" + key, {kAuth}, {}})->status, 404);
        const auto rows = fixture.server().refusals();
        QCOMPARE(rows.size(), std::size_t{2});
        for (const Refusal& row : rows) QVERIFY2(row.message.find("planted") == std::string::npos, row.message.c_str());
        QCOMPARE(fixture.records().size(), std::size_t{1});
        QCOMPARE(fixture.records()[0].requestedModel, std::string("[redacted]"));
    }

    void whoseRequestItWasIsKnownByItsToken_data() {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("code");
        const QByteArray chat("/v1/chat/completions"), fine(R"({"model":"model-a","messages":[{"role":"user","content":"Hi"}]})");
        QTest::newRow("on its way into a record") << chat << QByteArray(R"({"model":"model-z","messages":[{"role":"user","content":"Hi"}]})") << QByteArray("model_not_found");
        QTest::newRow("before there is one") << chat << QByteArray("{") << QByteArray("invalid_json");
        QTest::newRow("before its body") << QByteArray("/v1/nothing") << fine << QByteArray("unknown_path");
        QTest::newRow("a count") << QByteArray("/v1/messages/count_tokens") << QByteArray("{") << QByteArray("invalid_json");
        QTest::newRow("a limit") << chat << fine << QByteArray("too_many_requests_per_minute");
        QTest::newRow("too large") << chat << QByteArray(3000, ' ') << QByteArray("request_too_large");
    }
    void whoseRequestItWasIsKnownByItsToken() {
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, code);
        FixtureOptions options;
        options.server = "max_request_body_bytes = 2000\n";
        options.more = "[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nrequests_per_minute = 1\n";
        GatewayFixture fixture(options);
        const auto ask = [&](const std::string& text) {
            return fetch(fixture.port(), {"POST", target.toStdString(), {"User-Agent: curl/8.5.0", "Authorization: Bearer batch-token-0123456789"}, text})->status;
        };
        if (code == "too_many_requests_per_minute") QCOMPARE(ask(body.toStdString()), 200);
        QVERIFY(ask(body.toStdString()) >= 400);
        const auto rows = fixture.server().refusals();
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(rows[0].code), code);
        QCOMPARE(rows[0].client.peer, std::string("127.0.0.1"));
        QCOMPARE(rows[0].client.agent, std::string("curl/8.5.0"));
        QCOMPARE(rows[0].client.principal, std::string(code == "unknown_path" ? "" : "batch")); // nobody was asked for a token there
    }
};

QTEST_GUILESS_MAIN(RefusalsTest)
#include "tst_refusals.moc"
