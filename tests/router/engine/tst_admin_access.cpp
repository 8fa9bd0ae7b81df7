// SPDX-License-Identifier: MIT
// Who comes in to the admin API, from where and with which token, and what is written down of it.
#include "tests/router/engine/admin_scene.h"

#include <QTest>
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::test;
using Json = nlohmann::json;

class AdminAccessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrongTokensAreCountedAndLockedOut();
    void remoteMachinesNeedARemoteApi();
    void theTokenMayComeFromTheEnvironment();
    void everyActionIsWrittenDown();
    void refusedAttemptsAreWrittenDown();
    void tooLongNotesAreRefused();
    void withoutADatabaseEventsSayWhy();
};

namespace {

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

void AdminAccessTest::wrongTokensAreCountedAndLockedOut() {
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

void AdminAccessTest::remoteMachinesNeedARemoteApi() {
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

void AdminAccessTest::theTokenMayComeFromTheEnvironment() {
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

void AdminAccessTest::everyActionIsWrittenDown() {
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

void AdminAccessTest::refusedAttemptsAreWrittenDown() {
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

void AdminAccessTest::tooLongNotesAreRefused() {
    AdminScene scene;
    QCOMPARE(scene.post("/admin/events", Json{{"words", std::string(2001, 'x')}}.dump()).status, 400);
    QCOMPARE(scene.post("/admin/events", R"({"words":" \t\n "})").status, 400);
    QCOMPARE(scene.post("/admin/events", Json{{"words", std::string(2000, 'x')}}.dump()).status, 200);
}

void AdminAccessTest::withoutADatabaseEventsSayWhy() {
    AdminScene scene;
    const auto response = scene.get("/admin/events");
    QCOMPARE(response.status, 503);
    QVERIFY2(errorMessage(response).find("$NOWHERE") != std::string::npos, response.body.c_str());
    QCOMPARE(scene.get("/admin/events?limit=0").status, 400);
    QCOMPARE(scene.get("/admin/events?limit=1001").status, 400);
    QCOMPARE(scene.get("/admin/events?before=yesterday").status, 400);
}

QTEST_APPLESS_MAIN(AdminAccessTest)
#include "tst_admin_access.moc"
