// SPDX-License-Identifier: MIT
// What no target can do for a request because of the request itself: a 400 that names the field, on either edge.
#include "tests/router/gateway/messages_script.h"

#include "router/base/json_document.h"
#include "router/classify/classify.h"
#include "router/gateway/member_at_fault.h"
#include "router/gateway/upstream_request.h"

#include <map>
#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using classify::Dialect;
using classify::Peculiarity;

namespace {

const std::string kHello = R"("messages":[{"role":"user","content":"hello"}])";

OrderedJson errorIn(const std::optional<RawResponse>& response) {
    const auto body = OrderedJson::parse(response->body, nullptr, false);
    return body.is_object() ? body.value("error", OrderedJson::object()) : OrderedJson::object();
}

std::string textIn(const OrderedJson& error, const char* key) {
    const auto found = error.find(key);
    return found != error.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string candidate(const std::string& provider, const std::string& model, const std::string& more = {}) {
    return "\n[[routing.groups.g.candidates]]\nprovider = \"" + provider + "\"\nmodel = \"" + model + "\"\n" + more;
}

std::string group(const std::string& candidates) { return "\n[routing.groups.g]\naliases = [\"auto\"]\n" + candidates; }

/// Of a pool `chat`, of whose two `up` speaks the Anthropic protocol.
const std::string kUpRoute = "\n[[models.chat.route]]\nprovider = \"up\"\nmodel = \"model-a\"\n";
const std::string kOtherRoute = "\n[[models.chat.route]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n";

} // namespace

class RequestFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void openAiNamesTheMember_data();
    void openAiNamesTheMember();
    void openAiNamesMessages();
    void anthropicSaysItInWords_data();
    void anthropicSaysItInWords();
    void whatOneMemberSaysForAnotherIsNamed();
    void anotherCandidateServes_data();
    void anotherCandidateServes();
    void anotherCandidateServesMessages_data();
    void anotherCandidateServesMessages();
    void groupsCutByTheRequest_data();
    void groupsCutByTheRequest();
    void poolsCutByTheRequest_data();
    void poolsCutByTheRequest();
    void toldOfFunctionsOnly();
    void stopSequencesByTheProvidersLimit_data();
    void stopSequencesByTheProvidersLimit();
    void memberAtFault_data();
    void memberAtFault();
    void sizesAreReadWhereSomebodyNeedsThem();
};

void RequestFaultsTest::openAiNamesTheMember_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* tag, const char* members, const char* param) {
        QTest::newRow(tag) << QString::fromUtf8(members) << QString::fromLatin1(param);
    };
    row("seed", R"("seed":7)", "seed");
    row("one of two", R"("presence_penalty":0.5,"frequency_penalty":null)", "presence_penalty");
    row("a field that nobody knows", R"("my_field":1)", "my_field");
    row("an engine's grammar", R"("guided_regex":"a+")", "guided_regex");
    row("a format", R"("response_format":{"type":"json_object"})", "response_format");
    row("temperature", R"("temperature":1.5)", "temperature");
    row("effort", R"("reasoning_effort":"minimal")", "reasoning_effort");
    row("the first of several", R"("seed":1,"n":2)", "n");
}

void RequestFaultsTest::openAiNamesTheMember() {
    QFETCH(QString, members);
    QFETCH(QString, param);
    GatewayFixture gateway(anthropicUpstream());
    const auto response = gateway.post(R"({"model":"model-a",)" + members.toStdString() + "," + kHello + "}");
    QCOMPARE(response->status, 400);
    const OrderedJson error = errorIn(response);
    QCOMPARE(QString::fromStdString(textIn(error, "param")), param);
    QCOMPARE(textIn(error, "type"), std::string("invalid_request_error"));
    QVERIFY(textIn(error, "message").find("\"up\"") != std::string::npos);
    QVERIFY2(textIn(error, "message").find(param.toStdString()) != std::string::npos, response->body.c_str());
    QVERIFY(gateway.upstream().requests().empty());
}

// Its errors have no `param`; whoever asks a provider, a group or a pool reads the name all the same.
void RequestFaultsTest::anthropicSaysItInWords_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("says");
    const std::map<const char*, const char*> members{{"top_k", R"("top_k":5)"},
                                                     {"foo", R"("foo":1)"},
                                                     {"output_config.shape", R"("output_config":{"shape":1})"},
                                                     {"container", R"("container":"c")"},
                                                     {"mcp_servers", R"("mcp_servers":[{"type":"url","url":"u","name":"n"}])"},
                                                     {"frequency_penalty", R"("frequency_penalty":1)"}};
    for (const char* model : {"other:elsewhere", "auto", "chat"})
        for (const auto& [says, member] : members)
            QTest::addRow("%s of %s", says, model)
                << QString::fromLatin1(model) << QString::fromLatin1(member) << QString::fromLatin1(says);
}

void RequestFaultsTest::anthropicSaysItInWords() {
    QFETCH(QString, model);
    QFETCH(QString, members);
    QFETCH(QString, says);
    FixtureOptions options = anthropicUpstream();
    options.more = group(candidate("other", "elsewhere")) + "\n[models.chat]\nrouter = \"fixed\"\n" + kOtherRoute;
    GatewayFixture gateway(options);
    const auto response =
        postMessage(gateway, R"({"model":")" + model.toStdString() + R"(","max_tokens":9,)" + members.toStdString() + "," + kHello + "}");
    QCOMPARE(response->status, 400);
    QCOMPARE(textIn(errorIn(response), "type"), std::string("invalid_request_error"));
    QVERIFY2(textIn(errorIn(response), "message").find(says.toStdString()) != std::string::npos, response->body.c_str());
    QVERIFY2(textIn(errorIn(response), "message").find("only one protocol") == std::string::npos, response->body.c_str());
}

// Where the words of planning speak of something else, the member stands before them. A pool of two reasons knows words alone.
void RequestFaultsTest::whatOneMemberSaysForAnotherIsNamed() {
    FixtureOptions options = anthropicUpstream();
    options.more = "\n[models.chat]\nrouter = \"fixed\"\n" + kUpRoute + kOtherRoute + "\n[providers.up.capabilities]\ntools = false\n";
    GatewayFixture gateway(options);
    const std::string tools = R"("tools":[{"name":"n","input_schema":{"type":"object"}}],)";
    const auto response = postMessage(gateway, R"({"model":"chat","max_tokens":9,"foo":1,)" + tools + kHello + "}");
    QCOMPARE(response->status, 400);
    const std::string message = textIn(errorIn(response), "message");
    for (const char* words : {"tools", "other:elsewhere cannot carry \"foo\""})
        QVERIFY2(message.find(words) != std::string::npos, message.c_str());
    dispatch::UpstreamFailure failure;
    failure.kind = dispatch::UpstreamFailure::Kind::refused;
    failure.status = 400;
    failure.message = "p lacks other_fields";
    failure.where = classify::fieldOf(Peculiarity::otherFields);
    const auto named = gateway::attemptError(failure, Dialect::anthropic, R"({"foo":1})");
    QCOMPARE(named.message, std::string("foo: p lacks other_fields"));
    QCOMPARE(named.param, std::string("foo"));
}

// The candidate of the right protocol gets what a translation would have refused.
void RequestFaultsTest::anotherCandidateServes_data() {
    QTest::addColumn<QString>("messages");
    QTest::newRow("messages of the system alone") << QStringLiteral(R"([{"role":"system","content":"Say hi."}])");
    QTest::newRow("arguments that are no object")
        << QStringLiteral(R"([{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"i","type":"function",)"
                          R"("function":{"name":"n","arguments":"not json"}}]},{"role":"tool","tool_call_id":"i","content":"y"}])");
    QTest::newRow("a part that nobody knows")
        << QStringLiteral(R"([{"role":"user","content":[{"type":"document_url","document_url":"https://h/d.pdf"},)"
                          R"({"type":"text","text":"x"}]}])");
    QTest::newRow("a picture of an earlier answer")
        << QStringLiteral(R"([{"role":"user","content":"x"},{"role":"assistant","content":"y","images":[)"
                          R"({"type":"image_url","image_url":{"url":"https://h/p.png"}}]},{"role":"user","content":"z"}])");
}

void RequestFaultsTest::anotherCandidateServes() {
    QFETCH(QString, messages);
    FixtureOptions options = anthropicUpstream();
    options.more = group(candidate("up", "model-a") + candidate("other", "elsewhere"));
    GatewayFixture gateway(options);
    const auto response = gateway.post(R"({"model":"auto","messages":)" + messages.toStdString() + "}");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    QVERIFY(gateway.upstream().requests().empty());
    // Not tried, and not refused at an attempt: cut, with the reason in the record.
    QVERIFY(!gateway.records().back().group->candidates.at(0).missing.empty());
}

void RequestFaultsTest::anotherCandidateServesMessages_data() {
    QTest::addColumn<QString>("members");
    const auto row = [](const char* tag, const char* members) { QTest::newRow(tag) << QString::fromLatin1(members); };
    row("a block that nobody knows", R"("messages":[{"role":"user","content":[{"type":"hologram"},{"type":"text","text":"x"}]}])");
    row("a picture that the assistant shows",
        R"("messages":[{"role":"user","content":"x"},{"role":"assistant","content":[)"
        R"({"type":"image","source":{"type":"url","url":"https://h/a"}}]},{"role":"user","content":"y"}])");
    row("a picture for the system",
        R"("system":[{"type":"image","source":{"type":"url","url":"https://h/a"}}],"messages":[{"role":"user","content":"x"}])");
}

void RequestFaultsTest::anotherCandidateServesMessages() {
    QFETCH(QString, members);
    FixtureOptions options = anthropicUpstream();
    options.more = group(candidate("other", "elsewhere") + candidate("up", "model-a"));
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto& request) { return messageReply(request); });
    const auto response = postMessage(gateway, R"({"model":"auto","max_tokens":9,)" + members.toStdString() + "}");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("up:model-a"));
    QVERIFY(gateway.other().requests().empty());
    QCOMPARE(gateway.records().back().group->candidates.at(0).missing, std::vector<std::string>{"other_parts"});
}

void RequestFaultsTest::groupsCutByTheRequest_data() {
    QTest::addColumn<QString>("candidates");
    QTest::addColumn<QString>("members");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* tag, const std::string& candidates, const char* members, int status, const char* param) {
        QTest::newRow(tag) << QString::fromStdString(candidates) << QString::fromUtf8(members) << status << QString::fromLatin1(param);
    };
    const char* const tools = R"("tools":[{"type":"function","function":{"name":"n"}}])";
    row("what its protocol cannot carry", candidate("up", "model-a"), R"("seed":7)", 400, "seed");
    row("what the model lacks", candidate("up", "model-b"), tools, 400, "tools");
    row("the older name of tools", candidate("other", "elsewhere"), R"("functions":[{"name":"n"}])", 400, "functions");
    row("the older name, to be called by nobody", candidate("other", "elsewhere"),
        R"("functions":[{"name":"n"}],"function_call":"none")", 400, "functions");
    row("tools to be called by nobody", candidate("other", "elsewhere"),
        R"("tools":[{"type":"function","function":{"name":"n"}}],"tool_choice":"none")", 400, "tools");
    row("no functions", candidate("other", "elsewhere"), R"("functions":[],"function_call":"none")", 200, "");
    row("the first reason", candidate("up", "model-b") + candidate("up", "model-a"),
        R"("seed":7,"tools":[{"type":"function","function":{"name":"n"}}])", 400, "tools");
    row("beside one that is switched off", candidate("up", "model-a") + candidate("other", "elsewhere", "enabled = false\n"),
        R"("seed":7)", 400, "seed");
    row("beside one that lacks its key", candidate("up", "model-a") + candidate("keyless", "k"), R"("seed":7)", 503, "");
}

void RequestFaultsTest::groupsCutByTheRequest() {
    QFETCH(QString, candidates);
    QFETCH(QString, members);
    QFETCH(int, status);
    QFETCH(QString, param);
    FixtureOptions options = anthropicUpstream();
    options.providerLines += "\n[providers.up.model_capabilities.\"model-b\"]\ntools = false\n";
    options.more = "\n[providers.other.capabilities]\ntools = false\n\n[providers.keyless]\nmodels = [\"k\"]\n" +
                   group(candidates.toStdString());
    GatewayFixture gateway(options);
    const auto response = gateway.post(R"({"model":"auto",)" + members.toStdString() + "," + kHello + "}");
    QCOMPARE(response->status, status);
    QCOMPARE(QString::fromStdString(textIn(errorIn(response), "param")), param);
    QCOMPARE(response->header("retry-after").empty(), status != 503);
    QVERIFY(gateway.records().back().group.has_value());
    QCOMPARE(gateway.records().back().status, status);
}

// No route is left for different reasons, so that planning alone would let it pass.
void RequestFaultsTest::poolsCutByTheRequest_data() {
    QTest::addColumn<QString>("router");
    QTest::addColumn<QString>("asks");
    QTest::addColumn<bool>("otherFirst");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* tag, const char* router, const char* asks, bool otherFirst, const char* param) {
        QTest::newRow(tag) << QString::fromLatin1(router) << QString::fromLatin1(asks) << otherFirst << QString::fromLatin1(param);
    };
    const char* const fixed = "router = \"fixed\"\n";
    const char* const tools = R"("tools":[{"type":"function","function":{"name":"n"}}])";
    row("fixed", fixed, tools, false, "seed");
    row("routewise", "router = \"routewise\"\nrouter_params = { reference_api_price = 1.0 }\n", tools, false, "seed");
    row("the first member's reason", fixed, tools, true, "tools");
    row("the older name of tools", fixed, R"("functions":[{"name":"n"}])", true, "functions");
    row("the older name beside no tools", fixed, R"("tools":[],"functions":[{"name":"n"}])", true, "functions");
}

void RequestFaultsTest::poolsCutByTheRequest() {
    QFETCH(QString, router);
    QFETCH(QString, asks);
    QFETCH(bool, otherFirst);
    QFETCH(QString, param);
    FixtureOptions options = anthropicUpstream();
    options.more = "\n[models.chat]\n" + router.toStdString() + (otherFirst ? kOtherRoute + kUpRoute : kUpRoute + kOtherRoute);
    options.more += "\n[providers.other.capabilities]\ntools = false\n";
    GatewayFixture gateway(options);
    const auto response = gateway.post(R"({"model":"chat","seed":7,)" + asks.toStdString() + "," + kHello + "}");
    QCOMPARE(response->status, 400);
    QCOMPARE(QString::fromStdString(textIn(errorIn(response), "param")), param);
    const std::string message = textIn(errorIn(response), "message");
    QVERIFY2(message.find("up:model-a lacks seed") != std::string::npos, message.c_str());
    QVERIFY2(message.find("other:elsewhere lacks tools") != std::string::npos, message.c_str());
    QVERIFY(response->header("retry-after").empty());
    QVERIFY(gateway.upstream().requests().empty() && gateway.other().requests().empty());
}

// A conversation that only tells of older calls asks no model for tools.
void RequestFaultsTest::toldOfFunctionsOnly() {
    FixtureOptions options;
    options.more = group(candidate("other", "elsewhere")) + "\n[providers.other.capabilities]\ntools = false\n";
    GatewayFixture gateway(options);
    const auto response = gateway.post(
        R"({"model":"auto","messages":[{"role":"assistant","content":null,"function_call":{"name":"n","arguments":"{}"}},)"
        R"({"role":"function","name":"n","content":"4"},{"role":"user","content":"thanks"}]})");
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
}

void RequestFaultsTest::stopSequencesByTheProvidersLimit_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("stops");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* tag, const char* line, const char* stops, const char* says) {
        QTest::newRow(tag) << QString::fromLatin1(line) << QString::fromLatin1(stops) << QString::fromLatin1(says);
    };
    row("more than usual", "", R"("a","b","c","d","e")", "at most 4 stop sequences, and this request has 5");
    row("as many as it takes", "max_stop_sequences = 5\n", R"("a","b","c","d","e")", "");
    row("more than it takes", "max_stop_sequences = 2\n", R"("a","b","c")", "at most 2 stop sequences, and this request has 3");
}

void RequestFaultsTest::stopSequencesByTheProvidersLimit() {
    QFETCH(QString, line);
    QFETCH(QString, stops);
    QFETCH(QString, says);
    FixtureOptions options;
    options.providerLines = line.toStdString();
    GatewayFixture gateway(options);
    gateway.upstream().setScript([](const auto& request) { return messageReply(request); });
    const std::string body = R"({"model":"model-a","max_tokens":9,"stop_sequences":[)" + stops.toStdString() + "]," + kHello + "}";
    const auto response = postMessage(gateway, body);
    QCOMPARE(response->status, says.isEmpty() ? 200 : 400);
    QVERIFY2(says.isEmpty() || textIn(errorIn(response), "message").find(says.toStdString()) != std::string::npos, response->body.c_str());
    QCOMPARE(gateway.upstream().requests().size(), std::size_t{says.isEmpty() ? 1U : 0U});
    // What cannot be sent there can be counted all the same.
    QCOMPARE(fetch(gateway.port(), {"POST", kMessagesPath + "/count_tokens", {kApiKey, kVersion}, body})->status, 200);
}

void RequestFaultsTest::memberAtFault_data() {
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("member");
    const auto row = [](const char* where, const char* body, const char* member) {
        QTest::newRow(where) << QString::fromLatin1(where) << QString::fromUtf8(body) << QString::fromLatin1(member);
    };
    row("/model", "{}", "model");
    row("functions, function_call", R"({"function_call":"auto"})", "function_call");
    row("reasoning_effort, output_config.effort", R"({"output_config":{}})", "output_config");
    row("stop, stop_sequences: stop words of white space or more than four", R"({"stop_sequences":[]})", "stop_sequences");
    row("thinking", R"({"messages":[]})", "messages");
    row("byte 12", R"({"byte 12":1})", "");
    row("", "{}", "");
    row("seed", "no JSON", "");
    row("tools", R"({"functions":[]})", "functions");
    row("tools", R"({"tools":[ ],"functions":[{"name":"f"}]})", "functions");
    row("tools", R"({"functions":[{"name":"f"}],"tools":[{"type":"function"}]})", "tools");
}

void RequestFaultsTest::memberAtFault() {
    QFETCH(QString, where);
    QFETCH(QString, body);
    QFETCH(QString, member);
    QCOMPARE(QString::fromStdString(gateway::memberAtFault(where.toStdString(), Dialect::openai, body.toStdString())), member);
}

// Only a translated answer has to say how large its context was.
void RequestFaultsTest::sizesAreReadWhereSomebodyNeedsThem() {
    const auto config = fixtureSnapshot(anthropicUpstream())->config;
    const std::string body = R"({"model":"m","max_tokens":9,"tools":[{"name":"n","description":")" + std::string(4000, 'd') +
                             R"(","input_schema":{}}],)" + kHello + "}";
    const auto classified = classify::classifyBody(Dialect::anthropic, body, {}, {}, 1);
    QVERIFY(classified);
    const gateway::HttpRequest head;
    const auto tokensTo = [&](const char* provider) {
        return gateway::upstreamRequest({head, *classified, body, "/messages", {}}, *config, {provider, "m", {}, {}}).inputTokens;
    };
    QCOMPARE(tokensTo("up"), classified->features.inputTokens);
    QVERIFY(tokensTo("other") >= 1000);
}

void RequestFaultsTest::openAiNamesMessages() {
    GatewayFixture gateway(anthropicUpstream());
    for (const char* messages : {R"([{"role":"user","content":[{"type":"file","file":{"file_id":"f"}}]}])",
                                 R"([{"role":"user","content":[{"type":"document_url","document_url":"https://h/d.pdf"}]}])",
                                 R"([{"role":"assistant","content":"x","images":[{"type":"image_url","image_url":{"url":"https://h"}}]}])",
                                 R"([{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://h/p.png"}}]}])",
                                 R"([{"role":"user","name":"ann","content":"x"}])", R"([{"role":"system","content":"x"}])",
                                 R"([{"role":"assistant","tool_calls":[{"id":"i","type":"function","function":{"name":"n","arguments":"[]"}}]}])"}) {
        const auto response = gateway.post(std::string(R"({"model":"model-a","messages":)") + messages + "}");
        QCOMPARE(response->status, 400);
        QCOMPARE(textIn(errorIn(response), "param"), std::string("messages"));
    }
    QVERIFY2(gateway.upstream().requests().empty(), "planning knew before translation did");
}

QTEST_APPLESS_MAIN(RequestFaultsTest)
#include "tst_request_faults.moc"
