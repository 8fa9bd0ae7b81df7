// SPDX-License-Identifier: MIT
// Every admin path over real sockets: what it does, and whom it turns away.
#include "tests/router/engine/admin_scene.h"

#include <QTest>
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
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
    void wrongTokensAreCountedAndLockedOut();
    void remoteMachinesNeedARemoteApi();
    void theTokenMayComeFromTheEnvironment();
    void everyActionIsWrittenDown();
    void refusedAttemptsAreWrittenDown();
    void tooLongNotesAreRefused();
    void withoutADatabaseEventsSayWhy();
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
    {"POST", "/admin/decide", R"({"request":{"model":"auto","messages":[]}})"},
    {"POST", "/admin/off", R"({"on":true})"},
    {"POST", "/admin/mode", R"({"mode":"shadow"})"},
    {"POST", "/admin/drain", R"({"endpoint":"slow:m"})"},
    {"POST", "/admin/undrain", R"({"endpoint":"slow:m"})"},
    {"POST", "/admin/circuit", R"({"endpoint":"slow:m","action":"trip"})"},
    {"POST", "/admin/events", R"({"words":"maintenance until noon"})"},
};

/// An address of this machine that is not loopback, in IPv4 text; empty where there is none.
std::string addressOfThisMachine() {
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0)
        return {};
    std::string found;
    for (const ifaddrs* one = all; one != nullptr && found.empty(); one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET)
            continue;
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        char text[INET_ADDRSTRLEN] = {};
        inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
        if (std::string(text).rfind("127.", 0) != 0)
            found = text;
    }
    freeifaddrs(all);
    return found;
}

/// One request from that address to itself: for the gateway it comes from elsewhere.
std::string requestOver(const std::string& host, std::uint16_t port, const std::string& request) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    std::string out;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
        char buffer[4096];
        for (ssize_t bytes = 0; (bytes = recv(fd, buffer, sizeof buffer, 0)) > 0;)
            out.append(buffer, static_cast<std::size_t>(bytes));
    }
    ::close(fd);
    return out;
}

std::string statusRequest(const std::string& host, const std::string& token) {
    return "GET /admin/status HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + token + "\r\nConnection: close\r\n\r\n";
}

QString text(const std::string& from) {
    return QString::fromStdString(from);
}

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
    QVERIFY(std::any_of(refusals.begin(), refusals.end(), [](const Json& one) { return one["code"] == "missing_token"; }));
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

void AdminApiTest::wrongTokensAreCountedAndLockedOut() {
    AdminScene scene;
    for (int i = 0; i < 10; ++i)
        QCOMPARE(scene.bare("GET", "/admin/status", {"Authorization: Bearer wrong-wrong-wrong-" + std::to_string(i)}).status, 401);
    const auto locked = scene.bare("GET", "/admin/status", {"Authorization: Bearer wrong-wrong-wrong-x"});
    QCOMPARE(locked.status, 429);
    QCOMPARE(errorCode(locked), std::string("admin_locked"));
    QVERIFY(std::stoi(locked.header("retry-after")) > 0);
    // Another local program must not lock the operator out.
    QCOMPARE(scene.get("/admin/status").status, 200);
    const auto events = scene.eventsAfter();
    const auto refused = std::count_if(events.begin(), events.end(), [](const auto& one) { return one.kind == evidence::EventKind::adminRefused; });
    QCOMPARE(refused, 10);
}

void AdminApiTest::remoteMachinesNeedARemoteApi() {
    const std::string here = addressOfThisMachine();
    if (here.empty())
        QSKIP("this machine has no address but loopback");
    AdminScene local({.listen = "0.0.0.0:0"});
    const std::string refused = requestOver(here, local.port(), statusRequest(here, local.adminToken()));
    QVERIFY2(refused.find(" 403 ") != std::string::npos && refused.find("admin_is_local") != std::string::npos, refused.c_str());
    const auto events = local.eventsAfter();
    QVERIFY(std::any_of(events.begin(), events.end(), [&](const auto& one) {
        return one.kind == evidence::EventKind::adminRefused && text(one.words).contains(text(here));
    }));

    AdminScene remote({.listen = "0.0.0.0:0", .more = "[admin]\nremote = true\n"});
    const std::string answer = requestOver(here, remote.port(), statusRequest(here, remote.adminToken()));
    QVERIFY2(answer.find(" 200 ") != std::string::npos, answer.c_str());
    QVERIFY(requestOver(here, remote.port(), statusRequest(here, remote.target().clientToken())).find(" 403 ") != std::string::npos);
    for (int i = 0; i < 12; ++i)
        static_cast<void>(requestOver(here, remote.port(), statusRequest(here, "guess-guess-guess-" + std::to_string(i))));
    // A locked address guesses no more, but who has the token comes in: others may share that address.
    QVERIFY(requestOver(here, remote.port(), statusRequest(here, "guess-guess-guess-13")).find(" 429 ") != std::string::npos);
    QVERIFY(requestOver(here, remote.port(), statusRequest(here, remote.adminToken())).find(" 200 ") != std::string::npos);
    QCOMPARE(remote.get("/admin/status").status, 200);
}

void AdminApiTest::theTokenMayComeFromTheEnvironment() {
    AdminScene scene({.more = "[admin]\ntoken_env = \"ADMIN_TOKEN\"\n", .variables = {{"ADMIN_TOKEN", "chosen-admin-token-1"}}});
    QCOMPARE(scene.get("/admin/status").status, 200);
    const auto wrong = scene.bare("GET", "/admin/status", {"Authorization: Bearer chosen-admin-token-2"});
    QVERIFY2(errorMessage(wrong).find("ADMIN_TOKEN") != std::string::npos && wrong.body.find("chosen-admin-token-1") == std::string::npos,
             wrong.body.c_str());
    for (const auto& [value, says] : {std::pair("", "not set"), std::pair("short", "at least 16")}) {
        try {
            AdminScene bad({.more = "[admin]\ntoken_env = \"ADMIN_TOKEN\"\n", .variables = {{"ADMIN_TOKEN", value}}});
            QFAIL("it started");
        } catch (const std::runtime_error& error) {
            QVERIFY2(text(error.what()).contains(QLatin1String(says)) && text(error.what()).contains(QLatin1String("ADMIN_TOKEN")), error.what());
        }
    }
}

void AdminApiTest::everyActionIsWrittenDown() {
    AdminScene scene;
    const std::vector<std::string> ada{"X-Signalbox-Actor: ada lovelace\xC3\xA9@ops-1"};
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"active","percent":60})", ada).status, 200);
    QCOMPARE(scene.post("/admin/off", R"({"on":true})", ada).status, 200);
    QCOMPARE(scene.post("/admin/off", R"({"on":false})", ada).status, 200);
    QCOMPARE(scene.post("/admin/drain", R"({"endpoint":"fast:m"})", ada).status, 200);
    QCOMPARE(scene.post("/admin/undrain", R"({"endpoint":"fast:m"})", ada).status, 200);
    QCOMPARE(scene.post("/admin/circuit", R"({"endpoint":"fast:m","action":"trip"})", ada).status, 200);
    QCOMPARE(scene.post("/admin/circuit", R"({"endpoint":"fast:m","action":"reset"})").status, 200);
    QCOMPARE(scene.post("/admin/events", R"({"words":"line one\nline two"})", ada).status, 200);
    QCOMPARE(scene.post("/admin/apply", scene.applyBody(scene.configText("active", 20)), ada).status, 200);
    QStringList told;
    for (const auto& event : scene.eventsAfter()) {
        if (event.kind == evidence::EventKind::start || event.kind == evidence::EventKind::stop)
            continue;
        told << QStringLiteral("%1 %2").arg(text(std::string(toString(event.kind))), text(event.actor));
        const bool says = event.kind == evidence::EventKind::note ? text(event.words) == QStringLiteral("line one line two")
                          : told.size() == 10                      ? true // the mode that the apply brought back
                                                                   : text(event.words).contains(QStringLiteral("from 127.0.0.1"));
        QVERIFY2(says, event.words.c_str());
    }
    const QString who = QStringLiteral("operator:ada_lovelace@ops-1");
    QCOMPARE(told, (QStringList{QStringLiteral("mode ") + who, QStringLiteral("kill_switch ") + who, QStringLiteral("kill_switch ") + who,
                                QStringLiteral("drain ") + who, QStringLiteral("undrain ") + who, QStringLiteral("trip ") + who,
                                QStringLiteral("reset operator"), QStringLiteral("note ") + who, QStringLiteral("apply ") + who,
                                QStringLiteral("mode ") + who}));
}

void AdminApiTest::refusedAttemptsAreWrittenDown() {
    AdminScene scene;
    const std::string wrong = "Authorization: Bearer wrong-wrong-wrong-1";
    QCOMPARE(scene.bare("POST", "/admin/off", {wrong, "X-Signalbox-Actor: mallory"}, R"({"on":true})").status, 401);
    QCOMPARE(scene.bare("POST", "/admin/off", {"Authorization: Bearer " + scene.target().clientToken()}, R"({"on":true})").status, 403);
    QCOMPARE(scene.get("/admin/status", {"Origin: http://evil.example"}).status, 403);
    QCOMPARE(scene.post("/admin/drain", R"({"endpoint":"no:where"})", {"X-Signalbox-Actor: ada"}).status, 404);
    QCOMPARE(scene.post("/admin/apply", scene.applyBody("[server]\nlisten = 3\n")).status, 400);
    const auto events = scene.eventsAfter();
    QStringList told;
    for (const auto& event : events) {
        if (event.kind != evidence::EventKind::adminRefused)
            continue;
        told << text(event.actor) + QLatin1Char(' ') + text(event.subject);
        QVERIFY(text(event.words).contains(QStringLiteral("127.0.0.1")));
        QVERIFY(!text(event.words).contains(QStringLiteral("wrong-wrong")));
    }
    QCOMPARE(told, (QStringList{QStringLiteral("operator:mallory /admin/off"), QStringLiteral("operator /admin/off"),
                                QStringLiteral("operator /admin/status"), QStringLiteral("operator:ada /admin/drain"),
                                QStringLiteral("operator /admin/apply")}));
    QVERIFY(std::none_of(events.begin(), events.end(), [](const auto& one) { return one.kind == evidence::EventKind::killSwitch; }));
}

void AdminApiTest::tooLongNotesAreRefused() {
    AdminScene scene;
    QCOMPARE(scene.post("/admin/events", Json{{"words", std::string(2001, 'x')}}.dump()).status, 400);
    QCOMPARE(scene.post("/admin/events", R"({"words":" \t\n "})").status, 400);
    QCOMPARE(scene.post("/admin/events", Json{{"words", std::string(2000, 'x')}}.dump()).status, 200);
}

void AdminApiTest::withoutADatabaseEventsSayWhy() {
    AdminScene scene;
    const auto response = scene.get("/admin/events");
    QCOMPARE(response.status, 503);
    QVERIFY2(errorMessage(response).find("$NOWHERE") != std::string::npos, response.body.c_str());
    QCOMPARE(scene.get("/admin/events?limit=0").status, 400);
    QCOMPARE(scene.get("/admin/events?limit=1001").status, 400);
    QCOMPARE(scene.get("/admin/events?before=yesterday").status, 400);
}

QTEST_APPLESS_MAIN(AdminApiTest)
#include "tst_admin_api.moc"
