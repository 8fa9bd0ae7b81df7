// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/engine/tokens.h"
#include "router/engine/target.h"
#include "router/policy/workspace.h"
#include "tests/support/raw_http.h"

#include <QTemporaryDir>
#include <QTest>
#include <stdexcept>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using engine::GatewayState;

namespace fs = std::filesystem;

class EmbeddedTargetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startServesAndStopEnds();
    void generatedTokenIsKeptAndPrivate();
    void tokenOfTheOperator();
    void missingTokenVariable_saysWhichOne();
    void portTaken_failsClearly();
    void badProvider_doesNotStopTheStart();
    void applyMovesToAnotherAddress();
    void refusalsAreShown();
    void historyWithoutEvidence_saysSo();
    void evidenceThatAnotherProcessRecords_saysWho();
    void brokenTokenFile_saysWhatToDo();

private:
    engine::Policy policyOf(const std::string& toml) const;
    std::unique_ptr<engine::Target> target() const;
    /// It records in this journal, for a database that is not there.
    std::unique_ptr<engine::Target> recordingIn(const fs::path& journal) const;
    fs::path folder() const { return m_folder->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<std::string, std::string> m_variables;
};

namespace {
const std::string kSimulated =
    "[server]\nlisten = \"127.0.0.1:0\"\n[providers.sim]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n"
    "[providers.sim.simulated]\nfirst_token_ms = 0\noutput_tokens = 3\ntokens_per_second = 100000.0\n";

std::uint16_t portOf(const engine::Target& target) {
    const std::string address = target.status().address;
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

std::optional<RawResponse> ask(const engine::Target& target, const std::string& model = "m") {
    return fetch(portOf(target),
                 {"POST",
                  "/v1/chat/completions",
                  {"Authorization: Bearer " + target.clientToken()},
                  "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"});
}
} // namespace

void EmbeddedTargetTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_variables.clear();
}

engine::Policy EmbeddedTargetTest::policyOf(const std::string& toml) const {
    const auto file = folder() / "gateway.toml";
    if (!writeFileAtomic(file, toml))
        throw std::runtime_error("cannot write the test's gateway.toml");
    const auto loaded = policy::loadWorkspace({}, file, config::processEnvironment(), SystemClock().now());
    if (!loaded || !loaded->snapshot)
        throw std::runtime_error("the test's gateway.toml does not load");
    return {loaded->snapshot, {}};
}

std::unique_ptr<engine::Target> EmbeddedTargetTest::target() const {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = false;
    options.stateFolder = folder() / "state";
    options.environment = [variables = m_variables](const std::string& name) -> std::optional<std::string> {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    };
    return std::move(engine::makeEmbeddedTarget(std::move(options)).value());
}

std::unique_ptr<engine::Target> EmbeddedTargetTest::recordingIn(const fs::path& journal) const {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = true;
    options.evidence.journalFolder = journal;
    options.evidence.dsn = "host=" + (folder() / "no-database").string() + " connect_timeout=1";
    options.evidence.dsnName = "$NO_DATABASE";
    options.evidence.workspaceId = "test";
    options.stateFolder = folder() / "state";
    return std::move(engine::makeEmbeddedTarget(std::move(options)).value());
}

void EmbeddedTargetTest::startServesAndStopEnds() {
    const auto gateway = target();
    QVERIFY(gateway->status().state == GatewayState::stopped);
    QVERIFY(gateway->running() == nullptr);
    const auto policy = policyOf(kSimulated);
    const auto started = gateway->start(policy);
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    const auto status = gateway->status();
    QVERIFY(status.state == GatewayState::running);
    QCOMPARE(status.runningHash, policy.snapshot->hash);
    QVERIFY(status.tokenRequired);
    QVERIFY(status.baseUrl.ends_with("/v1"));
    const auto response = ask(*gateway);
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-simulated"), std::string("true"));
    QCOMPARE(gateway->status().served, std::uint64_t{1});
    const auto again = gateway->start(policy);
    QVERIFY(!again && again.error().kind == ErrorKind::conflict);
    QVERIFY(gateway->stop(1s).has_value());
    QVERIFY(gateway->status().state == GatewayState::stopped);
    QVERIFY(gateway->running() == nullptr);
    QVERIFY(gateway->start(policy).has_value());
    QCOMPARE(ask(*gateway)->status, 200);
}

void EmbeddedTargetTest::generatedTokenIsKeptAndPrivate() {
    std::string first;
    for (int i = 0; i < 2; ++i) {
        const auto gateway = target();
        QVERIFY(gateway->start(policyOf(kSimulated)).has_value());
        if (first.empty())
            first = gateway->clientToken();
        QCOMPARE(gateway->clientToken(), first);
    }
    QVERIFY(first.size() >= 40);
    const auto file = folder() / "state/client-token";
    QVERIFY(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    QVERIFY(fs::status(folder() / "state").permissions() == fs::perms::owner_all);
}

void EmbeddedTargetTest::tokenOfTheOperator() {
    m_variables["MY_TOKEN"] = "the-operator-s-own-token";
    const auto gateway = target();
    QVERIFY(gateway->start(policyOf("[auth]\ntoken_env = \"MY_TOKEN\"\n" + kSimulated)).has_value());
    QCOMPARE(gateway->clientToken(), std::string("the-operator-s-own-token"));
    QCOMPARE(ask(*gateway)->status, 200);
    QVERIFY(!fs::exists(folder() / "state/client-token"));
}

void EmbeddedTargetTest::missingTokenVariable_saysWhichOne() {
    const auto gateway = target();
    const auto started = gateway->start(policyOf("[auth]\ntoken_env = \"MY_TOKEN\"\n" + kSimulated));
    QVERIFY(!started);
    QVERIFY(started.error().text().find("MY_TOKEN") != std::string::npos);
    QVERIFY(gateway->status().state == GatewayState::failed);
    QCOMPARE(gateway->status().lastError, started.error().text());
}

void EmbeddedTargetTest::portTaken_failsClearly() {
    const auto first = target();
    QVERIFY(first->start(policyOf(kSimulated)).has_value());
    std::string toml = kSimulated;
    toml.replace(toml.find(":0"), 2, ":" + std::to_string(portOf(*first)));
    const auto second = target();
    const auto started = second->start(policyOf(toml));
    QVERIFY(!started);
    QVERIFY2(second->status().lastError.find("another program") != std::string::npos,
             second->status().lastError.c_str());
    QVERIFY(first->stop(1s).has_value());
    QVERIFY2(second->start(policyOf(toml)).has_value(), "it starts once the port is free");
}

void EmbeddedTargetTest::badProvider_doesNotStopTheStart() {
    const auto gateway = target();
    const auto started = gateway->start(
        policyOf(kSimulated + "[providers.cloud]\nbase_url = \"https://cloud.example/v1\"\nmodels = [\"c\"]\n"
                              "api_key_env = \"CLOUD_KEY\"\napi_key_required = true\n"));
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    QVERIFY2(gateway->status().lastError.find("CLOUD_KEY") != std::string::npos,
             gateway->status().lastError.c_str());
    QCOMPARE(ask(*gateway)->status, 200);
    const auto refused = ask(*gateway, "c");
    QCOMPARE(refused->status, 503);
    QVERIFY2(refused->body.find("CLOUD_KEY") != std::string::npos, refused->body.c_str());
    QVERIFY(!refused->header("retry-after").empty());
}

void EmbeddedTargetTest::applyMovesToAnotherAddress() {
    const auto gateway = target();
    QVERIFY(gateway->start(policyOf(kSimulated)).has_value());
    const std::uint16_t before = portOf(*gateway);
    std::uint16_t free = 0;
    {
        const auto probe = target();
        QVERIFY(probe->start(policyOf(kSimulated)).has_value());
        free = portOf(*probe);
    }
    std::string toml = kSimulated;
    toml.replace(toml.find(":0"), 2, ":" + std::to_string(free));
    const auto applied = gateway->apply(policyOf(toml));
    QVERIFY2(applied.has_value(), applied ? "" : applied.error().text().c_str());
    QCOMPARE(portOf(*gateway), free);
    QCOMPARE(ask(*gateway)->status, 200);
    QVERIFY(!RawClient(before).isConnected());
}

void EmbeddedTargetTest::refusalsAreShown() {
    const auto gateway = target();
    QVERIFY(gateway->start(policyOf(kSimulated)).has_value());
    QCOMPARE(ask(*gateway, "nobody")->status, 404);
    const auto refusals = gateway->refusals();
    QCOMPARE(refusals.size(), std::size_t{1});
    QCOMPARE(refusals[0].code, std::string("model_not_found"));
    QCOMPARE(refusals[0].count, std::uint64_t{1});
    QVERIFY(refusals[0].message.find("nobody") != std::string::npos);
    QCOMPARE(refusals[0].peer, std::string("127.0.0.1"));
    QCOMPARE(refusals[0].principal, std::string("local")); // the gateway's own token
    QVERIFY(!refusals[0].sinceStart && !refusals[0].others);
}

void EmbeddedTargetTest::historyWithoutEvidence_saysSo() {
    const auto gateway = target();
    std::atomic<bool> answered{false};
    std::string message;
    const auto job = gateway->ask([&](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
        message = reader.summary({}, cancel).error().text();
        answered = true;
    });
    QTRY_VERIFY(answered);
    QVERIFY(message.find("evidence") != std::string::npos);
}

/// Off is what the configuration turned off. Where another process records, or nothing can be opened, that is the reason.
void EmbeddedTargetTest::evidenceThatAnotherProcessRecords_saysWho() {
    QCOMPARE(target()->status().evidence.lastError, std::string());
    const auto recording = recordingIn(folder() / "journal");
    QVERIFY(recording->status().evidence.state != evidence::StoreState::off);
    const auto observing = recordingIn(folder() / "journal")->status().evidence;
    QVERIFY(observing.state == evidence::StoreState::off);
    QVERIFY2(observing.lastError.find("another gateway records here") != std::string::npos, observing.lastError.c_str());
    QVERIFY2(observing.where.find((folder() / "journal").string()) != std::string::npos, observing.where.c_str());

    QVERIFY(writeFileAtomic(folder() / "no-folder", "a file").has_value());
    const auto closed = recordingIn(folder() / "no-folder" / "journal")->status().evidence;
    QVERIFY(closed.state == evidence::StoreState::off);
    QVERIFY(!closed.lastError.empty());
    QCOMPARE(closed.where, std::string());
}

void EmbeddedTargetTest::brokenTokenFile_saysWhatToDo() {
    fs::create_directories(folder() / "state");
    QVERIFY(writeFileAtomic(folder() / "state/client-token", "short\n").has_value());
    const auto token = engine::loadOrMakeClientToken(folder() / "state");
    QVERIFY(!token);
    QVERIFY(token.error().text().find("client-token") != std::string::npos);
    QVERIFY(token.error().text().find("Delete it") != std::string::npos);
    fs::remove(folder() / "state/client-token");
    fs::create_directories(folder() / "state/client-token");
    QVERIFY(!engine::loadOrMakeClientToken(folder() / "state"));
}

QTEST_APPLESS_MAIN(EmbeddedTargetTest)
#include "tst_embedded_target.moc"
