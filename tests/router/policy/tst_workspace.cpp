// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/policy/workspace.h"
#include "tests/support/vectors.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace signalbox;

namespace {

config::Environment environmentOf(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto it = values.find(name);
        return it == values.end() ? std::nullopt : std::optional(it->second);
    };
}

}  // namespace

class TestWorkspace : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_table = test::vectorsFolder() / "tables-bad/00-good.json";

    std::filesystem::path configFile(std::string_view toml) const {
        const auto path = std::filesystem::path(m_folder.path().toStdString()) / "gateway.toml";
        return writeFileAtomic(path, toml) ? path : std::filesystem::path();
    }

private Q_SLOTS:
    void joinsTableAndConfiguration() {
        const auto file = configFile("[providers.lab]\nbase_url = \"http://127.0.0.1:1/v1\"\npassthrough_unknown_models = true\n");
        const auto workspace = policy::loadWorkspace(m_table, file, environmentOf({}), Timestamp{});
        QVERIFY(workspace && workspace->snapshot);
        QCOMPARE(workspace->snapshot->tableSha256, workspace->table.sha256);
        QVERIFY(workspace->overrides.empty());
    }

    void overridesReachTheSnapshot() {
        const auto file = configFile("[providers.lab]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodels = [\"m\"]\n[routing.groups.g]\n"
                                     "aliases = [\"auto\"]\n[[routing.groups.g.candidates]]\nprovider = \"lab\"\nmodel = \"m\"\n");
        const auto plain = policy::loadWorkspace(m_table, file, environmentOf({}), Timestamp{});
        const auto shadow = policy::loadWorkspace(m_table, file, environmentOf({{"SIGNALBOX_SMART_ROUTING_MODE", "shadow"}}), Timestamp{});
        QVERIFY(plain && plain->snapshot && shadow && shadow->snapshot);
        QCOMPARE(shadow->overrides.size(), std::size_t{1});
        QVERIFY(shadow->snapshot->config->routing.mode == config::RoutingMode::shadow);
        QVERIFY(plain->snapshot->hash != shadow->snapshot->hash);
        QVERIFY(!policy::loadWorkspace(m_table, file, environmentOf({{"SIGNALBOX_SMART_ROUTING_MODE", "sideways"}}), Timestamp{}));
    }

    // Contract A: an unknown version degrades to natural presets, whatever an alias stands for, and the gateway keeps serving.
    void tableOfAnUnknownVersionServesOn() {
        const auto table = std::filesystem::path(m_folder.path().toStdString()) / "later.json";
        QVERIFY(writeFileAtomic(table, "{\"schema_version\": 2}\n").has_value());
        const auto file = configFile("[providers.lab]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[aliases]\nfast = \"amber-base\"\nslow = \"amber:26b\"\n");
        const auto workspace = policy::loadWorkspace(table, file, environmentOf({}), Timestamp{});
        QVERIFY(workspace && workspace->table.table && !workspace->table.table->isApplicable());
        QVERIFY(workspace->snapshot);
        QCOMPARE(workspace->crossFindings.size(), std::size_t{2});
    }

    void anEmptyTableIsAWarningOnlyWhereNothingElseRoutes() {
        const auto table = m_table.parent_path() / "53-no-presets.json";
        const auto count = [](const Findings& findings, Severity severity) {
            return std::count_if(findings.begin(), findings.end(),
                                 [&](const Finding& finding) { return finding.code == "no_presets" && finding.severity == severity; });
        };
        const auto nothing = policy::loadWorkspace(table, {}, environmentOf({}), Timestamp{});
        QVERIFY(nothing && nothing->snapshot);
        QCOMPARE(count(nothing->table.findings, Severity::warning), 1);
        QCOMPARE(count(nothing->table.advisories, Severity::note), 0);
        const auto file = configFile("[providers.lab]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n");
        const auto routed = policy::loadWorkspace(table, file, environmentOf({}), Timestamp{});
        QVERIFY(routed && routed->snapshot);
        QCOMPARE(count(routed->table.findings, Severity::warning), 0);
        QCOMPARE(count(routed->table.advisories, Severity::note), 1);
        // The table that was read before is judged anew with every change of the other file.
        const auto again = policy::withTexts(*routed, std::nullopt, std::string("[providers.lab]\nprotocol = \"simulated\"\n"), environmentOf({}), Timestamp{});
        QVERIFY(again);
        QCOMPARE(count(again->table.findings, Severity::warning), 1);
        QCOMPARE(count(again->table.advisories, Severity::note), 0);
    }

    void emptyPathsStandForNothing() {
        const auto workspace = policy::loadWorkspace({}, {}, environmentOf({}), Timestamp{});
        QVERIFY(workspace && workspace->snapshot);
        QVERIFY(workspace->snapshot->table->presets.empty());
    }

    void whatIsWrongIsReportedAndNothingIsHalfLoaded() {
        const auto missing = policy::loadWorkspace(m_table.parent_path() / "nowhere.json", {}, environmentOf({}), Timestamp{});
        QVERIFY(!missing);
        QVERIFY(missing.error().where.find("nowhere.json") != std::string::npos);
        const auto badTable = policy::loadWorkspace(m_table.parent_path() / "10-truncated.json", {}, environmentOf({}), Timestamp{});
        QVERIFY(badTable && !badTable->snapshot && hasErrors(badTable->table.findings));
        const auto badConfig = policy::loadWorkspace(m_table, configFile("[providers.lab]\nprotocol = \"gopher\"\n"),
                                                     environmentOf({}), Timestamp{});
        QVERIFY(badConfig && !badConfig->snapshot && hasErrors(badConfig->config.findings));
    }
};

QTEST_APPLESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
