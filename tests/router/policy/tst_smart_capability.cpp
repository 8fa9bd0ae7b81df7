// SPDX-License-Identifier: MIT
#include "router/classify/classify.h"
#include "router/policy/smart/capability.h"
#include "router/policy/smart/sizes.h"
#include "tests/router/policy/meeting_policy.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::policy;
using namespace signalbox::policy::smart;
using classify::FoundBy;
using classify::RequestFeatures;

namespace {

struct CapabilityRow {
    const char* name;
    std::function<void(config::Capabilities&)> limit;
    std::function<void(classify::RequestFeatures&)> need;
    Capability missing;
};

std::vector<CapabilityRow> capabilityRows() {
    using C = config::Capabilities;
    using F = classify::RequestFeatures;
    return {
        {"tools", [](C& c) { c.tools = false; }, [](F& f) { f.toolsOffered = 1; }, Capability::tools},
        {"functions", [](C& c) { c.tools = false; }, [](F& f) { f.functionsOffered = 1; }, Capability::tools},
        {"parallel tools", [](C& c) { c.parallelTools = false; },
         [](F& f) { f.toolsOffered = 2; f.parallelTools = true; }, Capability::parallelTools},
        {"structured output", [](C& c) { c.structuredOutput = false; }, [](F& f) { f.structuredOutput = true; },
         Capability::structuredOutput},
        {"vision", [](C& c) { c.vision = false; }, [](F& f) { f.vision = true; }, Capability::vision},
        {"context", [](C& c) { c.contextTokens = 1499; }, [](F& f) { f.outputCap = 500; }, Capability::contextTokens},
        {"output", [](C& c) { c.maxOutputTokens = 499; }, [](F& f) { f.outputCap = 500; }, Capability::maxOutputTokens},
    };
}

}  // namespace

class TestSmartCapability : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingSaidCutsNothing() {
        RequestFeatures features;
        features.toolsOffered = 9;
        features.parallelTools = features.structuredOutput = features.vision = true;
        features.outputCap = UINT64_MAX;
        const Needs needs = needsOf(features, {UINT64_MAX, UINT64_MAX});
        QCOMPARE(needs.contextTokens, std::uint64_t{UINT64_MAX});  // saturates instead of wrapping to something small
        QVERIFY(missing(needs, {}).empty());
        const CapabilitySet all = missing(needs, {false, false, false, false, 1, 1});
        for (const Capability capability : kCapabilities) QVERIFY(all.contains(capability));
    }

    void parallelCallsNeedTools() {
        RequestFeatures features;
        features.parallelTools = true;
        QVERIFY(needsOf(features, {}).features.empty());
        features.functionsOffered = 1;  // one after the other
        QVERIFY(!needsOf(features, {}).features.contains(Capability::parallelTools));
    }

    // Whoever only tells of older calls goes on without them.
    void tellingOfFunctionsAsksForNoTools() {
        RequestFeatures features;
        features.peculiarities.add(classify::Peculiarity::legacyFunctions);
        QVERIFY(needsOf(features, {}).features.empty());
    }

    // Whoever sent the older name must not be told of the newer one.
    void theFieldThatAskedForToolsIsNamed() {
        auto builder = test::meetingPolicy(config::RoutingMode::active, 100);
        for (config::Provider& provider : builder.config().providers) provider.capabilities.tools = false;
        const auto whereOf = [&](const RequestFeatures& features) {
            const auto plan = resolve(*builder.build(), features, test::contextAt(0));
            return plan ? std::string("none") : plan.error().where;
        };
        auto features = test::request("auto");
        features.functionsOffered = 1;
        QCOMPARE(whereOf(features), std::string("functions, function_call"));
        features.toolsOffered = 1;
        QCOMPARE(whereOf(features), std::string("tools"));
    }

    // The caller knows best; a picture's bytes are no tokens; else the planning size counts everything.
    void inputIsTakenFromTheBestSource() {
        RequestFeatures features;
        features.inputTokens = 70;
        QCOMPARE(needsOf(features, {900, 0}).contextTokens, std::uint64_t{900});
        QCOMPARE(needsOf(features, {}).contextTokens, std::uint64_t{70});
        features.vision = true;
        features.mediaBytes = 4 * 830;
        QCOMPARE(needsOf(features, {900, 0}).contextTokens, std::uint64_t{70});
        features.mediaBytes = 4 * 500;  // the other 330 are tools, say
        QCOMPARE(needsOf(features, {900, 0}).contextTokens, std::uint64_t{400});
        features.mediaBytes = UINT64_MAX;
        QCOMPARE(needsOf(features, {900, 0}).contextTokens, std::uint64_t{70});
        features.mediaBytes = 0;
        features.vision = false;
        features.inputTokensFoundBy = FoundBy::header;
        QCOMPARE(needsOf(features, {900, 0}).contextTokens, std::uint64_t{70});
    }

    // A PDF of a megabyte is 1.4 million characters of base64 and some thousand tokens: it must not be cut for its bytes.
    void documentsAndRecordingsAreNoTokens() {
        using classify::Peculiarity;
        for (const Peculiarity one : {Peculiarity::documents, Peculiarity::files, Peculiarity::audio}) {
            RequestFeatures features;
            features.inputTokens = 70;
            features.peculiarities.add(one);
            features.mediaBytes = 1'400'000;
            QCOMPARE(needsOf(features, {350'000, 0}).contextTokens, std::uint64_t{70});
            features.mediaBytes = 0;
            // Its text may be all there is, and what else there is are tools.
            QCOMPARE(needsOf(features, {40'000, 0}).contextTokens, std::uint64_t{40'000});
        }
        RequestFeatures plain;
        plain.inputTokens = 70;
        plain.peculiarities.add(Peculiarity::seed);
        QCOMPARE(needsOf(plain, {900, 0}).contextTokens, std::uint64_t{900});
    }

    void aPictureCountsNothingAndAllElseDoes_data();
    void aPictureCountsNothingAndAllElseDoes();

    // Where the table sends a candidate to an endpoint with a name of its own, what is said of that name decides.
    void thePresetsOwnEndpointIsJudged() {
        using table::Cell;
        const Cell json{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::singleStream};
        auto builder = test::meetingPolicy(config::RoutingMode::active, 100);
        const auto cutOfLab = [&](const Cell& cell) {
            auto features = test::request("auto", cell);
            features.outputCap = 500;
            return resolve(*builder.build(), features, test::contextAt(0))->group->plan.candidates[1].cut;
        };
        auto& said = builder.config().providers[0].modelCapabilities;
        said["lab-k4"].contextTokens = 1499;
        QVERIFY(cutOfLab(json) == Cut::capability);  // to lab-k4
        QVERIFY(cutOfLab(Cell{}) == Cut::none);      // to lab-k1, of which nothing is said
        said["moe-26b"].contextTokens = 1499;
        said["lab-k4"].contextTokens = 1500;
        QVERIFY(cutOfLab(json) == Cut::none);
        QVERIFY(cutOfLab(Cell{}) == Cut::capability);
    }

    // Without a limit the answer takes what there is, so the default planning size cuts nobody.
    void anUnlimitedAnswerFitsAnywhere() {
        const Needs needs = needsOf({}, {100, 4096});
        QVERIFY(missing(needs, {.contextTokens = 100, .maxOutputTokens = 1}).empty());
        RequestFeatures capped;
        capped.outputCap = 2;
        QVERIFY(missing(needsOf(capped, {100, 2}), {.maxOutputTokens = 1}).contains(Capability::maxOutputTokens));
        QVERIFY(missing(needsOf(capped, {100, 2}), {.contextTokens = 101}).contains(Capability::contextTokens));
        QVERIFY(missing(needsOf(capped, {100, 2}), {.contextTokens = 102}).empty());
    }

    void setsHoldWhatWasAdded() {
        for (const Capability one : kCapabilities) {
            CapabilitySet set;
            QVERIFY(set.empty());
            set.add(one);
            for (const Capability other : kCapabilities) QCOMPARE(set.contains(other), one == other);
            QVERIFY(!toString(one).empty());
        }
    }

    void capabilitiesCut_data();
    void capabilitiesCut();
};

/// Each body has its bytes at "@", and much else beside its text.
void TestSmartCapability::aPictureCountsNothingAndAllElseDoes_data() {
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("body");
    const QByteArray schema = R"({"type":"object","properties":{"p":{"description":")" + QByteArray(4000, 'd') + "\"}}}";
    const auto chat = [&](const char* tag, const QByteArray& part) {
        const QByteArray tools = R"({"model":"m","tools":[{"type":"function","function":{"name":"n","parameters":)" + schema + "}}],";
        QTest::newRow(tag) << false << tools + R"("messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},)" + part + "]}]}";
    };
    const auto message = [&](const char* tag, const QByteArray& block) {
        const QByteArray tools = R"({"model":"m","max_tokens":1,"tools":[{"name":"n","input_schema":)" + schema + "}],";
        QTest::newRow(tag) << true << tools + R"("messages":[{"role":"user","content":[)" + block + R"(,{"type":"text","text":"What is it?"}]}]})";
    };
    chat("a picture", R"({"type":"image_url","image_url":{"url":"@"}})");
    chat("a recording", R"({"type":"input_audio","input_audio":{"data":"@"}})");
    chat("a file", R"({"type":"file","file":{"file_data":"@"}})");
    chat("a document", R"({"type":"document_url","document_url":"data:application/pdf;base64,@"})");
    chat("embeddings of a picture", R"({"type":"image_embeds","image_embeds":"@"})");
    chat("a kind newer than us", R"({"type":"shiny","shiny":{"url":"data:image/png;base64,@"}})");
    chat("a picture of an earlier answer",
         R"({"type":"text","text":"x"}]},{"role":"assistant","content":"y","images":[{"type":"image_url","image_url":)"
         R"({"url":"data:image/png;base64,@"}}]},{"role":"user","content":[{"type":"text","text":"z"})");
    message("an image", R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"@"}})");
    message("a document", R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}})");
    message("a fetched document",
            R"({"type":"web_fetch_tool_result","tool_use_id":"t","content":{"type":"web_fetch_result","url":"u","content":)"
            R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}}}})");
    message("an image as a result",
            R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","data":"@"}}]})");
}

void TestSmartCapability::aPictureCountsNothingAndAllElseDoes() {
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, body);
    const auto planned = [&](const QByteArray& bytes) {
        const std::string text = QByteArray(body).replace('@', bytes).toStdString();
        const auto dialect = anthropic ? classify::Dialect::anthropic : classify::Dialect::openai;
        const auto request = classify::classifyBody(dialect, text, {}, {}, 1);
        return request ? plannedInputTokens(request->features, chatSizes(text).sizes) : 0;
    };
    const std::uint64_t without = planned("");
    QVERIFY(without > 1000);
    const std::uint64_t with = planned(QByteArray(400'000, 'A'));
    // What else is said of a part, as its format, is few bytes and may go with it.
    QVERIFY2(with <= without && with + 10 >= without, qPrintable(QString::number(with)));
}

void TestSmartCapability::capabilitiesCut_data() {
    QTest::addColumn<int>("index");
    const auto rows = capabilityRows();
    for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name) << int(i);
}

// Planning sizes are 1,000 in and 500 out.
void TestSmartCapability::capabilitiesCut() {
    QFETCH(int, index);
    const CapabilityRow row = capabilityRows()[static_cast<std::size_t>(index)];
    auto builder = test::meetingPolicy(config::RoutingMode::active, 100);
    auto features = test::request("auto");
    row.need(features);
    // Nobody has said anything: nothing is cut.
    QCOMPARE(resolve(*builder.build(), features, test::contextAt(0))->targets.size(), std::size_t{3});
    // The provider's word counts for its models, and a model's own word wins.
    row.limit(builder.config().providers[0].capabilities);
    auto plan = resolve(*builder.build(), features, test::contextAt(0));
    QVERIFY(plan->group->plan.candidates[1].cut == Cut::capability);
    for (const Capability capability : kCapabilities)
        QCOMPARE(plan->group->missing[1].contains(capability), capability == row.missing);
    QVERIFY(plan->group->missing[0].empty() && plan->group->missing[2].empty());
    QVERIFY(plan->group->plan.facts.reasons.contains(Reason::filteredCapability));
    config::Capabilities able{true, true, true, true, 1500, 500};
    builder.config().providers[0].modelCapabilities["moe-26b"] = able;
    QVERIFY(resolve(*builder.build(), features, test::contextAt(0))->group->plan.candidates[1].eligible());
    // A request that does not need it is served.
    builder.config().providers[0].modelCapabilities.clear();
    plan = resolve(*builder.build(), test::request("auto"), test::contextAt(0));
    QVERIFY(plan->group->plan.candidates[1].eligible());
}

QTEST_APPLESS_MAIN(TestSmartCapability)
#include "tst_smart_capability.moc"
