// SPDX-License-Identifier: MIT
#include "tests/router/config/config_support.h"

#include <QTest>

using namespace signalbox;

/// `[models]` with their routes, `[resources]` and `[circuits]`.
class TestConfigModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingIsRead();
    void defaultsComeFromTheProvider();
    void presetMayBeServedByAPool();
    void mistakes_data();
    void mistakes();
    void circuitDefaults();
};

static const std::string kProviders = R"([resources.gpu]
limit = 4
[resources.plan]
kind = "quota"
limit = 1000
window_s = 86400
[providers.lab]
protocol = "simulated"
models = ["big", "big-awq"]
domain = "local"
provider_type = "concurrency"
resource = "gpu"
[providers.cloud]
protocol = "simulated"
models = ["big"]
)";

static config::LoadedConfig load(const std::string& rest) { return config::readConfig(kProviders + rest); }

void TestConfigModels::everythingIsRead() {
    const auto loaded = load(R"([models.big]
aliases = ["large", "huge"]
router = "routewise"
router_params = { budget_alpha = 0.5, reference_api_price = { input = 1.0, output = 2 } }
[[models.big.route]]
provider = "lab"
model = "big-awq"
weight = 2.5
[[models.big.route]]
provider = "cloud"
kind = "local"
provider_type = "quota"
resources = ["plan"]
[circuits]
consecutive_failures = 5
min_availability = 0.5
window = 40
min_attempts = 20
cool_for_ms = 1000
max_retry_after_s = 60
)");
    QVERIFY2(loaded.config && loaded.findings.empty(), test::listed(loaded.findings).constData());
    QCOMPARE(loaded.config->models.size(), std::size_t(1));
    const config::Model& model = loaded.config->models.front();
    QCOMPARE(model.aliases.size(), std::size_t(2));
    QVERIFY(model.router == config::RouterKind::routewise);
    QCOMPARE(model.parametersJson, std::string(R"({"budget_alpha":0.5,"reference_api_price":{"input":1.0,"output":2}})"));
    const config::Route& first = model.routes.at(0);
    QCOMPARE(first.endpointId(), std::string("lab:big-awq"));
    QCOMPARE(first.weight, 2.5);
    QVERIFY(first.kind == config::RouteKind::local && first.billing == config::Billing::concurrency);
    QCOMPARE(first.resources, std::vector<std::string>{"gpu"});
    const config::Route& second = model.routes.at(1);
    QCOMPARE(second.endpointId(), std::string("cloud:big"));
    QVERIFY(second.kind == config::RouteKind::local && second.billing == config::Billing::quota);
    QVERIFY(loaded.config->findModel("huge") == &model);
    QVERIFY(loaded.config->findModel("tiny") == nullptr);
    QVERIFY((loaded.config->circuits == config::CircuitSettings{5, 0.5, 40, 20, std::chrono::milliseconds(1000), std::chrono::seconds(60)}));
    QVERIFY(loaded.config->findResource("plan")->window == std::chrono::seconds(86400));
}

void TestConfigModels::defaultsComeFromTheProvider() {
    const auto loaded = load("[models.big]\n[[models.big.route]]\nprovider = \"lab\"\nresources = [\"plan\", \"gpu\"]\n");
    QVERIFY2(loaded.config, test::listed(loaded.findings).constData());
    const config::Model& model = loaded.config->models.front();
    QVERIFY(model.router == config::RouterKind::fixed);
    QVERIFY(model.parametersJson.empty());
    // The provider's own resource is taken in any case, once.
    QVERIFY((model.routes.front().resources == std::vector<std::string>{"gpu", "plan"}));
    QCOMPARE(model.routes.front().weight, 1.0);
}

void TestConfigModels::presetMayBeServedByAPool() {
    const auto loaded = load("[models.big]\n[[models.big.route]]\nprovider = \"lab\"\n[presets.g26]\npool = \"big\"\n");
    QVERIFY2(loaded.config, test::listed(loaded.findings).constData());
    QCOMPARE(loaded.config->findBinding("g26")->pool, std::optional<std::string>("big"));
    QVERIFY(loaded.config->findBinding("g26")->provider.empty());
}

void TestConfigModels::mistakes_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("code");
    QTest::addColumn<std::string>("pointer");
    QTest::addColumn<bool>("isError");
    const auto row = [](const char* name, const std::string& text, const std::string& code, const std::string& pointer, bool isError = true) {
        QTest::newRow(name) << text << code << pointer << isError;
    };
    const std::string route = "[models.big]\n[[models.big.route]]\n";
    row("no route", std::string("[models.big]\n"), "model_without_route", "models.big");
    row("no provider", route, "route_provider_missing", "models.big.route[0]");
    row("F68 unknown provider", route + "provider = \"labb\"\n", "provider_missing", "models.big.route[0].provider");
    row("F86 unknown model", route + "provider = \"lab\"\nmodel = \"bigg\"\n", "route_model_not_accepted", "models.big.route[0].model");
    row("unknown resource", route + "provider = \"lab\"\nresources = [\"gpus\"]\n", "resource_missing", "models.big.route[0].resources[0]");
    row("quota without a quota", route + "provider = \"cloud\"\nprovider_type = \"quota\"\nresources = [\"gpu\"]\n", "billing_without_resource", "models.big.route[0]");
    row("endpoint twice", route + "provider = \"lab\"\n[[models.big.route]]\nprovider = \"lab\"\n", "route_duplicate", "models.big.route[1]");
    row("unknown router", std::string("[models.big]\nrouter = \"routewize\"\n[[models.big.route]]\nprovider = \"lab\"\n"), "unknown_enum_value", "models.big.router");
    row("negative weight", route + "provider = \"lab\"\nweight = -1\n", "weight_range", "models.big.route[0].weight");
    row("F66 all weights zero", route + "provider = \"lab\"\nweight = 0\n", "weights_all_zero", "models.big", false);
    row("alias twice", std::string("[models.big]\naliases = [\"big\"]\n[[models.big.route]]\nprovider = \"lab\"\n"), "model_name_duplicate", "models.big.aliases[0]");
    row("hidden by alias", std::string("[aliases]\nbig = \"lab:big\"\n") + route + "provider = \"lab\"\n", "model_hidden_by_alias", "models.big", false);
    row("resource without limit", std::string("[resources.x]\n"), "resource_limit_missing", "resources.x");
    row("slots with a window", std::string("[resources.x]\nlimit = 1\nwindow_s = 5\n"), "window_ignored", "resources.x.window_s", false);
    row("attempts above window", std::string("[circuits]\nwindow = 5\n"), "min_attempts_above_window", "circuits.min_attempts");
    row("pool and provider", route + "provider = \"lab\"\n[presets.g]\nprovider = \"lab\"\npool = \"big\"\n", "preset_provider_and_pool", "presets.g.pool");
    row("routewise without a price", "[models.big]\nrouter = \"routewise\"\n[[models.big.route]]\nprovider = \"cloud\"\n", "route_without_price", "models.big.route[0]", false);
    row("unknown pool", std::string("[presets.g]\npool = \"bigg\"\n"), "preset_pool_missing", "presets.g.pool");
    row("unknown key of a route", route + "provider = \"lab\"\nwieght = 2\n", "unknown_key", "models.big.route[0].wieght", false);
}

void TestConfigModels::mistakes() {
    QFETCH(std::string, text);
    QFETCH(std::string, code);
    QFETCH(std::string, pointer);
    QFETCH(bool, isError);
    const auto loaded = load(text);
    const Finding* found = test::findCode(loaded.findings, code);
    QVERIFY2(found, test::listed(loaded.findings).constData());
    QCOMPARE(found->pointer, pointer);
    QCOMPARE(found->severity == Severity::error, isError);
    QVERIFY(found->position.line > 0);
    QVERIFY(!found->hint.empty());
    QCOMPARE(loaded.config == nullptr, isError);
}

void TestConfigModels::circuitDefaults() {
    const auto loaded = load("");
    QVERIFY(loaded.config->circuits == config::CircuitSettings{});
    QVERIFY(loaded.config->models.empty());
}

QTEST_APPLESS_MAIN(TestConfigModels)
#include "tst_config_models.moc"
