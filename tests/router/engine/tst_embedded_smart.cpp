// SPDX-License-Identifier: MIT
// Smart routing as the console sees it through the facade: mode, kill switch, overrides, endpoints, principals.
#include "router/base/file.h"
#include "router/engine/target.h"
#include "router/policy/workspace.h"
#include "tests/support/raw_http.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>
#include <stdexcept>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

namespace fs = std::filesystem;

Q_DECLARE_METATYPE(std::optional<std::string>)

class EmbeddedSmartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void killSwitchRunsTheSamePolicyWithModeOff();
    void applyAndStartClearTheKillSwitch();
    void killSwitchLosesNothingInFlight();
    void overridesAreNamed();
    void statusIsTheSameOverHttp();
    void runtimeEndsWithItsVersion_circuitsDoNot();
    void applyToATakenAddress_changesNothing();
    void endpointsSayWhoCoolsAndWhy();
    void providerWhoseVariableHoldsNoKey_data();
    void providerWhoseVariableHoldsNoKey();
    void endpointsSayWhatTheirProviderLacks();
    void principalsSayWhatTheyUsed();
    void adminTokenIsPrivate();

private:
    engine::Policy policyOf(const std::string& toml) const;
    std::unique_ptr<engine::Target> started(const std::string& toml) const;
    config::Environment environment() const;
    fs::path folder() const { return m_folder->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<std::string, std::string> m_variables;
};

namespace {

std::string provider(const std::string& id, const std::string& more = {}) {
    return "[providers." + id + "]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers." + id +
           ".simulated]\nfirst_token_ms = 0\noutput_tokens = 3\ntokens_per_second = 100000.0\n" + more;
}

std::string policyText(const std::string& mode, const std::string& version = "builtin-v1", const std::string& more = {},
                       const std::string& fault = {}) {
    return "[server]\nlisten = \"127.0.0.1:0\"\n" + provider("slow", fault) + provider("fast") + "[routing]\nmode = \"" +
           mode + "\"\nactivation_percent = 100\npolicy_version = \"" + version +
           "\"\n[routing.groups.g]\naliases = [\"auto\"]\n"
           "[[routing.groups.g.candidates]]\nprovider = \"slow\"\nmodel = \"m\"\nlatency_hint_ms = 9000\n"
           "[[routing.groups.g.candidates]]\nprovider = \"fast\"\nmodel = \"m\"\nlatency_hint_ms = 10\n" +
           more;
}

std::uint16_t portOf(const engine::Target& target) {
    const std::string address = target.status().address;
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

std::optional<RawResponse> ask(const engine::Target& target, const std::string& token) {
    return fetch(portOf(target), {"POST",
                                  "/v1/chat/completions",
                                  {"Authorization: Bearer " + token},
                                  R"({"model":"auto","messages":[{"role":"user","content":"hi"}]})"});
}
std::string routeOf(const engine::Target& target) {
    const auto response = ask(target, target.clientToken());
    return response ? response->header("x-signalbox-route") : std::string();
}

} // namespace

void EmbeddedSmartTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_variables.clear();
}

config::Environment EmbeddedSmartTest::environment() const {
    return [variables = m_variables](const std::string& name) -> std::optional<std::string> {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    };
}

engine::Policy EmbeddedSmartTest::policyOf(const std::string& toml) const {
    const auto file = folder() / "gateway.toml";
    if (!writeFileAtomic(file, toml))
        throw std::runtime_error("cannot write the test's gateway.toml");
    const auto loaded = policy::loadWorkspace({}, file, environment(), SystemClock().now());
    if (!loaded || !loaded->snapshot)
        throw std::runtime_error("the test's gateway.toml does not load");
    return {loaded->snapshot, {}};
}

std::unique_ptr<engine::Target> EmbeddedSmartTest::started(const std::string& toml) const {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = false;
    options.stateFolder = folder() / "state";
    options.environment = environment();
    auto target = std::move(engine::makeEmbeddedTarget(std::move(options)).value());
    if (const auto begun = target->start(policyOf(toml)); !begun)
        throw std::runtime_error(begun.error().text());
    return target;
}

void EmbeddedSmartTest::killSwitchRunsTheSamePolicyWithModeOff() {
    const auto target = started(policyText("active"));
    const auto before = target->status();
    const auto feed = target->subscribe(10);
    QCOMPARE(routeOf(*target), std::string("fast:m"));
    QVERIFY(target->off(true).has_value());
    auto status = target->status();
    QVERIFY(status.killed);
    QCOMPARE(status.mode, std::string("off"));
    QVERIFY(status.runningHash != before.runningHash);
    QCOMPARE(target->running()->hash, status.runningHash);
    QCOMPARE(routeOf(*target), std::string("slow:m"));
    const auto records = feed->take().records;
    QCOMPARE(records.at(0)->policyHash, before.runningHash);
    QCOMPARE(records.at(1)->policyHash, status.runningHash);
    QCOMPARE(records.at(1)->mode, std::string("off_static"));
    QVERIFY2(target->off(true).has_value(), "once more changes nothing");
    QCOMPARE(target->status().runningHash, status.runningHash);
    // What was counted and learned goes on: it is the same policy version and the same candidates.
    QCOMPARE(OrderedJson::parse(target->routerStatusJson()).at("decisionsTotal").get<int>(), 2);
    QVERIFY(target->off(false).has_value());
    status = target->status();
    QVERIFY(!status.killed);
    QCOMPARE(status.mode, std::string("active"));
    QCOMPARE(status.runningHash, before.runningHash);
    QCOMPARE(routeOf(*target), std::string("fast:m"));
}

void EmbeddedSmartTest::applyAndStartClearTheKillSwitch() {
    const auto target = started(policyText("active"));
    QVERIFY(target->off(true).has_value());
    QVERIFY(target->apply(policyOf(policyText("active"))).has_value());
    QVERIFY(!target->status().killed);
    QCOMPARE(target->status().mode, std::string("active"));
    QVERIFY(target->off(true).has_value());
    QVERIFY(target->stop(1s).has_value());
    const auto refused = target->off(true);
    QVERIFY(!refused && refused.error().kind == ErrorKind::conflict);
    QVERIFY(target->endpoints().empty() && target->principals().empty());
    QVERIFY(target->start(policyOf(policyText("shadow"))).has_value());
    QVERIFY(!target->status().killed);
    QCOMPARE(target->status().mode, std::string("shadow"));
    QCOMPARE(target->status().activationPercent, 100U);
}

void EmbeddedSmartTest::killSwitchLosesNothingInFlight() {
    const auto target = started(policyText("active"));
    std::atomic<bool> stop{false};
    std::atomic<int> asked{0}, failed{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back([&] {
            while (!stop) {
                const auto response = ask(*target, target->clientToken());
                if (!response || response->status != 200)
                    ++failed;
                ++asked;
            }
        });
    }
    for (int i = 0; i < 10; ++i) {
        const int before = asked;
        QTRY_VERIFY(asked > before + 5);
        QVERIFY(target->off(i % 2 == 0).has_value());
    }
    stop = true;
    for (auto& client : clients)
        client.join();
    QCOMPARE(failed.load(), 0);
}

void EmbeddedSmartTest::overridesAreNamed() {
    m_variables["SIGNALBOX_SMART_ROUTING_MODE"] = "off";
    m_variables["MODELPORT_SMART_ROUTING_ACTIVATION_PERCENT"] = "7";
    const auto target = started(policyText("active"));
    const auto status = target->status();
    QCOMPARE(status.mode, std::string("off"));
    QCOMPARE(status.activationPercent, 7U);
    QVERIFY2(!status.killed, "the environment is not the switch");
    QCOMPARE(status.overrides, (std::vector<std::string>{"SIGNALBOX_SMART_ROUTING_MODE=off",
                                                         "MODELPORT_SMART_ROUTING_ACTIVATION_PERCENT=7"}));
    QCOMPARE(routeOf(*target), std::string("slow:m"));
    m_variables.clear();
    QVERIFY(started(policyText("active"))->status().overrides.empty());
}

void EmbeddedSmartTest::statusIsTheSameOverHttp() {
    const auto target = started(policyText("shadow"));
    QCOMPARE(routeOf(*target), std::string("slow:m"));
    const auto token = readFile(folder() / "state/admin-token", 4096).value();
    const auto response = fetch(portOf(*target), {"GET",
                                                  "/admin/router/status",
                                                  {"Authorization: Bearer " + token.substr(0, token.find('\n'))},
                                                  {}});
    QCOMPARE(response->status, 200);
    QCOMPARE(response->body, target->routerStatusJson());
    QVERIFY(OrderedJson::parse(response->body).at("shadowDisagreementsTotal") == 1);
}

void EmbeddedSmartTest::runtimeEndsWithItsVersion_circuitsDoNot() {
    const std::string broken = "fault_rate = 1.0\nfault = \"status_500\"\n";
    const auto target = started(policyText("shadow", "builtin-v1", {}, broken));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(routeOf(*target), std::string("fast:m"));
    const auto isOpen = [&] { return target->endpoints().at(1).circuit == "open"; };
    QCOMPARE(target->endpoints().at(1).endpointId, std::string("slow:m"));
    QVERIFY(isOpen());
    QVERIFY(target->apply(policyOf(policyText("active", "builtin-v1", {}, broken))).has_value());
    QVERIFY(isOpen());
    QCOMPARE(OrderedJson::parse(target->routerStatusJson()).at("decisionsTotal").get<int>(), 3);
    QVERIFY(target->apply(policyOf(policyText("active", "mine-2", "[routing.policies.\"mine-2\"]\n"
                                                                  "quality = { quality = 1 }\n")))
                .has_value());
    QVERIFY2(isOpen(), "applying heals no circuit, not even with a healthy provider behind it");
    QCOMPARE(OrderedJson::parse(target->routerStatusJson()).at("decisionsTotal").get<int>(), 0);
    QVERIFY(target->endpoints().at(1).signals.providerAttempts == 3);
    QCOMPARE(target->endpoints().at(1).signals.attempts, std::uint64_t{0});
}

// Its limits, its circuits' settings and what it learned are the process's: they are set only when nothing can fail.
void EmbeddedSmartTest::applyToATakenAddress_changesNothing() {
    const std::string before = policyText("active", "v1", "[resources.day]\nkind = \"quota\"\nlimit = 100\n");
    const auto gateway = started(before);
    const auto other = started(policyText("active"));
    QCOMPARE(ask(*gateway, gateway->clientToken())->status, 200);
    std::string next = policyText("active", "v2", "[resources.day]\nkind = \"quota\"\nlimit = 10\n");
    next.replace(next.find(":0"), 2, ":" + std::to_string(portOf(*other)));
    const auto applied = gateway->apply(policyOf(next));
    QVERIFY(!applied);
    QVERIFY2(applied.error().text().find("another program") != std::string::npos, applied.error().text().c_str());
    QCOMPARE(gateway->resources().at(0).used, std::uint64_t{0}); // of 100; all but 10 would count as used
    QVERIFY(gateway->apply(policyOf(before)).has_value());
    QCOMPARE(nlohmann::json::parse(gateway->routerStatusJson()).at("decisionsTotal").get<int>(), 1);
    QCOMPARE(ask(*gateway, gateway->clientToken())->status, 200);
}

void EmbeddedSmartTest::endpointsSayWhoCoolsAndWhy() {
    const auto target = started(policyText("shadow", "builtin-v1",
                                           "[providers.cloud]\nbase_url = \"https://cloud.example/v1\"\n"
                                           "models = [\"c\"]\napi_key_env = \"CLOUD_KEY\"\napi_key_required = true\n",
                                           "fault_rate = 1.0\nfault = \"status_429\"\n"));
    QCOMPARE(routeOf(*target), std::string("fast:m"));
    const auto endpoints = target->endpoints();
    QCOMPARE(endpoints.size(), std::size_t{3});
    QCOMPARE(endpoints[0].endpointId, std::string("cloud:c"));
    QVERIFY(!endpoints[0].credentialReady);
    QVERIFY(endpoints[1].endpointId == "fast:m" && endpoints[1].credentialReady);
    QCOMPARE(endpoints[1].circuit, std::string("closed"));
    QCOMPARE(endpoints[1].signals.attempts, std::uint64_t{1});
    QCOMPARE(endpoints[2].circuit, std::string("open"));
    QCOMPARE(endpoints[2].cause, std::string("rate_limited"));
    QVERIFY(endpoints[2].coolsFor > 0ms && endpoints[2].signals.cooling);
    QCOMPARE(endpoints[2].openedTotal, std::uint64_t{1});
}

void EmbeddedSmartTest::providerWhoseVariableHoldsNoKey_data() {
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<std::optional<std::string>>("value");
    QTest::addColumn<bool>("isReady");
    const auto row = [](const char* tag, const char* more, std::optional<std::string> value, bool isReady) {
        QTest::newRow(tag) << QByteArray(more) << std::move(value) << isReady;
    };
    const char* const named = "api_key_env = \"CLOUD_KEY\"\n";
    row("not set", named, std::nullopt, false);
    row("empty", named, std::string(), false);
    row("blank", named, std::string(" \n"), false);
    row("not set and required", "api_key_env = \"CLOUD_KEY\"\napi_key_required = true\n", std::nullopt, false);
    row("set", named, std::string("a-key-of-ours"), true);
    row("not set and not required", "api_key_env = \"CLOUD_KEY\"\napi_key_required = false\n", std::nullopt, true);
    row("none named", "", std::nullopt, true);
}

void EmbeddedSmartTest::providerWhoseVariableHoldsNoKey() {
    QFETCH(const QByteArray, more);
    QFETCH(const std::optional<std::string>, value);
    QFETCH(const bool, isReady);
    if (value)
        m_variables["CLOUD_KEY"] = *value;
    // Nothing listens there: whoever calls it gets 502.
    std::string toml = policyText("off", "builtin-v1",
                                  "[providers.cloud]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodels = [\"c\"]\n" + more.toStdString());
    const std::string first = "[[routing.groups.g.candidates]]\n";
    toml.insert(toml.find(first), first + "provider = \"cloud\"\nmodel = \"c\"\n");
    const auto target = started(toml);
    QCOMPARE(target->status().lastError.find("CLOUD_KEY") == std::string::npos, isReady);
    const auto endpoint = target->endpoints().at(0);
    QCOMPARE(endpoint.endpointId, std::string("cloud:c"));
    QCOMPARE(endpoint.credentialReady, isReady);
    QCOMPARE(endpoint.signals.credentialReady, isReady);
    QCOMPARE(endpoint.lacks, std::string(isReady ? "" : "api_key_env"));
    const std::string token = target->clientToken();
    if (!isReady)
        QCOMPARE(routeOf(*target), std::string("slow:m"));
    const auto named = fetch(portOf(*target), {"POST", "/v1/chat/completions", {"Authorization: Bearer " + token},
                                               R"({"model":"cloud:c","messages":[]})"});
    QVERIFY(named);
    QCOMPARE(named->status, isReady ? 502 : 503);
    QCOMPARE(named->body.find("CLOUD_KEY") == std::string::npos, isReady);
}

void EmbeddedSmartTest::endpointsSayWhatTheirProviderLacks() {
    m_variables["FAR_URL"] = "http://127.0.0.1:99101/v1";
    const auto target = started(policyText("shadow", "builtin-v1",
                                           "[providers.badport]\nbase_url_env = \"FAR_URL\"\nmodels = [\"m\"]\n"
                                           "[providers.login]\nbase_url = \"http://127.0.0.1:1\"\nmodels = [\"m\"]\n"
                                           "proxy = \"http://127.0.0.1:1\"\nproxy_auth_env = \"LOGIN\"\n"
                                           "[providers.nourl]\nmodels = [\"m\"]\n"
                                           "[providers.tls]\nbase_url = \"https://127.0.0.1:1\"\nmodels = [\"m\"]\n"
                                           "ca_file = \"/nowhere/ca.pem\"\n"));
    std::map<std::string, std::string> lacks;
    for (const auto& endpoint : target->endpoints()) {
        QCOMPARE(endpoint.lacks.empty(), endpoint.credentialReady);
        lacks.emplace(endpoint.endpointId, endpoint.lacks);
    }
    const std::map<std::string, std::string> expected{{"badport:m", "base_url"}, {"fast:m", ""},        {"login:m", "proxy_auth_env"},
                                                      {"nourl:m", "base_url"},   {"slow:m", ""}, {"tls:m", "settings"}};
    QVERIFY(lacks == expected);
}

void EmbeddedSmartTest::principalsSayWhatTheyUsed() {
    m_variables["BATCH_TOKEN"] = "batch-token-0123456789";
    const auto target = started(policyText("shadow", "builtin-v1",
                                           "[providers.slow.pricing]\ninput_per_million = 1000000.0\n"
                                           "output_per_million = 1000000.0\n"
                                           "[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\nrequests_per_minute = 2\n"
                                           "[principals.idle]\ntoken_env = \"IDLE_TOKEN\"\n"));
    for (int i = 0; i < 2; ++i)
        QCOMPARE(ask(*target, "batch-token-0123456789")->status, 200);
    QCOMPARE(ask(*target, "batch-token-0123456789")->status, 429);
    const auto principals = target->principals();
    QCOMPARE(principals.size(), std::size_t{2});
    QCOMPARE(principals[0].id, std::string("batch"));
    QCOMPARE(principals[0].requestsThisMinute, 2U);
    QVERIFY(principals[0].spentUsd > 0);
    QVERIFY2(!principals[0].spentKnown, "nobody told what was spent before");
    QCOMPARE(principals[1].spentUsd, 0.0);
    const auto refusals = target->refusals();
    QCOMPARE(refusals.at(0).code, std::string("too_many_requests_per_minute"));
}

void EmbeddedSmartTest::adminTokenIsPrivate() {
    const auto target = started(policyText("off"));
    const auto file = folder() / "state/admin-token";
    QVERIFY(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    QVERIFY(readFile(file, 4096).value() != readFile(folder() / "state/client-token", 4096).value());
}

QTEST_APPLESS_MAIN(EmbeddedSmartTest)
#include "tst_embedded_smart.moc"
