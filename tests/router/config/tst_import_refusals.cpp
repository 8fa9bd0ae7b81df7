// SPDX-License-Identifier: MIT
// What an import of models refuses, what malformed registries meet, and that no key gets out of one.
#include "tests/router/config/import_support.h"

#include <QObject>

#include <random>

using namespace signalbox;
using namespace signalbox::test;
using config::ImportOutcome;
using config::ImportRefusal;

class TestImportRefusals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusals_data();
    void refusals();
    void brokenConfigurationIsNotTouched();
    void whatDoesNotFitIsRefused();
    void malformedParts_data();
    void malformedParts();
    void noKeyGetsOut();
    void spelledOutKeysAreVariables();
    void columnsCountCodePoints();
    void noTextBreaksIt();
};

namespace {

/// Everything that an import says or writes.
QByteArray everything(const std::string& yaml, const std::string& toml = {}) {
    const auto import = config::importModels(yaml, toml, judgeModel);
    if (!import) return listed(import.error().findings);
    QByteArray out = QByteArray::fromStdString(import->text) + reportText(*import);
    for (const std::string& variable : import->variables) out += QByteArray::fromStdString(variable) + '\n';
    return out;
}

QByteArray nested(int depth) { return "models: " + QByteArray(depth, '[') + QByteArray(depth, ']'); }

/// Ten aliases of ten aliases of …: a few lines that stand for billions.
QByteArray aliasBomb() {
    QByteArray out = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
    for (char c = 'b'; c <= 'j'; ++c) {
        out += QByteArray(1, c) + ": &" + c + " [";
        for (int i = 0; i < 10; ++i) out += QByteArray(i == 0 ? "" : ", ") + '*' + static_cast<char>(c - 1);
        out += "]\n";
    }
    return out + "models: *j\n";
}

}  // namespace

void TestImportRefusals::refusals_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("line");
    QTest::newRow("empty") << QByteArray() << QByteArray("no_models") << 0;
    QTest::newRow("comment only") << QByteArray("# nothing\n") << QByteArray("no_models") << 0;
    QTest::newRow("no list") << QByteArray("models: []\n") << QByteArray("no_models") << 1;
    QTest::newRow("scalar") << QByteArray("hello\n") << QByteArray("no_models") << 1;
    QTest::newRow("syntax") << QByteArray("models:\n  - id: a\n - id: b\n") << QByteArray("yaml_syntax") << 3;
    QTest::newRow("tab") << QByteArray("models:\n\t- id: a\n") << QByteArray("yaml_syntax") << 2;
    QTest::newRow("unknown alias") << QByteArray("models: *planted_secret\n") << QByteArray("yaml_syntax") << 1;
    QTest::newRow("alias in itself") << QByteArray("models: &a [*a]\n") << QByteArray("yaml_alias_in_itself") << 1;
    QTest::newRow("alias bomb") << aliasBomb() << QByteArray("yaml_too_many_values") << 5;
    QTest::newRow("too deep") << nested(40) << QByteArray("yaml_too_deep") << 1;
    QTest::newRow("very deep") << nested(200'000) << QByteArray("yaml_too_deep") << 1;
    QTest::newRow("too large") << QByteArray("# ") + QByteArray(2 << 20, 'x') << QByteArray("too_large") << 0;
    QTest::newRow("too many values") << "models: [" + QByteArray("a,").repeated(150'000) + "a]" << QByteArray("yaml_too_many_values") << 1;
    QTest::newRow("not UTF-8") << QByteArray("models:\n- id: \xff\n") << QByteArray("not_utf8") << 2;
    QTest::newRow("UTF-16") << QByteArray("\xff\xfem\0o\0", 6) << QByteArray("not_utf8") << 1;
    QTest::newRow("key that is a map") << QByteArray("models:\n- {a: 1}: 2\n") << QByteArray("yaml_key") << 2;
    QTest::newRow("null key") << QByteArray("models:\n- ~: 2\n") << QByteArray("yaml_key") << 2;
    QTest::newRow("merge of a text") << QByteArray("models:\n- <<: hello\n  id: a\n") << QByteArray("yaml_merge") << 2;
    QTest::newRow("tag") << QByteArray("models: !!python/object:os.system [x]\n") << QByteArray("yaml_tag") << 1;
    QTest::newRow("own tag") << QByteArray("models:\n- id: !env NAME\n") << QByteArray("yaml_tag") << 2;
    QTest::newRow("two documents") << QByteArray("models: []\n---\nmodels: []\n") << QByteArray("yaml_documents") << 0;
}

void TestImportRefusals::refusals() {
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, code);
    QFETCH(int, line);
    const auto import = config::importModels(yaml.toStdString(), "", judgeModel);
    QVERIFY2(!import, import ? reportText(*import).constData() : "");
    QVERIFY(import.error().in == ImportRefusal::In::registry);
    QCOMPARE(import.error().findings.size(), std::size_t(1));
    const Finding& finding = import.error().findings.front();
    QCOMPARE(QByteArray::fromStdString(finding.code), code);
    QVERIFY2(static_cast<int>(finding.position.line) == line, listed(import.error().findings).constData());
    QVERIFY(!finding.message.empty() && !finding.hint.empty());
    QVERIFY2(finding.message.find("planted") == std::string::npos, finding.message.c_str());
}

void TestImportRefusals::brokenConfigurationIsNotTouched() {
    const auto import = config::importModels("models:\n- {id: a, base_url: 'https://a.example/v1'}\n", "[server]\nlisten = \n", judgeModel);
    QVERIFY(!import && import.error().in == ImportRefusal::In::config);
    QCOMPARE(import.error().findings.front().position.line, std::uint32_t(2));
}

void TestImportRefusals::whatDoesNotFitIsRefused() {
    // A smart alias and a model of a provider's list cannot have one name.
    const std::string toml = "[providers.lab]\nprotocol = \"simulated\"\nmodels = [\"x\"]\n\n[routing.groups.auto]\naliases = [\"a\"]\n\n"
                             "[[routing.groups.auto.candidates]]\nprovider = \"lab\"\nmodel = \"x\"\n";
    QVERIFY(config::readConfig(toml).config != nullptr);
    const auto import = config::importModels("models:\n- {id: a, base_url: 'https://a.example/v1'}\n", toml, judgeModel);
    QVERIFY2(!import, import ? reportText(*import).constData() : "");
    QVERIFY(import.error().in == ImportRefusal::In::config);
    QVERIFY(import.error().findings.front().message.find("the registry adds") != std::string::npos);
}

void TestImportRefusals::malformedParts_data() {
    QTest::addColumn<QByteArray>("lines");  // below a good model
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("path");
    const auto row = [](const char* name, const char* lines, const char* code, const char* path) {
        QTest::newRow(name) << QByteArray(lines) << QByteArray(code) << QByteArray(path);
    };
    row("model is a text", "- hello\n", "model_form", "models[1]");
    row("route is a text", "- {id: n, route: [x]}\n", "route_form", "models[1].route[0]");
    row("no route", "- {id: n, route: []}\n", "model_without_route", "models[1]");
    row("no address", "- {id: n, provider: vllm}\n", "address_missing", "models[1]");
    row("weight", "- {id: n, base_url: 'https://a.example/v1', route: [{weight: heavy}]}\n", "not_a_number", "models[1].route[0].weight");
    row("negative weight", "- {id: n, base_url: 'https://a.example/v1', route: [{weight: -1}]}\n", "not_a_number", "models[1].route[0].weight");
    row("aliases", "- {id: n, base_url: 'https://a.example/v1', aliases: [[x]]}\n", "not_a_text", "models[1].aliases[0]");
    row("flag", "- {id: n, base_url: 'https://a.example/v1', supports_tools: maybe}\n", "not_a_boolean", "models[1].supports_tools");
    row("tokens", "- {id: n, base_url: 'https://a.example/v1', context_length: 1.5}\n", "not_a_number", "models[1].context_length");
    row("provider type", "- {id: n, base_url: 'https://a.example/v1', route: [{provider_type: monthly}]}\n", "provider_type_unknown", "models[1].route[0].provider_type");
    row("unknown key", "- {id: n, base_url: 'https://a.example/v1', wieght: 3}\n", "unknown_key", "models[1].wieght");
    row("unknown top", "- {id: n, base_url: 'https://a.example/v1'}\ndefaults: {a: 1}\n", "unknown_key", "defaults");
    row("parameters", "- {id: n, base_url: 'https://a.example/v1', router_params: [1]}\n", "parameters_form", "models[1].router_params");
    row("id is a list", "- {id: [n], base_url: 'https://a.example/v1'}\n", "model_without_id", "models[1]");
    row("key is a map", "- {id: n, base_url: 'https://a.example/v1', api_key: {name: X}}\n", "key_form", "models[1].api_key");
    row("model from a variable", "- {id: n, base_url: 'https://a.example/v1', provider_model_id: '${M}'}\n", "model_variable", "models[1].provider_model_id");
    row("unknown kind", "- {id: n, base_url: 'https://a.example/v1', provider: acme}\n", "kind_unknown", "models[1].provider");
}

void TestImportRefusals::malformedParts() {
    QFETCH(QByteArray, lines);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, path);
    const Imported imported = importText("models:\n- {id: m, base_url: 'https://a.example/v1'}\n" + lines.toStdString());
    VERIFY_IMPORTED(imported);
    // The good one is carried whatever stands beside it.
    QVERIFY(imported.config->findModel("m") != nullptr);
    const auto* entry = imported.find(code.toStdString(), path.toStdString());
    QVERIFY2(entry != nullptr, reportText(imported.import).constData());
    QVERIFY(entry->outcome == ImportOutcome::notCarried || entry->outcome == ImportOutcome::changed);
    QVERIFY(entry->finding.position.line >= 3);
}

void TestImportRefusals::noKeyGetsOut() {
    const std::string yaml = registryFile("spelled_out.yaml").toStdString();
    const QByteArray said = everything(yaml);
    QVERIFY2(!said.toUpper().contains("PLANTED"), said.constData());
    // Whatever is broken in it, at whatever place.
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
        std::string broken = yaml;
        const std::size_t at = random() % broken.size();
        switch (random() % 3) {
        case 0: broken.resize(at); break;
        case 1: broken[at] = "{}[]:,&*#?-'\"\n\t "[random() % 17]; break;
        default: broken.insert(at, 1, "{}[]:,&*#?-'\"\n\t "[random() % 17]); break;
        }
        const auto import = config::importModels(broken, "", judgeModel);
        // A text that still reads may have lost the name that made a value a key; a refusal has no such excuse.
        if (!import) QVERIFY2(!listed(import.error().findings).toUpper().contains("PLANTED"), listed(import.error().findings).constData());
    }
}

void TestImportRefusals::spelledOutKeysAreVariables() {
    const Imported imported = importFile("spelled_out.yaml");
    VERIFY_IMPORTED(imported);
    QCOMPARE(imported.import.variables, (std::vector<std::string>{"OPENROUTER_API_KEY_2", "OPENROUTER_API_KEY_3", "OPENROUTER_API_KEY_4", "LOCAL_8000_API_KEY"}));
    const auto& routes = imported.config->findModel("onyx")->routes;
    const auto keyOf = [&](std::size_t i) { return imported.config->findProvider(routes[i].provider)->apiKeyEnv.value_or(""); };
    // The variable that the registry names itself stays with the key it stands for.
    QCOMPARE(keyOf(2), std::string("OPENROUTER_API_KEY"));
    QVERIFY(imported.says(ImportOutcome::changed, "key_spelled_out", "models[0].route[0].api_keys[0]"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "holds_a_key", "models[0].aliases[1]"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "key_default", "models[0].route[2].api_key"));
    QVERIFY(imported.says(ImportOutcome::notCarried, "address_invalid", "models[0].route[2].base_url"));
}

void TestImportRefusals::columnsCountCodePoints() {
    const auto import = config::importModels("models:\r\n- {id: 'ü→€', oops: 1, base_url: 'https://a.example/v1'}\r\n", "", judgeModel);
    QVERIFY(import.has_value());
    for (const config::ImportEntry& entry : import->report)
        if (entry.finding.code == "unknown_key") QCOMPARE(entry.finding.position, (TextPosition{2, 15}));
    QVERIFY(import->count(ImportOutcome::notCarried) == 1);
}

void TestImportRefusals::noTextBreaksIt() {
    // Each prefix of a real registry is refused or imported into something that reads back.
    const std::string yaml = registryFile("fleet.yaml").toStdString();
    for (std::size_t size = 0; size < yaml.size(); size += 37) {
        const auto import = config::importModels(std::string_view(yaml).substr(0, size), "", judgeModel);
        if (import) QVERIFY2(config::readConfig(import->text).config != nullptr, import->text.c_str());
        else QVERIFY(!import.error().findings.empty());
    }
}

QTEST_APPLESS_MAIN(TestImportRefusals)
#include "tst_import_refusals.moc"
