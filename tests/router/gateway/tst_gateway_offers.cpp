// SPDX-License-Identifier: MIT
// A plain name that several providers offer: whoever lacks its key is passed over, with the reason in the record. An upstream that
// fails is not: without a group or a pool nobody said that another one is as good.
#include "tests/router/gateway/gateway_fixture.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using evidence::AttemptOutcome;

namespace {

const std::string kLacking = "The environment variable UP_KEY is not set or empty";

/// `up` comes first in the file and lists `shared`; `third` and `fourth` come last and list it, too.
FixtureOptions options(const std::string& more = {}) {
    FixtureOptions out;
    out.models = {"shared"};
    out.providerLines = "passthrough_unknown_models = true\n";
    for (const char* id : {"third", "fourth"})
        out.more += std::string("[providers.") + id + "]\nbase_url = \"http://127.0.0.1:9/v1\"\npassthrough_unknown_models = true\n" +
                    "models = [\"shared\", \"model-b\", \"model-a\"]\n";
    out.more += more;
    return out;
}

/// The gateway of these options, and fakes for the providers that can be called.
struct Scene {
    explicit Scene(const std::vector<std::string>& callable, FixtureOptions with = options(), bool withoutBinding = false)
        : gateway(with) {
        auto snapshot = fixtureSnapshot(with);
        if (withoutBinding) {
            auto config = std::make_shared<config::GatewayConfig>(*snapshot->config);
            std::erase_if(config->presetBindings, [](const config::PresetBinding& one) { return one.presetKey == "b-k1"; });
            snapshot = policy::makeSnapshot(snapshot->table, snapshot->tableSha256, config);
        }
        const auto environment = [](const std::string& name) {
            return name == "BATCH_TOKEN" ? std::optional<std::string>("batch-token-0123456789") : std::nullopt;
        };
        auto access = gateway::AccessPolicy::make(*snapshot->config, environment, kToken);
        const std::shared_ptr<capacity::ProcessState> process(std::shared_ptr<void>(), &gateway.process());
        gateway::ServingParts parts{snapshot, std::move(*access), process, {}, {}};
        for (const config::Provider& provider : snapshot->config->providers) parts.notCallable[provider.id] = kLacking;
        for (const std::string& id : callable) {
            parts.notCallable.erase(id);
            fakes[id] = std::make_shared<FakeAdapter>(id);
            parts.adapters[id] = fakes[id];
        }
        static const SystemClock clock;
        applied = gateway.server().apply(gateway::makeServing(std::move(parts), clock).value()).has_value();
    }

    std::optional<RawResponse> ask(const std::string& model, const std::string& more = {}) const {
        return gateway.post(R"({"model":")" + model + R"(","messages":[{"role":"user","content":"q"}])" + more + "}");
    }
    /// `up:shared provider_not_callable; third:shared served`
    std::string story() const {
        std::string out;
        const evidence::DecisionRecord record = gateway.records().back();
        for (const evidence::Attempt& attempt : record.attempts)
            out += (out.empty() ? "" : "; ") + attempt.endpointId + " " + (attempt.reason.empty() ? "served" : attempt.reason);
        return out;
    }

    GatewayFixture gateway;
    std::map<std::string, std::shared_ptr<FakeAdapter>> fakes;
    bool applied = false;
};

} // namespace

class GatewayOffersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoLacksItsKeyIsPassedOver();
    void severalAreInOrder();
    void whoFollowsThemIsTheFirstTry();
    void theListNamesWhoIsCalled();
    void theListHasWhatAnotherMayServe();
    void otherWaysToAName_data();
    void otherWaysToAName();
    void presetWithoutABinding();
    void whatOnlyOneCanBeMeantBy_data();
    void whatOnlyOneCanBeMeantBy();
    void whoeverIsLeftMustBeAllowed();
    void whoeverIsLeftMustCarryIt();
    void whoCannotBeCalledIsNotJudged_data();
    void whoCannotBeCalledIsNotJudged();
    void whoCannotBeCalledIsJudgedWhereNobodyIsLeft();
    void whatIsLeftSaysIsTold();
    void whoeverIsLeftCountsTokens();
    void nobodyIsLeft();
    void failureIsNoReason();
};

void GatewayOffersTest::whoLacksItsKeyIsPassedOver() {
    Scene scene({"other", "third", "fourth"});
    QVERIFY(scene.applied);
    const auto response = scene.ask("shared");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("third:shared"));
    QCOMPARE(scene.story(), std::string("up:shared provider_not_callable; third:shared served"));
    const evidence::DecisionRecord record = scene.gateway.records().back();
    QCOMPARE(record.resolvedBy, std::string("inventory"));
    QCOMPARE(record.endpointId, std::string("third:shared"));
    QVERIFY(record.attempts.front().outcome == AttemptOutcome::refused);
    QVERIFY(scene.gateway.upstream().requests().empty());
}

void GatewayOffersTest::severalAreInOrder() {
    Scene scene({"fourth"});
    QCOMPARE(scene.ask("shared")->header("x-signalbox-route"), std::string("fourth:shared"));
    QCOMPARE(scene.story(), std::string("up:shared provider_not_callable; third:shared provider_not_callable; fourth:shared served"));
}

/// Nothing was sent before it, so that nothing was tried again.
void GatewayOffersTest::whoFollowsThemIsTheFirstTry() {
    Scene scene({"fourth"});
    QCOMPARE(scene.ask("shared")->status, 200);
    const evidence::DecisionRecord record = scene.gateway.records().back();
    QVERIFY(record.attempts.back().role == evidence::AttemptRole::primary);
    const std::string page = scene.gateway.get("/metrics")->body;
    QVERIFY2(page.find(R"(signalbox_attempts_total{outcome="served",provider="fourth",role="primary"} 1)") != std::string::npos, page.c_str());
    QVERIFY2(page.find(R"(role="retry")") == std::string::npos, page.c_str());
}

namespace {

/// `owned_by` of a name in the list and by its own path, which must agree; empty where it is not listed.
std::string ownerOf(const Scene& scene, const std::string& name, const std::string& token = kToken) {
    const std::vector<std::string> head{"Authorization: Bearer " + token};
    const auto one = fetch(scene.gateway.port(), {"GET", "/v1/models/" + name, head, {}});
    const OrderedJson list = OrderedJson::parse(fetch(scene.gateway.port(), {"GET", "/v1/models", head, {}})->body);
    std::string listed;
    for (const OrderedJson& model : list["data"])
        if (model["id"] == name)
            listed = model["owned_by"];
    const std::string own = one->status == 200 ? OrderedJson::parse(one->body)["owned_by"].get<std::string>() : std::string();
    return own == listed ? own : own + " is not " + listed;
}

} // namespace

void GatewayOffersTest::theListNamesWhoIsCalled() {
    const std::string aliases = "[aliases]\nnick = \"shared\"\nexact = \"up:shared\"\n";
    Scene scene({"third", "fourth"}, options(aliases));
    QVERIFY(scene.applied);
    QCOMPARE(ownerOf(scene, "shared"), std::string("third"));
    QCOMPARE(ownerOf(scene, "nick"), std::string("third"));
    QCOMPARE(ownerOf(scene, "exact"), std::string("up")); // one alone is meant
    QCOMPARE(ownerOf(scene, "a-k1"), std::string("up"));
    QCOMPARE(ownerOf(Scene({"fourth"}), "shared"), std::string("fourth"));
    QCOMPARE(ownerOf(Scene({"other"}), "shared"), std::string("up")); // nobody would be: the first says what it lacks
    QCOMPARE(ownerOf(Scene({"up", "third"}), "shared"), std::string("up"));
}

/// The gateway serves such a request, so that the name is no secret to who asks.
void GatewayOffersTest::theListHasWhatAnotherMayServe() {
    const std::string principal = "[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nallowed_providers = [\"fourth\"]\n";
    const std::string token = "batch-token-0123456789";
    QCOMPARE(ownerOf(Scene({"fourth"}, options(principal)), "shared", token), std::string("fourth"));
    QCOMPARE(ownerOf(Scene({"up", "fourth"}, options(principal)), "shared", token), std::string());
}

void GatewayOffersTest::otherWaysToAName_data() {
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("route");
    QTest::newRow("an alias of a plain name")
        << QStringLiteral("[aliases]\nnick = \"shared\"\n") << QStringLiteral("nick") << QStringLiteral("third:shared");
    QTest::newRow("a name that nobody lists") << QString() << QStringLiteral("unheard-of") << QStringLiteral("third:unheard-of");
}

void GatewayOffersTest::otherWaysToAName() {
    QFETCH(const QString, more);
    QFETCH(const QString, model);
    QFETCH(const QString, route);
    Scene scene({"third"}, options(more.toStdString()));
    QCOMPARE(scene.ask(model.toStdString())->header("x-signalbox-route"), route.toStdString());
}

void GatewayOffersTest::presetWithoutABinding() {
    Scene scene({"third"}, options(), true);
    const auto response = scene.ask("b-k1");
    QCOMPARE(response->header("x-signalbox-route"), std::string("third:model-b"));
    QCOMPARE(response->header("x-signalbox-preset"), std::string("b-k1"));
    QCOMPARE(scene.gateway.records().back().presetKey, std::optional<std::string>("b-k1"));
}

void GatewayOffersTest::whatOnlyOneCanBeMeantBy_data() {
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("model");
    QTest::newRow("an endpoint by its name") << QString() << QStringLiteral("up:shared");
    QTest::newRow("an alias of an endpoint") << QStringLiteral("[aliases]\nnick = \"up:shared\"\n") << QStringLiteral("nick");
    QTest::newRow("a preset with a binding") << QString() << QStringLiteral("a-k1");
}

void GatewayOffersTest::whatOnlyOneCanBeMeantBy() {
    QFETCH(const QString, more);
    QFETCH(const QString, model);
    Scene scene({"third", "fourth"}, options(more.toStdString()));
    const auto response = scene.ask(model.toStdString());
    QCOMPARE(response->status, 503);
    QVERIFY2(response->body.find("UP_KEY") != std::string::npos, response->body.c_str());
    QCOMPARE(scene.gateway.records().back().attempts.size(), std::size_t{1});
    QVERIFY(scene.fakes["third"]->requests().empty());
}

void GatewayOffersTest::whoeverIsLeftMustBeAllowed() {
    const std::string principal = "[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nallowed_providers = [\"up\", \"fourth\"]\n";
    Scene scene({"third", "fourth"}, options(principal));
    const auto response = fetch(scene.gateway.port(), {"POST", "/v1/chat/completions", {"Authorization: Bearer batch-token-0123456789"},
                                                       R"({"model":"shared","messages":[{"role":"user","content":"q"}]})"});
    QCOMPARE(response->status, 200);
    QCOMPARE(scene.story(), std::string("up:shared provider_not_callable; fourth:shared served"));
    QVERIFY(scene.fakes["third"]->requests().empty());
}

void GatewayOffersTest::whoeverIsLeftMustCarryIt() {
    FixtureOptions with = options();
    with.more.insert(with.more.find("passthrough"), "protocol = \"anthropic\"\n");
    Scene scene({"third", "fourth"}, with);
    QCOMPARE(scene.ask("shared", R"(,"seed":7)")->header("x-signalbox-route"), std::string("fourth:shared"));
    QCOMPARE(scene.ask("shared")->header("x-signalbox-route"), std::string("third:shared"));
}

/// What the first may not be asked or cannot carry is refused where it is the one that would be asked. Without a key it is not.
void GatewayOffersTest::whoCannotBeCalledIsNotJudged_data() {
    QTest::addColumn<QString>("up");
    QTest::addColumn<QString>("allowed");
    QTest::addColumn<QString>("more");
    QTest::newRow("may not be used") << QString() << QStringLiteral("\"third\", \"fourth\"") << QString();
    QTest::newRow("cannot carry it") << QStringLiteral("protocol = \"anthropic\"\n") << QStringLiteral("\"up\", \"third\", \"fourth\"")
                                     << QStringLiteral(",\"seed\":7");
}

void GatewayOffersTest::whoCannotBeCalledIsNotJudged() {
    QFETCH(const QString, up);
    QFETCH(const QString, allowed);
    QFETCH(const QString, more);
    FixtureOptions with = options("[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nallowed_providers = [" + allowed.toStdString() + "]\n");
    with.providerLines += up.toStdString();
    const auto ask = [&](const Scene& scene, const std::string& model) {
        return fetch(scene.gateway.port(), {"POST", "/v1/chat/completions", {"Authorization: Bearer batch-token-0123456789"},
                                            R"({"model":")" + model + R"(","messages":[{"role":"user","content":"q"}])" + more.toStdString() + "}"});
    };
    Scene scene({"third", "fourth"}, with);
    QVERIFY(scene.applied);
    QCOMPARE(ask(scene, "shared")->status, 200);
    QCOMPARE(scene.story(), std::string("third:shared served"));
    // By its own name it is meant, and judged.
    QVERIFY(ask(scene, "up:shared")->status == (up.isEmpty() ? 403 : 400));
    // With its key it is the one that is asked.
    Scene ready({"up", "third", "fourth"}, with);
    QCOMPARE(ask(ready, "shared")->status, up.isEmpty() ? 403 : 400);
}

void GatewayOffersTest::whoCannotBeCalledIsJudgedWhereNobodyIsLeft() {
    FixtureOptions with = options();
    with.providerLines += "protocol = \"anthropic\"\n";
    Scene scene({"other"}, with);
    const auto response = scene.ask("shared", R"(,"seed":7)");
    QCOMPARE(response->status, 400);
    QVERIFY2(response->body.find("seed") != std::string::npos, response->body.c_str());
}

/// That `up` lacks its key is nothing that the client could mend; what the one says that was asked is.
void GatewayOffersTest::whatIsLeftSaysIsTold() {
    Scene scene({"third"});
    scene.fakes["third"]->setScript([](const dispatch::UpstreamRequest&) {
        FakeReply reply;
        reply.failure = dispatch::UpstreamFailure{};
        reply.failure->kind = dispatch::UpstreamFailure::Kind::refused;
        reply.failure->code = "cannot_be_translated";
        reply.failure->status = 400;
        return reply;
    });
    const auto response = scene.ask("shared");
    QCOMPARE(response->status, 400);
    QVERIFY(response->header("retry-after").empty());
    QCOMPARE(scene.story(), std::string("up:shared provider_not_callable; third:shared cannot_be_translated"));
}

void GatewayOffersTest::whoeverIsLeftCountsTokens() {
    FixtureOptions with = options();
    with.more.insert(with.more.find("passthrough"), "protocol = \"anthropic\"\n");
    Scene scene({"third"}, with);
    scene.fakes["third"]->setScript([](const dispatch::UpstreamRequest&) { return FakeReply::whole(R"({"input_tokens":77})"); });
    const std::string body = R"({"model":"shared","messages":[{"role":"user","content":"q"}]})";
    const auto response = scene.gateway.post(body, {}, "/v1/messages/count_tokens");
    QCOMPARE(response->body, std::string(R"({"input_tokens":77})"));
}

void GatewayOffersTest::nobodyIsLeft() {
    Scene scene({"other"});
    const auto response = scene.ask("shared");
    QCOMPARE(response->status, 503);
    QVERIFY2(response->body.find("UP_KEY") != std::string::npos, response->body.c_str());
    QVERIFY(!response->header("retry-after").empty());
    QCOMPARE(response->header("x-should-retry"), std::string("false")); // a key must be set first
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:shared"));
    QCOMPARE(scene.story(), std::string("up:shared provider_not_callable"));
}

void GatewayOffersTest::failureIsNoReason() {
    Scene scene({"up", "third"});
    scene.fakes["up"]->setScript([](const dispatch::UpstreamRequest&) {
        FakeReply reply;
        reply.failure = upstreamStatus(500);
        return reply;
    });
    QCOMPARE(scene.ask("shared")->status, 500);
    QCOMPARE(scene.gateway.records().back().attempts.size(), std::size_t{1});
    QVERIFY(scene.fakes["third"]->requests().empty());
}

QTEST_APPLESS_MAIN(GatewayOffersTest)
#include "tst_gateway_offers.moc"
