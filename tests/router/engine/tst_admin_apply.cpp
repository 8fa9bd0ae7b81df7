// SPDX-License-Identifier: MIT
// Policies that come over the admin API: judged whole, applied without a lost request, or nothing changed.
#include "router/engine/admin_wire.h"
#include "tests/router/engine/admin_scene.h"

#include <QTest>
#include <atomic>
#include <set>
#include <thread>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using Json = nlohmann::json;

class AdminApplyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twentyAppliesLoseNoConnection();
    void aMoveLosesNoConnection();
    void aTakenAddressChangesNothing();
    void badPoliciesChangeNothing_data();
    void badPoliciesChangeNothing();
    void onlyWhatVerifiesIsApplied();
    void whereItListensStaysTheOperatorsChoice();
    void withoutKeysSignaturesSayNothing();
};

namespace {

/// Clients that open a new connection for each request, at whatever address the gateway says that it has.
class Newcomers {
public:
    Newcomers(engine::Target& target, int clients) : m_target(target) {
        for (int i = 0; i < clients; ++i)
            m_threads.emplace_back([this, client = target.clientToken()] { run(client); });
    }
    ~Newcomers() { stop(); }
    void stop() {
        m_stop = true;
        for (std::thread& thread : m_threads)
            if (thread.joinable())
                thread.join();
    }
    [[nodiscard]] int served() const { return m_served; }
    [[nodiscard]] int failed() const { return m_failed; }

private:
    std::string address() const { return m_target.status().address; }
    static std::uint16_t portIn(const std::string& address) {
        return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    }

    void run(const std::string& token) {
        while (!m_stop) {
            const std::string tried = address();
            const auto response = fetch(portIn(tried), {"POST", "/v1/chat/completions", {"Authorization: Bearer " + token},
                                                        R"({"model":"auto","messages":[{"role":"user","content":"hi"}]})"});
            if (response && response->complete && response->status == 200)
                ++m_served;
            else if (!response && hasMoved(tried))
                continue; // came after the door had been shut; the next one is open
            else
                ++m_failed;
        }
    }
    bool hasMoved(const std::string& from) const {
        const auto deadline = std::chrono::steady_clock::now() + 5s;
        while (address() == from && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
        return address() != from;
    }

    engine::Target& m_target;
    std::atomic<bool> m_stop{false};
    std::atomic<int> m_served{0}, m_failed{0};
    std::vector<std::thread> m_threads;
};

std::string moved(std::string config, const std::string& listen) {
    const std::string before = "listen = \"127.0.0.1:0\"";
    return config.replace(config.find(before), before.size(), "listen = \"" + listen + "\"");
}

signing::Signature signedBy(const signing::SecretKey& key, const std::string& text, const std::string& signer) {
    signing::TrustedFacts facts;
    facts.signer = signer;
    return signing::sign(key, text, signing::writeTrustedFacts(facts), "untrusted");
}

} // namespace

void AdminApplyTest::twentyAppliesLoseNoConnection() {
    AdminScene scene;
    Newcomers clients(scene.target(), 4);
    std::set<std::string> hashes;
    for (int i = 0; i < 20; ++i) {
        const int before = clients.served();
        const auto response = scene.post("/admin/apply", scene.applyBody(scene.configText("active", i % 2 == 0 ? 35 : 20)));
        QVERIFY2(response.status == 200, response.body.c_str());
        const std::string hash = Json::parse(response.body)["running_hash"];
        QCOMPARE(hash, scene.target().running()->hash);
        hashes.insert(hash);
        QTRY_VERIFY_WITH_TIMEOUT(clients.served() > before + 8, 20'000); // newcomers throughout
    }
    clients.stop();
    QCOMPARE(clients.failed(), 0);
    QCOMPARE(hashes.size(), std::size_t{2});
    QCOMPARE(scene.target().status().served, static_cast<std::uint64_t>(clients.served()));
}

void AdminApplyTest::aMoveLosesNoConnection() {
    AdminScene scene;
    Newcomers clients(scene.target(), 4);
    for (int i = 0; i < 8; ++i) {
        const int before = clients.served();
        const std::string from = scene.target().status().address;
        // All addresses, then loopback alone again: each time the system gives another port.
        const auto response = scene.post("/admin/apply", scene.applyBody(moved(scene.configText("active", 20), i % 2 == 0 ? "0.0.0.0:0" : "127.0.0.1:0")));
        QVERIFY2(response.status == 200, response.body.c_str());
        const std::string to = Json::parse(response.body)["address"];
        QVERIFY(to != from);
        QCOMPARE(to, scene.target().status().address);
        QTRY_VERIFY_WITH_TIMEOUT(clients.served() > before + 8, 20'000);
        RawClient late(static_cast<std::uint16_t>(std::stoi(from.substr(from.rfind(':') + 1))));
        QVERIFY(!late.isConnected());
    }
    clients.stop();
    QCOMPARE(clients.failed(), 0);
}

void AdminApplyTest::aTakenAddressChangesNothing() {
    AdminScene other, scene;
    const std::string before = scene.target().status().runningHash;
    const auto response = scene.post("/admin/apply", scene.applyBody(moved(scene.configText("shadow", 0), other.target().status().address)));
    QCOMPARE(response.status, 503);
    QVERIFY2(errorMessage(response).find("another program") != std::string::npos, response.body.c_str());
    QCOMPARE(scene.target().status().runningHash, before);
    QCOMPARE(scene.ask().status, 200);
    QCOMPARE(other.ask().status, 200);
}

void AdminApplyTest::badPoliciesChangeNothing_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("says");
    const AdminScene scene;
    const QString good = QString::fromStdString(scene.configText("active", 20)), table = QString::fromStdString(scene.tableText());
    QTest::newRow("no JSON") << QStringLiteral("{") << good << QStringLiteral("routing-table.json:1");
    QTest::newRow("no table") << QStringLiteral("{}") << good << QStringLiteral("schema_version");
    QTest::newRow("no TOML") << table << QStringLiteral("[server\n") << QStringLiteral("gateway.toml:1");
    QTest::newRow("bad value") << table << good + QStringLiteral("[circuits]\nconsecutive_failures = \"often\"\n") << QStringLiteral("gateway.toml:");
    QTest::newRow("unknown preset") << table << good + QStringLiteral("[presets.\"z\"]\nprovider = \"slow\"\n") << QStringLiteral("\"z\"");
    QTest::newRow("unknown strategy") << table << good + QStringLiteral("[models.x]\nrouter = \"roulette\"\n[[models.x.route]]\nprovider = \"slow\"\nmodel = \"m\"\n")
                                      << QStringLiteral("roulette");
    QTest::newRow("open to everyone") << table << QString(good).replace(QStringLiteral("127.0.0.1:0\""), QStringLiteral("0.0.0.0:0\"\nauth = \"none\""))
                                      << QStringLiteral("auth");
    QTest::newRow("token that is not there") << table << good + QStringLiteral("[auth]\ntoken_env = \"NOT_SET\"\n") << QStringLiteral("NOT_SET");
}

void AdminApplyTest::badPoliciesChangeNothing() {
    QFETCH(QString, table);
    QFETCH(QString, config);
    QFETCH(QString, says);
    AdminScene scene;
    QCOMPARE(scene.post("/admin/mode", R"({"mode":"active","percent":60})").status, 200);
    const std::string before = scene.get("/admin/policy").body;
    const auto response = scene.post("/admin/apply", engine::wire::encodeApply({{{"routing-table.json", table.toStdString(), {}},
                                                                                 {"gateway.toml", config.toStdString(), {}}}}));
    QVERIFY2(response.status == 400 || response.status == 403, response.body.c_str());
    QVERIFY2(QString::fromStdString(errorMessage(response)).contains(says), response.body.c_str());
    QCOMPARE(scene.get("/admin/policy").body, before);
    QCOMPARE(std::string(scene.status()["mode_override"]), std::string("active 60 %"));
    QCOMPARE(scene.ask().status, 200);
}

void AdminApplyTest::onlyWhatVerifiesIsApplied() {
    const auto key = signing::SecretKey::generate(), stranger = signing::SecretKey::generate();
    AdminScene scene({.rules = {true, {key.publicKey()}, std::nullopt}});
    const std::string before = scene.target().status().runningHash;
    const std::string config = scene.configText("active", 35), table = scene.tableText();
    const auto apply = [&](std::vector<std::string> ofTable, std::vector<std::string> ofConfig, const std::string& sent) {
        return scene.post("/admin/apply", engine::wire::encodeApply({{{"routing-table.json", table, std::move(ofTable)},
                                                                     {"gateway.toml", sent, std::move(ofConfig)}}}));
    };
    const std::string goodTable = signedBy(key, table, "Ada").fileText(), goodConfig = signedBy(key, config, "Ada").fileText();
    auto lied = signedBy(key, config, "Ada");
    lied.trustedComment.back() = lied.trustedComment.back() == 'x' ? 'y' : 'x';

    const auto unsignedOne = apply({}, {}, config);
    QCOMPARE(unsignedOne.status, 403);
    QVERIFY2(errorMessage(unsignedOne).find("not signed") != std::string::npos, unsignedOne.body.c_str());
    QCOMPARE(apply({goodTable}, {}, config).status, 403);
    QCOMPARE(apply({}, {goodConfig}, config).status, 403);
    QCOMPARE(apply({goodTable}, {goodConfig}, config + "\n").status, 403); // one byte more
    QCOMPARE(apply({goodTable}, {goodTable}, config).status, 403);         // another file's
    QCOMPARE(apply({goodTable}, {lied.fileText()}, config).status, 403);
    const auto foreign = apply({signedBy(stranger, table, "Ada").fileText()}, {goodConfig}, config);
    QCOMPARE(foreign.status, 403);
    QVERIFY2(errorMessage(foreign).find(stranger.publicKey().idText()) != std::string::npos, foreign.body.c_str());
    QVERIFY(apply({"nonsense"}, {goodConfig}, config).status >= 400);
    QCOMPARE(scene.target().status().runningHash, before);

    // Several may sign; one that is trusted is enough here.
    const auto applied = apply({signedBy(stranger, table, "Eve").fileText(), goodTable}, {goodConfig}, config);
    QVERIFY2(applied.status == 200, applied.body.c_str());
    QCOMPARE(std::string(Json::parse(applied.body)["signed_by"]), std::string("Ada"));
    QVERIFY(scene.target().status().runningHash != before);
}

void AdminApplyTest::whereItListensStaysTheOperatorsChoice() {
    AdminScene scene({.rules = {false, {}, config::ListenAddress{"127.0.0.1", 0}}});
    const std::string before = scene.target().status().address;
    const auto response = scene.post("/admin/apply", scene.applyBody(moved(scene.configText("active", 35), "0.0.0.0:1")));
    QVERIFY2(response.status == 200, response.body.c_str());
    QCOMPARE(std::string(Json::parse(response.body)["address"]), before);
}

void AdminApplyTest::withoutKeysSignaturesSayNothing() {
    AdminScene scene;
    const auto key = signing::SecretKey::generate();
    const std::string config = scene.configText("active", 35), table = scene.tableText();
    const auto response = scene.post("/admin/apply", engine::wire::encodeApply({{{"routing-table.json", table, {signedBy(key, table, "Ada").fileText()}},
                                                                                 {"gateway.toml", config, {}}}}));
    QVERIFY2(response.status == 200, response.body.c_str());
    QCOMPARE(Json::parse(response.body).value("signed_by", ""), std::string());
}

QTEST_APPLESS_MAIN(AdminApplyTest)
#include "tst_admin_apply.moc"
