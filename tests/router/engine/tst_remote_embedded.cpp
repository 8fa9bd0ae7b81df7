// SPDX-License-Identifier: MIT
// The same facade at both ends of the admin API: a real gateway in this process, looked at and acted on over its own
// listener by a target elsewhere.
#include "router/base/file.h"
#include "router/engine/remote_target.h"
#include "router/engine/running_url.h"
#include "router/policy/workspace.h"
#include "tests/support/raw_http.h"

#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>

using namespace signalbox;
using namespace std::chrono_literals;
using engine::GatewayState;

namespace {

const std::string kToml =
    "[server]\n"
    "listen = \"127.0.0.1:0\"\n"
    "[providers.sim]\n"
    "protocol = \"simulated\"\n"
    "models = [\"a\", \"b\"]\n"
    "[providers.sim.simulated]\n"
    "first_token_ms = 1\n"
    "output_tokens = 3\n"
    "tokens_per_second = 100000\n"
    "[models.both]\n"
    "router = \"fixed\"\n"
    "[[models.both.route]]\n"
    "provider = \"sim\"\n"
    "model = \"a\"\n"
    "[[models.both.route]]\n"
    "provider = \"sim\"\n"
    "model = \"b\"\n"
    "[routing]\n"
    "mode = \"shadow\"\n"
    "policy_version = \"v1\"\n"
    "[routing.groups.auto]\n"
    "aliases = [\"auto\"]\n"
    "[[routing.groups.auto.candidates]]\n"
    "provider = \"sim\"\n"
    "model = \"a\"\n"
    "[[routing.groups.auto.candidates]]\n"
    "provider = \"sim\"\n"
    "model = \"b\"\n";
/// A small table, so that a release has both of its files.
const std::string kTable =
    "{\"schema_version\":1,\"generated_by\":\"test\",\"generated_at\":\"2026-11-29T00:00:00Z\",\"vllm_pin\":null,\"presets\":[],\""
    "routing_rules\":[],\"workload_class_detection\":{\"evaluation_order\":[\"tool_call\",\"structured_json\",\"summarization"
    "\",\"code_gen\",\"free_chat\"],\"classes\":{\"tool_call\":{\"trigger\":\"tools is a non-empty array\",\"priority\":100},\"stru"
    "ctured_json\":{\"trigger\":\"response_format.type is json_object or json_schema\",\"priority\":90},\"summarization\":{\""
    "trigger\":\"input_tokens > 2 * max_tokens, no response_format, no tools\",\"priority\":50},\"code_gen\":{\"trigger\":\"c"
    "aller hint category=code\",\"priority\":40},\"free_chat\":{\"trigger\":\"nothing else matched\",\"priority\":0}}},\"concur"
    "rency_mode_detection\":{\"single_stream\":\"in flight <= 1\",\"multi_conc\":\"in flight >= 2\",\"owner\":\"consumer\",\"fall"
    "back\":\"single_stream\"},\"length_detection\":{\"short_threshold_tokens\":256,\"caller_hint_wins\":true,\"buckets\":{\"sh"
    "ort\":\"<= 256\",\"medium\":\"257..512\",\"long\":\"> 512\"}},\"fallback\":{\"no_rule_matched\":\"default_for_family\",\"model_f"
    "amily_unknown\":\"natural preset\",\"classification_failed\":\"free_chat\",\"default_K\":1},\"coverage_gaps\":[]}";

}  // namespace

class RemoteEmbeddedTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<engine::Target> m_gateway;
    std::unique_ptr<engine::RemoteTarget> m_remote;

    std::filesystem::path state() const { return std::filesystem::path(m_folder->path().toStdString()) / "state"; }
    std::uint16_t port() const {
        const std::string address = m_gateway->status().address;
        return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    }
    void start() {
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "gateway.toml";
        QVERIFY(writeFileAtomic(file, kToml).has_value());
        const auto loaded = policy::loadWorkspace({}, file, config::processEnvironment(), SystemClock().now());
        QVERIFY(loaded.has_value());
        QVERIFY2(loaded->snapshot != nullptr, loaded->config.findings.empty() ? "" : loaded->config.findings.front().text("gateway.toml").c_str());
        engine::EmbeddedOptions options;
        options.evidenceEnabled = false;
        options.stateFolder = state();
        m_gateway = engine::makeEmbeddedTarget(std::move(options)).value();
        const auto started = m_gateway->start({loaded->snapshot, {}});
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    }
    void look() {
        engine::RemoteOptions options;
        options.name = "prod-a";
        options.interval = 50ms;
        // As signalboxctl finds them on this machine.
        options.access.url = engine::readRunningUrl(state()).value();
        options.access.token = engine::readAdminToken(state()).value();
        options.access.actor = "ada@ops-1";
        auto made = engine::makeRemoteTarget(std::move(options));
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        m_remote = std::move(*made);
        QTRY_VERIFY2(m_remote->status().state == GatewayState::running, m_remote->status().lastError.c_str());
    }
    void send(const std::string& model) {
        test::RequestLines request;
        request.headers = {"Authorization: Bearer " + m_gateway->clientToken(), "Content-Type: application/json"};
        request.body = "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
        const auto answer = test::fetch(port(), request);
        QVERIFY(answer.has_value());
        QCOMPARE(answer->status, 200);
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        start();
    }
    void cleanup() {
        m_remote.reset();
        m_gateway.reset();
    }

    void bothEndsSayTheSame() {
        look();
        send("auto");
        QTRY_COMPARE(m_remote->status().decided, std::uint64_t{1});
        const auto here = m_gateway->status(), there = m_remote->status();
        QCOMPARE(there.runningHash, here.runningHash);
        QCOMPARE(there.policyVersion, here.policyVersion);
        QCOMPARE(there.mode, std::string("shadow"));
        QCOMPARE(there.served, here.served);
        QVERIFY(there.startedAt == here.startedAt);
        QVERIFY(there.evidence.state == here.evidence.state);
        QVERIFY(there.remote && !here.remote);

        QTRY_COMPARE(m_remote->endpoints().size(), m_gateway->endpoints().size());
        QCOMPARE(m_remote->endpoints().front().endpointId, m_gateway->endpoints().front().endpointId);
        QTRY_COMPARE(m_remote->pools().size(), std::size_t{1});
        QCOMPARE(m_remote->pools().front().id, std::string("both"));
        QCOMPARE(m_remote->pools().front().members.size(), m_gateway->pools().front().members.size());
        QCOMPARE(m_remote->resources().size(), m_gateway->resources().size());
    }

    void forecastsAreTheRoutersOwn() {
        look();
        dispatch::PoolQuestion question;
        question.u = 0.9;
        const auto here = m_gateway->forecast("both", question), there = m_remote->forecast("both", question);
        QVERIFY2(there.has_value(), there ? "" : there.error().text().c_str());
        QCOMPARE(there->choice.drawn, here->choice.drawn);
        QVERIFY(there->choice == here->choice);
        const auto none = m_remote->forecast("nobody", question);
        QVERIFY(!none && none.error().kind == ErrorKind::notFound);
    }

    void whatIsDoneThereIsDone() {
        look();
        QVERIFY(m_remote->off(true).has_value());
        QVERIFY(m_gateway->status().killed && m_remote->status().killed);
        QVERIFY(m_remote->off(false).has_value());
        QVERIFY(!m_gateway->status().killed);
        const auto set = m_remote->setMode(config::RoutingMode::active, 25);
        QVERIFY2(set.has_value(), set ? "" : set.error().text().c_str());
        QCOMPARE(m_gateway->status().mode, std::string("active"));
        QCOMPARE(m_gateway->status().activationPercent, std::uint32_t{25});

        const std::string endpoint = m_gateway->endpoints().front().endpointId;
        QVERIFY(m_remote->act(endpoint, engine::EndpointAction::drain).has_value());
        QVERIFY(m_gateway->endpoints().front().drained);
        QTRY_VERIFY(!m_remote->endpoints().empty() && m_remote->endpoints().front().drained);
        QVERIFY(m_remote->act(endpoint, engine::EndpointAction::undrain).has_value());
        QVERIFY(m_remote->act(endpoint, engine::EndpointAction::trip).has_value());
        QCOMPARE(m_gateway->endpoints().front().circuit, std::string("open"));
        QVERIFY(m_remote->act(endpoint, engine::EndpointAction::reset).has_value());
        QCOMPARE(m_gateway->endpoints().front().circuit, std::string("closed"));
        const auto nobody = m_remote->act("no:such", engine::EndpointAction::drain);
        QVERIFY(!nobody && nobody.error().kind == ErrorKind::notFound);
        // It keeps no evidence, so a note has nowhere to stand.
        const auto noted = m_remote->note("new drivers on lab-b");
        QVERIFY2(!noted && noted.error().text().find("keeps no evidence") != std::string::npos, noted ? "" : noted.error().text().c_str());
    }

    void decisionsCome() {
        look();
        const auto feed = m_remote->subscribe(100);
        std::vector<std::shared_ptr<const evidence::DecisionRecord>> came;
        // Of what is decided before the stream is open nothing is told.
        for (int i = 0; i < 200 && came.empty(); ++i) {
            send("auto");
            QTest::qWait(20);
            auto batch = feed->take();
            came.insert(came.end(), batch.records.begin(), batch.records.end());
        }
        QVERIFY(!came.empty());
        QCOMPARE(came.front()->requestedModel, std::string("auto"));
        QVERIFY(came.front()->group.has_value());
        QCOMPARE(came.front()->policyHash, m_gateway->status().runningHash);
    }

    void filesOfAReleaseAreApplied() {
        look();
        engine::wire::ApplyRequest release;
        std::string next = kToml;
        next.replace(next.find("\"v1\""), 4, "\"v2\"");
        release.files = {{"routing-table.json", kTable, {}}, {"gateway.toml", next, {}}};
        const auto applied = m_remote->applyFiles(release);
        QVERIFY2(applied.has_value(), applied ? "" : applied.error().text().c_str());
        QCOMPARE(m_gateway->status().policyVersion, std::string("v2"));
        QCOMPARE(m_remote->status().policyVersion, std::string("v2"));
        release.files[1].text = "[server\n";
        const auto refused = m_remote->applyFiles(release);
        QVERIFY(!refused && refused.error().kind == ErrorKind::badInput);
        QVERIFY2(refused.error().text().find("gateway.toml:1:") != std::string::npos, refused.error().text().c_str());
        QCOMPARE(m_gateway->status().policyVersion, std::string("v2"));
    }

    void aWrongTokenOpensNothing() {
        engine::AdminAccess access;
        access.url = engine::readRunningUrl(state()).value();
        access.token = "sbx_00000000000000000000000000000000";
        engine::AdminClient client(access);
        const auto refused = client.status();
        QVERIFY(!refused && refused.error().kind == ErrorKind::denied);
        QVERIFY(client.off(true).error().kind == ErrorKind::denied);
        QVERIFY(!m_gateway->status().killed);
        // Nor does a client's.
        access.token = m_gateway->clientToken();
        QVERIFY(engine::AdminClient(access).status().error().kind == ErrorKind::denied);
    }

    void aStoppedGatewayIsNotReachedAndTakesItsAddressAlong() {
        look();
        const std::string url = engine::readRunningUrl(state()).value();
        QVERIFY(m_gateway->stop(1s).has_value());
        QTRY_VERIFY(m_remote->status().unreachableSince != Timestamp{});
        QVERIFY(m_remote->status().state == GatewayState::failed);
        QVERIFY(m_remote->status().heardAt != Timestamp{});
        QVERIFY(!engine::readRunningUrl(state()).has_value());
    }

    std::unique_ptr<engine::Target> startAnother() const {
        engine::EmbeddedOptions options;
        options.evidenceEnabled = false;
        options.stateFolder = state();
        auto another = engine::makeEmbeddedTarget(std::move(options)).value();
        return another->start({m_gateway->running(), {}}) ? std::move(another) : nullptr;
    }

    // The one that keeps no evidence may run beside another.
    void whoStopsTakesOnlyItsOwnAddressAlong() {
        const std::string first = m_gateway->status().baseUrl;
        auto another = startAnother();
        QVERIFY(another);
        const std::string second = another->status().baseUrl;
        QVERIFY(first != second);
        QCOMPARE(engine::readRunningUrl(state()).value(), second);
        QVERIFY((engine::readRunningUrls(state()).value() == std::vector<std::string>{second, first}));
        QVERIFY(another->stop(1s).has_value());
        QCOMPARE(engine::readRunningUrl(state()).value(), first);

        another = startAnother();
        QVERIFY(another);
        QVERIFY(m_gateway->stop(1s).has_value());
        QCOMPARE(engine::readRunningUrl(state()).value(), another->status().baseUrl);
        QVERIFY(another->stop(1s).has_value());
        QVERIFY(!engine::readRunningUrl(state()).has_value());
    }

    void anApplyThatMovesTakesTheOldAddressAway() {
        const std::string before = m_gateway->status().baseUrl;
        auto config = std::make_shared<config::GatewayConfig>(*m_gateway->running()->config);
        config->server.host = "127.0.0.2";
        const auto& running = *m_gateway->running();
        QVERIFY(m_gateway->apply({policy::makeSnapshot(running.table, running.tableSha256, config), {}}).has_value());
        const std::string after = m_gateway->status().baseUrl;
        QVERIFY(after != before);
        QVERIFY((engine::readRunningUrls(state()).value() == std::vector<std::string>{after}));
    }

    // Whoever has its port now must not be sent the token, whatever process has its number: one that runs, after a restart of the
    // machine or in a container, is not the one that wrote the file.
    void aGatewayThatWasKilledLeavesNoAddress() {
        QVERIFY(m_gateway->stop(1s).has_value());
        const std::string mine = std::to_string(::getpid());
        for (const std::string name : {std::string(engine::kRunningUrlFile), "running-url." + mine + ".38082", std::string("running-url.1")})
            QVERIFY(writeFileAtomic(state() / name, "http://127.0.0.1:38082/v1\n" + mine + "\n1\n", {.mode = 0600}));
        const auto url = engine::readRunningUrl(state());
        QVERIFY(!url && url.error().kind == ErrorKind::unavailable);
        QVERIFY2(url.error().message.find("ended without saying so") != std::string::npos, url.error().text().c_str());
        start();
        QVERIFY((engine::readRunningUrls(state()).value() == std::vector<std::string>{m_gateway->status().baseUrl}));
        QVERIFY(!std::filesystem::exists(state() / "running-url.1"));
    }

    void anAddressIsToldAsLongAsItsTellerLives() {
        QVERIFY(m_gateway->stop(1s).has_value());
        const auto told = [this] { return engine::readRunningUrls(state()).value_or(std::vector<std::string>()); };
        {
            engine::RunningUrl first(state(), "http://127.0.0.1:1/v1", Timestamp(1s));
            QVERIFY((told() == std::vector<std::string>{"http://127.0.0.1:1/v1"}));
            engine::RunningUrl second(state(), "http://127.0.0.1:2/v1", Timestamp(2s));
            QVERIFY((told() == std::vector<std::string>{"http://127.0.0.1:2/v1", "http://127.0.0.1:1/v1"}));
            first = engine::RunningUrl(state(), "http://127.0.0.1:3/v1", Timestamp(3s));
            QVERIFY((told() == std::vector<std::string>{"http://127.0.0.1:3/v1", "http://127.0.0.1:2/v1"}));
            const engine::RunningUrl moved = std::move(second);
            second = {};
            QCOMPARE(told().size(), std::size_t{2});
        }
        QVERIFY(told().empty());
        for (const auto& left : std::filesystem::directory_iterator(state())) QVERIFY2(left.path().string().find("running-url") == std::string::npos, left.path().c_str());
    }

    void aStateFolderThatMayNotBeReadIsNoStoppedGateway() {
        if (::geteuid() == 0) QSKIP("root may read everything");
        std::filesystem::permissions(state(), std::filesystem::perms::none);
        const auto url = engine::readRunningUrl(state());
        std::filesystem::permissions(state(), std::filesystem::perms::owner_all);
        QVERIFY(!url && url.error().kind == ErrorKind::denied);
    }
};

QTEST_GUILESS_MAIN(RemoteEmbeddedTest)
#include "tst_remote_embedded.moc"
