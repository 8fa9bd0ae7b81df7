// SPDX-License-Identifier: MIT
// What the gateway writes is what a console reads, older or newer than it.
#include "router/engine/admin_wire.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::engine;
using namespace std::chrono_literals;

class AdminWireTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statusGoesRound();
    void endpointsGoRound();
    void agesAreOfTheReadersClock();
    void poolsGoRound();
    void resourcesPrincipalsAndRefusalsGoRound();
    void requestsGoRound();
    void refusalsOfAnOlderGatewayAreSinceItsStart();
    void forecastGoesRound();
    void eventsGoRound();
    void streamLinesGoRound();
    void whatIsNotKnownIsPassedOver();
    void anUnknownWordIsNoFailure();
    void aValueOfAnotherKindIsLocated();
    void somethingElseIsNoGateway();
    void ordersGoRound();
    void badOrders_data();
    void badOrders();
    void noNumberIsInventedForWhatIsNotFinite();
    void noTimeOrFigureOverflowsWhoShowsIt();
};

namespace {

constexpr Steady kNow{std::chrono::hours(100)};
const Timestamp kAt{std::chrono::seconds(1'764'400'000)};

/// Writing what was read gives the same text: every member that is written is read.
template <class T, class Encode, class Decode>
void goesRound(const T& value, const Encode& encode, const Decode& decode, int members) {
    const std::string text = encode(value);
    const auto read = decode(text);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QCOMPARE(QString::fromStdString(encode(*read)), QString::fromStdString(text));
    // A member that neither side names would go round, too.
    auto json = nlohmann::json::parse(text);
    if (json.size() == 1 && json.begin()->is_array())
        json = json.begin()->front();
    QVERIFY2(json.is_object(), text.c_str());
    QCOMPARE(static_cast<int>(json.size()), members);
}

TargetStatus fullStatus() {
    TargetStatus status;
    status.name = "prod-a";
    status.state = GatewayState::draining;
    status.address = "127.0.0.1:38082";
    status.baseUrl = "http://127.0.0.1:38082/v1";
    status.lastError = "principal x has no token";
    status.startedAt = kAt;
    status.runningHash = std::string(64, 'a');
    status.tableSha256 = std::string(64, 'b');
    status.policyVersion = "builtin-v1";
    status.mode = "active";
    status.activationPercent = 25;
    status.killed = true;
    status.overrides = {"SIGNALBOX_SMART_ROUTING_MODE=off"};
    status.signedBy = "the \"desk\" \xC3\xA9";
    status.tokenRequired = false;
    status.inFlight = 3;
    status.decided = 18'446'744'073'709'551'615U;
    status.dispatched = 6;
    status.served = 5;
    status.evidence = {evidence::StoreState::catchingUp, "private cluster", "away", 1, 2, 3, 4, 5, 6, 7};
    status.modeOverride = "active 25 %";
    status.version = "0.1.0";
    return status;
}

EndpointHealth fullEndpoint() {
    EndpointHealth out;
    out.endpointId = "cloud:big";
    out.circuit = "open";
    out.cause = "rate_limited";
    out.coolsFor = 1234ms;
    out.consecutiveFailures = 4;
    out.openedTotal = 9;
    out.credentialReady = false;
    out.lacks = "base_url";
    out.drained = true;
    out.inFlight = 2;
    out.resources = {"gpu", "quota"};
    out.ttftP50Ms = 120.5;
    out.ttftP95Ms = 900;
    out.ttftSamples = 77;
    out.vllmPin = "0.11.0";
    out.enginePage = {"http://10.0.0.2/metrics", 5s, capacity::EngineKind::sglang, kNow - 2s,
                      Error{ErrorKind::unavailable, "no answer", "10.0.0.2", "Start it."}, kAt, {"big", ""}};
    capacity::EngineMetrics engine;
    engine.engine = capacity::EngineKind::llamaCpp;
    engine.model = "big";
    engine.running = 3;
    engine.waiting = 0;
    engine.kvUsed = 0.25;
    engine.preemptionsTotal = 1;
    engine.prefixCacheHits = 0.5;
    engine.draftAcceptance = 0.75;
    engine.promptTokensTotal = 10;
    engine.generationTokensTotal = 20;
    engine.version = "b1";
    engine.readAt = kNow - 1500ms;
    out.engine = engine;
    out.engineFresh = true;
    out.signals = {false, true, false, false, 10, 8, 5, 321.5};
    return out;
}

dispatch::PoolView fullPool() {
    dispatch::PoolView pool;
    pool.id = "chat";
    pool.aliases = {"c1", "c2"};
    pool.router = "routewise";
    pool.members = {{"cloud:big", "cloud", "on_demand", 1, 0.5, {"gpu"}, "cooling", 0.1, 200, "recent", 12}, {}};
    pool.mix = dispatch::MixView{"mixed", 1, 0.75, 0.5, 3, 1000, 512, "bucket", 0.1, 0.9, 44};
    pool.hedge = dispatch::HedgeView{true, 3000, 9, 8, 7, 6, 5, 4, 0.25, 1.5};
    pool.local = dispatch::LocalLoadView{1, 2, 3, 4, 5, {{"max_running_requests", 2}, {"tokens", 1}}, true};
    pool.requests = 99;
    return pool;
}

dispatch::PoolForecast fullForecast() {
    dispatch::PoolForecast forecast;
    evidence::RecordedPool& choice = forecast.choice;
    choice.poolId = "chat";
    choice.router = "greedy";
    choice.drawn = "cloud:big";
    choice.candidates = {{"cloud:big", "slots", 0.1, 200, 0.5}};
    choice.candidatesTotal = 3;
    choice.affinity = "kept";
    choice.mixStatus = "mixed";
    choice.budgetUsd = 1;
    choice.expectedCostUsd = 0.5;
    choice.objectiveS = 3;
    choice.predictedOutputTokens = 512;
    choice.hedge = "won";
    choice.hedgeAtMs = 1500;
    choice.admission = "admitted";
    choice.predictedTtftMs = 90;
    choice.predictedTpotMs = 20;
    forecast.hedge = dispatch::HedgePlanView{3000, {750, 1500}, 1500, "cloud:other", 0.99};
    return forecast;
}

evidence::RunningRequest fullRequest() {
    FastRandom random(7);
    evidence::RunningRequest request;
    request.id = DecisionId::make(kAt, random);
    request.createdAt = kAt;
    request.admittedAt = kNow - 61s;
    request.edge = evidence::Edge::anthropic;
    request.principal = "ann";
    request.requestedModel = "auto";
    request.stream = true;
    request.stage = evidence::Stage::streaming;
    request.presetKey = "a-k1";
    request.endpointId = "lab:m";
    request.attempts = 2;
    request.firstContentMs = 120;
    return request;
}

evidence::Event sampleEvent(evidence::EventKind kind, int number) {
    FastRandom random(static_cast<std::uint64_t>(number));
    evidence::Event out;
    out.createdAt = kAt + std::chrono::seconds(number);
    out.id = evidence::EventId::make(out.createdAt, random);
    out.kind = kind;
    out.target = "prod-a";
    out.environment = "test";
    out.subject = "cloud:big";
    out.words = "said \"so\"";
    out.actor = "operator:ada";
    out.policyHash = std::string(64, 'c');
    return out;
}

} // namespace

void AdminWireTest::statusGoesRound() {
    goesRound(
        fullStatus(), [](const TargetStatus& one) { return wire::encodeStatus(one, kNow); },
        [](const std::string& text) { return wire::decodeStatus(text, kNow); }, 22);
    const auto read = wire::decodeStatus(wire::encodeStatus(fullStatus(), kNow), kNow);
    QVERIFY(read->state == GatewayState::draining);
    QCOMPARE(read->startedAt, kAt);
    QCOMPARE(read->decided, fullStatus().decided);
    QVERIFY(read->evidence.state == evidence::StoreState::catchingUp);
    QCOMPARE(read->evidence.damagedBytes, std::uint64_t{7});
    QVERIFY(!read->remote); // what is known at this end alone does not travel
}

void AdminWireTest::endpointsGoRound() {
    goesRound(
        std::vector{fullEndpoint(), EndpointHealth()}, [](const auto& all) { return wire::encodeEndpoints(all, kNow); },
        [](const std::string& text) { return wire::decodeEndpoints(text, kNow); }, 19);
    const auto read = wire::decodeEndpoints(wire::encodeEndpoints({fullEndpoint()}, kNow), kNow);
    QVERIFY(read->front().enginePage == fullEndpoint().enginePage);
    QVERIFY(read->front().engine == fullEndpoint().engine);
    QCOMPARE(read->front().coolsFor, 1234ms);
}

void AdminWireTest::agesAreOfTheReadersClock() {
    constexpr Steady there = kNow, here = kNow + 1000h;
    const auto read = wire::decodeEndpoints(wire::encodeEndpoints({fullEndpoint()}, there), here);
    QCOMPARE(here - *read->front().engine->readAt, there - *fullEndpoint().engine->readAt);
}

void AdminWireTest::poolsGoRound() {
    goesRound(std::vector{fullPool(), dispatch::PoolView()}, wire::encodePools, wire::decodePools, 8);
}

void AdminWireTest::resourcesPrincipalsAndRefusalsGoRound() {
    goesRound(std::vector{ResourceView{"gpu", "quota", 4, 3, 60s, {"a:m"}}, ResourceView()}, wire::encodeResources, wire::decodeResources, 6);
    goesRound(std::vector{PrincipalUse{"ann", 3, 1.5, true}, PrincipalUse()}, wire::encodePrincipals, wire::decodePrincipals, 4);
    const std::vector refusals{RefusalCount{"invalid_token", "Send it.", 3, kAt, "192.0.2.7", "OpenAI/JS 4.20.0", "batch", true}, RefusalCount()};
    const std::string told = wire::encodeRefusals(refusals);
    const auto read = wire::decodeRefusals(told);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY(*read == refusals);
    QCOMPARE(nlohmann::json::parse(told)["refusals"][0].size(), std::size_t{8});
    QVERIFY(wire::decodeRefusals("{}").error().where == "/refusals");
    QVERIFY(wire::decodeResources(R"({"resources":[]})")->empty());
}

/// It names neither clients nor how far its counts reach back.
void AdminWireTest::refusalsOfAnOlderGatewayAreSinceItsStart() {
    const auto read = wire::decodeRefusals(R"({"refusals":[{"code":"invalid_token","message":"Send it.","count":3,"newest":"2025-11-29T07:06:40.000000Z"}]})");
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QCOMPARE(read->size(), std::size_t{1});
    const RefusalCount& one = read->front();
    QVERIFY(one.sinceStart && one.peer.empty() && one.agent.empty() && one.principal.empty() && !one.others);
    QCOMPARE(one.count, std::uint64_t{3});
    QVERIFY(!wire::decodeRefusals(wire::encodeRefusals({one}))->front().sinceStart);
}

void AdminWireTest::requestsGoRound() {
    const RequestsUnderWay all{{fullRequest()}, 3, RequestsUnderWay::Told::told};
    const std::string text = wire::encodeRequests(all, kNow);
    const auto read = wire::decodeRequests(text, kNow);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY(read->rows == all.rows);
    QCOMPARE(read->leftOut, all.leftOut);
    QVERIFY(read->told == RequestsUnderWay::Told::told);
    QCOMPARE(nlohmann::json::parse(text)["requests"][0].size(), std::size_t{12});
    // The age is true whatever the reader's clock says.
    QVERIFY(wire::decodeRequests(text, kNow + 1000h)->rows[0].admittedAt == kNow + 1000h - 61s);
    QVERIFY(wire::decodeRequests("{}", kNow)->rows.empty());
    auto odd = nlohmann::json::parse(text);
    odd["requests"][0]["stage"] = "thinking";
    QVERIFY(wire::decodeRequests(odd.dump(), kNow)->rows[0].stage == evidence::Stage::waiting);
    odd["requests"][0]["id"] = "7";
    const auto bad = wire::decodeRequests(odd.dump(), kNow);
    QVERIFY(!bad.has_value());
    QCOMPARE(bad.error().where, std::string("/requests/0/id"));
}

void AdminWireTest::forecastGoesRound() {
    goesRound(fullForecast(), wire::encodeForecast, wire::decodeForecast, 2);
    const auto read = wire::decodeForecast(wire::encodeForecast(fullForecast()));
    QVERIFY(read->choice == fullForecast().choice);
}

void AdminWireTest::eventsGoRound() {
    evidence::EventPage page;
    for (const evidence::EventKind kind : evidence::kEventKinds)
        page.rows.push_back(sampleEvent(kind, static_cast<int>(kind)));
    page.next = evidence::EventKey{page.rows.back().createdAt, page.rows.back().id};
    const auto read = wire::decodeEvents(wire::encodeEvents(page));
    QVERIFY(read.has_value());
    QVERIFY(read->rows == page.rows);
    QVERIFY(read->next && read->next->id == page.next->id && read->next->createdAt == page.next->createdAt);
    page.next.reset();
    QVERIFY(!wire::decodeEvents(wire::encodeEvents(page))->next);
    std::string later = wire::encodeEvents(page);
    later.replace(later.find("\"apply\""), 7, "\"launch\"");
    QCOMPARE(wire::decodeEvents(later)->rows.size(), page.rows.size() - 1);
    QVERIFY(!wire::decodeKey("2026-11-29T17:10:39Z"));
    QVERIFY(!wire::decodeKey("yesterday,evt_00000000000000000000000000000000"));
}

void AdminWireTest::streamLinesGoRound() {
    evidence::DecisionRecord record;
    FastRandom random(7);
    record.createdAt = kAt;
    record.id = DecisionId::make(kAt, random);
    record.requestedModel = "a \"model\"\n";
    record.outcome = evidence::Outcome::refused;
    const std::string line = wire::decisionLine(record);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), 1);
    const auto read = wire::decodeLine(line);
    QVERIFY(read && read->decision && read->decision->id == record.id);
    QCOMPARE(evidence::encodeRecord(*read->decision), evidence::encodeRecord(record));
    QVERIFY(!read->heartbeat && read->skipped == 0 && read->end.empty());
    QCOMPARE(wire::decodeLine(wire::skippedLine(17))->skipped, std::uint64_t{17});
    QVERIFY(wire::decodeLine(wire::heartbeatLine(kAt))->heartbeat);
    QCOMPARE(wire::decodeLine(wire::endLine("draining"))->end, std::string("draining"));
    QVERIFY(!wire::decodeLine(R"({"weather":"fine"})")->decision);
    QVERIFY(!wire::decodeLine("{\"decision\":{}}"));
    QVERIFY(!wire::decodeLine("half a li"));
}

void AdminWireTest::whatIsNotKnownIsPassedOver() {
    auto json = nlohmann::ordered_json::parse(wire::encodeStatus(fullStatus(), kNow));
    json["phase_of_the_moon"] = {{"waxing", true}};
    json["evidence"]["colour"] = "red";
    json.erase("mode");
    const auto read = wire::decodeStatus(json.dump(), kNow);
    QVERIFY(read.has_value());
    QCOMPARE(read->runningHash, fullStatus().runningHash);
    QCOMPARE(read->mode, TargetStatus().mode);
}

void AdminWireTest::anUnknownWordIsNoFailure() {
    auto json = nlohmann::ordered_json::parse(wire::encodeStatus(fullStatus(), kNow));
    json["state"] = "hibernating";
    json["evidence"]["state"] = "compacting";
    const auto read = wire::decodeStatus(json.dump(), kNow);
    QVERIFY(read->state == GatewayState::running);
    QVERIFY(read->evidence.state == evidence::StoreState::unavailable);
    auto endpoints = nlohmann::ordered_json::parse(wire::encodeEndpoints({fullEndpoint()}, kNow));
    endpoints["endpoints"][0]["engine_page"]["engine"] = "Triton";
    QVERIFY(!wire::decodeEndpoints(endpoints.dump(), kNow)->front().enginePage.engine);
}

void AdminWireTest::aValueOfAnotherKindIsLocated() {
    auto json = nlohmann::ordered_json::parse(wire::encodeEndpoints({fullEndpoint(), fullEndpoint()}, kNow));
    json["endpoints"][1]["signals"]["attempts"] = -3;
    const auto read = wire::decodeEndpoints(json.dump(), kNow);
    QVERIFY(!read);
    QCOMPARE(read.error().where, std::string("/endpoints/1/signals/attempts"));
    QVERIFY(read.error().kind == ErrorKind::badInput);
}

void AdminWireTest::somethingElseIsNoGateway() {
    for (const char* text : {"", "<html>", "[]", "{}", R"({"status":"ok"})"})
        QVERIFY2(!wire::decodeStatus(text, kNow), text);
    for (const char* text : {"", "{}", R"({"pools":{}})", R"({"pools":[3]})"})
        QVERIFY2(!wire::decodePools(text), text);
    QVERIFY(!wire::decodeEvents("{}"));
}

void AdminWireTest::ordersGoRound() {
    QCOMPARE(*wire::decodeOff(wire::encodeOff(true)), true);
    QCOMPARE(*wire::decodeOff(wire::encodeOff(false)), false);
    for (const wire::ModeRequest& mode : {wire::ModeRequest{config::RoutingMode::active, 25}, wire::ModeRequest{config::RoutingMode::shadow, {}}})
        QVERIFY(*wire::decodeMode(wire::encodeMode(mode)) == mode);
    QCOMPARE(*wire::decodeEndpoint(wire::encodeEndpoint("a:b/c")), std::string("a:b/c"));
    const wire::CircuitRequest circuit{"a:b", EndpointAction::reset};
    QVERIFY(*wire::decodeCircuit(wire::encodeCircuit(circuit)) == circuit);
    QCOMPARE(*wire::decodeNote(wire::encodeNote("back to \"normal\"")), std::string("back to \"normal\""));
    const wire::ApplyRequest apply{{{"routing-table.json", "{\n}\n", {"untrusted comment: x\n", "y"}}, {"gateway.toml", "", {}}}};
    QVERIFY(*wire::decodeApply(wire::encodeApply(apply)) == apply);
    QVERIFY(apply.find("gateway.toml") != nullptr && apply.find("release.json") == nullptr);
    wire::ForecastRequest forecast{"chat", {500, 20, {}, "s1", 0.25}};
    forecast.question.needs.features.add(policy::smart::Capability::vision);
    forecast.question.needs.contextTokens = 700;
    forecast.question.needs.outputTokens = 40;
    const auto read = wire::decodeForecastRequest(wire::encodeForecastRequest(forecast));
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QCOMPARE(wire::encodeForecastRequest(*read), wire::encodeForecastRequest(forecast));
    QVERIFY(read->question.needs.features == forecast.question.needs.features);
    QCOMPARE(wire::decodeForecastRequest(R"({"pool":"chat"})")->question.promptTokens, dispatch::PoolQuestion().promptTokens);
}

void AdminWireTest::badOrders_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* order, const char* body, const char* says) {
        QTest::addRow("%s %s", order, body) << order << body << says;
    };
    row("off", "", "\"on\"");
    row("off", "{", "JSON");
    row("off", "[true]", "object");
    row("off", "{}", "/on");
    row("off", R"({"on":"yes"})", "true or false");
    row("off", R"({"on":true,"on":false})", "JSON");
    row("off", R"({"om":true})", "Did you mean \"on\"?");
    row("mode", R"({"mode":"on"})", "off, shadow or active");
    row("mode", R"({"mode":"active","percent":101})", "0 to 100");
    row("mode", R"({"mode":"active","percent":300})", "0 to 100");
    row("mode", R"({"mode":"active","percent":-1})", "0 to 100");
    row("mode", R"({"mode":"active","percent":2.5})", "0 to 100");
    row("mode", R"({"mode":"active","precent":20})", "Did you mean \"percent\"?");
    row("circuit", R"({"endpoint":"a:b","action":"drain"})", "trip or reset");
    row("circuit", R"({"action":"trip"})", "PROVIDER:MODEL");
    row("endpoint", R"({"endpoint":7})", "PROVIDER:MODEL");
    row("forecast", R"({"question":{}})", "/pool");
    row("forecast", R"({"pool":"a","question":{"u":1}})", "/question/u");
    row("forecast", R"({"pool":"a","question":{"prompt_tokens":"many"}})", "/question/prompt_tokens");
    row("apply", "{}", "/files");
    row("apply", R"({"files":["a"]})", "/files");
    row("apply", R"({"files":{"../x":"a"}})", "without folders");
    row("apply", R"({"files":{"a":{}}})", "/files/a");
    row("apply", R"({"files":{"a":"x"},"signatures":{"b":["y"]}})", "/signatures/b");
    row("apply", R"({"files":{"a":"x"},"signatures":{"a":"y"}})", "/signatures/a");
    row("note", R"({"text":"x"})", "words");
}

void AdminWireTest::badOrders() {
    QFETCH(QString, order);
    QFETCH(QString, body);
    QFETCH(QString, says);
    const std::string text = body.toStdString();
    std::optional<Error> error;
    const auto take = [&](const auto& result) {
        if (!result)
            error = result.error();
    };
    if (order == QLatin1String("off"))
        take(wire::decodeOff(text));
    else if (order == QLatin1String("mode"))
        take(wire::decodeMode(text));
    else if (order == QLatin1String("circuit"))
        take(wire::decodeCircuit(text));
    else if (order == QLatin1String("endpoint"))
        take(wire::decodeEndpoint(text));
    else if (order == QLatin1String("forecast"))
        take(wire::decodeForecastRequest(text));
    else if (order == QLatin1String("apply"))
        take(wire::decodeApply(text));
    else
        take(wire::decodeNote(text));
    QVERIFY(error.has_value());
    QVERIFY(error->kind == ErrorKind::badInput);
    QVERIFY2(QString::fromStdString(error->text()).contains(says), error->text().c_str());
    QVERIFY(!error->hint.empty());
}

void AdminWireTest::noNumberIsInventedForWhatIsNotFinite() {
    EndpointHealth endpoint = fullEndpoint();
    endpoint.ttftP50Ms = std::numeric_limits<double>::quiet_NaN();
    const auto read = wire::decodeEndpoints(wire::encodeEndpoints({endpoint}, kNow), kNow);
    QVERIFY(read.has_value());
    QVERIFY(!read->front().ttftP50Ms);
}

// A gateway elsewhere may be anybody's.
void AdminWireTest::noTimeOrFigureOverflowsWhoShowsIt() {
    auto json = nlohmann::ordered_json::parse(wire::encodeEndpoints({fullEndpoint(), fullEndpoint()}, kNow));
    json["endpoints"][0]["cools_for_ms"] = std::numeric_limits<std::int64_t>::max();
    json["endpoints"][0]["engine_page"]["interval_ms"] = std::numeric_limits<std::int64_t>::max();
    json["endpoints"][0]["ttft_p50_ms"] = 1e300;
    json["endpoints"][0]["ttft_p95_ms"] = -1e300;
    json["endpoints"][1]["cools_for_ms"] = std::numeric_limits<std::int64_t>::min();
    const auto read = wire::decodeEndpoints(json.dump(), kNow);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    constexpr std::chrono::hours kLongest{3650 * 24};
    QCOMPARE(read->front().coolsFor, std::chrono::milliseconds(kLongest));
    QVERIFY(read->front().enginePage.interval == kLongest);
    QCOMPARE(read->front().ttftP50Ms.value(), 1e15);
    QCOMPARE(read->front().ttftP95Ms.value(), -1e15);
    QCOMPARE(read->back().coolsFor, 0ms);

    auto resources = nlohmann::ordered_json::parse(wire::encodeResources({ResourceView{"gpu", "quota", 4, 3, 60s, {"a:m"}}}));
    resources["resources"][0]["resets_in_s"] = std::numeric_limits<std::int64_t>::max();
    QVERIFY(wire::decodeResources(resources.dump())->front().resetsIn == kLongest);  // in its own unit
}

QTEST_APPLESS_MAIN(AdminWireTest)
#include "tst_admin_wire.moc"
