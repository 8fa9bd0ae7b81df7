// SPDX-License-Identifier: MIT
#include "router/base/hashing.h"
#include "router/base/json_document.h"
#include "router/policy/canonical.h"
#include "tests/router/policy/policies.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <functional>
#include <set>

using namespace signalbox;

class TestSnapshot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalPoliciesGiveEqualBytes() {
        const auto one = test::moePolicy().build();
        const auto two = test::moePolicy().build();
        QCOMPARE(one->canonicalJson, two->canonicalJson);
        QCOMPARE(one->hash, sha256Hex(one->canonicalJson));
        QCOMPARE(one->hash.size(), std::size_t{64});
        QVERIFY(one->canonicalJson.ends_with("}\n"));
        const OrderedJson json = OrderedJson::parse(one->canonicalJson);
        QCOMPARE(json.at("table").at("sha256").get<std::string>(), std::string("digest-of-the-table"));
        std::string last;
        for (const auto& [key, value] : json.items()) {
            QVERIFY(last < key);
            last = key;
        }
    }

    void whatDecidesChangesTheHash_data() {
        using Change = std::function<void(test::PolicyBuilder&)>;
        QTest::addColumn<Change>("change");
        const auto row = [](const char* tag, Change change) { QTest::newRow(tag) << change; };
        row("base URL", [](auto& b) { b.config().providers[0].baseUrl = "http://evil.example/v1"; });
        row("key name", [](auto& b) { b.config().providers[0].apiKeyEnv = "OTHER_KEY"; });
        row("header value", [](auto& b) { b.config().providers[0].staticHeaders["X-Tenant"] = "2"; });
        row("binding", [](auto& b) { b.bind("moe-k4", "lab"); });
        row("natural preset", [](auto& b) { b.config().naturalPresets["m"] = "moe-k4"; });
        row("alias", [](auto& b) { b.config().aliases["fast"] = "lab:moe-26b"; });
        row("mode", [](auto& b) { b.config().routing.mode = config::RoutingMode::shadow; });
        row("percent", [](auto& b) { b.config().routing.activationPercent = 5; });
        row("provider order", [](auto& b) { b.config().providerOrder = {"lab"}; });
        row("scope", [](auto& b) { b.config().server.concurrencyScope = config::ConcurrencyScope::endpoint; });
        // Who reaches the admin API, and how long a client may take: an apply changes them.
        row("admin from elsewhere", [](auto& b) { b.config().server.adminRemote = true; });
        row("admin token's name", [](auto& b) { b.config().server.adminTokenEnv = "ADMIN_TOKEN"; });
        row("further host", [](auto& b) { b.config().server.hosts = {"gateway.corp"}; });
        row("header timeout", [](auto& b) { b.config().server.headerTimeout = std::chrono::milliseconds(200); });
        row("idle timeout", [](auto& b) { b.config().server.idleTimeout = std::chrono::milliseconds(200); });
        row("metrics page", [](auto& b) { b.config().providers[0].metricsUrl = "auto"; });
        row("stop sequences", [](auto& b) { b.config().providers[0].maxStopSequences = 16; });
        row("price", [](auto& b) { b.config().providers[0].modelPricing["moe-26b"].inputPerMillion = 2; });
        row("capability", [](auto& b) { b.config().providers[0].capabilities.vision = false; });
        row("capability of a model", [](auto& b) { b.config().providers[0].modelCapabilities["moe-26b"].contextTokens = 8192; });
        row("named weights", [](auto& b) { b.config().routing.policies = {{"v2", {{"latency", {.latency = 1}}}}}; });
        // F83: unset and empty differ.
        const auto ann = [&](const char* tag, std::function<void(config::Principal&)> change) {
            row(tag, [change](auto& b) { change(b.config().principals[0]); });
        };
        ann("allowed groups", [](auto& p) { p.allowedGroups = {"chat"}; });
        ann("no group at all", [](auto& p) { p.allowedGroups.emplace(); });
        ann("allowed models", [](auto& p) { p.allowedModels = {"moe-26b"}; });
        ann("allowed providers", [](auto& p) { p.allowedProviders = {"lab"}; });
        ann("requests a minute", [](auto& p) { p.requestsPerMinute = 1; });
        ann("soft budget", [](auto& p) { p.monthlyBudgetSoftUsd = 1; });
        ann("hard budget", [](auto& p) { p.monthlyBudgetHardUsd = 1; });
        ann("pin right", [](auto& p) { p.mayPin = true; });
    }
    void whatDecidesChangesTheHash() {
        QFETCH(std::function<void(test::PolicyBuilder&)>, change);
        auto builder = test::moePolicy();
        builder.config().principals.push_back({.id = "ann"});
        const std::string before = builder.build()->hash;
        change(builder);
        QVERIFY(builder.build()->hash != before);
    }

    void whatDoesNotDecideLeavesIt() {
        auto builder = test::moePolicy();
        const std::string before = builder.build()->hash;
        builder.config().server.port = 1;
        builder.config().server.threads = 7;
        builder.config().evidence.retentionDays = 1;
        builder.config().positions["server.port"] = {1, 1};
        builder.config().providers[0].pricing = config::Pricing{.effectiveAt = "2026-01-01", .source = "price list"};
        const std::string dated = builder.build()->hash;
        builder.config().providers[0].pricing = config::Pricing{};
        QCOMPARE(builder.build()->hash, dated);
        builder.config().providers[0].pricing.reset();
        QCOMPARE(builder.build()->hash, before);
    }

    // Policies from before there were these settings keep the hash that their releases were signed with.
    void whatStandsAtItsDefaultIsNotInIt() {
        const std::string text = test::moePolicy().build()->canonicalJson;
        for (const char* key : {"admin", "header_timeout", "idle_timeout_ms\": 75000", "metrics", "request_budget", "heartbeat", "proxy",
                                "max_stop_sequences"})
            QVERIFY2(text.find(key) == std::string::npos, key);
    }

    // The reader refuses one with a login; what is written down holds none either way.
    void noLoginOfAProxyIsInIt() {
        auto builder = test::moePolicy();
        config::Provider& provider = builder.config().providers[0];
        provider.proxy = "http://proxy.example:3128";
        QVERIFY(builder.build()->canonicalJson.find("\"proxy\": \"http://proxy.example:3128\"") != std::string::npos);
        provider.proxy = "http://ada:planted-9@proxy.example:3128";
        const std::string text = builder.build()->canonicalJson;
        QVERIFY(text.find("ada") == std::string::npos && text.find("planted") == std::string::npos);
        QVERIFY(text.find("@proxy.example:3128") != std::string::npos);
    }

    void howOftenAMetricsPageIsReadCounts() {
        auto builder = test::moePolicy();
        config::Provider& provider = builder.config().providers[0];
        const std::string before = builder.build()->hash;
        provider.metricsInterval = std::chrono::milliseconds(250);
        QCOMPARE(builder.build()->hash, before);  // of a page that nobody reads
        provider.metricsUrl = "auto";
        const std::string often = builder.build()->hash;
        provider.metricsInterval = config::Provider().metricsInterval;
        QVERIFY(builder.build()->hash != often);
    }

    void everyLimitOfAPrincipalCounts() {
        auto builder = test::moePolicy();
        builder.config().principals.push_back({.id = "ann"});
        std::set<std::string> hashes{builder.build()->hash};
        config::Principal& ann = builder.config().principals[0];
        for (auto* list : {&ann.allowedGroups, &ann.allowedModels, &ann.allowedProviders}) {
            list->emplace();
            QVERIFY(hashes.insert(builder.build()->hash).second);
            list->value().emplace_back("x");
            QVERIFY(hashes.insert(builder.build()->hash).second);
        }
        ann.requestsPerMinute = 5;
        QVERIFY(hashes.insert(builder.build()->hash).second);
        ann.monthlyBudgetSoftUsd = 1;
        QVERIFY(hashes.insert(builder.build()->hash).second);
        ann.monthlyBudgetHardUsd = 2;
        QVERIFY(hashes.insert(builder.build()->hash).second);
    }

    void noSecretIsInIt() {
        auto builder = test::moePolicy();
        auto& provider = builder.config().providers[0];
        provider.staticHeaders["Authorization"] = "Bearer s3cr3t-header";
        provider.baseUrl = "https://user:s3cr3t-url@host.example/v1?key=s3cr3t-query";
        provider.metricsUrl = "https://engine.example/metrics?key=s3cr3t-page";
        builder.config().principals.push_back({.id = "ann", .tokenSha256 = std::string(64, 'f')});
        const std::string text = builder.build()->canonicalJson;
        for (const char* secret : {"s3cr3t", "user:", "ffffffff"}) QVERIFY(text.find(secret) == std::string::npos);
        QVERIFY(text.find("@host.example/v1?sha256:") != std::string::npos);
    }

    void urlsWithoutSecrets_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("changed");
        QTest::newRow("plain") << QStringLiteral("http://127.0.0.1:8000/v1") << false;
        QTest::newRow("at sign in path") << QStringLiteral("http://host/a@b") << false;
        QTest::newRow("no scheme") << QStringLiteral("host:80") << false;
        QTest::newRow("user") << QStringLiteral("http://me:pw@host/v1") << true;
        QTest::newRow("user without path") << QStringLiteral("http://me:pw@host") << true;
        QTest::newRow("at sign as its code") << QStringLiteral("http://me:pw%40host/v1") << true;
        QTest::newRow("scheme of another address") << QStringLiteral("me:pw@host?next=http://x") << true;
        QTest::newRow("query before another address") << QStringLiteral("host/v1?pw&u=http://x") << true;
        QTest::newRow("query") << QStringLiteral("http://host?pw") << true;
        QTest::newRow("fragment") << QStringLiteral("http://host/#pw") << true;
    }
    void urlsWithoutSecrets() {
        QFETCH(QString, url);
        QFETCH(bool, changed);
        const QString shown = QString::fromStdString(policy::withoutUrlSecrets(url.toStdString()));
        QCOMPARE(shown != url, changed);
        QVERIFY(!shown.contains(QStringLiteral("pw")));
        QVERIFY(shown.contains(QStringLiteral("host")) || !changed);
    }
};

QTEST_APPLESS_MAIN(TestSnapshot)
#include "tst_snapshot.moc"
