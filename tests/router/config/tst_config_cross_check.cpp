// SPDX-License-Identifier: MIT
#include "router/table/read.h"
#include "tests/router/config/config_support.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;

/// Configuration and routing table seen together.
class TestConfigCrossCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownPresetIsRefusedWithTheNearestName();
    void presetWithoutEndpoint();
    void withoutAnyProviderTheFirstStepIsNamed();
    void aliasesThatHideTheTable_data();
    void aliasesThatHideTheTable();
    void aliasTargets_data();
    void aliasTargets();
    void aliasOfAnUnknownProvider();
    void aliasesOfATableOfAnUnknownVersion_data();
    void aliasesOfATableOfAnUnknownVersion();
    void presetModelThatItsProviderDoesNotList();
    void presetOfAProviderThatCannotBeCalled();
    void naturalPresetOfAnUnknownModel();
    void allowedModels_data();
    void allowedModels();
    void tableOfAnUnknownVersionNeedsNoBindings();
    void demoWorkspaceIsClean();
};

static table::RoutingTable smallTable() {
    table::RoutingTable table;
    table.presets.push_back({"g26-default", "gemma-4-26b-awq", "gemma-4-26b", "gemma", 1, 4, {}, {}, true});
    return table;
}

static Findings check(const std::string& text, const table::RoutingTable& table = smallTable()) {
    const auto loaded = config::readConfig("[providers.sim]\nprotocol = \"simulated\"\nmodels = [\"gemma-4-26b\"]\n" + text);
    if (!loaded.config) return {{Severity::error, "config_refused", {}, {}, test::listed(loaded.findings).toStdString(), {}}};
    return config::crossCheck(*loaded.config, table);
}

static const std::string kBound = "[presets.g26-default]\nprovider = \"sim\"\n";

void TestConfigCrossCheck::unknownPresetIsRefusedWithTheNearestName() {
    const auto findings = check(kBound + "[presets.g26-defualt]\nprovider = \"sim\"\n");
    const Finding* found = test::findCode(findings, "preset_unknown");
    QVERIFY2(found, test::listed(findings).constData());
    QVERIFY(found->severity == Severity::error);
    QCOMPARE(found->pointer, std::string("presets.g26-defualt"));
    QVERIFY((found->position == TextPosition{6, 1}));
    QVERIFY(found->hint.find("g26-default") != std::string::npos);
}

void TestConfigCrossCheck::presetWithoutEndpoint() {
    const auto findings = check("");
    const Finding* found = test::findCode(findings, "preset_without_endpoint");
    QVERIFY(found && found->severity == Severity::warning);
    QVERIFY(check(kBound).empty());
}

void TestConfigCrossCheck::withoutAnyProviderTheFirstStepIsNamed() {
    const auto hintOf = [](const Findings& findings) {
        const Finding* found = test::findCode(findings, "preset_without_endpoint");
        return found ? found->hint : std::string();
    };
    QVERIFY(hintOf(config::crossCheck({}, smallTable())).find("[providers.ID]") != std::string::npos);
    QVERIFY(hintOf(check("")).find("[providers.ID]") == std::string::npos);
}

void TestConfigCrossCheck::aliasesThatHideTheTable_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    const QByteArray aliases = "[aliases]\n";
    QTest::newRow("preset key") << aliases + "g26-default = \"sim:gemma-4-26b\"\n" << QByteArray("aliases.g26-default");
    QTest::newRow("model") << aliases + "gemma-4-26b-awq = \"sim:gemma-4-26b\"\n" << QByteArray("aliases.gemma-4-26b-awq");
    QTest::newRow("served name") << aliases + "gemma-4-26b = \"sim:gemma-4-26b\"\n" << QByteArray("aliases.gemma-4-26b");
    QTest::newRow("smart alias") << QByteArray("[routing.groups.g]\naliases = [\"auto\", \"gemma-4-26b-awq\"]\n"
                                               "candidates = [{ provider = \"sim\", model = \"gemma-4-26b\" }]\n")
                                 << QByteArray("routing.groups.g.aliases[1]");
}

void TestConfigCrossCheck::aliasesThatHideTheTable() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    const auto findings = check(kBound + text.toStdString());
    const Finding* found = test::findCode(findings, "alias_hides_table_name");
    QVERIFY2(found, test::listed(findings).constData());
    QVERIFY(found->severity == Severity::warning);
    QCOMPARE(found->pointer, path.toStdString());
    QVERIFY(found->position.line > 0);
}

void TestConfigCrossCheck::aliasTargets_data() {
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<bool>("known");
    for (const char* known : {"g26-default", "gemma-4-26b-awq", "gemma-4-26b", "sim:gemma-4-26b", "other", "chat", "chat-alias", "of:pool", "qwen:7b", "of:inventory",
                              "of:default", "of-prefix:any", "only-natural"})
        QTest::newRow(known) << QByteArray(known) << true;
    QTest::newRow("nothing of that name") << QByteArray("g26-defualt") << false;
    QTest::newRow("nothing of that name, with a colon") << QByteArray("qwen:8b") << false;
}

// Whatever a request may be sent under: names of models hold colons, too.
static const std::string kNamesEverywhere =
    "[providers.more]\nprotocol = \"simulated\"\nmodels = [\"of:inventory\"]\ndefault_model = \"of:default\"\nmodel_prefixes = [\"of-prefix:\"]\n"
    "[models.chat]\naliases = [\"chat-alias\", \"of:pool\"]\n[[models.chat.route]]\nprovider = \"sim\"\nmodel = \"gemma-4-26b\"\n";

static table::RoutingTable tableWithColon() {
    auto table = smallTable();
    table.presets.push_back({"q7", "qwen:7b", {}, "qwen", 1, 4, {}, {}, true});
    return table;
}

void TestConfigCrossCheck::aliasTargets() {
    QFETCH(QByteArray, target);
    QFETCH(bool, known);
    const auto findings = check(kBound + "natural_for = [\"only-natural\"]\n" + kNamesEverywhere + "[aliases]\nfast = \"" + target.toStdString() +
                                    "\"\nother = \"g26-default\"\n", tableWithColon());
    QVERIFY2(!test::findCode(findings, "config_refused"), test::listed(findings).constData());
    const Finding* found = test::findCode(findings, target.contains(':') ? "alias_provider_missing" : "alias_target_unknown");
    QVERIFY2((found == nullptr) == known, test::listed(findings).constData());
    if (!known) QVERIFY2(found->hint.find(target.contains(':') ? "\"qwen:7b\"" : "\"g26-default\"") != std::string::npos, found->hint.c_str());
}

void TestConfigCrossCheck::aliasOfAnUnknownProvider() {
    for (const char* passes : {"", "passthrough_unknown_models = true\n"}) {  // which would take whatever is misspelt
        const auto findings = check("[providers.north]\nprotocol = \"simulated\"\n" + std::string(passes) + "models = [\"m\"]\n[aliases]\nfast = \"nord:m\"\n");
        const Finding* found = test::findCode(findings, "alias_provider_missing");
        QVERIFY2(found, test::listed(findings).constData());
        QVERIFY(found->severity == Severity::error);
        QCOMPARE(found->pointer, std::string("aliases.fast"));
        QVERIFY((found->position == TextPosition{passes[0] == 0 ? 8U : 9U, 8U}));
        QVERIFY2(found->hint.find("\"north\"") != std::string::npos, found->hint.c_str());
    }
}

void TestConfigCrossCheck::aliasesOfATableOfAnUnknownVersion_data() {
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("preset") << QByteArray("g26-default") << QByteArray("alias_target_unknown");
    QTest::newRow("model with a colon") << QByteArray("qwen:7b") << QByteArray("alias_provider_missing");
}

// Contract A: the gateway warns and keeps serving.
void TestConfigCrossCheck::aliasesOfATableOfAnUnknownVersion() {
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, code);
    table::RoutingTable table;
    table.schemaVersion = 2;
    const auto findings = check(kBound + "[aliases]\nfast = \"" + target.toStdString() + "\"\n", table);
    const Finding* found = test::findCode(findings, code.toStdString());
    QVERIFY2(found && !hasErrors(findings), test::listed(findings).constData());
    QVERIFY(found->severity == Severity::warning);
    QVERIFY2(found->hint.find("does not read that table") != std::string::npos, found->hint.c_str());
}

void TestConfigCrossCheck::presetModelThatItsProviderDoesNotList() {
    auto table = smallTable();
    table.presets[0].servedModelName = "gemma-renamed";
    QVERIFY(test::findCode(check(kBound, table), "preset_model_not_listed"));
    QVERIFY(check(kBound + "model = \"gemma-4-26b\"\n", table).empty());
}

void TestConfigCrossCheck::presetOfAProviderThatCannotBeCalled() {
    const auto findings = check("[providers.empty]\n[presets.g26-default]\nprovider = \"empty\"\n");
    QVERIFY(test::findCode(findings, "preset_provider_not_callable"));
}

void TestConfigCrossCheck::naturalPresetOfAnUnknownModel() {
    const auto findings = check(kBound + "natural_for = [\"gemma-4-26b\", \"gemma-4-62b\"]\n");
    const Finding* found = test::findCode(findings, "natural_for_unknown_model");
    QVERIFY(found);
    QCOMPARE(findings.size(), std::size_t{1});
    QVERIFY(found->hint.find("gemma-4-26b") != std::string::npos);
}

void TestConfigCrossCheck::allowedModels_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("known");
    for (const char* name : {"g26-default", "gemma-4-26b-awq", "gemma-4-26b", "fast", "sim:gemma-4-26b", "chat", "chat-alias", "only-natural"}) QTest::newRow(name) << QByteArray(name) << true;
    for (const char* name : {"gemma-4-26", "sim:gemma", "other:gemma-4-26b"}) QTest::newRow(name) << QByteArray(name) << false;
}

// F68, F86: a list that names nothing would shut somebody out without a word.
void TestConfigCrossCheck::allowedModels() {
    QFETCH(QByteArray, name);
    QFETCH(bool, known);
    const auto findings = check(kBound + "natural_for = [\"only-natural\"]\n[aliases]\nfast = \"sim:gemma-4-26b\"\n[principals.p]\ntoken_env = \"T\"\nallowed_models = [\"fast\", \"" +
                                name.toStdString() + "\"]\n" + kNamesEverywhere);
    const Finding* found = test::findCode(findings, "allowed_model_unknown");
    QCOMPARE(found == nullptr, known);
    if (!found) return;
    QVERIFY(found->severity == Severity::warning);
    QCOMPARE(found->pointer, std::string("principals.p.allowed_models[1]"));
    QVERIFY((found->position == TextPosition{11, 27}));
}

void TestConfigCrossCheck::tableOfAnUnknownVersionNeedsNoBindings() {
    table::RoutingTable table;
    table.schemaVersion = 2;
    QVERIFY(check(kBound, table).empty());
}

void TestConfigCrossCheck::demoWorkspaceIsClean() {
    const config::WorkspacePaths demo{SIGNALBOX_SOURCE_DIR "/resources/demo"};
    const auto table = table::readTableFile(demo.table(), test::ManualClock().now());
    const auto gateway = config::readConfigFile(demo.config());
    QVERIFY(table && gateway);
    QVERIFY2(table->table && table->findings.empty(), test::listed(table->findings).constData());
    QVERIFY2(gateway->config && gateway->findings.empty(), test::listed(gateway->findings).constData());
    const auto together = config::crossCheck(*gateway->config, *table->table);
    QVERIFY2(together.empty(), test::listed(together).constData());
    for (const table::Preset& preset : table->table->presets)
        QVERIFY2(gateway->config->findBinding(preset.presetKey), preset.presetKey.c_str());
    QVERIFY(!table->table->isOurs());
}

QTEST_APPLESS_MAIN(TestConfigCrossCheck)
#include "tst_config_cross_check.moc"
