// SPDX-License-Identifier: MIT
#include "tests/router/config/config_support.h"

#include <QTest>

#include <map>

using namespace signalbox;

/// Overrides by environment variables (contract B).
class TestConfigEnvironment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingSetChangesNothing();
    void bothSpellingsWork_data();
    void bothSpellingsWork();
    void ownSpellingWins();
    void badValuesStop_data();
    void badValuesStop();
    void badValueLeavesTheConfigurationAsItWas();
    void modeNeedsGroups();
    void baseUrlOrder();
};

namespace {

using Variables = std::map<std::string, std::string>;

config::Environment environment(Variables variables) {
    return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
        const auto at = variables.find(name);
        return at == variables.end() ? std::nullopt : std::optional(at->second);
    };
}

config::GatewayConfig withGroup() {
    config::GatewayConfig config;
    config.routing.groups.push_back({"general", {"auto"}, {}, {}});
    return config;
}

}  // namespace

void TestConfigEnvironment::nothingSetChangesNothing() {
    auto config = withGroup();
    const auto applied = config::applyEnvironmentOverrides(config, environment({}));
    QVERIFY(applied && applied->empty());
    QVERIFY(config.routing.mode == config::RoutingMode::off);
}

void TestConfigEnvironment::bothSpellingsWork_data() {
    QTest::addColumn<QByteArray>("prefix");
    QTest::newRow("ours") << QByteArray("SIGNALBOX_");
    QTest::newRow("compatible") << QByteArray("MODELPORT_");
}

void TestConfigEnvironment::bothSpellingsWork() {
    QFETCH(QByteArray, prefix);
    const std::string p = prefix.toStdString();
    auto config = withGroup();
    const auto applied = config::applyEnvironmentOverrides(
        config, environment({{p + "SMART_ROUTING_MODE", "Active"},
                             {p + "SMART_ROUTING_PROFILE", "LATENCY"},
                             {p + "SMART_ROUTING_ACTIVATION_PERCENT", " 50 "}}));
    QVERIFY2(applied, applied ? "" : applied.error().text().c_str());
    QVERIFY(config.routing.mode == config::RoutingMode::active);
    QCOMPARE(config.routing.defaultProfile, std::string("latency"));
    QCOMPARE(int{config.routing.activationPercent}, 50);
    QCOMPARE(applied->size(), std::size_t{3});
    QCOMPARE(applied->at(0).variable, p + "SMART_ROUTING_MODE");
    QCOMPARE(applied->at(0).value, std::string("Active"));
    QCOMPARE(applied->at(2).path, std::string("routing.activation_percent"));
}

void TestConfigEnvironment::ownSpellingWins() {
    auto config = withGroup();
    const auto applied = config::applyEnvironmentOverrides(
        config, environment({{"SIGNALBOX_SMART_ROUTING_ACTIVATION_PERCENT", "7"},
                             {"MODELPORT_SMART_ROUTING_ACTIVATION_PERCENT", "70"}}));
    QVERIFY(applied && applied->size() == 1);
    QCOMPARE(int{config.routing.activationPercent}, 7);
}

void TestConfigEnvironment::badValuesStop_data() {
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<QByteArray>("value");
    for (const char* value : {"on", "", "activ"}) QTest::addRow("mode '%s'", value) << QByteArray("SMART_ROUTING_MODE") << QByteArray(value);
    for (const char* value : {"cheap", ""}) QTest::addRow("profile '%s'", value) << QByteArray("SMART_ROUTING_PROFILE") << QByteArray(value);
    for (const char* value : {"101", "-1", "5.5", "five", "", "256", "99999999999999", "5%"})
        QTest::addRow("percent '%s'", value) << QByteArray("SMART_ROUTING_ACTIVATION_PERCENT") << QByteArray(value);
}

void TestConfigEnvironment::badValuesStop() {
    QFETCH(QByteArray, variable);
    QFETCH(QByteArray, value);
    for (const char* prefix : {"SIGNALBOX_", "MODELPORT_"}) {
        auto config = withGroup();
        const std::string name = prefix + variable.toStdString();
        const auto applied = config::applyEnvironmentOverrides(config, environment({{name, value.toStdString()}}));
        QVERIFY(!applied);
        QCOMPARE(applied.error().where, name);
        QVERIFY(applied.error().kind == ErrorKind::badInput);
        QVERIFY(!applied.error().hint.empty());
    }
}

void TestConfigEnvironment::badValueLeavesTheConfigurationAsItWas() {
    auto config = withGroup();
    const auto applied = config::applyEnvironmentOverrides(
        config, environment({{"SIGNALBOX_SMART_ROUTING_MODE", "shadow"}, {"SIGNALBOX_SMART_ROUTING_PROFILE", "x"}}));
    QVERIFY(!applied);
    QVERIFY(config.routing.mode == config::RoutingMode::off);
}

void TestConfigEnvironment::modeNeedsGroups() {
    config::GatewayConfig config;
    QVERIFY(!config::applyEnvironmentOverrides(config, environment({{"SIGNALBOX_SMART_ROUTING_MODE", "shadow"}})));
    QVERIFY(config::applyEnvironmentOverrides(config, environment({{"SIGNALBOX_SMART_ROUTING_MODE", "off"}})));
}

void TestConfigEnvironment::baseUrlOrder() {
    config::Provider provider;
    provider.baseUrl = "http://file";
    provider.baseUrlEnv = "A";
    provider.baseUrlEnvFallbacks = {"B", "C"};
    using Text = std::optional<std::string>;
    QCOMPARE(config::effectiveBaseUrl(provider, environment({{"A", "http://a"}, {"C", "http://c"}})), Text("http://a"));
    QCOMPARE(config::effectiveBaseUrl(provider, environment({{"A", ""}, {"C", "http://c"}})), Text("http://c"));
    QCOMPARE(config::effectiveBaseUrl(provider, environment({})), Text("http://file"));
    QVERIFY(!config::effectiveBaseUrl(config::Provider{}, environment({})));
}

QTEST_APPLESS_MAIN(TestConfigEnvironment)
#include "tst_config_environment.moc"
