// SPDX-License-Identifier: MIT
#include "router/policy/explain.h"
#include "tests/router/policy/policies.h"
#include "tests/support/found_by_rows.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using policy::RuleVerdict;
using table::Cell;
using table::ConcurrencyMode;
using table::LengthBucket;
using table::WorkloadClass;
using test::request;

namespace {

constexpr Cell kShortJson{WorkloadClass::structuredJson, LengthBucket::shortOutput, ConcurrencyMode::singleStream};

QString shown(const std::vector<policy::RuleExplanation>& rules) {
    std::string out;
    for (const policy::RuleExplanation& rule : rules) {
        out += std::to_string(rule.ruleIndex) + "=" + std::string(toString(rule.verdict));
        if (rule.differing.size() > 1) out += "+" + std::to_string(rule.differing.size() - 1);
        out += " ";
    }
    return QString::fromStdString(out);
}

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRuleSaysWhy() {
        auto builder = test::moePolicy();
        builder.rule("moe", "moe-wide", std::vector<std::string>{}).rule("other", "moe-wide");
        const auto snapshot = builder.build();
        QCOMPARE(shown(explainRules(*snapshot, "moe", kShortJson)),
                 QStringLiteral("0=concurrency_differs 1=matched 2=shadowed 3=cannot_match "));
        QCOMPARE(shown(explainRules(*snapshot, "moe", {})),
                 QStringLiteral("0=workload_differs+2 1=workload_differs+1 2=workload_differs+1 3=cannot_match "));
        QVERIFY(explainRules(*snapshot, "nobody", {}).empty());
        QVERIFY(explainRules(*snapshot, std::nullopt, {}).empty());
    }

    void judgementIsTheExplanationsVerdict() {
        auto builder = test::moePolicy();
        builder.rule("moe", "moe-wide", std::vector<std::string>{}).rule("other", "moe-wide");
        const auto snapshot = builder.build();
        const std::vector<std::optional<std::string>> families{"moe", "other", "nobody", std::nullopt};
        for (const auto& family : families) {
            for (std::size_t i = 0; i < table::kCellCount; ++i) {
                const Cell cell = Cell::fromIndex(i);
                const auto told = explainRules(*snapshot, family, cell);
                const auto judged = judgeRules(*snapshot, family, cell);
                QCOMPARE(judged.size(), told.size());
                for (std::size_t rule = 0; rule < told.size(); ++rule) {
                    QCOMPARE(judged[rule].ruleIndex, told[rule].ruleIndex);
                    QVERIFY(judged[rule].verdict == told[rule].verdict);
                }
            }
        }
    }

    void textReadsAloud() {
        const auto snapshot = test::moePolicy().build();
        classify::RequestFeatures features = request("moe-26b", kShortJson);
        features.workloadFoundBy = classify::FoundBy::body;
        features.lengthFoundBy = classify::FoundBy::body;
        features.outputCap = 128;
        features.inputTokens = 1;
        features.inFlight = 1;
        const std::string text = explainText(*snapshot, features, resolve(*snapshot, features));
        QCOMPARE(QString::fromStdString(text),
                 QStringLiteral("Model asked for: \"moe-26b\".\n"
                                "Workload: structured_json, read from the body. Input: 1 token, estimated from the text.\n"
                                "Expected output: short, from its limit of 128 tokens.\n"
                                "Concurrency: single_stream, no other request is in flight.\n"
                                "The routing table knows the name.\n"
                                "Family: \"moe\".\n"
                                "  Rule 1 (to \"moe-wide\") does not match: it asks for concurrency multi_conc.\n"
                                "  Rule 2 (to \"moe-k4\") matches. Evidence (measured): bench of moe-k4\n"
                                "  Rule 3 (to \"moe-wide\") would match too, but an earlier rule came first.\n"
                                "Goes to preset \"moe-k4\" at endpoint \"lab:moe-26b\".\n"
                                "Coverage: rule."));
    }

    void itSaysWhereAFeatureComesFrom_data() { test::foundByRows(); }
    void itSaysWhereAFeatureComesFrom() {
        QFETCH(int, by);
        QFETCH(QString, words);
        const auto snapshot = test::moePolicy().build();
        classify::RequestFeatures features = request("moe-26b", kShortJson);
        features.workloadFoundBy = static_cast<classify::FoundBy>(by);
        const QString text = QString::fromStdString(explainText(*snapshot, features, resolve(*snapshot, features)));
        QVERIFY2(text.contains(QStringLiteral("Workload: structured_json, %1. Input").arg(words)), qPrintable(text));
    }

    // Somebody typed it in: no client has set anything.
    void whatWasTypedInIsNotSaidToBeTheClients() {
        const auto snapshot = test::moePolicy().build();
        classify::RequestFeatures features = request("moe-26b", kShortJson);
        features.workloadFoundBy = classify::FoundBy::body;
        features.lengthFoundBy = classify::FoundBy::principal;
        features.inputTokensFoundBy = classify::FoundBy::header;
        features.inputTokens = 1;
        const std::string text = explainText(*snapshot, features, resolve(*snapshot, features), nullptr, "as the form says");
        QVERIFY2(text.find("Workload: structured_json, as the form says. Input: 1 token, as the form says.") != std::string::npos, text.c_str());
        QVERIFY2(text.find("Expected output: short, the principal's default.") != std::string::npos, text.c_str());
    }

    void failuresAreExplainedToo() {
        auto builder = test::moePolicy();
        builder.config().providers.clear();
        const auto snapshot = builder.build();
        const auto features = request("moe-26b", kShortJson);
        const auto plan = resolve(*snapshot, features);
        const std::string text = explainText(*snapshot, features, plan);
        QVERIFY(text.find("Rule 2 (to \"moe-k4\") matches") != std::string::npos);
        QVERIFY(text.find("Cannot be served: preset \"moe-k4\"") != std::string::npos);
        const OrderedJson json = explainJson(*snapshot, features, plan);
        QVERIFY(json.at("plan").is_null());
        QCOMPARE(json.at("error").at("kind").get<std::string>(), std::string("unavailable"));
        QCOMPARE(json.at("decision").at("rule_index").get<int>(), 1);
    }

    void jsonHoldsTheSame() {
        const auto snapshot = test::moePolicy().build();
        const auto features = request("moe-26b", kShortJson);
        const OrderedJson json = explainJson(*snapshot, features, resolve(*snapshot, features));
        QCOMPARE(json.at("policy_hash").get<std::string>(), snapshot->hash);
        QCOMPARE(json.at("decision").at("reason").get<std::string>(), std::string("rule"));
        QCOMPARE(json.at("plan").at("targets").at(0).at("endpoint").get<std::string>(), std::string("lab:moe-26b"));
        QCOMPARE(json.at("plan").at("coverage").get<std::string>(), std::string("rule"));
        QCOMPARE(json.at("rules").size(), std::size_t{3});
        QCOMPARE(json.at("rules").at(0).at("differing").dump(), std::string(R"(["concurrency_differs"])"));
        QVERIFY(json.at("error").is_null());
    }

    void jsonCountsToolsOfBothKinds() {
        const auto snapshot = test::moePolicy().build();
        auto features = request("moe-26b", kShortJson);
        features.toolsOffered = 3;
        features.functionsOffered = 2;
        const OrderedJson json = explainJson(*snapshot, features, resolve(*snapshot, features));
        QCOMPARE(json.at("features").at("tools_offered").get<int>(), 3);
        QCOMPARE(json.at("features").value("functions_offered", -1), 2);
    }

    void gapIsQuoted() {
        test::PolicyBuilder builder;
        builder.preset("dense-plain", "dense", {}, "dense").gap("dense", "workload_class=structured_json", "dense-plain");
        builder.provider("lab", {"dense"});
        const auto snapshot = builder.build();
        const auto features = request("dense", kShortJson);
        const std::string text = explainText(*snapshot, features, resolve(*snapshot, features));
        QVERIFY(text.find("declares this gap: workload_class=structured_json. Next: bench it") != std::string::npos);
        QVERIFY(text.find("No rule matches, and the family has no default.") != std::string::npos);
    }

    void aDefaultNamesTheGapBesideItAndWhatTheRulesAskFor() {
        auto builder = test::moePolicy();
        builder.gap("moe", "workload_class=tool_call AND concurrency_mode=single_stream", "moe-default");
        const auto snapshot = builder.build();
        const auto features = request("moe-26b", {WorkloadClass::toolCall, LengthBucket::longOutput, ConcurrencyMode::singleStream});
        const std::string text = explainText(*snapshot, features, resolve(*snapshot, features));
        QVERIFY2(text.find("declares a gap here too: workload_class=tool_call AND concurrency_mode=single_stream. "
                           "Next: bench it") != std::string::npos, text.c_str());
        QVERIFY2(text.find("Rule 2 (to \"moe-k4\") does not match: it asks for workload structured_json and expected output short.") !=
                     std::string::npos, text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
