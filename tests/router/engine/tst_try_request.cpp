// SPDX-License-Identifier: MIT
// A try is what a client would send: through the gateway's own listener, with its token, told as it comes, broken off
// down to the socket, and in the edge's words where it is refused.
#include "router/base/file.h"
#include "router/engine/target.h"
#include "router/engine/try_request.h"
#include "router/policy/workspace.h"

#include <QTemporaryDir>
#include <QTest>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace signalbox;
using namespace std::chrono_literals;
using engine::TryCall;
using engine::TryEnd;
using engine::TryHead;
using engine::TryRequest;

namespace {

std::string gatewayToml(int firstTokenMs, int tokens, double tokensPerSecond) {
    return "[server]\nlisten = \"127.0.0.1:0\"\n[providers.sim]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers.sim.simulated]\nfirst_token_ms = " +
           std::to_string(firstTokenMs) + "\noutput_tokens = " + std::to_string(tokens) + "\ntokens_per_second = " + std::to_string(tokensPerSecond) + "\n";
}

struct Heard {
    std::mutex mutex;
    std::condition_variable woken;
    std::vector<TryHead> heads;
    std::vector<std::string> texts;

    engine::TryListener listener() {
        return {[this](const TryHead& head) { add([&] { heads.push_back(head); }); }, [this](const std::string& text) { add([&] { texts.push_back(text); }); }};
    }
    template <class Change>
    void add(const Change& change) {
        const std::scoped_lock lock(mutex);
        change();
        woken.notify_all();
    }
    bool waitForText() {
        std::unique_lock lock(mutex);
        return woken.wait_for(lock, 20s, [this] { return !texts.empty(); });
    }
};

}  // namespace

class TryRequestTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<engine::Target> m_gateway;

    void start(const std::string& toml) {
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "gateway.toml";
        QVERIFY(writeFileAtomic(file, toml).has_value());
        const auto loaded = policy::loadWorkspace({}, file, config::processEnvironment(), SystemClock().now());
        QVERIFY(loaded.has_value() && loaded->snapshot != nullptr);
        engine::EmbeddedOptions options;
        options.evidenceEnabled = false;
        options.stateFolder = file.parent_path() / "state";
        m_gateway = engine::makeEmbeddedTarget(std::move(options)).value();
        const auto started = m_gateway->start({loaded->snapshot, {}});
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    }
    TryRequest request(bool stream) const {
        TryRequest out;
        out.baseUrl = m_gateway->status().baseUrl;
        out.token = m_gateway->clientToken();
        out.model = "m";
        out.prompt = "Say \"hello\"\n";
        out.stream = stream;
        return out;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_gateway.reset(); }

    void streamsWhatTheGatewaySends() {
        start(gatewayToml(1, 20, 100'000));
        const auto feed = m_gateway->subscribe(10);
        Heard heard;
        const TryEnd end = TryCall().run(request(true), heard.listener());
        QVERIFY2(!end.error, end.error ? end.error->text().c_str() : "");
        QCOMPARE(heard.heads.size(), std::size_t{1});
        QCOMPARE(heard.heads.front().status, 200);
        QVERIFY(heard.heads.front().simulated);
        QCOMPARE(heard.heads.front().route, std::string("sim:m"));
        QVERIFY(heard.texts.size() > 1);
        QCOMPARE(end.outputTokens.value_or(0), std::uint64_t{20});
        QVERIFY(end.firstTextMs && *end.firstTextMs <= end.totalMs);
        // It is traffic like any other, told apart by its request id alone.
        const auto batch = feed->take();
        QCOMPARE(batch.records.size(), std::size_t{1});
        QVERIFY(batch.records.front()->origin == evidence::Origin::traffic);
        QCOMPARE(batch.records.front()->id.text(), heard.heads.front().decisionId);
        QCOMPARE(batch.records.front()->clientRequestId, heard.heads.front().requestId);
        QVERIFY(heard.heads.front().requestId.starts_with("try-"));
    }

    void aWholeAnswerHasNoFirstToken() {
        start(gatewayToml(1, 5, 100'000));
        Heard heard;
        TryRequest wanted = request(false);
        wanted.maxTokens = 3;
        const TryEnd end = TryCall().run(wanted, heard.listener());
        QVERIFY2(!end.error, end.error ? end.error->text().c_str() : "");
        QCOMPARE(heard.texts.size(), std::size_t{1});
        QVERIFY(!end.firstTextMs);
        QCOMPARE(end.outputTokens.value_or(0), std::uint64_t{3});
        QVERIFY(end.inputTokens.value_or(0) > 0);
    }

    void refusalsComeInTheEdgesWords() {
        start(gatewayToml(1, 5, 100'000));
        Heard heard;
        TryRequest wanted = request(true);
        wanted.model = "nobody";
        const TryEnd unknown = TryCall().run(wanted, heard.listener());
        QCOMPARE(heard.heads.back().status, 404);
        QCOMPARE(unknown.errorCode, std::string("model_not_found"));
        QVERIFY(unknown.error && unknown.error->message.find("nobody") != std::string::npos);
        wanted = request(true);
        wanted.token = "not-the-token-of-anybody";
        const TryEnd denied = TryCall().run(wanted, heard.listener());
        QCOMPARE(heard.heads.back().status, 401);
        QVERIFY(denied.error && denied.error->text().find(wanted.token) == std::string::npos);
        QVERIFY(heard.texts.empty());
    }

    void whatNoHeaderCanCarryIsNotSent() {
        start(gatewayToml(1, 5, 100'000));
        Heard heard;
        TryRequest wanted = request(true);
        wanted.pin = "a\r\nx-evil: 1";
        const TryEnd end = TryCall().run(wanted, heard.listener());
        QVERIFY(end.error && end.error->kind == ErrorKind::badInput);
        QCOMPARE(end.error->where, std::string("X-Signalbox-Pin"));
        QVERIFY(heard.heads.empty());
    }

    void cancelledDownToTheSocket() {
        start(gatewayToml(1, 100'000, 50));
        Heard heard;
        TryCall call;
        TryEnd end;
        std::thread worker([&] { end = call.run(request(true), heard.listener()); });
        const bool began = heard.waitForText();
        call.cancel();
        worker.join();
        QVERIFY(began);
        QVERIFY(end.error && end.error->kind == ErrorKind::cancelled);
        QTRY_COMPARE(m_gateway->status().inFlight, std::uint32_t{0});  // the gateway noticed that its client left
    }

    void cancelledBeforeItBegan() {
        start(gatewayToml(1, 5, 100'000));
        Heard heard;
        TryCall call;
        call.cancel();
        const TryEnd end = call.run(request(true), heard.listener());
        QVERIFY(end.error && end.error->kind == ErrorKind::cancelled);
        QVERIFY(heard.heads.empty());
        QCOMPARE(m_gateway->status().decided, std::uint64_t{0});
    }

    void aGatewayThatIsGoneSaysWhatToDo() {
        start(gatewayToml(1, 5, 100'000));
        const TryRequest wanted = request(true);
        QVERIFY(m_gateway->stop(0s).has_value());
        Heard heard;
        const TryEnd end = TryCall().run(wanted, heard.listener());
        QVERIFY(end.error && end.error->kind == ErrorKind::unavailable && !end.error->hint.empty());
        TryRequest nowhere = wanted;
        nowhere.baseUrl.clear();
        QVERIFY(TryCall().run(nowhere, heard.listener()).error->message.find("not running") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TryRequestTest)
#include "tst_try_request.moc"
