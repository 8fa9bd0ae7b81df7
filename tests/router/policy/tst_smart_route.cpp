// SPDX-License-Identifier: MIT
#include "router/policy/explain.h"
#include "tests/router/policy/meeting_policy.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <algorithm>

using namespace signalbox;
using namespace signalbox::policy;
using config::RoutingMode;
using table::Cell;
using table::ConcurrencyMode;
using table::LengthBucket;
using table::WorkloadClass;
using test::contextAt;
using test::meetingPolicy;
using test::request;
using test::route;
using test::says;

namespace {

constexpr Cell kChat{};
constexpr Cell kJson{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::singleStream};
constexpr Cell kManyJson{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::multiConc};

/// "rule 2 moe-k4", "default moe-default", "none" or "not asked", one for each candidate.
QString tableAnswers(const GroupDecision& decision) {
    std::string out;
    for (const auto& answer : decision.tableDecisions) {
        out += out.empty() ? "" : ", ";
        if (!answer) out += "not asked";
        else if (!answer->presetKey) out += "none";
        else out += (answer->ruleIndex ? "rule " + std::to_string(*answer->ruleIndex + 1) : "default") + " " + *answer->presetKey;
    }
    return QString::fromStdString(out);
}

}  // namespace

/// Where a group meets the table, and what cuts a candidate before.
class TestSmartRoute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupAndTable_data();
    void groupAndTable();

    // Whatever the cell, the mode and the bucket: a group never reaches a preset of another provider than the candidate's.
    void theRestrictionHoldsEverywhere() {
        int moved = 0;
        for (const RoutingMode mode : {RoutingMode::off, RoutingMode::shadow, RoutingMode::active}) {
            const auto snapshot = meetingPolicy(mode, 50).build();
            for (std::size_t cell = 0; cell < table::kCellCount; ++cell) {
                for (const std::uint8_t bucket : {0, 49, 50, 99}) {
                    const auto plan = resolve(*snapshot, request("auto", Cell::fromIndex(cell)), contextAt(bucket));
                    QVERIFY(plan && plan->group);
                    QCOMPARE(plan->targets.size(), plan->group->candidateOf.size());
                    for (std::size_t i = 0; i < plan->targets.size(); ++i) {
                        const RouteTarget& target = plan->targets[i];
                        const auto& candidate = snapshot->smart.groups()[0].candidates[plan->group->candidateOf[i]];
                        QCOMPARE(target.providerId, candidate.provider);
                        if (!target.presetKey) continue;
                        ++moved;
                        const auto* binding = snapshot->config->findBinding(*target.presetKey);
                        QVERIFY(binding != nullptr);
                        QCOMPARE(binding->provider, candidate.provider);
                    }
                }
            }
        }
        QVERIFY(moved > 300);
    }

    void theRestrictionIsExplained() {
        const auto snapshot = meetingPolicy(RoutingMode::active, 100).build();
        const auto features = request("auto", kManyJson);
        const auto plan = resolve(*snapshot, features, contextAt(0));
        const auto rules = explainRules(*snapshot, *plan, kManyJson);
        QVERIFY(rules[0].verdict == RuleVerdict::presetElsewhere && rules[1].verdict == RuleVerdict::matched);
        const std::string text = explainText(*snapshot, features, plan);
        for (const char* part : {"Rule 1 (to \"moe-wide\") matches, but its preset is not bound to the provider",
                                 "Group: \"chat\". Mode active (bucket 0, active below 100)", "Candidate 1 \"cloud:big\": score",
                                 "answers \"moe-k4\" by rule 2", "Other profiles would recommend: quality"})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        const OrderedJson json = explainJson(*snapshot, features, plan).at("group");
        QCOMPARE(json.at("selected").get<std::string>(), std::string("lab:moe-26b"));
        QCOMPARE(json.at("candidates").at(1).at("table").at("preset_key").get<std::string>(), std::string("moe-k4"));
        QCOMPARE(json.at("candidates").at(2).at("table").at("preset_key").get<std::string>(), std::string("moe-wide"));
        QCOMPARE(json.at("recommended_by_profile").size(), std::size_t{4});
        double sum = 0;
        for (const auto& [term, value] : json.at("candidates").at(1).at("terms").items()) sum += value.get<double>();
        QVERIFY(std::abs(sum - json.at("candidates").at(1).at("score").get<double>()) < 1e-12);
    }

    void aGapBesideTheChosenModelIsTold() {
        test::PolicyBuilder builder;
        builder.preset("dense-a", "dense", {}, "dense").preset("dense-b", "dense", {}, "dense");
        builder.gap("dense", "workload_class=structured_json", "dense-a").provider("lab", {"dense"}).bind("dense-a", "lab", "a");
        builder.config().routing.groups.push_back({"g", {"auto"}, {}, {{"lab", "dense"}}});
        auto plan = resolve(*builder.build(), request("auto", kJson));
        QCOMPARE(route(plan), QStringLiteral("dense-a@lab:a"));
        QVERIFY(plan->coverage == CoverageMark::gap && plan->gapIndex == 0u && plan->naturalBy == NaturalBy::onlyPreset);
        // The other preset is elsewhere, so what is configured as natural does not count here.
        builder.config().naturalPresets["dense"] = "dense-b";
        QCOMPARE(route(resolve(*builder.build(), request("auto", kChat))), QStringLiteral("dense-a@lab:a"));
        builder.bind("dense-b", "lab", "b");
        plan = resolve(*builder.build(), request("auto", kChat));
        QCOMPARE(route(plan), QStringLiteral("dense-b@lab:b"));
        QVERIFY(plan->naturalBy == NaturalBy::configured && plan->coverage == CoverageMark::none);
        // Nothing natural is left: the candidate serves as it is.
        builder.config().naturalPresets.clear();
        builder.gap("dense", "workload_class=tool_call", "dense-b");
        plan = resolve(*builder.build(), request("auto", kChat));
        QCOMPARE(route(plan), QStringLiteral("-@lab:dense"));
        QVERIFY(plan->naturalBy == NaturalBy::inventory);
    }

    // F62: two candidates that lead to one endpoint are tried once.
    void noEndpointIsListedTwice() {
        auto builder = meetingPolicy(RoutingMode::active, 100);
        builder.config().providers[0].models.push_back("lab-k4");
        builder.config().routing.groups[0].candidates.push_back({"lab", "lab-k4", 0.1, 400});
        const auto plan = resolve(*builder.build(), request("auto", kJson), contextAt(0));
        QCOMPARE(plan->group->plan.attemptOrder.size(), std::size_t{4});
        QCOMPARE(std::count_if(plan->targets.begin(), plan->targets.end(),
                               [](const RouteTarget& target) { return target.model == "lab-k4"; }), 1);
        QCOMPARE(plan->targets.size(), std::size_t{3});
        QCOMPARE(plan->targets[0].presetKey, std::optional<std::string>("moe-k4"));
        QCOMPARE(int(plan->group->candidateOf[0]), 1);
    }

    // S9: in every mode. F57: if all of them cool, they come back and it is said.
    void coolingCandidatesAreLeftOut_data() {
        QTest::addColumn<int>("mode");
        for (const RoutingMode mode : {RoutingMode::off, RoutingMode::shadow, RoutingMode::active})
            QTest::newRow(std::string(toString(mode)).c_str()) << int(mode);
    }
    void coolingCandidatesAreLeftOut() {
        QFETCH(int, mode);
        const auto snapshot = meetingPolicy(static_cast<RoutingMode>(mode)).build();
        RequestContext context = contextAt(0);
        context.readSignals = [](std::size_t, std::span<smart::CandidateSignals> out) { out[0].cooling = true; };
        const auto plan = resolve(*snapshot, request("auto", kJson), context);
        QCOMPARE(plan->targets.front().endpointId(), std::string("lab:lab-k4"));
        QVERIFY(plan->group->plan.candidates[0].cut == smart::Cut::cooldown);
        QVERIFY(plan->group->plan.facts.reasons.contains(smart::Reason::providerCooldownFiltered));

        context.readSignals = [](std::size_t, std::span<smart::CandidateSignals> out) {
            for (auto& now : out) now.cooling = true;
        };
        const auto last = resolve(*snapshot, request("auto", kJson), context);
        QCOMPARE(last->targets.size(), std::size_t{3});
        QVERIFY(last->group->plan.facts.reasons.contains(smart::Reason::allCandidatesCooling));
        QVERIFY(explainText(*snapshot, request("auto", kJson), last).find("last resort") != std::string::npos);
    }

    // The circuit is the endpoint's: what counts is the one that the table sends the candidate to, in this cell.
    void thePresetsOwnCircuitCools() {
        const auto snapshot = meetingPolicy(RoutingMode::active, 100).build();
        RequestContext context = contextAt(0);
        context.isCooling = [](const std::string& endpoint) { return endpoint == "lab:lab-k4"; };
        context.readSignals = [](std::size_t, std::span<smart::CandidateSignals> out) { out[2].cooling = true; };
        const auto json = resolve(*snapshot, request("auto", kJson), context);
        QVERIFY(json->group->plan.candidates[1].cut == smart::Cut::cooldown);
        QVERIFY(json->group->plan.candidates[2].eligible());  // annex:annex-wide is well
        const auto chat = resolve(*snapshot, request("auto", kChat), context);
        QVERIFY(chat->group->plan.candidates[1].eligible());
    }

    // F63, F65: a session's favourite that cools is dropped, and both are told.
    void affinityNeverPins() {
        const auto snapshot = meetingPolicy(RoutingMode::active, 100).build();
        RequestContext context = contextAt(0);
        context.assignment = smart::assign("ann", "session-1", "r");
        const auto before = resolve(*snapshot, request("auto"), context);
        const std::uint16_t favourite = before->group->plan.affinityFavourite.value();
        context.readSignals = [favourite](std::size_t, std::span<smart::CandidateSignals> out) { out[favourite].cooling = true; };
        const auto after = resolve(*snapshot, request("auto"), context);
        QVERIFY(affinityResult(after->group->plan) == smart::AffinityResult::favouriteCut);
        for (const std::uint16_t i : after->group->candidateOf) QVERIFY(i != favourite);
        QVERIFY(explainText(*snapshot, request("auto"), after).find("which was left out") != std::string::npos);
    }

    // F59: without a call the prior decides; a provider that fails is not preferred for being quick about it.
    void whatFailsIsNotPreferred() {
        const auto snapshot = meetingPolicy(RoutingMode::active, 100).build();
        RequestContext context = contextAt(0);
        context.readSignals = [](std::size_t, std::span<smart::CandidateSignals> out) {
            out[1] = {.providerAttempts = 500, .providerSuccesses = 0, .attempts = 500, .latencyEwmaMs = 400};
            out[2] = {.providerAttempts = 500, .providerSuccesses = 500, .attempts = 500, .latencyEwmaMs = 400};
        };
        const auto plan = resolve(*snapshot, request("auto"), context);
        QCOMPARE(int(plan->group->plan.selected), 2);
    }

    // F66: where the keys of a policy stand in the file changes nothing, nor does the scale of its weights.
    void customWeightsDecide() {
        auto builder = meetingPolicy(RoutingMode::active, 100);
        builder.config().routing.policyVersion = "best";
        builder.config().routing.policies = {{"best", {{"balanced", {.quality = 3}}}}, {"other", {{"balanced", {.cost = 1}}}}};
        builder.config().routing.groups[0].candidates[0].quality = 0.9;
        const auto one = resolve(*builder.build(), request("auto"), contextAt(0));
        QCOMPARE(int(one->group->plan.selected), 0);
        std::swap(builder.config().routing.policies[0], builder.config().routing.policies[1]);
        builder.config().routing.policies[1].profiles["balanced"].quality = 300;
        const auto two = resolve(*builder.build(), request("auto"), contextAt(0));
        QCOMPARE(two->group->plan.candidates[0].score, one->group->plan.candidates[0].score);
        QCOMPARE(two->group->plan.weights, one->group->plan.weights);
    }

    void aRefusedGroupKeepsItsCuts() {
        auto builder = meetingPolicy(RoutingMode::shadow);
        for (config::Provider& provider : builder.config().providers) provider.capabilities.vision = false;
        const auto snapshot = builder.build();
        auto features = request("auto");
        features.vision = true;
        std::optional<GroupRefusal> refused;
        const auto plan = resolve(*snapshot, features, contextAt(7), &refused);
        // The request is at fault: no repetition changes what the models can do.
        QVERIFY(!plan && plan.error().kind == ErrorKind::badInput);
        QCOMPARE(plan.error().where, std::string("messages"));
        QVERIFY2(says(plan, "\"cloud:big\" lacks vision"), plan.error().text().c_str());
        QVERIFY(refused.has_value());
        QCOMPARE(int(refused->assignment.bucket), 7);
        QCOMPARE(refused->refusal.candidates.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(refused->refusal.candidates[i].cut == smart::Cut::capability);
            QVERIFY(refused->missing[i].contains(smart::Capability::vision));
        }
        const OrderedJson json = explainJson(*snapshot, features, plan, &*refused);
        QCOMPARE(json.at("group").at("refused").get<std::string>(), std::string("no_eligible_candidate"));
        QCOMPARE(json.at("group").at("candidates").at(0).at("missing").dump(), std::string(R"(["vision"])"));
        QVERIFY(explainText(*snapshot, features, plan, &*refused).find("cut: capability (lacks vision)") != std::string::npos);
        // What was filled once is emptied by the next answer.
        QVERIFY(resolve(*snapshot, request("auto"), contextAt(7), &refused) && !refused);
    }

    void whatCannotBeCalledHasNoCredential() {
        auto builder = meetingPolicy();
        for (config::Provider& provider : builder.config().providers) provider.baseUrl.reset();
        std::optional<GroupRefusal> refused;
        const auto plan = resolve(*builder.build(), request("auto"), {}, &refused);
        QVERIFY2(says(plan, "\"cloud:big\" has no base URL"), plan.error().text().c_str());
        QVERIFY(refused && refused->refusal.error == smart::PlanError::noCredentialReady);
        builder.config().providers[0].baseUrl = "http://127.0.0.1:1";
        QCOMPARE(route(resolve(*builder.build(), request("auto"))), QStringLiteral("moe-default@lab:lab-k1"));
    }

    // Same question, same answer: nothing is remembered between two (F74).
    void askingChangesNothing() {
        const auto snapshot = meetingPolicy(RoutingMode::active, 50).build();
        RequestContext context = contextAt(20);
        const std::string first = explainJson(*snapshot, request("auto", kJson), resolve(*snapshot, request("auto", kJson), context)).dump();
        for (int n = 0; n < 50; ++n) (void)resolve(*snapshot, request("auto", Cell::fromIndex(n % table::kCellCount)), contextAt(n));
        QCOMPARE(explainJson(*snapshot, request("auto", kJson), resolve(*snapshot, request("auto", kJson), context)).dump(), first);
    }
};

void TestSmartRoute::groupAndTable_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("percent");
    QTest::addColumn<int>("bucket");
    QTest::addColumn<int>("cell");
    QTest::addColumn<QString>("served");     // as facts.mode
    QTest::addColumn<QString>("targets");
    QTest::addColumn<QString>("answers");    // of the table, by candidate
    QTest::addColumn<QString>("coverage");
    QTest::addColumn<bool>("disagrees");
    struct Kind {
        const char* name;
        Cell cell;
        const char *lab, *annex, *answers, *coverage;
    };
    // What each lab's presets make of the three kinds of requests. The wide preset's rule comes first for many at once, but
    // "lab" does not serve it; "annex" serves neither the default nor the K=4 sibling.
    const Kind kinds[] = {
        {"chat", kChat, "moe-default@lab:lab-k1", "moe-wide@annex:annex-wide", "not asked, default moe-default, none", "default"},
        {"json", kJson, "moe-k4@lab:lab-k4", "moe-wide@annex:annex-wide", "not asked, rule 2 moe-k4, rule 3 moe-wide", "rule"},
        {"many json", kManyJson, "moe-k4@lab:lab-k4", "moe-wide@annex:annex-wide", "not asked, rule 2 moe-k4, rule 1 moe-wide", "rule"},
    };
    struct Mode {
        const char* name;
        RoutingMode mode;
        int percent, bucket;
        const char* served;
    };
    const Mode modes[] = {{"off", RoutingMode::off, 100, 0, "off_static"},
                          {"shadow", RoutingMode::shadow, 100, 0, "shadow"},
                          {"active 0 %", RoutingMode::active, 0, 0, "canary_control"},
                          {"active 20 %, out", RoutingMode::active, 20, 20, "canary_control"},
                          {"active 20 %, in", RoutingMode::active, 20, 19, "active"},
                          {"active 100 %", RoutingMode::active, 100, 99, "active"}};
    for (const Mode& mode : modes) {
        for (const Kind& kind : kinds) {
            const bool isScored = std::string_view(mode.served) == "active";
            const QString lab = QString::fromUtf8(kind.lab), annex = QString::fromUtf8(kind.annex), cloud = QStringLiteral("-@cloud:big");
            const QString targets = (isScored ? QStringList{lab, annex, cloud} : QStringList{cloud, lab, annex}).join(QLatin1Char(' '));
            QTest::addRow("%s: %s", mode.name, kind.name)
                << int(mode.mode) << mode.percent << mode.bucket << int(kind.cell.index()) << QString::fromUtf8(mode.served)
                << targets << QString::fromUtf8(kind.answers) << QString::fromUtf8(isScored ? kind.coverage : "none")
                << (!isScored && mode.mode != RoutingMode::off);
        }
    }
}

void TestSmartRoute::groupAndTable() {
    QFETCH(int, mode);
    QFETCH(int, percent);
    QFETCH(int, bucket);
    QFETCH(int, cell);
    const auto snapshot = meetingPolicy(static_cast<RoutingMode>(mode), static_cast<std::uint8_t>(percent)).build();
    const auto plan = resolve(*snapshot, request("auto", Cell::fromIndex(static_cast<std::size_t>(cell))),
                              contextAt(static_cast<std::uint8_t>(bucket)));
    QTEST(route(plan), "targets");
    QVERIFY(plan->resolvedBy == ResolvedBy::smartAlias && plan->fallbackAllowed);
    QTEST(QString::fromStdString(std::string(toString(plan->group->plan.facts.mode))), "served");
    QTEST(tableAnswers(*plan->group), "answers");
    QTEST(QString::fromStdString(std::string(toString(plan->coverage))), "coverage");
    QTEST(plan->group->plan.facts.shadowDisagreement, "disagrees");
    QCOMPARE(int(plan->group->plan.recommended), 1);
    QCOMPARE(plan->tableDecision, plan->group->tableDecisions[plan->group->plan.selected]);
}

QTEST_APPLESS_MAIN(TestSmartRoute)
#include "tst_smart_route.moc"
