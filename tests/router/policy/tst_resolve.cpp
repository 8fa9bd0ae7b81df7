// SPDX-License-Identifier: MIT
#include "router/policy/resolve.h"
#include "tests/router/policy/policies.h"

#include <QTest>

using namespace signalbox;
using policy::CoverageMark;
using policy::NaturalBy;
using policy::ResolvedBy;
using policy::RoutePlan;
using table::Cell;
using table::ConcurrencyMode;
using table::LengthBucket;
using table::WorkloadClass;
using test::request;

namespace {

constexpr Cell kShortJson{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::singleStream};

/// "resolved_by preset@endpoint coverage", or the error's kind and text.
QString shown(const Result<RoutePlan>& plan) {
    if (!plan) return QStringLiteral("error ") + QString::fromStdString(plan.error().text());
    std::string out{toString(plan->resolvedBy)};
    for (const policy::RouteTarget& target : plan->targets)
        out += " " + target.presetKey.value_or("-") + "@" + target.endpointId();
    out += " " + std::string(toString(plan->coverage));
    if (plan->naturalBy) out += " " + std::string(toString(*plan->naturalBy));
    return QString::fromStdString(out);
}

bool mentions(const Result<RoutePlan>& plan, std::string_view text) {
    return !plan && plan.error().text().find(text) != std::string::npos;
}

test::PolicyBuilder gappyPolicy() {
    test::PolicyBuilder builder;
    builder.preset("dense-chat", "dense-31b", "dense", "dense")
        .preset("dense-plain", "dense-31b", "dense", "dense")
        .gap("dense", "workload_class=structured_json AND concurrency_mode=single_stream", "dense-plain")
        .gap("dense", "concurrency_mode=multi_conc", "dense-plain")
        .gap("all", "workload_class=tool_call", "(same as JSON)")
        .provider("lab", {"dense"});
    return builder;
}

}  // namespace

class TestResolve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tableRuleAndDefault() {
        const auto snapshot = test::moePolicy().bind("moe-k4", "lab", "moe-k4-served").build();
        QCOMPARE(shown(resolve(*snapshot, request("moe-26b", kShortJson))), QStringLiteral("table moe-k4@lab:moe-k4-served rule"));
        QCOMPARE(shown(resolve(*snapshot, request("moe-26b"))), QStringLiteral("table moe-default@lab:moe-26b default"));
        QCOMPARE(shown(resolve(*snapshot, request("moe-wide"))), QStringLiteral("table moe-default@lab:moe-26b default"));
    }

    void bindingGivesServedNameThenModel() {
        test::PolicyBuilder builder;
        builder.preset("a", "model-a", "served-a", "fa", true).preset("b", "model-b", {}, "fb", true);
        builder.provider("lab").bind("a", "lab").bind("b", "lab");
        const auto snapshot = builder.build();
        QCOMPARE(shown(resolve(*snapshot, request("a"))), QStringLiteral("table a@lab:served-a default"));
        QCOMPARE(shown(resolve(*snapshot, request("b"))), QStringLiteral("table b@lab:model-b default"));
    }

    void presetWithoutEndpointSaysWhatToAdd() {
        auto builder = test::moePolicy();
        builder.config().providers.clear();
        builder.provider("other");
        const auto plan = resolve(*builder.build(), request("moe-26b", kShortJson));
        QVERIFY(!plan && plan.error().kind == ErrorKind::unavailable);
        QVERIFY(mentions(plan, "[presets.\"moe-k4\"]") && mentions(plan, "rule 2"));
    }

    void providerWithoutAddressIsNotCalled() {
        auto builder = test::moePolicy();
        builder.config().providers[0].baseUrl.reset();
        auto plan = resolve(*builder.build(), request("moe-26b"));
        QVERIFY(!plan && plan.error().kind == ErrorKind::unavailable);
        QVERIFY2(mentions(plan, "has no base URL") && mentions(plan, "providers.lab"), plan.error().text().c_str());
        builder.provider("spare", {"moe-26b"});
        QCOMPARE(shown(resolve(*builder.build(), request("moe-26b"))), QStringLiteral("table moe-default@spare:moe-26b default"));
    }

    void pins() {
        const auto snapshot = test::moePolicy().build();
        const auto pinned = [&](const char* header) {
            const auto pin = policy::parsePin(header);
            return pin ? resolve(*snapshot, request("anything"), {.pin = *pin}) : Result<RoutePlan>(tl::unexpected(pin.error()));
        };
        QCOMPARE(shown(pinned("preset/moe-k4")), QStringLiteral("pin moe-k4@lab:moe-26b none"));
        QCOMPARE(shown(pinned(" endpoint/lab:moe-26b")), QStringLiteral("pin -@lab:moe-26b none"));
        QVERIFY(!pinned("preset/moe-k4")->fallbackAllowed);
        QVERIFY(mentions(pinned("preset/moe-k5"), "\"moe-k4\""));
        QVERIFY(mentions(pinned("endpoint/lub:moe-26b"), "does not exist"));
        QVERIFY(mentions(pinned("endpoint/lab:nope"), "does not serve"));
        for (const char* bad : {"", "preset", "preset/", "pool/x", "/x"}) QVERIFY(mentions(pinned(bad), "X-Signalbox-Pin"));
    }

    void explicitEndpointNeverCrosses() {
        auto builder = test::moePolicy();
        builder.provider("cloud", {"big", "org/name:tag"});
        const auto snapshot = builder.build();
        auto plan = resolve(*snapshot, request("cloud:big"));
        QCOMPARE(shown(plan), QStringLiteral("explicit_endpoint -@cloud:big none"));
        QVERIFY(!plan->fallbackAllowed && !plan->tableDecision);
        QCOMPARE(shown(resolve(*snapshot, request("cloud:org/name:tag"))), QStringLiteral("explicit_endpoint -@cloud:org/name:tag none"));
        plan = resolve(*snapshot, request("cloud:moe-26b"));
        QVERIFY(!plan && plan.error().kind == ErrorKind::notFound);
        // F34: a colon alone does not make an endpoint.
        QCOMPARE(shown(resolve(*snapshot, request("org/name:tag"))), QStringLiteral("inventory -@cloud:org/name:tag none"));
    }

    void smartAliasInModeOffKeepsConfiguredOrder() {
        auto builder = test::moePolicy();
        builder.provider("cloud", {"big"});
        builder.config().routing.groups.push_back(
            {"chat", {"smart"}, {}, {{"cloud", "big", 0.9, 100, false}, {"gone", "x"}, {"lab", "moe-26b"}, {"cloud", "big"}}});
        const auto plan = resolve(*builder.build(), request("smart"));
        QCOMPARE(shown(plan), QStringLiteral("smart_alias -@lab:moe-26b -@cloud:big none"));
        for (auto& candidate : builder.config().routing.groups[0].candidates) candidate.enabled = false;
        QVERIFY(mentions(resolve(*builder.build(), request("smart")), "routing.groups.chat"));
    }

    // The group chooses the model, the table still chooses among the presets bound to that provider.
    void smartCandidateGoesOnToTheTable() {
        auto builder = test::moePolicy();
        builder.bind("moe-default", "lab", "served-default").bind("moe-k4", "lab", "served-k4");
        builder.config().routing.groups.push_back({"chat", {"smart"}, {}, {{"lab", "moe-26b"}}});
        const auto snapshot = builder.build();
        QCOMPARE(shown(resolve(*snapshot, request("smart", kShortJson))), QStringLiteral("smart_alias moe-k4@lab:served-k4 rule"));
        QCOMPARE(shown(resolve(*snapshot, request("smart"))), QStringLiteral("smart_alias moe-default@lab:served-default default"));
    }

    void staticAliasesRestart() {
        auto builder = test::moePolicy();
        builder.config().aliases = {{"fast", "quick"}, {"quick", "lab:moe-26b"}, {"mine", "moe-26b"}, {"lost", "nowhere"}};
        const auto snapshot = builder.build();
        const auto plan = resolve(*snapshot, request("fast"));
        QCOMPARE(shown(plan), QStringLiteral("static_alias -@lab:moe-26b none"));
        QCOMPARE(plan->steps, (std::vector<std::string>{"fast", "quick"}));
        QVERIFY(!plan->fallbackAllowed);
        QCOMPARE(shown(resolve(*snapshot, request("mine", kShortJson))), QStringLiteral("static_alias moe-k4@lab:moe-26b rule"));
        QVERIFY(mentions(resolve(*snapshot, request("lost")), "alias \"lost\""));
    }

    void aliasLoopsAreNamed() {
        auto builder = test::moePolicy();
        builder.config().aliases = {{"a", "b"}, {"b", "c"}, {"c", "b"}, {"self", "self"}};
        const auto snapshot = builder.build();
        for (const char* name : {"a", "b", "self"}) {
            const auto plan = resolve(*snapshot, request(name));
            QVERIFY(!plan && plan.error().kind == ErrorKind::badInput);
            QVERIFY(mentions(plan, "circle"));
        }
    }

    void naturalPresetInItsOrder() {
        auto builder = gappyPolicy();
        QCOMPARE(shown(resolve(*builder.build(), request("dense"))), QStringLiteral("table dense-plain@lab:dense none gap_fallback"));
        QCOMPARE(shown(resolve(*builder.build(), request("dense-chat"))), QStringLiteral("table dense-chat@lab:dense none only_preset"));
        builder.config().naturalPresets["dense-31b"] = "dense-chat";
        QCOMPARE(shown(resolve(*builder.build(), request("dense"))), QStringLiteral("table dense-chat@lab:dense none configured"));
        builder.config().naturalPresets.clear();
        builder.gap("dense", "workload_class=code_gen", "dense-chat");
        QCOMPARE(shown(resolve(*builder.build(), request("dense"))), QStringLiteral("table -@lab:dense none inventory"));
        builder.config().providers[0].models.clear();
        const auto plan = resolve(*builder.build(), request("dense"));
        QVERIFY(!plan && plan.error().kind == ErrorKind::unavailable);
        QVERIFY(mentions(plan, "natural_for = [\"dense\"]"));
    }

    void aGapCountsOnlyWhereItsCellMatches() {
        const auto snapshot = gappyPolicy().build();
        auto plan = resolve(*snapshot, request("dense", kShortJson));
        QCOMPARE(shown(plan), QStringLiteral("table dense-plain@lab:dense gap gap_fallback"));
        QCOMPARE(plan->gapIndex, std::optional<std::size_t>(0));
        QCOMPARE(shown(resolve(*snapshot, request("dense"))), QStringLiteral("table dense-plain@lab:dense none gap_fallback"));
        // A rule or default that answers is not a gap, although one is declared beside it.
        auto covered = test::moePolicy();
        covered.gap("moe", "workload_class=structured_json", "moe-default");
        plan = resolve(*covered.build(), request("moe-26b", kShortJson));
        QVERIFY(plan->coverage == CoverageMark::rule && !plan->gapIndex);
    }

    void inventoryExactThenPrefixThenPassthrough() {
        test::PolicyBuilder builder;
        builder.provider("first").provider("second", {"exact"}).provider("third");
        auto& providers = builder.config().providers;
        providers[0].modelPrefixes = {"gpt-"};
        providers[2].defaultModel = "gpt-3";
        providers[2].modelPrefixes = {"gpt-4"};
        QCOMPARE(shown(resolve(*builder.build(), request("exact"))), QStringLiteral("inventory -@second:exact none"));
        QCOMPARE(shown(resolve(*builder.build(), request("gpt-4o"))), QStringLiteral("inventory -@first:gpt-4o none"));
        QCOMPARE(shown(resolve(*builder.build(), request("gpt-3"))), QStringLiteral("inventory -@third:gpt-3 none"));
        builder.config().providerOrder = {"third", "missing", "first"};
        QCOMPARE(shown(resolve(*builder.build(), request("gpt-4o"))), QStringLiteral("inventory -@third:gpt-4o none"));
        providers[1].passthroughUnknownModels = providers[2].passthroughUnknownModels = true;
        QCOMPARE(shown(resolve(*builder.build(), request("any"))), QStringLiteral("inventory -@third:any none"));
        builder.config().defaultProvider = "second";
        QCOMPARE(shown(resolve(*builder.build(), request("any"))), QStringLiteral("inventory -@second:any none"));
    }

    void unknownSchemaVersionServesNaturally() {
        auto builder = test::moePolicy();
        builder.table() = table::RoutingTable{};
        builder.table().schemaVersion = 2;
        const auto plan = resolve(*builder.build(), request("moe-26b", kShortJson));
        QCOMPARE(shown(plan), QStringLiteral("inventory -@lab:moe-26b none inventory"));
        QVERIFY(plan->tableDecision->nullCause == policy::NullCause::tableNotApplicable);
    }

    void unknownModelListsNearNames() {
        const auto snapshot = test::moePolicy().build();
        auto plan = resolve(*snapshot, request("moe-26c"));
        QVERIFY(!plan && plan.error().kind == ErrorKind::notFound);
        QVERIFY(mentions(plan, "Did you mean \"moe-26b\""));
        plan = resolve(*snapshot, request(std::string(1'000'000, 'x')));
        QVERIFY(!plan && plan.error().text().size() < 1'000);
        plan = resolve(*snapshot, request(""));
        QVERIFY(!plan && plan.error().kind == ErrorKind::badInput && plan.error().where == "/model");
    }

    // F34: every listed id can be used.
    void everyListedModelResolves() {
        auto builder = test::moePolicy();
        builder.preset("orphan", "orphan-model", {}, "orphan", true);
        builder.provider("cloud", {"字/模型:1", "a b", "😀"});
        builder.config().aliases = {{"fast", "lab:moe-26b"}, {"lost", "nowhere"}};
        builder.config().routing.groups.push_back({"chat", {"smart"}, {}, {{"lab", "moe-26b"}}});
        const auto snapshot = builder.build();
        std::vector<std::string> ids;
        for (const policy::ListedModel& model : listModels(*snapshot)) {
            QVERIFY(resolve(*snapshot, request(model.id)));
            QVERIFY(!model.ownedBy.empty());
            ids.push_back(model.id);
        }
        QCOMPARE(ids, (std::vector<std::string>{"moe-26b-it", "moe-26b", "moe-default", "moe-wide", "moe-k4", "fast", "字/模型:1",
                                                "a b", "😀"}));
        builder.config().routing.mode = config::RoutingMode::shadow;
        const auto shadowed = listModels(*builder.build());
        QVERIFY(std::any_of(shadowed.begin(), shadowed.end(), [](const auto& model) { return model.id == "smart"; }));
    }

    void F34_whatNoRequestCanNameIsNotListed() {
        auto builder = test::moePolicy();
        const std::string most(table::kMaxRequestNameBytes, 'm'), more = most + "m";
        builder.preset("long", most, {}, "long").bind("long", "lab");
        builder.preset("longer", more, {}, "longer").bind("longer", "lab");
        std::set<std::string> ids;
        for (const policy::ListedModel& model : listModels(*builder.build())) ids.insert(model.id);
        QVERIFY(ids.contains("longer") && ids.contains("long") && ids.contains(most));
        QVERIFY(!ids.contains(more));
    }

    void concurrencyIsCountedByFamilyOrEndpoint() {
        auto builder = test::moePolicy();
        builder.config().aliases = {{"mine", "moe-26b"}, {"loop", "loop"}};
        builder.config().routing.groups.push_back({"chat", {"smart"}, {}, {{"lab", "moe-26b"}}});
        const auto byFamily = builder.build();
        for (const char* name : {"moe-26b", "moe-k4", "mine", "smart"})
            QCOMPARE(concurrencyKey(*byFamily, name), std::optional<std::string>("moe"));
        for (const char* name : {"lab:moe-26b", "nobody", "", "loop"}) QVERIFY(!concurrencyKey(*byFamily, name));
        builder.config().server.concurrencyScope = config::ConcurrencyScope::endpoint;
        const auto byEndpoint = builder.build();
        for (const char* name : {"moe-26b", "mine", "smart", "lab:moe-26b"})
            QCOMPARE(concurrencyKey(*byEndpoint, name), std::optional<std::string>("lab:moe-26b"));
        QVERIFY(!concurrencyKey(*byEndpoint, "nobody"));
    }

    // Whoever stands first in a group may be a cloud model that the table does not know; its siblings are counted all the same.
    void aGroupCountsAsTheFirstCandidateThatTheTableKnows() {
        auto builder = test::moePolicy();
        builder.preset("moe-pool", "moe-70b", {}, "moe").provider("cloud", {"big"});
        const auto group = [&](const char* alias, std::vector<config::Candidate> candidates) {
            builder.config().routing.groups.push_back({alias, {alias}, {}, std::move(candidates)});
        };
        const config::Candidate cloud{"cloud", "big"}, lab{"lab", "moe-26b"};
        config::Candidate resting = lab, pool;
        resting.enabled = false;
        pool.pool = "moe-70b";
        group("mixed", {cloud, lab});
        group("pooled", {cloud, pool});
        group("away", {cloud});
        group("resting", {resting, cloud});
        for (const auto scope : {config::ConcurrencyScope::family, config::ConcurrencyScope::endpoint}) {
            builder.config().server.concurrencyScope = scope;
            const auto snapshot = builder.build();
            const std::string key = scope == config::ConcurrencyScope::family ? "moe" : "lab:moe-26b";
            for (const char* name : {"mixed", "pooled"}) QCOMPARE(concurrencyKey(*snapshot, name), std::optional<std::string>(key));
            for (const char* name : {"away", "resting"}) QVERIFY(!concurrencyKey(*snapshot, name));
        }
    }

    // A provider that takes names by their prefix need not list them.
    void aGroupMayBeCalledLikeItsCandidate() {
        auto builder = test::moePolicy();
        builder.provider("cloud");
        builder.config().providers.back().modelPrefixes = {"big-"};
        builder.config().routing.groups.push_back({"chat", {"big-1"}, {}, {{"cloud", "big-1"}}});
        builder.config().routing.groups.push_back({"both", {"big-2"}, {}, {{"cloud", "big-2"}, {"lab", "moe-26b"}}});
        const auto snapshot = builder.build();
        QVERIFY(!concurrencyKey(*snapshot, "big-1"));
        QCOMPARE(concurrencyKey(*snapshot, "big-2"), std::optional<std::string>("moe"));
    }
};

QTEST_APPLESS_MAIN(TestResolve)
#include "tst_resolve.moc"
