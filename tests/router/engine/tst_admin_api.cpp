// SPDX-License-Identifier: MIT
// Every admin path over real sockets: what it does, and that it turns away whoever may not.
#include "tests/router/engine/admin_scene.h"

#include <QTest>
#include <set>

using namespace signalbox;
using namespace signalbox::test;
using Json = nlohmann::json;

class AdminApiTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPath_data();
    void everyPath();
    void badBodies_data();
    void badBodies();
    void unknownPathsAndMethods();
    void viewsTellWhatTheTargetTells();
    void offAndOnAgain();
    void aModeByHandIsDriftUntilTheNextApply();
    void whoIsInTheShareStaysInIt();
    void theKillSwitchWinsOverModes();
    void drainAndCircuit();
    void aPolicyWithoutGroupsHasNoModes();
    void decideCountsNothing();
    void decideKnowsWhatIsMeasured();
    void decideForAPrincipal();
    void decideSaysWhoCannotBeCalled();
    void forecastOfAPool();
};

namespace {

struct PathRow {
    const char* method;
    const char* path;
    const char* body;
};
constexpr PathRow kPaths[] = {
    {"GET", "/admin/router/status", ""},
    {"GET", "/admin/status", ""},
    {"GET", "/admin/policy", ""},
    {"GET", "/admin/endpoints", ""},
    {"GET", "/admin/pools", ""},
    {"GET", "/admin/resources", ""},
    {"GET", "/admin/principals", ""},
    {"GET", "/admin/refusals", ""},
    {"GET", "/admin/requests", ""},
    {"POST", "/admin/decide", R"({"request":{"model":"auto","messages":[]}})"},
    {"POST", "/admin/off", R"({"on":true})"},
    {"POST", "/admin/mode", R"({"mode":"shadow"})"},
    {"POST", "/admin/drain", R"({"endpoint":"slow:m"})"},
    {"POST", "/admin/undrain", R"({"endpoint":"slow:m"})"},
    {"POST", "/admin/circuit", R"({"endpoint":"slow:m","action":"trip"})"},
    {"POST", "/admin/events", R"({"words":"maintenance until noon"})"},
};

} // namespace

void AdminApiTest::everyPath_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("body");
    for (const PathRow& row : kPaths)
        QTest::addRow("%s %s", row.method, row.path) << row.method << row.path << row.body;
}

void AdminApiTest::everyPath() {
    QFETCH(QString, method);
    QFETCH(QString, path);
    QFETCH(QString, body);
    AdminScene scene;
    const std::string before = scene.status()["running_hash"];
    const auto with = [&](std::vector<std::string> headers, const std::string& content) {
        return scene.bare(method.toStdString(), path.toStdString(), std::move(headers), content);
    };
    const std::string content = body.toStdString();
    const std::string admin = "Authorization: Bearer " + scene.adminToken();

    const auto nobody = with({}, content);
    QCOMPARE(nobody.status, 401);
    QCOMPARE(errorCode(nobody), std::string("missing_admin_token"));
    const auto wrong = with({"Authorization: Bearer sbx_000000000000000000000000"}, content);
    QCOMPARE(wrong.status, 401);
    QCOMPARE(errorCode(wrong), std::string("invalid_admin_token"));
    const auto client = with({"Authorization: Bearer " + scene.target().clientToken()}, content);
    QCOMPARE(client.status, 403);
    QCOMPARE(errorCode(client), std::string("client_token_refused"));
    const auto page = with({admin, "Origin: http://evil.example"}, content);
    QCOMPARE(page.status, 403);
    QCOMPARE(errorCode(page), std::string("foreign_origin"));
    const auto crossSite = with({admin, "Sec-Fetch-Site: cross-site"}, content);
    QCOMPARE(crossSite.status, 403);
    const auto rebound = fetch(scene.port(), {method.toStdString(), path.toStdString(), {admin}, content, "evil.example"});
    QCOMPARE(rebound->status, 403);
    QCOMPARE(errorCode(*rebound), std::string("unexpected_host"));
    // Whoever was turned away changed nothing.
    QCOMPARE(std::string(scene.status()["running_hash"]), before);
    QVERIFY(!scene.status()["killed"].get<bool>());

    const auto happy = with({admin}, content);
    QVERIFY2(happy.status == 200, happy.body.c_str());
    QCOMPARE(happy.header("content-type"), std::string("application/json"));
    QVERIFY(Json::parse(happy.body).is_object());
    QVERIFY(!happy.header("x-request-id").empty());
}

void AdminApiTest::badBodies_data() {
    QTest::addColumn<QString>("path");
    for (const char* path : {"/admin/decide", "/admin/forecast", "/admin/off", "/admin/mode", "/admin/drain", "/admin/undrain",
                             "/admin/circuit", "/admin/apply", "/admin/events"})
        QTest::addRow("%s", path) << path;
}

void AdminApiTest::badBodies() {
    QFETCH(QString, path);
    AdminScene scene;
    const std::string where = path.toStdString();
    for (const char* body : {"", "{", "[]", "{\"nonsense\":1}", "\xFF\xFE"}) {
        const auto response = scene.post(where, body);
        QVERIFY2(response.status == 400, (std::string(body) + response.body).c_str());
        QVERIFY2(errorMessage(response).size() > 20, response.body.c_str());
    }
    const bool large = where == "/admin/apply";
    const std::size_t limit = large ? (40U << 20) : where == "/admin/decide" ? (4U << 20) : (64U << 10);
    RawClient tooLong(scene.port());
    QVERIFY(tooLong.send("POST " + where + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + scene.adminToken() +
                         "\r\nContent-Length: " + std::to_string(limit + 1) + "\r\n\r\n"));
    const auto refused = tooLong.response();
    QVERIFY(refused && refused->status == 413);
    QVERIFY2(errorMessage(*refused).find(std::to_string(limit)) != std::string::npos, refused->body.c_str());
    QCOMPARE(scene.post(where, "{}", {"Content-Encoding: gzip"}).status, 415);
}

void AdminApiTest::unknownPathsAndMethods() {
    AdminScene scene;
    const auto unknown = scene.get("/admin/everything");
    QCOMPARE(unknown.status, 404);
    QVERIFY2(errorMessage(unknown).find("endpoints") != std::string::npos, unknown.body.c_str());
    const auto posted = scene.post("/admin/status", "{}");
    QCOMPARE(posted.status, 405);
    QCOMPARE(posted.header("allow"), std::string("GET, HEAD"));
    const auto got = scene.get("/admin/off");
    QCOMPARE(got.status, 405);
    QCOMPARE(got.header("allow"), std::string("POST"));
    QCOMPARE(scene.bare("DELETE", "/admin/events", {"Authorization: Bearer " + scene.adminToken()}).header("allow"), std::string("GET, HEAD, POST"));
}

void AdminApiTest::viewsTellWhatTheTargetTells() {
    AdminScene scene;
    QCOMPARE(scene.ask().status, 200);
    static_cast<void>(scene.bare("GET", "/v1/models", {})); // a refusal to show
    const auto status = scene.status();
    const engine::TargetStatus own = scene.target().status();
    QCOMPARE(std::string(status["running_hash"]), own.runningHash);
    QCOMPARE(std::string(status["state"]), std::string("running"));
    QCOMPARE(std::string(status["name"]), std::string("prod-a"));
    QCOMPARE(std::string(status["address"]), own.address);
    QCOMPARE(std::string(status["version"]), std::string(SIGNALBOX_VERSION));
    QCOMPARE(status["served"].get<int>(), 1);
    QCOMPARE(std::string(status["mode_override"]), std::string());
    QCOMPARE(scene.get("/admin/policy").body, scene.target().running()->canonicalJson);
    const auto endpoints = Json::parse(scene.get("/admin/endpoints").body)["endpoints"];
    QCOMPARE(endpoints.size(), scene.target().endpoints().size());
    QCOMPARE(std::string(endpoints[0]["endpoint"]), std::string("fast:m"));
    const auto refusals = Json::parse(scene.get("/admin/refusals").body)["refusals"];
    QVERIFY(std::any_of(refusals.begin(), refusals.end(), [](const Json& one) { return one["code"] == "missing_token" && one["peer"] == "127.0.0.1"; }));
}

void AdminApiTest::offAndOnAgain() {
    AdminScene scene;
    const std::string running = scene.target().status().runningHash;
    const auto off = Json::parse(scene.post("/admin/off", R"({"on":true})").body);
    QCOMPARE(off["killed"].get<bool>(), true);
    QCOMPARE(std::string(off["mode"]), std::string("off"));
    QVERIFY(off["running_hash"] != running);
    const auto on = Json::parse(scene.post("/admin/off", R"({"on":false})").body);
    QCOMPARE(on["killed"].get<bool>(), false);
    QCOMPARE(std::string(on["running_hash"]), running);
}

void AdminApiTest::aModeByHandIsDriftUntilTheNextApply() {
    AdminScene scene;
    const std::string written = scene.target().status().runningHash;
    const auto set = Json::parse(scene.post("/admin/mode", R"({"mode":"active","percent":60})").body);
    QCOMPARE(std::string(set["mode_override"]), std::string("active 60 %"));
    QCOMPARE(set["activation_percent"].get<int>(), 60);
    QVERIFY(set["running_hash"] != written);
    QCOMPARE(std::string(scene.target().running()->hash), std::string(set["running_hash"]));
    const auto shadow = Json::parse(scene.post("/admin/mode", R"({"mode":"shadow"})").body);
    QCOMPARE(shadow["activation_percent"].get<int>(), 60); // stays
    // Back at what the policy says: no drift, and its own hash.
    const auto back = Json::parse(scene.post("/admin/mode", R"({"mode":"active","percent":20})").body);
    QVERIFY(back["mode_override"] == "");
    QCOMPARE(std::string(back["running_hash"]), written);
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"off"})").status, 200);
    const auto applied = scene.post("/admin/apply", scene.applyBody(scene.configText("active", 20)));
    QVERIFY2(applied.status == 200, applied.body.c_str());
    const auto after = Json::parse(applied.body);
    QCOMPARE(std::string(after["running_hash"]), written);
    QCOMPARE(std::string(after["mode"]), std::string("active"));
    QVERIFY(after["mode_override"] == "");
}

void AdminApiTest::whoIsInTheShareStaysInIt() {
    AdminScene scene;
    const auto feed = scene.target().subscribe(1000);
    const auto inShare = [&] {
        std::set<int> in;
        for (int i = 0; i < 80; ++i) {
            if (scene.ask("session-" + std::to_string(i)).status != 200)
                throw std::runtime_error("a request failed");
            const auto batch = feed->take();
            if (batch.records.size() == 1 && batch.records.front()->mode == "active")
                in.insert(i);
        }
        return in;
    };
    const auto at20 = inShare();
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"active","percent":60})").status, 200);
    const auto at60 = inShare();
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"active","percent":20})").status, 200);
    QVERIFY(!at20.empty() && at20.size() < at60.size() && at60.size() < 80);
    QVERIFY(std::includes(at60.begin(), at60.end(), at20.begin(), at20.end()));
    QVERIFY(inShare() == at20);
}

void AdminApiTest::theKillSwitchWinsOverModes() {
    AdminScene scene;
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"active","percent":60})").status, 200);
    const std::string byHand = scene.target().status().runningHash;
    QCOMPARE(scene.post("/admin/off", R"({"on":true})").status, 200);
    const auto refused = scene.post("/admin/mode", R"({"mode":"active","percent":100})");
    QCOMPARE(refused.status, 409);
    QVERIFY2(errorMessage(refused).find("kill switch") != std::string::npos, refused.body.c_str());
    QCOMPARE(std::string(scene.status()["mode"]), std::string("off"));
    const auto on = Json::parse(scene.post("/admin/off", R"({"on":false})").body);
    QCOMPARE(std::string(on["running_hash"]), byHand);
    QCOMPARE(std::string(on["mode_override"]), std::string("active 60 %"));
}

void AdminApiTest::drainAndCircuit() {
    AdminScene scene;
    const auto endpoint = [&](const std::string& id) {
        const Json all = Json::parse(scene.get("/admin/endpoints").body);
        for (const Json& one : all["endpoints"])
            if (one["endpoint"] == id)
                return one;
        return Json();
    };
    QCOMPARE(scene.post("/admin/drain", R"({"endpoint":"fast:m"})").status, 200);
    QCOMPARE(endpoint("fast:m")["drained"].get<bool>(), true);
    QCOMPARE(scene.post("/admin/undrain", R"({"endpoint":"fast:m"})").status, 200);
    QCOMPARE(endpoint("fast:m")["drained"].get<bool>(), false);
    QCOMPARE(scene.post("/admin/circuit", R"({"endpoint":"slow:m","action":"trip"})").status, 200);
    QCOMPARE(std::string(endpoint("slow:m")["circuit"]), std::string("open"));
    QVERIFY(endpoint("slow:m")["cools_for_ms"].get<int>() > 0);
    QCOMPARE(scene.post("/admin/circuit", R"({"endpoint":"slow:m","action":"reset"})").status, 200);
    QCOMPARE(std::string(endpoint("slow:m")["circuit"]), std::string("closed"));
    const auto unknown = scene.post("/admin/drain", R"({"endpoint":"slow:other"})");
    QCOMPARE(unknown.status, 404);
    QVERIFY2(errorMessage(unknown).find("slow:other") != std::string::npos, unknown.body.c_str());
}

void AdminApiTest::aPolicyWithoutGroupsHasNoModes() {
    AdminScene scene;
    const std::string bare = "[server]\nlisten = \"127.0.0.1:0\"\n[providers.a]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n"
                             "[presets.\"a-k1\"]\nprovider = \"a\"\n";
    const auto applied = scene.post("/admin/apply", scene.applyBody(bare));
    QVERIFY2(applied.status == 200, applied.body.c_str());
    const auto refused = scene.post("/admin/mode", R"({"mode":"active","percent":50})");
    QCOMPARE(refused.status, 400);
    QVERIFY2(errorMessage(refused).find("no smart group") != std::string::npos, refused.body.c_str());
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"off"})").status, 200);
}

void AdminApiTest::decideCountsNothing() {
    AdminScene scene;
    const std::string before = scene.get("/admin/router/status").body;
    const auto feed = scene.target().subscribe(10);
    const auto answer = scene.post("/admin/decide", R"({"request":{"model":"auto","messages":[{"role":"user","content":"hi"}]},"in_flight":2})");
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const auto json = Json::parse(answer.body);
    QVERIFY(json["error"].is_null());
    QVERIFY(json["plan"].is_object() && json["group"].is_object());
    QCOMPARE(std::string(json["policy_hash"]), scene.target().status().runningHash);
    QCOMPARE(scene.get("/admin/router/status").body, before);
    QCOMPARE(scene.target().status().decided, std::uint64_t{0});
    QVERIFY(feed->take().records.empty());
    // What cannot be served is an answer, too.
    const auto unknown = Json::parse(scene.post("/admin/decide", R"({"request":{"model":"nothing-like-it","messages":[]}})").body);
    QVERIFY(unknown["plan"].is_null() && unknown["error"]["message"].is_string());
    QCOMPARE(scene.post("/admin/decide", R"({"request":{"model":"auto","messages":[]},"pin":"somewhere"})").status, 400);
    QCOMPARE(scene.post("/admin/decide", R"({"request":{"model":"auto","model":"m","messages":[]}})").status, 400);
    QCOMPARE(scene.post("/admin/decide", R"({"request":{"model":"auto"},"in_flight":-1})").status, 400);
}

void AdminApiTest::decideKnowsWhatIsMeasured() {
    AdminScene scene;
    QCOMPARE(scene.post("/admin/drain", R"({"endpoint":"fast:m"})").status, 200);
    const auto json = Json::parse(scene.post("/admin/decide", R"({"request":{"model":"auto","messages":[]}})").body);
    QVERIFY2(json["group"].dump().find("cooldown") != std::string::npos, json["group"].dump().c_str());
}

void AdminApiTest::decideForAPrincipal() {
    AdminScene scene({.more = "[principals.ann]\ntoken_env = \"ANN\"\nallowed_groups = []\n", .variables = {{"ANN", "ann-token-0123456789"}}});
    const auto json = Json::parse(scene.post("/admin/decide", R"({"request":{"model":"auto","messages":[]},"principal":"ann"})").body);
    QVERIFY2(json["plan"].is_null(), json.dump().c_str());
    const auto unknown = scene.post("/admin/decide", R"({"request":{"model":"auto","messages":[]},"principal":"amn"})");
    QCOMPARE(unknown.status, 404);
    QVERIFY2(errorMessage(unknown).find("\"ann\"") != std::string::npos, unknown.body.c_str());
    QCOMPARE(scene.post("/admin/decide", R"({"request":{"model":"m","messages":[]},"principal":"ann","pin":"endpoint/fast:m"})").status, 403);
}

/// As `signalboxctl decide --json` does, of this gateway's own environment.
void AdminApiTest::decideSaysWhoCannotBeCalled() {
    const std::string providers = "[providers.cloud]\nprotocol = \"anthropic\"\nbase_url = \"https://cloud.example\"\napi_key_env = \"CLOUD_KEY\"\n"
                                  "models = [\"shared\", \"own\"]\n[providers.spare]\nprotocol = \"simulated\"\nmodels = [\"shared\"]\n";
    const auto ask = [](AdminScene& scene, const std::string& members) {
        return Json::parse(scene.post("/admin/decide", "{\"request\":{\"messages\":[]," + members + "}}").body);
    };
    const auto notCallable = [](const Json& answer) { return answer.value("not_callable_here", Json()); };
    AdminScene lacking({.more = providers});
    const Json cloud = Json::array({{{"endpoint", "cloud:shared"}, {"why", "The environment variable CLOUD_KEY is not set or empty"}}});
    const Json plain = ask(lacking, R"("model":"shared")");
    QVERIFY2(notCallable(plain) == cloud, plain.dump().c_str());
    // Refused by the first for what it cannot carry, and served by the next one.
    const Json seeded = ask(lacking, R"("model":"shared","seed":7)");
    QVERIFY2(seeded["plan"].is_object() && notCallable(seeded) == cloud, seeded.dump().c_str());
    const Json own = ask(lacking, R"("model":"own")");
    QVERIFY2(notCallable(own).dump().find("\"cloud:own\"") != std::string::npos, own.dump().c_str());
    for (const char* members : {R"("model":"auto")", R"("model":"spare:shared")", R"("model":"nothing-like-it")"})
        QVERIFY2(!ask(lacking, members).contains("not_callable_here"), members);
    AdminScene ready({.more = providers, .variables = {{"CLOUD_KEY", "planted-key-0815"}}});
    const Json full = ask(ready, R"("model":"shared")");
    QVERIFY2(!full.contains("not_callable_here") && full.dump().find("planted") == std::string::npos, full.dump().c_str());
}

void AdminApiTest::forecastOfAPool() {
    AdminScene scene({.more = "[models.pooled]\nrouter = \"fixed\"\n[[models.pooled.route]]\nprovider = \"fast\"\nmodel = \"m\"\n"});
    const auto pools = Json::parse(scene.get("/admin/pools").body)["pools"];
    QCOMPARE(pools.size(), std::size_t{1});
    QCOMPARE(std::string(pools[0]["id"]), std::string("pooled"));
    const auto answer = scene.post("/admin/forecast", R"({"pool":"pooled","question":{"prompt_tokens":100}})");
    QVERIFY2(answer.status == 200, answer.body.c_str());
    QCOMPARE(std::string(Json::parse(answer.body)["choice"]["drawn"]), std::string("fast:m"));
    QCOMPARE(scene.post("/admin/forecast", R"({"pool":"other"})").status, 404);
}

QTEST_APPLESS_MAIN(AdminApiTest)
#include "tst_admin_api.moc"
