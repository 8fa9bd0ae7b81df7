// SPDX-License-Identifier: MIT
#include "router/config/source.h"
#include "tests/router/config/config_support.h"

#include <QTest>

using namespace signalbox;
using config::Origin;
using config::Source;

/// F83: every value shows where it comes from: file, environment, default.
class TestConfigSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pathsAreWrittenAsInFindings();
    void fileOrDefault();
    void overridesKeepTheirPlaceInTheFile();
    void baseUrlFollowsItsVariables();
};

namespace {

config::Environment only(std::string name, std::string value) {
    return [=](const std::string& asked) { return asked == name ? std::optional(value) : std::nullopt; };
}

}  // namespace

void TestConfigSource::pathsAreWrittenAsInFindings() {
    QCOMPARE(config::dottedPath({"routing", "groups", "a b", "candidates", std::size_t{2}, "model"}),
             std::string("routing.groups.\"a b\".candidates[2].model"));
    QCOMPARE(config::dottedPath({}), std::string());
}

void TestConfigSource::fileOrDefault() {
    const auto loaded = config::readConfig("[principals.\"a b\"]\ntoken_env = \"T\"\nallowed_models = []\n");
    QVERIFY(loaded.config);
    const auto of = [&](const char* key) { return config::sourceOf(*loaded.config, {}, {"principals", "a b", key}); };
    QVERIFY((of("token_env") == Source{Origin::file, {2, 13}, {}}));
    QVERIFY((of("allowed_models") == Source{Origin::file, {3, 18}, {}}));
    QVERIFY((of("allowed_groups") == Source{}));
    QVERIFY(of("allowed_groups").origin == Origin::byDefault);
}

void TestConfigSource::overridesKeepTheirPlaceInTheFile() {
    const auto loaded = config::readConfig("[routing]\nactivation_percent = 5\n");
    QVERIFY(loaded.config);
    config::GatewayConfig config = *loaded.config;
    const auto overrides = config::applyEnvironmentOverrides(config, only("SIGNALBOX_SMART_ROUTING_ACTIVATION_PERCENT", "7"));
    QVERIFY(overrides);
    QVERIFY((config::sourceOf(config, *overrides, {"routing", "activation_percent"}) ==
             Source{Origin::environment, {2, 22}, "SIGNALBOX_SMART_ROUTING_ACTIVATION_PERCENT"}));
    QVERIFY(config::sourceOf(config, *overrides, {"routing", "mode"}).origin == Origin::byDefault);
    const auto unset = config::applyEnvironmentOverrides(config, only("MODELPORT_SMART_ROUTING_PROFILE", "quality"));
    QVERIFY((config::sourceOf(config, *unset, {"routing", "default_profile"}) ==
             Source{Origin::environment, {}, "MODELPORT_SMART_ROUTING_PROFILE"}));
}

void TestConfigSource::baseUrlFollowsItsVariables() {
    const auto loaded = config::readConfig("[providers.a]\nbase_url = \"http://127.0.0.1:1\"\nbase_url_env = \"FIRST\"\n"
                                           "base_url_env_fallbacks = [\"SECOND\"]\n");
    QVERIFY(loaded.config);
    const config::Path path{"providers", "a", "base_url"};
    const auto with = [&](const config::Environment& environment) { return config::sourceOf(*loaded.config, {}, path, environment); };
    QVERIFY((with({}) == Source{Origin::file, {2, 12}, {}}));
    QVERIFY((with(only("SECOND", "http://127.0.0.1:2")) == Source{Origin::environment, {2, 12}, "SECOND"}));
    QVERIFY((with(only("FIRST", "http://127.0.0.1:2")) == Source{Origin::environment, {2, 12}, "FIRST"}));
    QVERIFY(with(only("FIRST", "")).origin == Origin::file);
    QVERIFY(config::sourceOf(*loaded.config, {}, {"providers", "b", "base_url"}, only("FIRST", "x")).origin == Origin::byDefault);
}

QTEST_APPLESS_MAIN(TestConfigSource)
#include "tst_config_source.moc"
