// SPDX-License-Identifier: MIT
#include "router/policy/smart/group.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/document/config_edits.h"

#include <QTest>
#include <QUndoStack>

#include <cmath>

using namespace signalbox;
using namespace signalbox::ui;
namespace smart = signalbox::policy::smart;

class ConfigEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::DraftHarness>();
        QVERIFY(m_harness->open());
        m_before = document().configText();
    }
    void cleanup() { m_harness.reset(); }

    void everyEditIsOneStepThatUndoesToTheSameBytes_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < int(allEdits().size()); ++i) QTest::addRow("edit %d", i) << i;
    }
    void everyEditIsOneStepThatUndoesToTheSameBytes() {
        QFETCH(int, which);
        const auto done = allEdits()[std::size_t(which)](document());
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        QCOMPARE(document().undoStack()->count(), 1);
        QVERIFY(!document().undoStack()->undoText().isEmpty());
        QVERIFY(document().configText() != m_before);
        document().undoStack()->undo();
        QCOMPARE(document().configText(), m_before);
    }

    void addedGroupIsReadBackWhole() {
        config::SmartGroup group;
        group.id = "a b.c";
        group.aliases = {"abc", "a b"};
        group.defaultProfile = "latency";
        group.candidates = {{"lab_a", "gemma-4-26b", 0.75, 321, true}, {"deepseek", "deepseek-v4-flash", 0.5, 1000, false}};
        QVERIFY(edits::addGroup(document(), group).has_value());
        const auto& read = groups().back();
        QCOMPARE(read.id, group.id);
        QCOMPARE(read.aliases, group.aliases);
        QCOMPARE(read.candidates.size(), std::size_t{2});
        QCOMPARE(read.candidates[0].latencyHintMs, std::uint32_t{321});
        QCOMPARE(read.candidates[1].enabled, false);
    }

    // One endpoint or a pool, never both: what served before leaves the file.
    void aPoolTakesTheEndpointsPlaceAndBack() {
        const auto withPools = document().editConfig(QStringLiteral("pools"), [](std::string_view text) -> Result<std::string> {
            std::string out(text);
            for (const char* pool : {"assistant", "triage"})
                out += "\n[[models." + std::string(pool) + ".route]]\nprovider = \"lab_a\"\nmodel = \"gemma-4-26b\"\n";
            return out;
        });
        QVERIFY2(withPools.has_value(), withPools ? "" : withPools.error().text().c_str());
        const std::string bytes = document().configText();
        const config::Candidate before = groups().front().candidates[0];
        QVERIFY(edits::setPool(document(), groups().front().id, 0, "assistant").has_value());
        document().undoStack()->undo();
        QCOMPARE(document().configText(), bytes);
        QVERIFY(edits::setPool(document(), groups().front().id, 0, "assistant").has_value());
        QCOMPARE(groups().front().candidates[0].pool, std::optional<std::string>("assistant"));
        QVERIFY(groups().front().candidates[0].provider.empty());
        QCOMPARE(groups().front().candidates[0].quality, before.quality);
        QVERIFY(edits::setPool(document(), groups().front().id, 0, "triage").has_value());
        QVERIFY(!edits::setPool(document(), groups().front().id, 0, "nobody").has_value());
        QVERIFY(edits::setTarget(document(), groups().front().id, 0, before.provider, before.model).has_value());
        QVERIFY(!groups().front().candidates[0].pool);
        QCOMPARE(groups().front().candidates[0].model, before.model);
        config::Candidate pool;
        pool.pool = "assistant";
        pool.quality = 0.65;
        QVERIFY(edits::addCandidate(document(), groups().front().id, 0, pool).has_value());
        QCOMPARE(groups().front().candidates[0].pool, pool.pool);
        QCOMPARE(groups().front().candidates[0].quality, 0.65);
    }

    void oneFieldChangesOneLine() {  // F80
        QVERIFY(edits::setLatencyHint(document(), "auto", 0, 3900).has_value());
        const QStringList before = QString::fromStdString(m_before).split(QLatin1Char('\n'));
        const QStringList after = QString::fromStdString(document().configText()).split(QLatin1Char('\n'));
        QCOMPARE(after.size(), before.size());
        int changed = 0;
        for (int i = 0; i < before.size(); ++i) changed += before.at(i) != after.at(i);
        QCOMPARE(changed, 1);
    }

    void draggedSliderIsOneStep() {
        for (const double quality : {0.73, 0.74, 0.80}) QVERIFY(edits::setQuality(document(), "auto", 0, quality).has_value());
        QCOMPARE(document().undoStack()->count(), 1);
        QVERIFY(edits::setQuality(document(), "auto", 1, 0.5).has_value());
        QCOMPARE(document().undoStack()->count(), 2);
        document().undoStack()->undo();
        document().undoStack()->undo();
        QCOMPARE(document().configText(), m_before);
    }

    void refusalNamesThePlaceAndChangesNothing() {
        const auto done = edits::setAliases(document(), "auto", {"auto-extract"});
        QVERIFY(!done.has_value());
        QVERIFY2(done.error().message.find("already taken") != std::string::npos, done.error().message.c_str());
        QCOMPARE(document().configText(), m_before);
        QCOMPARE(document().undoStack()->count(), 0);
        // What is said while typing is what the file's validators say.
        const auto judged = edits::judge(document(), edits::withAliases("auto", {"auto-extract"}));
        QVERIFY(!judged.has_value());
        QCOMPARE(judged.error().message, done.error().message);
        QVERIFY(edits::judge(document(), edits::withAliases("auto", {"auto", "other"})).has_value());
        QVERIFY(!edits::judge(document(), edits::withTarget("auto", 0, "lab_a", "gemma-4-27b")).has_value());
    }

    void ownPolicyBeginsWithTheWeightsOfTheOldOne() {
        QVERIFY(edits::makeOwnPolicy(document(), "own v1", smart::builtinWeights()).has_value());
        QCOMPARE(document().undoStack()->count(), 1);
        const auto& routing = document().workspace()->config.config->routing;
        QCOMPARE(routing.policyVersion, std::string("own v1"));
        for (const smart::Profile profile : smart::kProfiles) {
            const smart::Weights own = weightsOf(smart::weightsOfVersion(routing, "own v1"), profile);
            const auto& builtin = weightsOf(smart::builtinWeights(), profile);
            QVERIFY(std::abs(own.quality - builtin.quality) + std::abs(own.cost - builtin.cost) + std::abs(own.latency - builtin.latency) < 1e-12);
        }
        // A scale of one's own: shares come from the sum (F66).
        QVERIFY(edits::setWeights(document(), "own v1", smart::Profile::economy, {1, 6, 2, 1}).has_value());
        const smart::Weights shares = weightsOf(smart::weightsOfVersion(document().workspace()->config.config->routing, "own v1"), smart::Profile::economy);
        QCOMPARE(shares.cost, 0.6);
        QVERIFY(!edits::setWeights(document(), "own v1", smart::Profile::economy, {0, 0, 0, 0}).has_value());
        QVERIFY(!edits::makeOwnPolicy(document(), "builtin-v1", smart::builtinWeights()).has_value());
    }

    void f83SourceOfAValueIsFileDefaultOrEnvironment() {
        m_harness->environment["SIGNALBOX_SMART_ROUTING_MODE"] = "off";
        m_harness->start();
        QVERIFY(m_harness->open());
        const auto workspace = document().workspace();
        QVERIFY2(edits::sourceOf(*workspace, edits::routingPath("mode")).contains(QStringLiteral("SIGNALBOX_SMART_ROUTING_MODE")), qPrintable(edits::sourceOf(*workspace, edits::routingPath("mode"))));
        QVERIFY(edits::sourceOf(*workspace, edits::candidatePath("auto", 0, "quality")).startsWith(QStringLiteral("gateway.toml, line ")));
        QCOMPARE(edits::sourceOf(*workspace, edits::candidatePath("auto", 0, "enabled")), QStringLiteral("default"));
    }

private:
    using Edit = std::function<Result<void>(PolicyDocument&)>;
    static std::vector<Edit> allEdits() {
        config::SmartGroup group;
        group.id = "fresh";
        group.aliases = {"fresh"};
        group.candidates = {{"lab_a", "gemma-4-26b", 0.7, 800, true}};
        const config::Candidate candidate{"lab_b", "qwen3.6-35b", 0.9, 2000, false};
        return {
            [=](PolicyDocument& d) { return edits::addGroup(d, group); },
            [](PolicyDocument& d) { return edits::renameGroup(d, "auto", "auto 2"); },
            [](PolicyDocument& d) { return edits::removeGroup(d, "auto-extract"); },
            [](PolicyDocument& d) { return edits::setAliases(d, "auto", {"auto", "best"}); },
            [](PolicyDocument& d) { return edits::setGroupProfile(d, "auto", "latency"); },
            [](PolicyDocument& d) { return edits::setGroupProfile(d, "auto-extract", std::nullopt); },
            [=](PolicyDocument& d) { return edits::addCandidate(d, "auto", 0, candidate); },
            [=](PolicyDocument& d) { return edits::addCandidate(d, "auto", 2, candidate); },
            [](PolicyDocument& d) { return edits::removeCandidate(d, "auto", 0); },
            [](PolicyDocument& d) { return edits::moveCandidate(d, "auto", 1, 0); },
            [](PolicyDocument& d) { return edits::setTarget(d, "auto", 0, "lab_a", "gemma-4-26b-k4"); },
            [](PolicyDocument& d) { return edits::setQuality(d, "auto", 1, 0.5); },
            [](PolicyDocument& d) { return edits::setEnabled(d, "auto", 1, false); },
            [](PolicyDocument& d) { return edits::makeOwnPolicy(d, "own", smart::builtinWeights()); },
            [](PolicyDocument& d) { return edits::setPolicyVersion(d, "later"); },
            [](PolicyDocument& d) { return edits::setMode(d, config::RoutingMode::active); },
            [](PolicyDocument& d) { return edits::setActivationPercent(d, 10); },
            [](PolicyDocument& d) { return edits::setDefaultProfile(d, "economy"); },
        };
    }
    PolicyDocument& document() { return *m_harness->document; }
    const std::vector<config::SmartGroup>& groups() { return document().workspace()->config.config->routing.groups; }

    std::unique_ptr<test::DraftHarness> m_harness;
    std::string m_before;
};

QTEST_MAIN(ConfigEditsTest)
#include "tst_config_edits.moc"
