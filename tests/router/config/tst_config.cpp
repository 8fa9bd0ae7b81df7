// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/base/hashing.h"
#include "tests/router/config/config_support.h"

#include <QTest>

using namespace signalbox;
using namespace std::chrono_literals;
Q_DECLARE_METATYPE(signalbox::config::Capabilities)

/// What a good configuration means.
class TestConfig : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyFileIsAllDefaults();
    void completeSurfaceLoads();
    void completeSurfaceIsUnderstood();
    void capabilitiesOfBothFormats_data();
    void capabilitiesOfBothFormats();
    void capabilitiesOfASingleModel();
    void stopSequencesAsUsualUnlessSaid();
    void datesOfPricesAsWritten();
    void listsThatAreUnsetOrEmpty();
    void notesOfTheCompleteSurface();
    void providersKeepTheOrderOfTheFile();
    void emptyListIsAnEmptyList();
    void valuesSayWhetherTheyStandInTheFile();
    void modelNamesOfAnyKind_data();
    void modelNamesOfAnyKind();
    void loopbackHosts_data();
    void loopbackHosts();
    void listenAddresses_data();
    void listenAddresses();
    void textAndDigestAreThoseRead();
};

static config::LoadedConfig complete() {
    const auto loaded = config::readConfigFile(SIGNALBOX_SOURCE_DIR "/tests/router/config/complete.toml");
    return loaded ? *loaded : config::LoadedConfig{};
}

void TestConfig::emptyFileIsAllDefaults() {
    const auto loaded = config::readConfig("");
    QVERIFY(loaded.config);
    QVERIFY(loaded.findings.empty());
    QCOMPARE(loaded.config->server.host, std::string("127.0.0.1"));
    QCOMPARE(int{loaded.config->server.port}, 38082);
    QVERIFY(loaded.config->server.auth == config::AuthMode::token);
    QVERIFY(loaded.config->routing.mode == config::RoutingMode::off);
    QCOMPARE(loaded.config->evidence.retentionDays, 90U);
}

void TestConfig::completeSurfaceLoads() {
    const auto loaded = complete();
    QVERIFY2(loaded.config, test::listed(loaded.findings).constData());
    QVERIFY2(test::findCode(loaded.findings, "unknown_key") == nullptr, test::listed(loaded.findings).constData());
}

void TestConfig::completeSurfaceIsUnderstood() {
    const auto loaded = complete();
    QVERIFY(loaded.config);
    const config::GatewayConfig& config = *loaded.config;
    QCOMPARE(config.providerOrder, (std::vector<std::string>{"deepseek", "claude", "sim"}));
    QCOMPARE(int{config.server.port}, 0);
    QCOMPARE(config.server.tokenEnv, std::optional<std::string>("GATEWAY_TOKEN"));
    QCOMPARE(config.server.adminTokenEnv, std::optional<std::string>("ADMIN_TOKEN"));
    QVERIFY(!config.server.adminRemote);
    QCOMPARE(config.server.hosts, (std::vector<std::string>{"gateway.corp", "xn--tr-xka.corp", "llm_gateway"}));
    QVERIFY(config.server.concurrencyScope == config::ConcurrencyScope::endpoint);
    QCOMPARE(config.server.idleTimeout.count(), (60s / 1ms));
    QCOMPARE(config.server.requestBudget, std::optional(std::chrono::milliseconds(250'000)));
    QCOMPARE(config.server.heartbeat, std::optional(std::chrono::milliseconds(20'000)));

    const config::Provider* deepseek = config.findProvider("deepseek");
    QVERIFY(deepseek && deepseek->isCallable());
    QVERIFY(deepseek->maxTokensField == config::TokensField::maxCompletionTokens);
    QCOMPARE(deepseek->maxStopSequences, 16U);
    QCOMPARE(deepseek->baseUrlEnvFallbacks.size(), std::size_t{2});
    QCOMPARE(deepseek->streamIdleTimeout.count(), (45s / 1ms));
    QCOMPARE(deepseek->staticHeaders.at("X-Team"), std::string("harrow"));
    QVERIFY(!deepseek->streamUsage);
    QCOMPARE(deepseek->pricing->outputPerMillion, 0.42);
    QCOMPARE(deepseek->modelPricing.at("deepseek-v4-flash").inputPerMillion, 0.14);
    QVERIFY(deepseek->accepts("deepseek-v5") && !deepseek->lists("deepseek-v5") && !deepseek->accepts("gpt"));

    QCOMPARE(deepseek->modelPricing.at("deepseek-v4-flash").effectiveAt, std::optional<std::string>("2025-11-01T00:00:00Z"));
    QCOMPARE(deepseek->modelPricing.at("deepseek-v4-flash").source, std::optional<std::string>("price list"));
    QVERIFY(!deepseek->pricing->effectiveAt);

    QVERIFY(config.findProvider("claude")->protocol == config::Protocol::anthropic);
    QVERIFY(config.findProvider("claude")->isCallable());
    QVERIFY(config.findProvider("claude")->accepts("anything"));
    const config::SimulatedBehaviour& simulated = config.findProvider("sim")->simulated;
    QCOMPARE(simulated.firstTokenDelay.count(), 0);
    QCOMPARE(simulated.outputTokens, 5U);
    QVERIFY(simulated.fault == config::SimulatedBehaviour::Fault::errorFrame);

    QCOMPARE(config.findBinding("g26-default")->model, std::optional<std::string>("toy"));
    QCOMPARE(config.naturalPresets.at("gemma-4-26b"), std::string("g26-default"));
    QCOMPARE(config.principals.at(0).defaultInputTokens, std::optional<std::string>("300"));
    QVERIFY(config.principals.at(0).mayPin);
    QCOMPARE(config.principals.at(0).allowedGroups, (std::optional<std::vector<std::string>>({"general"})));
    QCOMPARE(config.principals.at(0).allowedModels, std::optional<std::vector<std::string>>(std::vector<std::string>{}));
    QCOMPARE(config.principals.at(0).allowedProviders, (std::optional<std::vector<std::string>>({"sim"})));
    QCOMPARE(config.principals.at(0).requestsPerMinute, std::optional<std::uint32_t>(600));
    QCOMPARE(config.principals.at(0).monthlyBudgetSoftUsd, std::optional<double>(40));
    QCOMPARE(config.principals.at(0).monthlyBudgetHardUsd, std::optional<double>(50.5));
    QCOMPARE(config.routing.policies.at(0).name, std::string("harrow-2"));
    QCOMPARE(config.routing.policies.at(0).profiles.at("quality").latency, std::optional<double>(0.15));
    QVERIFY(test::findCode(loaded.findings, "policy_version_undefined") == nullptr);
    QCOMPARE(config.evidence.dsnEnv, std::optional<std::string>("HARROW_DSN"));
    QCOMPARE(int{config.routing.activationPercent}, 5);
    QCOMPARE(config.findGroupByAlias("auto")->candidates.size(), std::size_t{2});
}

static config::Provider onlyProvider(const std::string& text) {
    const auto loaded = config::readConfig("[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n" + text);
    return loaded.config ? loaded.config->providers.at(0) : config::Provider{};
}

void TestConfig::capabilitiesOfBothFormats_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<config::Capabilities>("want");
    const auto row = [](const char* tag, const char* text, config::Capabilities want) {
        QTest::newRow(tag) << QByteArray(text) << want;
    };
    row("nothing said", "", {});
    row("theirs", "tool_use = { supported = true, parallel_tool_calls = false }\ntoken_counting = { context_tokens = 8, max_output_tokens = 4 }\n",
        {.tools = true, .parallelTools = false, .contextTokens = 8, .maxOutputTokens = 4});
    row("theirs without tools", "tool_use = { supported = false, parallel_tool_calls = true }\n", {.tools = false, .parallelTools = false});
    row("ours", "capabilities = { tools = true, parallel_tools = true, structured_output = false, vision = true, context_tokens = 9, max_output_tokens = 3 }\n",
        {.tools = true, .parallelTools = true, .structuredOutput = false, .vision = true, .contextTokens = 9, .maxOutputTokens = 3});
    row("ours win", "tool_use = { supported = false, parallel_tool_calls = true }\ncapabilities = { tools = true }\n",
        {.tools = true, .parallelTools = true});
    row("each value by itself", "token_counting = { context_tokens = 8, max_output_tokens = 4 }\ncapabilities = { context_tokens = 9 }\n",
        {.contextTokens = 9, .maxOutputTokens = 4});
    row("ours without tools", "tool_use = { supported = true, parallel_tool_calls = true }\ncapabilities = { tools = false }\n",
        {.tools = false, .parallelTools = false});
}

void TestConfig::capabilitiesOfBothFormats() {
    QFETCH(QByteArray, text);
    QFETCH(config::Capabilities, want);
    const config::Provider provider = onlyProvider(text.toStdString());
    QCOMPARE(provider.id, std::string("a"));
    QVERIFY(provider.capabilities == want);
}

void TestConfig::capabilitiesOfASingleModel() {
    const config::Provider provider = onlyProvider("[providers.a.capabilities]\ntools = true\nparallel_tools = true\nmax_output_tokens = 100\n"
                                                   "[providers.a.token_counting.model_max_output_tokens]\nm = 50\n\"o\" = 40\n"
                                                   "[providers.a.model_capabilities.m]\ntools = false\nmax_output_tokens = 60\n");
    QVERIFY((provider.capabilitiesOf("m") == config::Capabilities{.tools = false, .parallelTools = false, .maxOutputTokens = 60}));
    QVERIFY((provider.capabilitiesOf("o") == config::Capabilities{.tools = true, .parallelTools = true, .maxOutputTokens = 40}));
    QVERIFY((provider.capabilitiesOf("p") == config::Capabilities{.tools = true, .parallelTools = true, .maxOutputTokens = 100}));
}

void TestConfig::stopSequencesAsUsualUnlessSaid() {
    const auto limit = [](const std::string& text) {
        const auto loaded = config::readConfig("[providers.a]\nmodels = [\"m\"]\n" + text);
        return loaded.config && loaded.config->providers.size() == 1 ? loaded.config->providers[0].maxStopSequences : 99;
    };
    QCOMPARE(limit(""), 4U);
    QCOMPARE(limit("max_stop_sequences = 0\n"), 4U);
    QCOMPARE(limit("max_stop_sequences = 1\n"), 1U);
    QCOMPARE(limit("max_stop_sequences = 1000\n"), 1000U);
}

void TestConfig::datesOfPricesAsWritten() {
    const auto dated = [](const std::string& value) {
        return onlyProvider("[providers.a.pricing]\neffective_at = " + value + "\n").pricing.value_or(config::Pricing{}).effectiveAt;
    };
    QCOMPARE(dated("\"spring\""), std::optional<std::string>("spring"));
    QCOMPARE(dated("2026-03-01"), std::optional<std::string>("2026-03-01"));
    QCOMPARE(dated("2026-03-01T10:00:00+02:00"), std::optional<std::string>("2026-03-01T10:00:00+02:00"));
}

// F83: an empty list is an empty list, not "unset".
void TestConfig::listsThatAreUnsetOrEmpty() {
    const auto loaded = config::readConfig("[principals.p]\ntoken_env = \"T\"\nallowed_models = []\n");
    QVERIFY(loaded.config);
    const config::Principal& principal = loaded.config->principals.at(0);
    QVERIFY(principal.allowedModels && principal.allowedModels->empty());
    QVERIFY(!principal.allowedGroups && !principal.allowedProviders && !principal.requestsPerMinute);
    const Finding* note = test::findCode(loaded.findings, "nothing_allowed");
    QVERIFY(note && note->severity == Severity::note);
}

void TestConfig::notesOfTheCompleteSurface() {
    const auto loaded = complete();
    for (const char* path : {"providers.deepseek.retry", "providers.deepseek.tool_use.tool_choice",
                             "providers.deepseek.token_counting.mode", "providers.deepseek.reasoning",
                             "providers.deepseek.model_profiles", "evidence_roots"}) {
        const auto count = std::count_if(loaded.findings.begin(), loaded.findings.end(), [&](const Finding& f) {
            return f.pointer == path && f.code == "not_acted_on" && f.severity == Severity::note;
        });
        QVERIFY2(count == 1, path);
    }
}

void TestConfig::providersKeepTheOrderOfTheFile() {
    const auto loaded = config::readConfig("[providers.zeta]\nprotocol = \"simulated\"\n[providers.alpha]\n"
                                           "protocol = \"simulated\"\n[providers.mid]\nprotocol = \"simulated\"\n");
    QVERIFY(loaded.config);
    std::vector<std::string> ids;
    for (const config::Provider& provider : loaded.config->providers) ids.push_back(provider.id);
    QCOMPARE(ids, (std::vector<std::string>{"zeta", "alpha", "mid"}));
}

// F83: an empty list is an empty list, not "unset".
void TestConfig::emptyListIsAnEmptyList() {
    const auto loaded = config::readConfig("provider_order = []\n[providers.a]\nmodels = []\nprotocol = \"simulated\"\n");
    QVERIFY(loaded.config);
    QVERIFY(loaded.config->isInFile("providers.a.models"));
    QVERIFY(loaded.config->isInFile("provider_order"));
    QVERIFY(!loaded.config->findProvider("a")->accepts("m"));
    const auto group = config::readConfig("[routing.groups.g]\naliases = []\ncandidates = []\n");
    QVERIFY(test::findCode(group.findings, "group_without_alias"));
}

// F83: every value shows where it comes from.
void TestConfig::valuesSayWhetherTheyStandInTheFile() {
    const auto loaded = config::readConfig("[server]\nthreads = 0\n[providers.\"a b\"]\nprotocol = \"simulated\"\n");
    QVERIFY(loaded.config);
    QVERIFY(loaded.config->isInFile("server.threads"));
    QVERIFY(!loaded.config->isInFile("server.auth"));
    QVERIFY((loaded.config->positions.at("providers.\"a b\".protocol") == TextPosition{4, 12}));
}

// F34: names are what the file says, byte for byte.
void TestConfig::modelNamesOfAnyKind_data() {
    QTest::addColumn<QByteArray>("model");
    for (const char* name : {"org/model", "model:7b", "model@2025", "with space", "模型", "🚂", "a%2Fb", "e\u0301", "\u00e9"})
        QTest::newRow(name) << QByteArray(name);
    QTest::newRow("as long as a request may name") << QByteArray("m").repeated(512 - 2);  // with "a:" before it
}

void TestConfig::modelNamesOfAnyKind() {
    QFETCH(QByteArray, model);
    const auto loaded =
        config::readConfig("[providers.a]\nprotocol = \"simulated\"\nmodels = [\"" + model.toStdString() + "\"]\n");
    QVERIFY2(loaded.config, test::listed(loaded.findings).constData());
    QCOMPARE(loaded.config->providers.at(0).models, std::vector<std::string>{model.toStdString()});
}

void TestConfig::loopbackHosts_data() {
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("loopback");
    for (const char* host : {"127.0.0.1", "127.8.9.10", "localhost", "::1", "[::1]"}) QTest::newRow(host) << QByteArray(host) << true;
    for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "127.", "128.0.0.1", "localhost.evil", ""})
        QTest::newRow(*host ? host : "empty") << QByteArray(host) << false;
}

void TestConfig::loopbackHosts() {
    QFETCH(QByteArray, host);
    QFETCH(bool, loopback);
    QCOMPARE(config::isLoopbackHost(host.toStdString()), loopback);
}

void TestConfig::listenAddresses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("IPv4") << QByteArray("127.0.0.1:38082") << QByteArray("127.0.0.1") << 38082;
    QTest::newRow("IPv6") << QByteArray("[::1]:80") << QByteArray("::1") << 80;
    QTest::newRow("name, chosen port") << QByteArray("localhost:0") << QByteArray("localhost") << 0;
    for (const char* bad : {"", ":80", "localhost", "localhost:", "localhost:+1", "localhost:65536", "localhost:80x", "::1:80", "a b:80", "http://a:80"})
        QTest::newRow(*bad ? bad : "empty") << QByteArray(bad) << QByteArray() << -1;
}

void TestConfig::listenAddresses() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, host);
    QFETCH(int, port);
    const auto address = config::parseListenAddress(text.toStdString());
    QCOMPARE(address.has_value(), port >= 0);
    if (address) {
        QCOMPARE(address->host, host.toStdString());
        QCOMPARE(int{address->port}, port);
    } else {
        QVERIFY(!address.error().hint.empty());
    }
}

void TestConfig::textAndDigestAreThoseRead() {
    const std::string text = "# kept\r\n[server]\r\n";
    const auto loaded = config::readConfig(text);
    QCOMPARE(loaded.text, text);
    QCOMPARE(loaded.sha256, sha256Hex(text));
}

QTEST_APPLESS_MAIN(TestConfig)
#include "tst_config.moc"
