// SPDX-License-Identifier: MIT
#include "router/classify/peculiar_words.h"
#include "tests/router/policy/meeting_policy.h"
#include "ui/models/record_words.h"
#include "ui/pages/simulator/answer_words.h"
#include "ui/pages/simulator/path.h"
#include "ui/theme/format.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using config::RoutingMode;
using policy::smart::Profile;
using Kind = FormFields::Kind;
using Policy = std::shared_ptr<const policy::PolicySnapshot>;

namespace {

constexpr table::Cell kJson{table::WorkloadClass::structuredJson, table::LengthBucket::shortOutput, table::ConcurrencyMode::singleStream};

Question asking(const std::string& model, const table::Cell& cell = {}) {
    Question question;
    question.asked = {test::request(model, cell), {1000, 500}};
    return question;
}

QString first(const Simulated& answer) {
    return answer.plan ? format::text(answer.plan->targets.front().endpointId()) : QStringLiteral("refused");
}

const PathStage* stageNamed(const std::vector<PathStage>& stages, const QString& title) {
    for (const PathStage& stage : stages)
        if (stage.title.startsWith(title)) return &stage;
    return nullptr;
}

int lit(const PathStage& stage) {
    return static_cast<int>(std::count_if(stage.steps.begin(), stage.steps.end(), [](const PathStep& step) { return step.isTaken; }));
}

}  // namespace

class SimulationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The simulator has no opinion of its own: the gateway's function answers.
    void answersAsTheGatewayDoes() {
        for (const RoutingMode mode : {RoutingMode::off, RoutingMode::shadow, RoutingMode::active}) {
            const Policy policy = test::meetingPolicy(mode, 100).build();
            for (std::size_t cell = 0; cell < table::kCellCount; ++cell) {
                const Question question = asking("auto", table::Cell::fromIndex(cell));
                const Simulated answer = simulate(policy, question, true);
                QVERIFY(answer.policy == policy);  // nothing supposed: nothing copied
                auto context = test::contextAt(0);
                context.assignment = policy::smart::assign("local", std::nullopt, "");
                const auto plan = policy::resolve(*policy, question.asked.features, context);
                QVERIFY(answer.plan->targets == plan->targets);
                QCOMPARE(answer.plan->group->plan.candidates[1].score, plan->group->plan.candidates[1].score);
            }
        }
    }

    void suppositionsChangeTheAnswerAndNothingElse() {
        const Policy policy = test::meetingPolicy(RoutingMode::off).build();
        const std::string before = policy->hash;
        Question question = asking("auto");
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("cloud:big"));
        question.whatIf.mode = RoutingMode::active;
        question.whatIf.percent = 100;
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("lab:lab-k1"));
        question.whatIf.percent = 0;
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("cloud:big"));
        question.whatIf.percent = 100;
        // The running policy is asked as it is.
        QCOMPARE(first(simulate(policy, question, false)), QStringLiteral("cloud:big"));
        QVERIFY(policy->smart.settings().mode == RoutingMode::off && policy->config->routing.mode == RoutingMode::off);
        QCOMPARE(policy->hash, before);
    }

    void supposedWeightsAreShares() {
        auto builder = test::meetingPolicy(RoutingMode::active, 100);
        builder.config().routing.groups[0].candidates[0].quality = 0.99;
        const Policy policy = builder.build();
        Question question = asking("auto");
        question.whatIf.weights = config::WrittenWeights{50, 0, 0, 0};
        Simulated answer = simulate(policy, question, true);
        QCOMPARE(first(answer), QStringLiteral("cloud:big"));
        QCOMPARE(answer.plan->group->plan.weights, (policy::smart::Weights{.quality = 1}));
        // Of the profile in use alone; the others stay what they are.
        question.profile = Profile::economy;
        answer = simulate(policy, question, true);
        const auto& weights = answer.policy->smart.settings().weights;
        QCOMPARE(weightsOf(weights, Profile::economy), (policy::smart::Weights{.quality = 1}));
        QVERIFY(std::abs(weightsOf(weights, Profile::latency).latency - 0.6) < 1e-12);
    }

    void healthAndCoolingAreSupposedByCandidate() {
        const Policy policy = test::meetingPolicy(RoutingMode::active, 100).build();
        Question question = asking("auto", kJson);
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("lab:lab-k4"));
        // The candidate is lab:moe-26b, the endpoint that cools is the preset's.
        question.whatIf.candidates["lab:moe-26b"].cooling = true;
        Simulated answer = simulate(policy, question, true);
        QVERIFY(answer.plan->group->plan.candidates[1].cut == policy::smart::Cut::cooldown);
        QVERIFY(first(answer) != QStringLiteral("lab:lab-k4"));
        question.whatIf.candidates["lab:moe-26b"].cooling = false;
        question.measured["lab:lab-k4"].cooling = true;
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("lab:lab-k4"));
        question.whatIf.candidates.clear();
        QVERIFY(first(simulate(policy, question, true)) != QStringLiteral("lab:lab-k4"));
        // Successes never exceed the calls.
        question.measured.clear();
        question.whatIf.candidates["lab:moe-26b"] = {.attempts = 10, .successes = 500, .latencyEwmaMs = 90'000};
        answer = simulate(policy, question, true);
        QCOMPARE(answer.plan->group->signals[1].providerSuccesses, std::uint64_t{10});
        QVERIFY(answer.plan->group->plan.candidates[1].latencyMs > 40'000);
    }

    // What it calls the smallest change does turn the result.
    void theSmallestChangeTurnsIt() {
        auto builder = test::meetingPolicy(RoutingMode::active, 100);
        builder.config().routing.groups[0].candidates[2].quality = 0.78;
        const Policy policy = builder.build();
        Question question = asking("auto");
        const Simulated answer = simulate(policy, question, true);
        QVERIFY(answer.nearest && answer.nearest->flip);
        int turned = 0;
        for (const WhyNot& why : answer.whyNot) {
            if (!why.flip || why.flip->term != policy::smart::Term::latency) continue;
            Question changed = question;
            const auto& id = policy->smart.groups()[0].candidates[why.candidate].endpointId;
            changed.whatIf.candidates[id].latencyHintMs = std::floor(why.flip->to);
            QCOMPARE(std::size_t(simulate(policy, changed, true).plan->group->plan.recommended), why.candidate);
            ++turned;
        }
        for (const WhyNot& why : answer.whyNot) {
            if (!why.flip || why.flip->term != policy::smart::Term::quality) continue;
            auto changed = builder;
            changed.config().routing.groups[0].candidates[why.candidate].quality = why.flip->to;
            QCOMPARE(std::size_t(simulate(changed.build(), question, true).plan->group->plan.recommended), why.candidate);
            ++turned;
        }
        QVERIFY(turned > 0);
    }

    // In shadow the least is the mode, and it is said with the bucket of this request.
    void theModeIsTheSmallestChangeInShadow() {
        const Policy policy = test::meetingPolicy(RoutingMode::shadow).build();
        Question question = asking("auto");
        // Without a key nobody can tell which bucket it would be.
        QVERIFY(!smallestChange(question.asked, simulate(policy, question, true)).contains(QStringLiteral("bucket")));
        question.bucket = 41;
        const QString text = smallestChange(question.asked, simulate(policy, question, true));
        QVERIFY2(text.contains(QStringLiteral("at least 42 %")) && text.contains(QStringLiteral("lab:moe-26b")), qPrintable(text));
        question.whatIf.mode = RoutingMode::active;
        question.whatIf.percent = 41;
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("cloud:big"));
        question.whatIf.percent = 42;
        QCOMPARE(first(simulate(policy, question, true)), QStringLiteral("lab:lab-k1"));
    }

    void aTableAnswerNamesTheNearestRule() {
        const Policy policy = test::moePolicy().build();
        const Question question = asking("moe-26b", {table::WorkloadClass::structuredJson, table::LengthBucket::longOutput, {}});
        const Simulated answer = simulate(policy, question, true);
        const QString text = smallestChange(question.asked, answer);
        QVERIFY2(text.contains(words::length(table::LengthBucket::shortOutput)) && text.contains(QStringLiteral("moe-k4")), qPrintable(text));
    }

    void theWayIsLitWhereItGoes() {
        const Policy policy = test::meetingPolicy(RoutingMode::active, 100).build();
        Question question = asking("auto", kJson);
        question.whatIf.candidates["annex:moe-26b"].cooling = true;
        const Simulated answer = simulate(policy, question, true);
        const auto stages = pathOf(question.asked, answer);
        QCOMPARE(stages.size(), std::size_t{5});
        QCOMPARE(lit(*stageNamed(stages, QStringLiteral("Name"))), 1);
        const PathStage* candidates = stageNamed(stages, QStringLiteral("Candidates of chat"));
        QVERIFY(candidates != nullptr);
        QCOMPARE(lit(*candidates), 1);
        QVERIFY(candidates->steps[1].isTaken);
        QCOMPARE(candidates->steps[2].detail, QStringLiteral("cooling down"));
        const PathStage* rules = stageNamed(stages, QStringLiteral("Rules of moe"));
        QVERIFY(rules->steps[1].isTaken && rules->steps[1].title.contains(QStringLiteral("moe-k4")));
        QCOMPARE(lit(*rules), 1);
        const PathStage* endpoint = stageNamed(stages, QStringLiteral("Endpoint"));
        QCOMPARE(endpoint->steps[0].title, QStringLiteral("lab:lab-k4"));
        QVERIFY(endpoint->steps[0].isTaken && !endpoint->steps[1].isTaken);
    }

    void aRefusedGroupShowsWhatIsMissing() {
        auto builder = test::meetingPolicy(RoutingMode::active, 100);
        for (config::Provider& provider : builder.config().providers) provider.capabilities.vision = false;
        Question question = asking("auto");
        question.asked.features.vision = true;
        const Simulated answer = simulate(builder.build(), question, true);
        QVERIFY(!answer.plan && answer.refused);
        QCOMPARE(answer.whyNot.size(), std::size_t{3});
        QCOMPARE(candidateReason(answer, 0), QStringLiteral("lacks vision"));
        const auto stages = pathOf(question.asked, answer);
        QCOMPARE(lit(*stageNamed(stages, QStringLiteral("Candidates"))), 0);
        QVERIFY(!smallestChange(question.asked, answer).isEmpty());
        QVERIFY(answerSentence(question.asked, answer).contains(QStringLiteral("would be refused")));
    }

    void olderFunctionsAreNeedsToo() {
        const auto needs = [](unsigned tools, unsigned functions) {
            Question question = asking("auto");
            question.asked.features.toolsOffered = tools;
            question.asked.features.functionsOffered = functions;
            const auto stages = pathOf(question.asked, simulate(test::meetingPolicy().build(), question, true));
            for (const PathStep& step : stageNamed(stages, QStringLiteral("Features"))->steps)
                if (step.title == QStringLiteral("needs")) return step.detail;
            return QString();
        };
        QCOMPARE(needs(0, 0), QString());
        QVERIFY2(needs(2, 0).startsWith(QStringLiteral("2 tool")), qPrintable(needs(2, 0)));
        QVERIFY2(!needs(2, 0).contains(QStringLiteral("functions")), qPrintable(needs(2, 0)));
        QVERIFY2(needs(2, 1).startsWith(QStringLiteral("3 tool")), qPrintable(needs(2, 1)));
        QVERIFY2(needs(2, 1).endsWith(QStringLiteral(", as functions (the older tools): 1")), qPrintable(needs(2, 1)));
        QVERIFY2(needs(0, 1).startsWith(QStringLiteral("1 tool")), qPrintable(needs(0, 1)));
    }

    // What no capability names is a reason, too.
    void aProtocolWithoutWordsIsAReason() {
        auto builder = test::meetingPolicy(RoutingMode::active, 100);
        builder.config().providers[1].protocol = config::Protocol::anthropic;
        Question question = asking("auto");
        question.asked.features.peculiarities = classify::peculiaritiesNamed({"seed", "message_images", "other_parts"});
        question.asked.features.vision = true;
        builder.config().providers[1].capabilities.vision = false;
        const Simulated answer = simulate(builder.build(), question, true);
        QVERIFY(answer.plan);
        QCOMPARE(candidateReason(answer, 0),
                 QStringLiteral("lacks vision and a seed in its protocol and images beside the text in its protocol and "
                                "parts of that type in its protocol"));
    }

    void anUnknownNameIsExplained() {
        const Question question = asking("moe-26c");
        const Simulated answer = simulate(test::meetingPolicy().build(), question, true);
        const auto stages = pathOf(question.asked, answer);
        QCOMPARE(lit(stages[0]), 0);
        QVERIFY(smallestChange(question.asked, answer).contains(QStringLiteral("moe-26b")));
    }

    // Of several that offer a plain name the first with a key serves, and keys are the gateway's.
    void keysAreNotLookedAt() {
        const QString said = QStringLiteral(" Whether each provider has its key is not looked at here.");
        auto builder = test::meetingPolicy(RoutingMode::active, 100);
        builder.provider("spare", {"big"});
        const Policy policy = builder.build();
        const auto sentence = [&](const char* name) { return answerSentence(asking(name).asked, simulate(policy, asking(name), true)); };
        QVERIFY2(sentence("big").endsWith(QStringLiteral("cloud:big.") + said), qPrintable(sentence("big")));
        for (const char* name : {"auto", "cloud:big", "moe-default", "nothing-like-it"}) QVERIFY2(!sentence(name).contains(said), name);
    }

    void theFormBecomesWhatItSays_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("workload");
        QTest::newRow("chat") << int(Kind::freeChat) << int(table::WorkloadClass::freeChat);
        QTest::newRow("code") << int(Kind::codeGen) << int(table::WorkloadClass::codeGen);
        QTest::newRow("structured") << int(Kind::structured) << int(table::WorkloadClass::structuredJson);
        QTest::newRow("tools") << int(Kind::toolCall) << int(table::WorkloadClass::toolCall);
        QTest::newRow("summary") << int(Kind::summary) << int(table::WorkloadClass::summarization);
    }
    void theFormBecomesWhatItSays() {
        QFETCH(int, kind);
        QFETCH(int, workload);
        FormFields fields;
        fields.kind = static_cast<Kind>(kind);
        fields.model = "auto \"quoted\"";
        fields.outputCap = 200;
        fields.inputTokens = 5000;
        fields.tools = 3;
        fields.parallelTools = true;
        fields.vision = true;
        fields.inFlight = 4;
        const auto asked = fromForm(fields, {});
        QVERIFY2(asked.has_value(), asked ? "" : asked.error().text().c_str());
        // A summary with a limit of output would be told from chat by its input alone.
        const bool isSummary = fields.kind == Kind::freeChat || fields.kind == Kind::codeGen;
        QCOMPARE(int(asked->features.cell.workload), isSummary ? int(table::WorkloadClass::summarization) : workload);
        QCOMPARE(asked->features.model, fields.model);
        QVERIFY(asked->features.cell.length == table::LengthBucket::shortOutput);
        QVERIFY(asked->features.cell.concurrency == table::ConcurrencyMode::multiConc);
        QVERIFY(asked->features.vision);
        QCOMPARE(asked->features.toolsOffered, fields.kind == Kind::toolCall ? 3U : 0U);
        QCOMPARE(asked->features.inputTokens, std::uint64_t{5000});
        QCOMPARE(asked->sizes, (policy::smart::Sizes{5000, 200}));
        fields.inputTokens = 10;
        if (isSummary) QCOMPARE(int(fromForm(fields, {})->features.cell.workload), workload);
    }

    // Its user typed it there; only a real decision knows what a client set.
    void theFormIsNotSaidToBeAClientsHeader() {
        FormFields fields;
        fields.kind = Kind::codeGen;
        fields.model = "moe-26b";
        fields.lengthHint = "short";
        fields.inputTokens = 100;
        const auto details = [](const AskedRequest& asked) {
            QStringList out;
            const auto stages = pathOf(asked, simulate(test::meetingPolicy().build(), {.asked = asked}, true));
            for (const PathStep& step : stageNamed(stages, QStringLiteral("Features"))->steps) out << step.detail;
            return out;
        };
        const QString form = QStringLiteral("as the form says");
        QCOMPARE(details(*fromForm(fields, {})), (QStringList{form, form, QStringLiteral("nobody counted"), form}));
        fields.kind = Kind::structured;  // which stands in the body of a client
        QCOMPARE(details(*fromForm(fields, {})).front(), form);
        fields.kind = Kind::freeChat;
        QCOMPARE(details(*fromForm(fields, {})).front(), QStringLiteral("assumed, because the request does not say"));
        fields.kind = Kind::codeGen;
        evidence::DecisionRecord record;
        record.features = fromForm(fields, {})->features;
        QCOMPARE(details(fromRecord(record)).front(), QStringLiteral("set by the client in a request header"));
    }

    // The same words mean different things in the two APIs: a schema of a tool, and what only one of them can ask for.
    void aBodyIsReadInTheApiItIsWrittenFor() {
        const std::string_view body = R"({"model":"auto","max_tokens":64,"top_k":5,"messages":[{"role":"user","content":"hello"}]})";
        const auto anthropic = fromBody(classify::Dialect::anthropic, body, {}, 1U);
        const auto openai = fromBody(classify::Dialect::openai, body, {}, 1U);
        QVERIFY(anthropic && openai);
        QVERIFY(anthropic->features.dialect == classify::Dialect::anthropic);
        QVERIFY(anthropic->features.peculiarities.contains(classify::Peculiarity::topK));
        QVERIFY(openai->features.dialect == classify::Dialect::openai);
        QVERIFY(!openai->features.peculiarities.contains(classify::Peculiarity::topK));
        QCOMPARE(anthropic->sizes.outputTokens, std::uint64_t{64});
    }

    void aRecordBringsFeaturesAndBucketButNoContent() {
        evidence::DecisionRecord record;
        record.features = test::request("auto", kJson);
        record.group.emplace();
        record.group->inputTokens = 70;
        record.group->outputTokens = 30;
        const AskedRequest asked = fromRecord(record);
        QCOMPARE(asked.sizes, (policy::smart::Sizes{70, 30}));
        QVERIFY(asked.features.cell == kJson);
    }
};

QTEST_APPLESS_MAIN(SimulationTest)
#include "tst_simulation.moc"
