// SPDX-License-Identifier: MIT
// F32: what a target's protocol has no words for makes it no choice, and says so.
#include "router/classify/peculiar_words.h"
#include "router/policy/carrying.h"
#include "router/policy/explain.h"
#include "tests/router/policy/meeting_policy.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::policy;
using namespace signalbox::test;
using classify::Dialect;
using classify::Peculiarity;
using classify::PeculiaritySet;
using config::Protocol;

namespace {

PeculiaritySet setOf(std::initializer_list<Peculiarity> all) {
    PeculiaritySet out;
    for (const Peculiarity one : all) out.add(one);
    return out;
}

classify::RequestFeatures asking(std::string model, Dialect dialect, std::initializer_list<Peculiarity> peculiar) {
    classify::RequestFeatures features = request(std::move(model));
    features.dialect = dialect;
    features.peculiarities = setOf(peculiar);
    return features;
}

/// "lab" speaks OpenAI's protocol, "claude" Anthropic's, "sim" both; the group "auto" has them in this order.
PolicyBuilder threeProtocols() {
    PolicyBuilder builder;
    builder.provider("lab", {"m"}).provider("claude", {"c"}).provider("sim", {"s"});
    builder.config().providers[1].protocol = Protocol::anthropic;
    builder.config().providers[2].protocol = Protocol::simulated;
    builder.config().routing.groups.push_back({"chat", {"auto"}, {}, {{"lab", "m"}, {"claude", "c"}, {"sim", "s"}}});
    return builder;
}

config::Model poolOf(const std::string& id, std::vector<std::pair<std::string, std::string>> routes) {
    config::Model out;
    out.id = id;
    for (auto& [provider, model] : routes) {
        config::Route route;
        route.provider = std::move(provider);
        route.model = std::move(model);
        out.routes.push_back(std::move(route));
    }
    return out;
}

}  // namespace

class TestCarrying : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPeculiarityStaysInItsOwnProtocol() {
        for (int i = 0; i < classify::kPeculiarities; ++i) {
            const PeculiaritySet one = setOf({static_cast<Peculiarity>(i)});
            QVERIFY(uncarried(Protocol::openaiCompat, Dialect::openai, one).empty());
            QVERIFY(uncarried(Protocol::anthropic, Dialect::anthropic, one).empty());
            QVERIFY(uncarried(Protocol::simulated, Dialect::openai, one).empty());
            QVERIFY(uncarried(Protocol::simulated, Dialect::anthropic, one).empty());
            QVERIFY(uncarried(Protocol::anthropic, Dialect::openai, one) == one);
            QVERIFY(uncarried(Protocol::openaiCompat, Dialect::anthropic, one) == one);
            QVERIFY(!classify::toString(static_cast<Peculiarity>(i)).empty() && !classify::fieldOf(static_cast<Peculiarity>(i)).empty());
            QVERIFY(!classify::saidOf(static_cast<Peculiarity>(i)).empty());
        }
        QVERIFY(uncarried(Protocol::anthropic, Dialect::openai, {}).empty());
    }

    void singleTargetsNameFieldAndProvider_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"lab:m", "m", "short", "k"}) QTest::newRow(model) << QString::fromLatin1(model);
    }
    void singleTargetsNameFieldAndProvider() {
        QFETCH(QString, model);
        auto builder = threeProtocols();
        builder.config().aliases["short"] = "lab:m";
        builder.preset("k", "m", std::nullopt, "f", true).bind("k", "lab", "m");
        const auto snapshot = builder.build();
        const auto refused = resolve(*snapshot, asking(model.toStdString(), Dialect::anthropic, {Peculiarity::topK, Peculiarity::thinking}));
        QVERIFY2(says(refused, "\"lab\" speaks the OpenAI protocol"), qPrintable(route(refused)));
        QVERIFY2(says(refused, "top_k and thinking"), qPrintable(route(refused)));
        QVERIFY(refused.error().kind == ErrorKind::badInput);
        QCOMPARE(refused.error().where, std::string("top_k"));
        QVERIFY(resolve(*snapshot, asking(model.toStdString(), Dialect::anthropic, {})));
        QVERIFY(resolve(*snapshot, asking(model.toStdString(), Dialect::openai, {Peculiarity::seed})));
    }

    // Sentences that somebody could have said.
    void refusalsReadLikeSentences_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* words, const char* where, const char* says) {
            QTest::newRow(words) << QString::fromLatin1(words).split(QLatin1Char(' ')) << QString::fromLatin1(where)
                                 << QString::fromLatin1(says);
        };
        row("embeddings", "input", "protocol, which has no embeddings. Ask for a model whose provider speaks the OpenAI protocol");
        row("other_fields embeddings", "input", "protocol, which has no embeddings. Ask");
        row("logprobs legacy_completion", "prompt", "protocol, which has no completions of a prompt. Ask");
        row("only_system", "messages",
            "needs a message of the user, the assistant or a tool that says something, and this request has none. Add one, or ask");
        row("call_arguments", "messages",
            "takes the arguments of a tool call as a JSON object only, and those of an earlier call in messages are none. "
            "Correct them, or ask");
        row("temperature", "temperature", "takes no temperature above 1. Lower it, or ask");
        row("stop_words", "stop, stop_sequences", "takes no stop words of white space. Leave them out, or ask");
        row("seed temperature", "seed", "has no words for seed of this request, and takes no temperature above 1. Leave it out, or ask");
        row("files", "messages", "has no words for a file in messages of this request. Leave it out, or ask");
        row("several_choices", "n", "has no words for n above 1 of this request");
        row("other_fields", "a field that only one protocol or engine has",
            "has no words for a field that only one protocol or engine has of");
    }
    void refusalsReadLikeSentences() {
        QFETCH(QStringList, words);
        QFETCH(QString, where);
        QFETCH(QString, says);
        auto features = asking("claude:c", Dialect::openai, {});
        for (const QString& word : words) features.peculiarities.add(classify::peculiaritiesNamed({word.toStdString()}));
        const auto refused = resolve(*threeProtocols().build(), features);
        QVERIFY2(test::says(refused, says.toStdString()), qPrintable(route(refused)));
        QCOMPARE(QString::fromStdString(refused.error().where), where);
    }

    void fieldsThatNobodyKnowsAreNamed() {
        auto builder = threeProtocols();
        builder.config().models = {poolOf("labs", {{"lab", "m"}})};
        builder.config().routing.groups[0].candidates.resize(1);
        const auto snapshot = builder.build();
        for (const char* model : {"lab:m", "labs", "auto"}) {
            auto features = asking(model, Dialect::anthropic, {});
            features.peculiarities.addNamed(Peculiarity::otherFields, "foo");
            const auto refused = resolve(*snapshot, features, contextAt(0));
            QVERIFY2(says(refused, " \"foo\""), qPrintable(route(refused)));
            QVERIFY2(!says(refused, "only one protocol"), qPrintable(route(refused)));
            QCOMPARE(refused.error().where, std::string("foo"));
            features.peculiarities.remove(Peculiarity::otherFields);
            QVERIFY(features.peculiarities.fieldNamed(Peculiarity::otherFields).empty());
        }
    }

    void groupsSayWhichOperationIsMissing() {
        auto builder = threeProtocols();
        builder.config().routing.groups[0].candidates = {{"claude", "c"}};
        const auto refused = resolve(*builder.build(), asking("auto", Dialect::openai, {Peculiarity::embeddings}), contextAt(0));
        QVERIFY2(says(refused, "\"claude:c\" speaks a protocol without embeddings"), qPrintable(route(refused)));
        QCOMPARE(refused.error().where, std::string("input"));
    }

    void pinsAreNoWayRound() {
        const auto snapshot = threeProtocols().build();
        RequestContext context;
        context.pin = Pin{PinKind::endpoint, "claude:c"};
        QVERIFY(says(resolve(*snapshot, asking("m", Dialect::openai, {Peculiarity::severalChoices}), context), "\"claude\""));
        QVERIFY(resolve(*snapshot, asking("m", Dialect::openai, {}), context));
    }

    void embeddingsAndPromptsNeverGoToAnthropic() {
        const auto snapshot = threeProtocols().build();
        for (const Peculiarity kind : {Peculiarity::embeddings, Peculiarity::legacyCompletion}) {
            QVERIFY(!resolve(*snapshot, asking("claude:c", Dialect::openai, {kind})));
            QVERIFY(resolve(*snapshot, asking("lab:m", Dialect::openai, {kind})));
            QVERIFY(resolve(*snapshot, asking("sim:s", Dialect::openai, {kind})));
        }
    }

    void groupsCutWithTheReason() {
        const auto snapshot = threeProtocols().build();
        const auto plan = resolve(*snapshot, asking("auto", Dialect::anthropic, {Peculiarity::thinking}), contextAt(0));
        QVERIFY2(plan, qPrintable(route(plan)));
        QCOMPARE(route(plan), QStringLiteral("-@claude:c -@sim:s"));
        QCOMPARE(plan->group->missing[0].words(), std::vector<std::string>{"thinking"});
        QVERIFY(plan->group->missing[1].empty() && plan->group->missing[2].empty());
        QVERIFY(plan->group->plan.candidates[0].cut == smart::Cut::capability);
        const auto chat = resolve(*snapshot, asking("auto", Dialect::openai, {Peculiarity::seed}), contextAt(0));
        QCOMPARE(route(chat), QStringLiteral("-@lab:m -@sim:s"));
        const std::string text = explainText(*snapshot, asking("auto", Dialect::openai, {Peculiarity::seed}), chat);
        QVERIFY2(text.find("cannot carry seed") != std::string::npos, text.c_str());
    }

    void aGroupWithNothingLeftSaysWhy() {
        auto builder = threeProtocols();
        builder.config().routing.groups[0].candidates.resize(1);
        std::optional<GroupRefusal> refusal;
        const auto refused =
            resolve(*builder.build(), asking("auto", Dialect::anthropic, {Peculiarity::topK}), contextAt(0), &refusal);
        QVERIFY2(says(refused, "cannot carry top_k"), qPrintable(route(refused)));
        QVERIFY(refusal && refusal->missing[0].uncarried() == setOf({Peculiarity::topK}));
        // No repetition changes it: the request is at fault, by this field.
        QVERIFY(refused.error().kind == ErrorKind::badInput);
        QCOMPARE(refused.error().where, std::string("top_k"));
    }

    void aPoolCarriesWhatOneOfItsRoutesCarries() {
        auto builder = threeProtocols();
        builder.config().models = {poolOf("mixed", {{"lab", "m"}, {"claude", "c"}}), poolOf("labs", {{"lab", "m"}})};
        const auto snapshot = builder.build();
        QCOMPARE(route(resolve(*snapshot, asking("mixed", Dialect::anthropic, {Peculiarity::topK}))), QStringLiteral("-@pool:mixed"));
        QCOMPARE(route(resolve(*snapshot, asking("mixed", Dialect::openai, {Peculiarity::seed}))), QStringLiteral("-@pool:mixed"));
        QVERIFY(says(resolve(*snapshot, asking("labs", Dialect::anthropic, {Peculiarity::topK})), "\"labs\""));
    }

    void stopSequencesBeyondAProvidersLimit_data() {
        QTest::addColumn<unsigned>("sent");
        QTest::addColumn<unsigned>("most");
        QTest::addColumn<QString>("lost");
        const auto row = [](const char* tag, unsigned sent, unsigned most, const char* lost) {
            QTest::newRow(tag) << sent << most << QString::fromLatin1(lost);
        };
        row("none", 0, 4, "");
        row("as many as usual", 4, 4, "");
        row("one more", 5, 4, "more than 4 stop sequences");
        row("as many as it takes", 16, 16, "");
        row("more than it takes", 17, 16, "more than 16 stop sequences");
        row("a provider that takes fewer", 3, 2, "more than 2 stop sequences");
    }
    void stopSequencesBeyondAProvidersLimit() {
        QFETCH(unsigned, sent);
        QFETCH(unsigned, most);
        QFETCH(QString, lost);
        PeculiaritySet said;
        if (sent > 4) said.add(Peculiarity::stopWords);  // as classification has it
        const auto of = [&](Protocol protocol, Dialect dialect) { return uncarried(Carrier{protocol, most}, dialect, said, sent); };
        QCOMPARE(QString::fromStdString(cannotCarry(of(Protocol::openaiCompat, Dialect::anthropic))),
                 lost.isEmpty() ? QString() : QStringLiteral("cannot carry ") + lost);
        QVERIFY(of(Protocol::anthropic, Dialect::anthropic).empty() && of(Protocol::simulated, Dialect::anthropic).empty());
        QVERIFY(of(Protocol::openaiCompat, Dialect::openai).empty());
        said.add(Peculiarity::topK);
        QVERIFY(of(Protocol::openaiCompat, Dialect::anthropic).contains(Peculiarity::topK));
        // White space is another matter, and the other way round.
        const PeculiaritySet blank = setOf({Peculiarity::stopWords});
        QVERIFY(uncarried(Carrier{Protocol::anthropic, most}, Dialect::openai, blank, 0) == blank);
    }

    void theLimitOfStopSequencesIsNamed() {
        auto builder = threeProtocols();
        auto features = asking("lab:m", Dialect::anthropic, {Peculiarity::stopWords});
        features.stopSequences = 6;
        const auto refused = resolve(*builder.build(), features);
        QVERIFY2(says(refused, "\"lab\" takes at most 4 stop sequences, and this request has 6"), qPrintable(route(refused)));
        QVERIFY(says(refused, "max_stop_sequences"));
        QCOMPARE(refused.error().where, std::string("stop_sequences"));
        features.peculiarities.add(Peculiarity::topK);
        const auto twice = resolve(*builder.build(), features);
        QVERIFY2(says(twice, "no words for top_k of this request, and takes at most 4"), qPrintable(route(twice)));
        features.peculiarities = setOf({Peculiarity::stopWords});
        builder.config().providers[0].maxStopSequences = 6;
        QCOMPARE(route(resolve(*builder.build(), features)), QStringLiteral("-@lab:m"));
    }

    void groupsCutByTheLimitOfEach() {
        auto builder = threeProtocols();
        auto features = asking("auto", Dialect::anthropic, {});
        features.stopSequences = 3;
        QCOMPARE(route(resolve(*builder.build(), features, contextAt(0))), QStringLiteral("-@lab:m -@claude:c -@sim:s"));
        builder.config().providers[0].maxStopSequences = 2;
        const auto snapshot = builder.build();
        const auto plan = resolve(*snapshot, features, contextAt(0));
        QCOMPARE(route(plan), QStringLiteral("-@claude:c -@sim:s"));
        QCOMPARE(plan->group->missing[0].words(), std::vector<std::string>{"stop_words"});
        const std::string text = explainText(*snapshot, features, plan);
        QVERIFY2(text.find("cannot carry more than 2 stop sequences") != std::string::npos, text.c_str());
    }

    void aPoolTakesWhatOneOfItsProvidersTakes() {
        auto builder = threeProtocols();
        builder.provider("wide", {"w"});
        builder.config().providers[3].maxStopSequences = 16;
        builder.config().models = {poolOf("labs", {{"lab", "m"}, {"wide", "w"}})};
        builder.config().routing.groups.push_back({"pools", {"either"}, {}, {}});
        builder.config().routing.groups[1].candidates.resize(1);
        builder.config().routing.groups[1].candidates[0].pool = "labs";
        const auto snapshot = builder.build();
        for (const char* model : {"labs", "either"}) {
            auto features = asking(model, Dialect::anthropic, {Peculiarity::stopWords});
            features.stopSequences = 16;
            QCOMPARE(route(resolve(*snapshot, features, contextAt(0))), QStringLiteral("-@pool:labs"));
            features.stopSequences = 17;
            const auto refused = resolve(*snapshot, features, contextAt(0));
            QVERIFY2(says(refused, "16 stop sequences"), qPrintable(route(refused)));
            QCOMPARE(refused.error().where, std::string("stop_sequences"));
        }
    }

    // What only some of a pool's providers cannot take is not said of every one.
    void aPoolsLimitIsThatOfEveryProvider() {
        auto builder = threeProtocols();
        builder.provider("wide", {"w"});
        builder.config().models = {poolOf("labs", {{"lab", "m"}, {"wide", "w"}})};
        auto features = asking("labs", Dialect::anthropic, {Peculiarity::stopWords, Peculiarity::topK});
        features.stopSequences = 6;
        const auto both = resolve(*builder.build(), features);
        QVERIFY2(says(both, "no words for top_k of this request, and takes at most 4"), qPrintable(route(both)));
        for (const std::size_t wide : {0U, 3U}) {
            builder.config().providers[0].maxStopSequences = builder.config().providers[3].maxStopSequences = 4;
            builder.config().providers[wide].maxStopSequences = 16;
            const auto refused = resolve(*builder.build(), features);
            QVERIFY2(says(refused, "every provider of the model \"labs\""), qPrintable(route(refused)));
            QVERIFY2(says(refused, "no words for top_k") && !says(refused, "stop sequences"), qPrintable(route(refused)));
            QCOMPARE(refused.error().where, std::string("top_k"));
        }
    }

    void plainRequestsGoEverywhere() {
        const auto snapshot = threeProtocols().build();
        for (const Dialect dialect : {Dialect::openai, Dialect::anthropic})
            QCOMPARE(route(resolve(*snapshot, asking("auto", dialect, {}), contextAt(0))), QStringLiteral("-@lab:m -@claude:c -@sim:s"));
    }
};

QTEST_APPLESS_MAIN(TestCarrying)
#include "tst_carrying.moc"
