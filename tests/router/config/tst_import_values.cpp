// SPDX-License-Identifier: MIT
// Single values of a models registry: names, prices, windows, addresses, parameters, and how they are written in YAML.
#include "tests/router/config/import_support.h"

#include <QObject>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using config::ImportOutcome;
using config::RouteKind;
using config::RouterKind;

class TestImportValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names();
    void noProviderIsCalledLikePools();
    void prices_data();
    void prices();
    void windows_data();
    void windows();
    void addresses_data();
    void addresses();
    void aModelIsItsOwnRoute();
    void sameEndpointTwice();
    void aliasesLeadToOneModel();
    void mergeKeysAndDuplicates();
    void parametersAreJudged();
    void manyModelsInReasonableTime();
};

namespace {

const config::Model* modelOf(const Imported& imported, std::string_view id) { return imported.config->findModel(id); }

Imported oneRoute(const std::string& lines, std::string_view toml = {}) {
    return importText("models:\n- id: m\n  route:\n  - base_url: https://api.example.net/v1\n" + lines, toml);
}

}  // namespace

void TestImportValues::names() {
    const Imported imported = importText("models:\n- id: m\n  route:\n"
                                         "  - {base_url: 'https://api.quartz.example/v1', provider_model_id: a}\n"
                                         "  - {base_url: 'http://10.0.0.5:8000/v1', provider_model_id: b}\n"
                                         "  - {base_url: 'http://[::1]:9000/v1', provider_model_id: c}\n"
                                         "  - {base_url: '${MY_BOX_ENDPOINT}', provider_model_id: d}\n"
                                         "  - {base_url: 'https://api.quartz.example/v2', provider_model_id: e}\n"
                                         "  - {base_url: 'https://x.example/v1', provider: Team Box, provider_display_name: Our box, provider_model_id: f}\n");
    VERIFY_IMPORTED(imported);
    std::vector<std::string> ids;
    for (const config::Provider& provider : imported.config->providers) ids.push_back(provider.id);
    QCOMPARE(ids, (std::vector<std::string>{"quartz", "host-10-0-0-5-8000", "local-9000", "my-box", "quartz-2", "team-box"}));
    QCOMPARE(imported.config->findProvider("team-box")->displayName, std::string("Our box"));
}

// pool:MODEL is the pool of a model.
void TestImportValues::noProviderIsCalledLikePools() {
    const Imported imported = importText("models:\n- id: m\n  route:\n  - {base_url: 'https://pool.quartz.example/v1', provider_model_id: a}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->providers.front().id, std::string("pool-2"));
}

void TestImportValues::prices_data() {
    QTest::addColumn<QByteArray>("pricing");
    QTest::addColumn<double>("input");  // USD per million; below 0: none
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("per million") << QByteArray("{prompt: \"3.00\", completion: 15}") << 3.0 << QByteArray();
    QTest::newRow("per token") << QByteArray("{prompt: '0.0000028', completion: 0.0000064}") << 2.8 << QByteArray("price_unit");
    QTest::newRow("per token, exponent") << QByteArray("{prompt: 2.8e-06, completion: 6.4e-06}") << 2.8 << QByteArray("price_unit");
    QTest::newRow("cheap, but per million") << QByteArray("{prompt: 0.0007, completion: 0.07}") << 0.0007 << QByteArray();
    QTest::newRow("named unit") << QByteArray("{input_per_1k_tokens: 0.003, output_per_1k_tokens: 0.015}") << 3.0 << QByteArray("price_unit");
    QTest::newRow("free, with an exponent at the end of all numbers") << QByteArray("{input_per_1k_tokens: 0e2147483647, output_per_1k_tokens: 0e2147483647}") << 0.0 << QByteArray("price_unit");
    QTest::newRow("free, with one at the other end") << QByteArray("{input_per_1m_tokens: 0e-2147483648, output_per_1m_tokens: 0e-2147483648}") << 0.0 << QByteArray();
    QTest::newRow("free") << QByteArray("{prompt: \"0\", completion: \"0\"}") << 0.0 << QByteArray();
    QTest::newRow("currency") << QByteArray("{prompt: 1, completion: 2, currency: EUR}") << -1.0 << QByteArray("currency_not_usd");
    QTest::newRow("no number") << QByteArray("{prompt: cheap}") << -1.0 << QByteArray("price_invalid");
    QTest::newRow("negative") << QByteArray("{prompt: -1}") << -1.0 << QByteArray("price_invalid");
    QTest::newRow("no map") << QByteArray("0.5") << -1.0 << QByteArray("pricing_form");
    QTest::newRow("per request") << QByteArray("{prompt: 1, completion: 2, request: 0.01}") << 1.0 << QByteArray("no_counterpart");
}

void TestImportValues::prices() {
    QFETCH(QByteArray, pricing);
    QFETCH(double, input);
    QFETCH(QByteArray, code);
    const Imported imported = oneRoute("    pricing: " + pricing.toStdString() + "\n");
    VERIFY_IMPORTED(imported);
    const auto price = imported.config->providers.front().pricingOf("m");
    QCOMPARE(price.has_value(), input >= 0);
    if (price) QCOMPARE(price->inputPerMillion, input);
    if (code.isEmpty()) QVERIFY2(imported.import.count(ImportOutcome::notCarried) == 0, reportText(imported.import).constData());
    else QVERIFY2(imported.find(code.toStdString()) != nullptr, reportText(imported.import).constData());
}

void TestImportValues::windows_data() {
    QTest::addColumn<QByteArray>("quota");
    QTest::addColumn<int>("seconds");  // 0: none; -1: the route is left out
    QTest::newRow("word") << QByteArray("quota: {limit: 9, window: daily}") << 86'400;
    QTest::newRow("short") << QByteArray("quota: {limit: 9, window: 5h}") << 18'000;
    QTest::newRow("seconds") << QByteArray("quota: {limit: '9', window: 60}") << 60;
    QTest::newRow("named unit") << QByteArray("quota: {limit: 9, window_hours: 2}") << 7'200;
    QTest::newRow("bare") << QByteArray("quota: 9") << 0;
    QTest::newRow("pool says it") << QByteArray("quota: 9\n    quota_pool: chutes-weekly") << 604'800;
    QTest::newRow("nonsense") << QByteArray("quota: {limit: 9, window: often}") << 0;
    QTest::newRow("tokens") << QByteArray("quota: {limit: 9, unit: tokens}") << -1;
    QTest::newRow("no limit") << QByteArray("quota: {window: daily}") << -1;
    QTest::newRow("no quota") << QByteArray("weight: 1") << -1;
}

void TestImportValues::windows() {
    QFETCH(QByteArray, quota);
    QFETCH(int, seconds);
    const Imported imported = importText("models:\n- id: m\n  route:\n  - base_url: https://spare.example/v1\n  - base_url: https://api.example.net/v1\n"
                                         "    provider_type: quota\n    " + quota.toStdString() + "\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.front().routes.size(), seconds < 0 ? std::size_t(1) : std::size_t(2));
    if (seconds < 0) {
        QVERIFY2(imported.says(ImportOutcome::notCarried, "billing_without_limit"), reportText(imported.import).constData());
        return;
    }
    QCOMPARE(imported.config->resources.size(), std::size_t(1));
    QCOMPARE(imported.config->resources.front().limit, std::uint64_t(9));
    QCOMPARE(imported.config->resources.front().window, seconds == 0 ? std::nullopt : std::optional(std::chrono::seconds(seconds)));
}

void TestImportValues::addresses_data() {
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("expected");  // base_url; empty: the route is left out
    QTest::addColumn<bool>("local");
    QTest::newRow("version stays") << QByteArray("https://a.example/api/paas/v4/") << QByteArray("zai") << QByteArray("https://a.example/api/paas/v4") << false;
    QTest::newRow("version added") << QByteArray("http://127.0.0.1:8000") << QByteArray("vllm") << QByteArray("http://127.0.0.1:8000/v1") << true;
    QTest::newRow("none added") << QByteArray("https://a.example/api") << QByteArray("zai") << QByteArray("https://a.example/api") << false;
    QTest::newRow("docker's host") << QByteArray("http://host.docker.internal:8003/v1") << QByteArray("sglang") << QByteArray("http://host.docker.internal:8003/v1") << true;
    QTest::newRow("own server elsewhere") << QByteArray("http://gpu.example:8000/v1") << QByteArray("sglang") << QByteArray("http://gpu.example:8000/v1") << true;
    QTest::newRow("said to be cloud") << QByteArray("http://localhost:8000/v1") << QByteArray("cloud") << QByteArray("http://localhost:8000/v1") << false;
    QTest::newRow("said to be local") << QByteArray("https://a.example/v1") << QByteArray("local") << QByteArray("https://a.example/v1") << true;
    QTest::newRow("user name") << QByteArray("https://ada:Lovelace99@a.example/v1") << QByteArray("openai") << QByteArray() << false;
    QTest::newRow("query") << QByteArray("https://a.example/v1?key=Lovelace99") << QByteArray("openai") << QByteArray() << false;
    QTest::newRow("no scheme") << QByteArray("a.example/v1") << QByteArray("openai") << QByteArray() << false;
    QTest::newRow("variable inside") << QByteArray("https://${HOST}/v1") << QByteArray("openai") << QByteArray() << false;
    QTest::newRow("other protocol") << QByteArray("https://a.example/v1") << QByteArray("gemini") << QByteArray() << false;
}

void TestImportValues::addresses() {
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, expected);
    QFETCH(bool, local);
    const Imported imported = importText("models:\n- id: m\n  route:\n  - {base_url: 'https://spare.example/v1', weight: 2}\n  - {base_url: '" + url.toStdString() +
                                         "', kind: " + kind.toStdString() + ", provider_model_id: n}\n");
    VERIFY_IMPORTED(imported);
    QVERIFY(!imported.import.text.empty() && imported.import.text.find("Lovelace99") == std::string::npos);
    QVERIFY(!reportText(imported.import).contains("Lovelace99"));
    const config::Model& model = imported.config->models.front();
    QCOMPARE(model.routes.size(), expected.isEmpty() ? std::size_t(1) : std::size_t(2));
    if (expected.isEmpty()) {
        QVERIFY2(imported.import.count(ImportOutcome::notCarried) == 1, reportText(imported.import).constData());
        return;
    }
    QCOMPARE(QByteArray::fromStdString(*imported.config->findProvider(model.routes[1].provider)->baseUrl), expected);
    QCOMPARE(model.routes[1].kind == RouteKind::local, local);
}

void TestImportValues::aModelIsItsOwnRoute() {
    const Imported imported = importText("- {id: m, provider: deepseek, base_url: 'https://api.deepseek.example', api_key: '${DS_KEY}', provider_model_id: ds-v4}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.front().routes.front().endpointId(), std::string("deepseek:ds-v4"));
    QCOMPARE(imported.config->findProvider("deepseek")->apiKeyEnv, std::optional<std::string>("DS_KEY"));
    const Imported byName = importText("models:\n  m: {provider: openai, base_url: 'https://a.example/v1'}\n");
    VERIFY_IMPORTED(byName);
    QCOMPARE(byName.config->models.front().id, std::string("m"));
}

void TestImportValues::sameEndpointTwice() {
    const Imported imported = oneRoute("  - {base_url: 'https://api.example.net/v1/', weight: 0.5}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.front().routes.size(), std::size_t(1));
    QCOMPARE(imported.config->models.front().routes.front().weight, 1.5);
    QVERIFY(imported.says(ImportOutcome::changed, "route_twice", "models[0].route[1]"));
}

void TestImportValues::aliasesLeadToOneModel() {
    const Imported imported = importText("models:\n- {id: a, aliases: [x, b], base_url: 'https://a.example/v1'}\n- {id: b, aliases: x, base_url: 'https://a.example/v1'}\n"
                                         "- {id: a, base_url: 'https://a.example/v1'}\n- {aliases: y, base_url: 'https://a.example/v1'}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.size(), std::size_t(2));
    QCOMPARE(imported.config->models[0].aliases, std::vector<std::string>{"x"});
    QVERIFY(imported.config->models[1].aliases.empty());
    QVERIFY(imported.says(ImportOutcome::notCarried, "name_taken", "models[0].aliases[1]"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "name_taken", "models[1].aliases"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "model_twice", "models[2]"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "model_without_id", "models[3]"));
}

void TestImportValues::mergeKeysAndDuplicates() {
    const Imported imported = importText("x-a: &a {base_url: 'https://a.example/v1', weight: 5}\nx-b: &b {weight: 6, api_key: '${B}'}\n"
                                         "models:\n- id: m\n  route:\n  - {<<: [*a, *b], kind: openai}\n  - <<: *a\n    weight: 2\n    weight: 3\n    provider_model_id: n\n");
    VERIFY_IMPORTED(imported);
    const auto& routes = imported.config->models.front().routes;
    QCOMPARE(routes.size(), std::size_t(2));
    QCOMPARE(routes[0].weight, 5.0);
    QCOMPARE(imported.config->findProvider(routes[0].provider)->apiKeyEnv, std::optional<std::string>("B"));
    QCOMPARE(routes[1].weight, 3.0);
    QVERIFY(imported.says(ImportOutcome::notCarried, "duplicate_key", "models[0].route[1].weight"));
    QCOMPARE(imported.find("duplicate_key")->finding.position, (TextPosition{9, 5}));
}

void TestImportValues::parametersAreJudged() {
    const std::string yaml = "models:\n- id: good\n  router: routewise\n  router_params: {budget_alpha: 7, latency_slo_sec: 2}\n  base_url: https://a.example/v1\n"
                             "- id: odd\n  router: nimbus\n  router_params: {x: 1}\n  base_url: https://a.example/v1\n"
                             "- id: bad\n  router: greedy\n  base_url: https://a.example/v1\n";
    const Imported imported = importText(yaml);
    VERIFY_IMPORTED(imported);
    const config::Model* good = modelOf(imported, "good");
    QVERIFY(good != nullptr && good->router == RouterKind::routewise);
    QVERIFY2(imported.says(ImportOutcome::notCarried, "bad_value", "models[0].router_params.budget_alpha"), reportText(imported.import).constData());
    QVERIFY2(nlohmann::json::parse(good->parametersJson) == nlohmann::json::parse("{\"latency_slo_sec\": 2}"), good->parametersJson.c_str());
    QVERIFY(imported.says(ImportOutcome::notCarried, "router_unknown", "models[1].router"));
    QVERIFY(modelOf(imported, "odd") != nullptr && modelOf(imported, "odd")->router == RouterKind::fixed);
    // Greedy has no defaults for what a server can do, and this pool has no local server.
    QCOMPARE(modelOf(imported, "bad"), nullptr);
    QVERIFY2(imported.says(ImportOutcome::notCarried, "missing_parameter", "models[2]"), reportText(imported.import).constData());
}

void TestImportValues::manyModelsInReasonableTime() {
    std::string yaml = "models:\n";
    for (int i = 0; i < 400; ++i)
        yaml += "- {id: m" + std::to_string(i) + ", pricing: {prompt: 1, completion: 2}, route: [{base_url: 'https://a.example/v1', api_key: '${A}'}, " +
                "{base_url: 'https://b.example/v1', api_key: '${B}', concurrency: 3}]}\n";
    const Imported imported = importText(yaml);
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.size(), std::size_t(400));
    QCOMPARE(imported.config->providers.size(), std::size_t(2));
}

QTEST_APPLESS_MAIN(TestImportValues)
#include "tst_import_values.moc"
