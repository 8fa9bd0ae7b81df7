// SPDX-License-Identifier: MIT
// A models registry in YAML becomes part of gateway.toml (contract C): what is carried, with what changes, what is not.
#include "tests/router/config/import_support.h"

#include <QObject>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::test;
using config::Billing;
using config::ImportOutcome;
using config::RouteKind;
using config::RouterKind;

class TestImportModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fleetIsCarried();
    void fleetsProviders();
    void fleetsResources();
    void fleetsReport();
    void strategiesTakeTheResult();
    void twiceChangesNothing();
    void everyOtherByteStays();
    void inlineTablesGrow();
    void existingProvidersAreUsed();
    void whatDiffersStays();
    void names();
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

void TestImportModels::fleetIsCarried() {
    const Imported imported = importFile("fleet.yaml");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.size(), std::size_t(4));
    const config::Model* amber = modelOf(imported, "team-amber");
    QVERIFY(amber != nullptr);
    QCOMPARE(amber->id, std::string("amber-5.1"));
    QCOMPARE(amber->aliases, std::vector<std::string>{"team-amber"});
    QVERIFY(amber->router == RouterKind::fixed);
    // Two keys: two routes that share the weight.
    QCOMPARE(amber->routes.size(), std::size_t(4));
    QCOMPARE(amber->routes[0].endpointId(), std::string("zai:amber-5.1"));
    QCOMPARE(amber->routes[1].endpointId(), std::string("zai-2:amber-5.1"));
    QCOMPARE(amber->routes[0].weight, 0.5);
    QCOMPARE(amber->routes[1].weight, 0.5);
    QCOMPARE(amber->routes[2].weight, 0.25);

    const config::Model* basalt = modelOf(imported, "basalt-fast");
    QVERIFY(basalt != nullptr && basalt->router == RouterKind::routewise);
    QVERIFY(basalt->routes[0].billing == Billing::quota);
    QVERIFY(basalt->routes[1].billing == Billing::concurrency);
    QVERIFY(basalt->routes[2].billing == Billing::onDemand);
    const auto parameters = nlohmann::json::parse(basalt->parametersJson);
    QCOMPARE(parameters.at("budget_alpha").get<double>(), 0.5);
    QCOMPARE(parameters.at("latency_slo_sec").get<double>(), 2.5);
    QCOMPARE(parameters.at("reference_api_price").at("input").get<double>(), 1.2);
    QCOMPARE(parameters.at("reference_api_price").at("output").get<double>(), 4.0);
    QVERIFY(!parameters.contains("envelope_bootstrap_donor_models"));
    QVERIFY(!parameters.contains("random_seed"));

    const config::Model* cedar = modelOf(imported, "cedar-8b");
    QVERIFY(cedar != nullptr);
    QVERIFY(cedar->routes[0].kind == RouteKind::local);
    QVERIFY(cedar->routes[1].kind == RouteKind::cloud);
    QVERIFY(nlohmann::json::parse(cedar->parametersJson).at("hybrid_composition").get<bool>());
}

void TestImportModels::fleetsProviders() {
    const Imported imported = importFile("fleet.yaml");
    VERIFY_IMPORTED(imported);
    const config::GatewayConfig& config = *imported.config;
    const config::Provider* zai = config.findProvider("zai");
    QVERIFY(zai != nullptr);
    QCOMPARE(zai->baseUrlEnv, std::optional<std::string>("ZAI_BASE_URL"));
    QCOMPARE(zai->apiKeyEnv, std::optional<std::string>("ZAI_API_KEY"));
    QCOMPARE(config.findProvider("zai-2")->apiKeyEnv, std::optional<std::string>("ZAI_API_KEY2"));
    QVERIFY(zai->apiKeyRequired);
    // The variable first, its default when it is unset.
    const config::Provider* ollama = config.findProvider("ollama");
    QCOMPARE(ollama->baseUrlEnv, std::optional<std::string>("OLLAMA_BASE_URL"));
    QCOMPARE(ollama->baseUrl, std::optional<std::string>("https://ollama.example/v1"));
    QCOMPARE(config.findProvider("staging")->baseUrl, std::optional<std::string>("https://staging.example.org/v1"));
    // One provider for both models that go there with the same key.
    const config::Provider* openrouter = config.findProvider("openrouter");
    QCOMPARE(openrouter->models, (std::vector<std::string>{"basalt/basalt-m2", "cedar/cedar-8b"}));
    QCOMPARE(openrouter->pricingOf("basalt/basalt-m2")->inputPerMillion, 0.15);
    QCOMPARE(openrouter->pricingOf("basalt/basalt-m2")->outputPerMillion, 1.15);
    QCOMPARE(openrouter->pricingOf("cedar/cedar-8b")->outputPerMillion, 0.03);
    QCOMPARE(zai->pricingOf("amber-5.1")->cacheReadPerMillion, 0.26);
    // Our own server: no key, and the name of where it listens.
    const config::Provider* local = config.findProvider("local-11434");
    QVERIFY(local != nullptr && !local->apiKeyEnv && local->domain == RouteKind::local);
    const config::Capabilities can = openrouter->capabilitiesOf("cedar/cedar-8b");
    QCOMPARE(can.vision, std::optional<bool>(true));
    QCOMPARE(can.tools, std::optional<bool>(true));
    QCOMPARE(can.contextTokens, std::optional<std::uint64_t>(131072));
    QCOMPARE(zai->capabilitiesOf("amber-5.1").vision, std::optional<bool>(false));
    QVERIFY(config.findProvider("local-deployment") != nullptr);
    QVERIFY(!config.findProvider("local-deployment")->capabilitiesOf("BAAI/bge-m3").maxOutputTokens);
}

void TestImportModels::fleetsResources() {
    const Imported imported = importFile("fleet.yaml");
    VERIFY_IMPORTED(imported);
    const config::Resource* daily = imported.config->findResource("chutes-daily");
    QVERIFY(daily != nullptr && daily->kind == config::Resource::Kind::quota);
    QCOMPARE(daily->limit, std::uint64_t(5000));
    QCOMPARE(daily->window, std::optional(std::chrono::seconds(86'400)));
    const config::Resource* slots = imported.config->findResource("featherless-basalt");
    QVERIFY(slots != nullptr && slots->kind == config::Resource::Kind::concurrency);
    QCOMPARE(slots->limit, std::uint64_t(1));
    const config::Model* cedar = modelOf(imported, "cedar-8b");
    QCOMPARE(cedar->routes[0].resources.size(), std::size_t(1));
    QCOMPARE(imported.config->findResource(cedar->routes[0].resources[0])->limit, std::uint64_t(8));
}

void TestImportModels::fleetsReport() {
    const Imported imported = importFile("fleet.yaml");
    VERIFY_IMPORTED(imported);
    const QByteArray report = reportText(imported.import);
    QVERIFY2(imported.says(ImportOutcome::changed, "several_keys", "models[0].route[0]"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "no_counterpart", "models[0].required_role"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "no_counterpart", "models[0].route[2].optional"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "no_counterpart", "models[1].route[0].quota_source"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::changed, "quota_window", "models[1].route[0].quota"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::changed, "price_unit", "models[1].route[2].pricing"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::changed, "version_added", "models[1].route[0].base_url"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "openrouter_pin", "models[1].route[2].kind"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "unknown_parameter", "models[1].router_params.envelope_bootstrap_donor_models"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::changed, "key_placeholder"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::changed, "embedding_order", "models[3].type"), report.constData());
    QVERIFY2(imported.says(ImportOutcome::notCarried, "modality"), report.constData());
    // Where it stands, for the one who has to look.
    QCOMPARE(imported.find("no_counterpart", "models[0].required_role")->finding.position, (TextPosition{17, 5}));
    // The same key in each model is one line of the report.
    const auto* names = imported.find("no_counterpart", "models[0].name");
    QVERIFY(names != nullptr);
    QCOMPARE(imported.find("no_counterpart", "models[1].supported_params"), nullptr);
    QVERIFY(imported.import.count(ImportOutcome::conflict) == 0);
    QVERIFY(imported.import.variables.empty());
}

void TestImportModels::strategiesTakeTheResult() {
    const Imported imported = importFile("fleet.yaml");
    VERIFY_IMPORTED(imported);
    const Findings findings = strategy::checkRouters(*imported.config);
    QVERIFY2(!hasErrors(findings), listed(findings).constData());
}

void TestImportModels::twiceChangesNothing() {
    for (const char* name : {"fleet.yaml", "spelled_out.yaml"}) {
        const Imported first = importFile(name, "# ours\n[server]\nthreads = 2\n");
        VERIFY_IMPORTED(first);
        const Imported second = importFile(name, first.import.text);
        VERIFY_IMPORTED(second);
        QCOMPARE(second.import.text, first.import.text);
        QCOMPARE(second.import.count(ImportOutcome::carried), std::size_t(0));
        QCOMPARE(second.import.count(ImportOutcome::conflict), std::size_t(0));
        QCOMPARE(second.import.count(ImportOutcome::present), first.config->models.size());
    }
}

void TestImportModels::everyOtherByteStays() {
    const std::string toml = "# top\n\n[server]   # here\nlisten   = '127.0.0.1:0'\n\n[providers.lab]\nprotocol = \"simulated\"\n"
                             "models = [ \"a\" ]\n\n[models.a]   # stays\n[[models.a.route]]\nprovider = \"lab\"\n\n\n[routing]\nmode = \"off\"\n# end\n";
    const Imported imported = importFile("fleet.yaml", toml);
    VERIFY_IMPORTED(imported);
    // Taking away what was added gives the file back: every line of it is there, in order.
    const std::string& text = imported.import.text;
    std::size_t at = 0;
    for (const auto& line : QByteArray::fromStdString(toml).split('\n')) {
        const std::size_t found = text.find(line.toStdString(), at);
        QVERIFY2(found != std::string::npos, line.constData());
        at = found + static_cast<std::size_t>(line.size());
    }
    // Models stand with models, providers with providers.
    QVERIFY(text.find("[providers.zai]") < text.find("[models.a]"));
    QVERIFY(text.find("[models.cedar-8b]") < text.find("[routing]"));
}

void TestImportModels::inlineTablesGrow() {
    const std::string toml = "providers = { lab = { protocol = \"simulated\", models = [\"a\"] } }\nmodels = {}\nresources = {}\n";
    const Imported imported = importFile("fleet.yaml", toml);
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.size(), std::size_t(4));
    QVERIFY(imported.config->findProvider("lab") != nullptr);
}

void TestImportModels::existingProvidersAreUsed() {
    const std::string toml = "[providers.router-of-ours]\nbase_url = \"https://openrouter.ai/api/v1/\"\napi_key_env = \"OPENROUTER_API_KEY\"\n"
                             "models = [\"x\"]  # kept\n\n[providers.openrouter]\nbase_url = \"https://other.example/v1\"\n";
    const Imported imported = importFile("fleet.yaml", toml);
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->findProvider("router-of-ours")->models, (std::vector<std::string>{"x", "basalt/basalt-m2", "cedar/cedar-8b"}));
    QCOMPARE(modelOf(imported, "cedar-8b")->routes[1].provider, std::string("router-of-ours"));
    QCOMPARE(imported.config->findProvider("openrouter-2"), nullptr);
    QVERIFY(imported.says(ImportOutcome::changed, "provider_extended"));
    QVERIFY(imported.import.text.find("# kept") != std::string::npos);
}

void TestImportModels::whatDiffersStays() {
    const Imported first = importFile("fleet.yaml");
    VERIFY_IMPORTED(first);
    std::string edited = first.import.text;
    const std::string weight = "weight = 0.25";
    edited.replace(edited.find(weight), weight.size(), "weight = 0.75");
    const std::string price = "output_per_million = 1.15";
    QVERIFY(edited.find(price) != std::string::npos);
    edited.replace(edited.find(price), price.size(), "output_per_million = 9.15");
    const std::string limit = "limit = 5000";
    edited.replace(edited.find(limit), limit.size(), "limit = 7");
    const Imported second = importFile("fleet.yaml", edited);
    VERIFY_IMPORTED(second);
    QCOMPARE(second.import.text, edited);
    QCOMPARE(second.import.count(ImportOutcome::conflict), std::size_t(3));
    const auto* model = second.find("differs", "models[0]");
    QVERIFY(model != nullptr && model->outcome == ImportOutcome::conflict);
    QVERIFY(model->finding.message.find("other routes") != std::string::npos);
    QVERIFY(second.says(ImportOutcome::conflict, "differs", "models[1].route[0].quota"));
    QVERIFY(second.says(ImportOutcome::conflict, "differs", "models[1].route[2].pricing"));
}

void TestImportModels::names() {
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

void TestImportModels::prices_data() {
    QTest::addColumn<QByteArray>("pricing");
    QTest::addColumn<double>("input");  // USD per million; below 0: none
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("per million") << QByteArray("{prompt: \"3.00\", completion: 15}") << 3.0 << QByteArray();
    QTest::newRow("per token") << QByteArray("{prompt: '0.0000028', completion: 0.0000064}") << 2.8 << QByteArray("price_unit");
    QTest::newRow("per token, exponent") << QByteArray("{prompt: 2.8e-06, completion: 6.4e-06}") << 2.8 << QByteArray("price_unit");
    QTest::newRow("cheap, but per million") << QByteArray("{prompt: 0.0007, completion: 0.07}") << 0.0007 << QByteArray();
    QTest::newRow("named unit") << QByteArray("{input_per_1k_tokens: 0.003, output_per_1k_tokens: 0.015}") << 3.0 << QByteArray("price_unit");
    QTest::newRow("free") << QByteArray("{prompt: \"0\", completion: \"0\"}") << 0.0 << QByteArray();
    QTest::newRow("currency") << QByteArray("{prompt: 1, completion: 2, currency: EUR}") << -1.0 << QByteArray("currency_not_usd");
    QTest::newRow("no number") << QByteArray("{prompt: cheap}") << -1.0 << QByteArray("price_invalid");
    QTest::newRow("negative") << QByteArray("{prompt: -1}") << -1.0 << QByteArray("price_invalid");
    QTest::newRow("no map") << QByteArray("0.5") << -1.0 << QByteArray("pricing_form");
    QTest::newRow("per request") << QByteArray("{prompt: 1, completion: 2, request: 0.01}") << 1.0 << QByteArray("no_counterpart");
}

void TestImportModels::prices() {
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

void TestImportModels::windows_data() {
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

void TestImportModels::windows() {
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

void TestImportModels::addresses_data() {
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

void TestImportModels::addresses() {
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

void TestImportModels::aModelIsItsOwnRoute() {
    const Imported imported = importText("- {id: m, provider: deepseek, base_url: 'https://api.deepseek.example', api_key: '${DS_KEY}', provider_model_id: ds-v4}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.front().routes.front().endpointId(), std::string("deepseek:ds-v4"));
    QCOMPARE(imported.config->findProvider("deepseek")->apiKeyEnv, std::optional<std::string>("DS_KEY"));
    const Imported byName = importText("models:\n  m: {provider: openai, base_url: 'https://a.example/v1'}\n");
    VERIFY_IMPORTED(byName);
    QCOMPARE(byName.config->models.front().id, std::string("m"));
}

void TestImportModels::sameEndpointTwice() {
    const Imported imported = oneRoute("  - {base_url: 'https://api.example.net/v1/', weight: 0.5}\n");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.front().routes.size(), std::size_t(1));
    QCOMPARE(imported.config->models.front().routes.front().weight, 1.5);
    QVERIFY(imported.says(ImportOutcome::changed, "route_twice", "models[0].route[1]"));
}

void TestImportModels::aliasesLeadToOneModel() {
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

void TestImportModels::mergeKeysAndDuplicates() {
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

void TestImportModels::parametersAreJudged() {
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

void TestImportModels::manyModelsInReasonableTime() {
    std::string yaml = "models:\n";
    for (int i = 0; i < 400; ++i)
        yaml += "- {id: m" + std::to_string(i) + ", pricing: {prompt: 1, completion: 2}, route: [{base_url: 'https://a.example/v1', api_key: '${A}'}, " +
                "{base_url: 'https://b.example/v1', api_key: '${B}', concurrency: 3}]}\n";
    const Imported imported = importText(yaml);
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.config->models.size(), std::size_t(400));
    QCOMPARE(imported.config->providers.size(), std::size_t(2));
}

QTEST_APPLESS_MAIN(TestImportModels)
#include "tst_import_models.moc"
