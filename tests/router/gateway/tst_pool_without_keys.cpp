// SPDX-License-Identifier: MIT
// Endpoints of a pool whose providers have no key: they are passed over, the record says why, and where none is left the error
// names the variables to set.
#include "router/upstream/adapters.h"
#include "tests/router/gateway/pool_scene.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using evidence::Outcome;

namespace {

using Variables = std::map<std::string, std::string>;

/// Whose providers `a` and `b` want A_KEY and B_KEY.
PoolScene sceneOf() {
    QFETCH(int, kind);
    return PoolScene(PoolSceneOptions{.kind = static_cast<PoolKind>(kind)});
}

/// The same policy in a process with these variables.
void applyWith(const PoolScene& scene, const Variables& variables) {
    static const SystemClock clock;
    const auto& running = scene.gateway().snapshot();
    auto config = std::make_shared<config::GatewayConfig>(*running->config);
    const auto environment = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    auto access = gateway::AccessPolicy::make(*config, {}, kToken);
    const std::shared_ptr<capacity::ProcessState> process(std::shared_ptr<void>(), &scene.gateway().process());
    gateway::ServingParts parts{nullptr, std::move(*access), process, {}, {}};
    for (config::Provider& provider : config->providers) {
        if (provider.id != "a" && provider.id != "b") continue;
        provider.apiKeyEnv = provider.id == "a" ? "A_KEY" : "B_KEY";
        provider.apiKeyRequired = true;
        auto adapter = upstream::makeAdapter(provider, environment);
        if (adapter) parts.adapters[provider.id] = std::move(*adapter);
        else parts.notCallable[provider.id] = adapter.error().text();
    }
    parts.snapshot = policy::makeSnapshot(running->table, running->tableSha256, config);
    const auto serving = gateway::makeServing(std::move(parts), clock);
    QVERIFY(serving.has_value());
    QVERIFY(scene.gateway().server().apply(*serving).has_value());
}

evidence::DecisionRecord lastOf(const PoolScene& scene) { return scene.gateway().records().back(); }

std::string exclusionOf(const PoolScene& scene, std::size_t endpoint) {
    const auto record = lastOf(scene);
    for (const auto& candidate : record.pool->candidates)
        if (candidate.endpointId == PoolScene::idOf(endpoint)) return candidate.excluded;
    return "(not recorded)";
}

std::string messageOf(const std::optional<RawResponse>& response) {
    return nlohmann::json::parse(response->body).at("error").at("message").get<std::string>();
}

} // namespace

class PoolWithoutKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void passedOver_data() { kinds(); }
    void passedOver();
    void noneIsLeft_data() { kinds(); }
    void noneIsLeft();
    void blankIsNone_data() { kinds(); }
    void blankIsNone();

private:
    static void kinds() {
        QTest::addColumn<int>("kind");
        for (const PoolKind kind : kPoolKinds) QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
};

void PoolWithoutKeysTest::passedOver() {
    PoolScene scene = sceneOf();
    for (const bool stream : {false, true}) {
        applyWith(scene, {{"B_KEY", "key-of-b-0123456789"}});
        QCOMPARE(scene.gateway().post(poolBody(stream))->header("x-signalbox-route"), std::string("b:m"));
        QCOMPARE(exclusionOf(scene, 0), std::string("provider_not_callable"));
        QCOMPARE(exclusionOf(scene, 1), std::string());
        for (const evidence::Attempt& attempt : lastOf(scene).attempts) QCOMPARE(attempt.endpointId, std::string("b:m"));
        QCOMPARE(scene.at(1).requests().back().header("authorization"), std::string("Bearer key-of-b-0123456789"));
    }
    QCOMPARE(scene.circuit(0).attempts, 0U); // nothing was learned about who was never asked
    applyWith(scene, {{"A_KEY", "key-of-a-0123456789"}, {"B_KEY", "key-of-b-0123456789"}});
    QCOMPARE(scene.gateway().post(poolBody(false))->header("x-signalbox-route"), std::string("a:m"));
}

void PoolWithoutKeysTest::noneIsLeft() {
    PoolScene scene = sceneOf();
    applyWith(scene, {});
    for (const bool stream : {false, true}) {
        const auto response = scene.gateway().post(poolBody(stream));
        QCOMPARE(response->status, 503);
        QVERIFY(!response->header("retry-after").empty());
        const std::string message = messageOf(response);
        for (const char* part : {"A_KEY", "B_KEY", "pool pool"}) QVERIFY2(message.find(part) != std::string::npos, message.c_str());
        QVERIFY(lastOf(scene).outcome == Outcome::refused);
        for (std::size_t i = 0; i < scene.size(); ++i) QCOMPARE(exclusionOf(scene, i), std::string("provider_not_callable"));
    }
    QCOMPARE(scene.at(0).connectionsAccepted() + scene.at(1).connectionsAccepted(), std::size_t{0});
    QVERIFY2(scene.whatIsHeld().empty(), scene.whatIsHeld().c_str());
}

/// A variable that is set to nothing, as a template of a deployment leaves it.
void PoolWithoutKeysTest::blankIsNone() {
    PoolScene scene = sceneOf();
    applyWith(scene, {{"A_KEY", " \n"}, {"B_KEY", ""}});
    const auto response = scene.gateway().post(poolBody(false));
    QCOMPARE(response->status, 503);
    QVERIFY2(messageOf(response).find("A_KEY") != std::string::npos, response->body.c_str());
}

QTEST_APPLESS_MAIN(PoolWithoutKeysTest)
#include "tst_pool_without_keys.moc"
