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
};

namespace {

const config::Model* modelOf(const Imported& imported, std::string_view id) { return imported.config->findModel(id); }

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

QTEST_APPLESS_MAIN(TestImportModels)
#include "tst_import_models.moc"
