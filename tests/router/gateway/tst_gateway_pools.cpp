// SPDX-License-Identifier: MIT
// Models with a router of their own, from a client's socket to a fake upstream.
#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

class GatewayPoolsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelIsServedByItsPool();
    void aliasAndListing();
    void presetServedByAPool();
    void table_comesBeforeTheModel();
    void bothEdgesOfStreaming();
    void fallbackInsideThePool();
    void attemptsCarryTokensAndCost();
    void principalsListLimitsThePool();
    void slotsRefuseWithRetryAfter();
    void everyEndingGivesSlotsBack();
    void slotsOutliveAPolicy();
    void sharedBetweenRouters();
    void providersResourceHoldsOutsidePools();
    void badParameterRefusesTheApply();
    void applyRedirectsNothingInFlight();
    void circuitSettingsAreOfThePolicy();
};

namespace {

const std::string kChat = R"({"model":"chat","messages":[{"role":"user","content":"hi"}]})";
const std::string kChatStream = R"({"model":"chat","stream":true,"messages":[{"role":"user","content":"hi"}]})";
const std::string kAnswer =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]})";

const std::string kBothRoutes = R"(
[[models.chat.route]]
provider = "up"
model = "model-a"
weight = 1
[[models.chat.route]]
provider = "other"
model = "elsewhere"
weight = 0
)";

FixtureOptions withModel(const std::string& toml = "[models.chat]\naliases = [\"talk\"]\n" + kBothRoutes) {
    FixtureOptions out;
    out.more = toml;
    return out;
}

void answerAll(GatewayFixture& gateway) {
    for (FakeAdapter* adapter : {&gateway.upstream(), &gateway.other()})
        adapter->setScript([](const dispatch::UpstreamRequest& request) {
            return request.stream ? FakeReply::stream({"a", "b"}) : FakeReply::whole(kAnswer);
        });
}

std::uint32_t inUse(const GatewayFixture& gateway, const std::string& name, std::uint32_t limit) {
    return gateway.process().resources.slots("concurrency:" + name, limit).value()->inUse();
}

} // namespace

void GatewayPoolsTest::modelIsServedByItsPool() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    const auto response = gateway.post(kChat);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.resolvedBy, std::string("model_router"));
    QVERIFY(record.pool);
    QCOMPARE(record.pool->poolId, std::string("chat"));
    QCOMPARE(record.pool->router, std::string("fixed"));
    QCOMPARE(record.pool->drawn, std::string("up:model-a"));
    QCOMPARE(record.endpointId, std::string("up:model-a"));
    QCOMPARE(gateway.upstream().requests().at(0).model, std::string("model-a"));
    const auto copy = evidence::decodeRecord(evidence::encodeRecord(record));
    QVERIFY(copy && copy->pool == record.pool && copy->attempts == record.attempts);
}

void GatewayPoolsTest::aliasAndListing() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    QCOMPARE(gateway.post(R"({"model":"talk","messages":[]})")->status, 200);
    QCOMPARE(gateway.records().at(0).pool->poolId, std::string("chat"));
    const OrderedJson list = OrderedJson::parse(gateway.get("/v1/models")->body);
    std::set<std::string> ids;
    for (const auto& model : list["data"]) ids.insert(model["id"].get<std::string>());
    QVERIFY(ids.contains("chat") && ids.contains("talk"));
    QCOMPARE(gateway.get("/v1/models/talk")->status, 200);
}

void GatewayPoolsTest::presetServedByAPool() {
    FixtureOptions options = withModel("[models.chat]\n" + kBothRoutes);
    // The fixture binds b-k1 to an endpoint; here family b's only preset goes to the pool.
    const auto snapshot = fixtureSnapshot(options);
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    for (config::PresetBinding& binding : config->presetBindings)
        if (binding.presetKey == "b-k1") binding = {"b-k1", "", "chat", std::nullopt};
    GatewayFixture gateway(options);
    answerAll(gateway);
    QVERIFY(gateway.server().apply(gateway.makeServing(policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config))));
    const auto response = gateway.post(R"({"model":"b-k1","messages":[]})");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-preset"), std::string("b-k1"));
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    const auto record = gateway.records().at(0);
    QCOMPARE(record.presetKey, std::optional<std::string>("b-k1"));
    QCOMPARE(record.pool->poolId, std::string("chat"));
}

// Step 5 of the resolution comes before step 6.
void GatewayPoolsTest::table_comesBeforeTheModel() {
    GatewayFixture gateway(withModel("[models.model-a]\n[[models.model-a.route]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n"));
    answerAll(gateway);
    QCOMPARE(gateway.post(R"({"model":"model-a","messages":[]})")->header("x-signalbox-preset"), std::string("a-k1"));
    QVERIFY(!gateway.records().at(0).pool);
}

void GatewayPoolsTest::bothEdgesOfStreaming() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    const auto response = gateway.post(kChatStream);
    QCOMPARE(response->status, 200);
    QVERIFY(response->body.find("[DONE]") != std::string::npos);
    QVERIFY(gateway.records().at(0).firstContentMs.has_value());
}

// F70: the retry goes elsewhere, and the attempt list says so.
void GatewayPoolsTest::fallbackInsideThePool() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    gateway.upstream().setScript([](const auto&) { return FakeReply{upstreamStatus(503)}; });
    const auto response = gateway.post(kChat);
    QCOMPARE(response->status, 200);
    const auto record = gateway.records().at(0);
    QCOMPARE(record.attempts.size(), std::size_t(2));
    QCOMPARE(record.attempts[0].endpointId, std::string("up:model-a"));
    QCOMPARE(record.attempts[0].status, 503);
    QCOMPARE(record.attempts[1].endpointId, std::string("other:elsewhere"));
    QVERIFY(record.attempts[1].role == evidence::AttemptRole::retry);
    QCOMPARE(record.endpointId, std::string("other:elsewhere"));
}

void GatewayPoolsTest::attemptsCarryTokensAndCost() {
    FixtureOptions options = withModel();
    options.providerLines = "[providers.up.pricing]\ninput_per_million = 1.0\noutput_per_million = 2.0\n";
    GatewayFixture gateway(options);
    answerAll(gateway);
    QCOMPARE(gateway.post(kChat)->status, 200);
    const auto record = gateway.records().at(0);
    const evidence::Attempt& attempt = record.attempts.at(0);
    QCOMPARE(attempt.inputTokens, std::optional<std::uint64_t>(12));
    QCOMPARE(attempt.outputTokens, std::optional<std::uint64_t>(7));
    QVERIFY(attempt.costUsd && record.costUsd && *attempt.costUsd == *record.costUsd);
}

void GatewayPoolsTest::principalsListLimitsThePool() {
    FixtureOptions options = withModel();
    options.more += "[principals.batch]\nteam = \"t\"\ntoken_env = \"BATCH_TOKEN\"\nallowed_providers = [\"other\"]\n";
    GatewayFixture gateway(options);
    answerAll(gateway);
    const auto response = fetch(gateway.port(), {"POST", "/v1/chat/completions",
                                                 {"Authorization: Bearer batch-token-0123456789"}, kChat});
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    QVERIFY(gateway.upstream().requests().empty());
    QCOMPARE(gateway.records().at(0).pool->candidates.at(0).excluded, std::string("not_allowed"));
}

namespace {

const std::string kSlots = R"([resources.gpu]
limit = 1
[models.chat]
[[models.chat.route]]
provider = "up"
model = "model-a"
resources = ["gpu"]
)";

} // namespace

void GatewayPoolsTest::slotsRefuseWithRetryAfter() {
    GatewayFixture gateway(withModel(kSlots));
    answerAll(gateway);
    auto taken = gateway.process().resources.slots("concurrency:gpu", 1).value()->tryTake();
    const auto response = gateway.post(kChat);
    QCOMPARE(response->status, 503);
    QVERIFY(!response->header("retry-after").empty());
    QVERIFY(gateway.upstream().requests().empty());
    const auto record = gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::refused);
    QCOMPARE(record.attempts.at(0).reason, std::string("no_free_slot"));
    QCOMPARE(gateway.process().circuits.of("up:model-a")->view().attempts, 0U);
    taken->release();
    QCOMPARE(gateway.post(kChat)->status, 200);
}

void GatewayPoolsTest::everyEndingGivesSlotsBack() {
    GatewayFixture gateway(withModel(kSlots));
    const auto endsWith = [&](FakeReply reply, const std::string& body) {
        gateway.upstream().setScript([reply](const auto&) { return reply; });
        QVERIFY(gateway.post(body));
        QCOMPARE(inUse(gateway, "gpu", 1), 0U);
    };
    using Kind = dispatch::UpstreamFailure::Kind;
    const auto failing = [](Kind kind, const char* code) {
        FakeReply out;
        out.failure.emplace();
        out.failure->kind = kind;
        out.failure->code = code;
        return out;
    };
    endsWith(FakeReply::whole(kAnswer), kChat);
    endsWith(FakeReply::stream({"a", "b"}), kChatStream);
    endsWith(FakeReply{upstreamStatus(400)}, kChat);
    endsWith(FakeReply{upstreamStatus(500)}, kChatStream);
    endsWith(failing(Kind::connect, "connect_refused"), kChat);
    endsWith(failing(Kind::timeout, "timeout_connect"), kChat);
    gateway.process().circuits.of("up:model-a")->closeByHand();
    endsWith(failing(Kind::timeout, "timeout_first_byte"), kChatStream);
    endsWith(failing(Kind::errorFrame, "error_frame"), kChatStream);
    gateway.process().circuits.of("up:model-a")->closeByHand();
    FakeReply midway = FakeReply::stream({"a", "b"});
    midway.chunks.resize(2);
    midway.endsWith = failing(Kind::timeout, "timeout_idle").failure;
    endsWith(midway, kChatStream);
    midway.endsWith = failing(Kind::disconnected, "disconnected").failure;
    endsWith(midway, kChatStream);
}

// A policy applied by restart finds the calls of the old one still counted.
void GatewayPoolsTest::slotsOutliveAPolicy() {
    GatewayFixture gateway(withModel(kSlots));
    answerAll(gateway);
    auto taken = gateway.process().resources.slots("concurrency:gpu", 1).value()->tryTake();
    QVERIFY(gateway.server().apply(gateway.makeServing()).has_value());
    QCOMPARE(gateway.post(kChat)->status, 503);
}

void GatewayPoolsTest::sharedBetweenRouters() {
    GatewayFixture gateway(withModel(kSlots + R"([models.second]
[[models.second.route]]
provider = "other"
model = "elsewhere"
resources = ["gpu"]
)"));
    answerAll(gateway);
    std::atomic<std::uint32_t> most{0};
    const auto watch = [&](const dispatch::UpstreamRequest&) {
        const std::uint32_t now = inUse(gateway, "gpu", 1);
        if (now > most) most = now;
        FakeReply reply = FakeReply::whole(kAnswer);
        reply.firstDelay = 1ms;
        return reply;
    };
    gateway.upstream().setScript(watch);
    gateway.other().setScript(watch);
    std::vector<std::thread> clients;
    std::atomic<int> served{0}, refused{0};
    for (int c = 0; c < 8; ++c)
        clients.emplace_back([&, c] {
            const std::string body = c % 2 == 0 ? kChat : R"({"model":"second","messages":[]})";
            for (int i = 0; i < 20; ++i) {
                const auto response = gateway.post(body);
                ++(response && response->status == 200 ? served : refused);
            }
        });
    for (std::thread& client : clients) client.join();
    QCOMPARE(served + refused, 160);
    QVERIFY(served > 0);
    QCOMPARE(most.load(), 1U);
    QCOMPARE(inUse(gateway, "gpu", 1), 0U);
}

void GatewayPoolsTest::providersResourceHoldsOutsidePools() {
    FixtureOptions options = withModel("[resources.gpu]\nlimit = 1\n");
    options.providerLines = "resource = \"gpu\"";
    GatewayFixture gateway(options);
    answerAll(gateway);
    auto taken = gateway.process().resources.slots("concurrency:gpu", 1).value()->tryTake();
    QCOMPARE(gateway.post(R"({"model":"up:model-b","messages":[]})")->status, 503);
    taken->release();
    QCOMPARE(gateway.post(R"({"model":"up:model-b","messages":[]})")->status, 200);
}

// A strategy or parameter that is wrong is known before anything changes.
void GatewayPoolsTest::badParameterRefusesTheApply() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    const auto snapshot = gateway.snapshot();
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    config->models.front().parametersJson = R"({"sesion_affinity":true})";
    auto access = gateway::AccessPolicy::make(*config, {}, kToken);
    const auto refused = gateway::makeServing(
        {policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config), std::move(*access),
         std::make_shared<capacity::ProcessState>(SystemClock()), {}, {}},
        SystemClock());
    QVERIFY(!refused);
    QCOMPARE(refused.error().where, std::string("models.chat.router_params.sesion_affinity"));
    QVERIFY(refused.error().hint.find("session_affinity") != std::string::npos);
    QCOMPARE(gateway.post(kChat)->status, 200);
}

void GatewayPoolsTest::applyRedirectsNothingInFlight() {
    GatewayFixture gateway(withModel());
    answerAll(gateway);
    gateway.upstream().setScript([](const auto&) {
        FakeReply reply = FakeReply::stream({"from-the-old", "policy"});
        reply.chunkDelay = 40ms;
        return reply;
    });
    std::optional<RawResponse> response;
    std::thread client([&] { response = gateway.post(kChatStream); });
    while (gateway.upstream().active() == 0) std::this_thread::yield();
    const auto snapshot = gateway.snapshot();
    auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
    config->models.front().routes.erase(config->models.front().routes.begin());
    QVERIFY(gateway.server().apply(gateway.makeServing(policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config))));
    client.join();
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    QVERIFY(response->body.find("policy") != std::string::npos && response->body.find("[DONE]") != std::string::npos);
    QCOMPARE(gateway.post(kChat)->header("x-signalbox-route"), std::string("other:elsewhere"));
    QCOMPARE(gateway.records().at(0).endpointId, std::string("up:model-a"));
}

void GatewayPoolsTest::circuitSettingsAreOfThePolicy() {
    GatewayFixture gateway(withModel(kSlots + "[circuits]\nconsecutive_failures = 1\ncool_for_ms = 60000\n"));
    gateway.upstream().setScript([](const auto&) { return FakeReply{upstreamStatus(500)}; });
    QVERIFY(gateway.post(kChat)->status >= 500);
    const auto view = gateway.process().circuits.of("up:model-a")->view();
    QVERIFY(view.state == capacity::CircuitState::open);
    QVERIFY(view.remaining > 50s);
}

QTEST_APPLESS_MAIN(GatewayPoolsTest)
#include "tst_gateway_pools.moc"
