// SPDX-License-Identifier: MIT
#include "router/upstream/adapters.h"
#include "tests/support/run_coroutine.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace dispatch;
using namespace std::chrono_literals;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(signalbox::config::SimulatedBehaviour::Fault)

namespace {

using Fault = config::SimulatedBehaviour::Fault;

config::Provider provider() {
    config::Provider out;
    out.id = "sim";
    out.protocol = config::Protocol::simulated;
    out.simulated.firstTokenDelay = 20ms;
    out.simulated.tokensPerSecond = 1000;
    out.simulated.outputTokens = 12;
    return out;
}

UpstreamRequest request(std::string path, bool stream, std::string body = "{}") {
    UpstreamRequest out;
    out.path = std::move(path);
    out.stream = stream;
    out.body = std::move(body);
    out.model = "model \"x\"";
    out.decisionId = *DecisionId::parse("rtd_0193776ab2c0123456789abcdef01234");
    out.inputTokens = 34;
    return out;
}

struct Answer {
    std::optional<UpstreamFailure> failure;
    std::vector<Chunk> chunks;
    Usage usage;
    bool simulated = false;
    [[nodiscard]] std::string bytes() const {
        std::string all;
        for (const Chunk& chunk : chunks) all += chunk.bytes;
        return all;
    }
};

asio::awaitable<Answer> readAll(std::shared_ptr<Adapter> adapter, UpstreamRequest call) {
    Answer answer;
    auto stream = co_await adapter->call(std::move(call));
    if (!stream) {
        answer.failure = std::move(stream.error());
        co_return answer;
    }
    answer.simulated = (*stream)->head().simulated;
    while (true) {
        auto chunk = co_await (*stream)->next();
        if (!chunk) answer.failure = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        answer.chunks.push_back(std::move(**chunk));
    }
    answer.usage = (*stream)->usage();
    co_return answer;
}

Answer ask(const config::Provider& of, UpstreamRequest call) {
    asio::io_context context;
    auto adapter = upstream::makeAdapter(of, [](const std::string&) { return std::nullopt; });
    return test::runCoroutine(context, readAll(*adapter, std::move(call)));
}

std::string said(const Answer& answer) {
    std::string text;
    for (const Chunk& chunk : answer.chunks)
        if (chunk.kind == Chunk::Kind::content)
            text += Json::parse(chunk.bytes.substr(6))["choices"][0]["delta"]["content"].get<std::string>();
    return text;
}

}  // namespace

class TestSimulated : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void streamHasTheShapeOfARealOne();
    void wholeAnswer_data();
    void wholeAnswer();
    void sameSeedAndIdSameBytes();
    void honoursTheTokenLimit();
    void reallyWaits();
    void faults_data();
    void faults();
    void faultShareIsKept();
};

void TestSimulated::streamHasTheShapeOfARealOne() {
    const Answer answer = ask(provider(), request("/chat/completions", true));
    QVERIFY(!answer.failure);
    QVERIFY(answer.simulated);
    QCOMPARE(answer.chunks.size(), std::size_t{12 + 4});
    QVERIFY(answer.chunks.front().kind == Chunk::Kind::metadata);
    QVERIFY(answer.chunks[1].kind == Chunk::Kind::content);
    QVERIFY(answer.chunks[14].kind == Chunk::Kind::usage);
    QVERIFY(answer.chunks[15].kind == Chunk::Kind::done);
    QCOMPARE(answer.chunks[15].bytes, std::string("data: [DONE]\n\n"));
    QVERIFY(said(answer).starts_with("This answer is simulated by Signalbox"));
    const Json finish = Json::parse(answer.chunks[13].bytes.substr(6));
    QCOMPARE(finish["choices"][0]["finish_reason"].get<std::string>(), std::string("stop"));
    QCOMPARE(finish["model"].get<std::string>(), std::string("model \"x\""));
    QVERIFY((answer.usage == Usage{34, std::nullopt, 12}));
}

void TestSimulated::wholeAnswer_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("object");
    QTest::newRow("chat") << "/chat/completions" << "chat.completion";
    QTest::newRow("completion") << "/completions" << "text_completion";
    QTest::newRow("embedding") << "/embeddings" << "list";
}

void TestSimulated::wholeAnswer() {
    QFETCH(QString, path);
    QFETCH(QString, object);
    const Answer answer = ask(provider(), request(path.toStdString(), false, R"({"input":["a","b"],"dimensions":3})"));
    QVERIFY(!answer.failure);
    QCOMPARE(answer.chunks.size(), std::size_t{1});
    QVERIFY(answer.chunks[0].kind == Chunk::Kind::body);
    const Json json = Json::parse(answer.chunks[0].bytes);
    QCOMPARE(QString::fromStdString(json["object"].get<std::string>()), object);
    QCOMPARE(json["usage"]["prompt_tokens"].get<int>(), 34);
    QVERIFY(json.dump().find("simulated") != std::string::npos);
    if (object == QStringLiteral("list")) {
        QCOMPARE(json["data"].size(), std::size_t{2});
        QCOMPARE(json["data"][1]["embedding"].size(), std::size_t{3});
    }
}

void TestSimulated::sameSeedAndIdSameBytes() {
    const Answer first = ask(provider(), request("/chat/completions", true));
    const Answer again = ask(provider(), request("/chat/completions", true));
    QCOMPARE(first.bytes(), again.bytes());
    config::Provider otherSeed = provider();
    otherSeed.simulated.seed = 99;
    QVERIFY(ask(otherSeed, request("/chat/completions", true)).bytes() != first.bytes());
}

void TestSimulated::honoursTheTokenLimit() {
    const Answer answer = ask(provider(), request("/chat/completions", false, R"({"max_completion_tokens":3})"));
    const Json json = Json::parse(answer.chunks[0].bytes);
    QCOMPARE(json["usage"]["completion_tokens"].get<int>(), 3);
    QCOMPARE(json["choices"][0]["finish_reason"].get<std::string>(), std::string("length"));
}

void TestSimulated::reallyWaits() {
    const Steady before = std::chrono::steady_clock::now();
    QVERIFY(!ask(provider(), request("/chat/completions", true)).failure);
    // 20 ms to the first token and 11 more at one a millisecond.
    QVERIFY(std::chrono::steady_clock::now() - before >= 31ms);
}

void TestSimulated::faults_data() {
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("afterContent");
    QTest::newRow("500") << Fault::status500 << false << "status_500" << 500 << false;
    QTest::newRow("429") << Fault::status429 << true << "status_429" << 429 << false;
    QTest::newRow("error frame") << Fault::errorFrame << true << "error_frame_503" << 503 << false;
    QTest::newRow("disconnect, stream") << Fault::disconnect << true << "disconnected" << 0 << true;
    QTest::newRow("disconnect, whole") << Fault::disconnect << false << "disconnected" << 0 << false;
    QTest::newRow("stall, stream") << Fault::stall << true << "timeout_stream_idle" << 0 << true;
    QTest::newRow("stall, whole") << Fault::stall << false << "timeout_first_byte" << 0 << false;
}

void TestSimulated::faults() {
    QFETCH(Fault, fault);
    QFETCH(bool, stream);
    QFETCH(QString, code);
    QFETCH(int, status);
    QFETCH(bool, afterContent);
    config::Provider faulty = provider();
    faulty.simulated.faultRate = 1.0;
    faulty.simulated.fault = fault;
    faulty.firstByteTimeout = 60ms;
    faulty.streamIdleTimeout = 40ms;
    const Answer answer = ask(faulty, request("/chat/completions", stream));
    QVERIFY(answer.failure);
    QCOMPARE(QString::fromStdString(answer.failure->code), code);
    QCOMPARE(answer.failure->status, status);
    QCOMPARE(answer.failure->retryAfter.has_value(), status == 429);
    QCOMPARE(said(answer).empty(), !afterContent);
}

void TestSimulated::faultShareIsKept() {
    config::Provider faulty = provider();
    faulty.simulated.faultRate = 0.5;
    faulty.simulated.firstTokenDelay = 0ms;
    faulty.simulated.tokensPerSecond = 0;
    FastRandom random(5);
    int failed = 0;
    for (int i = 0; i < 200; ++i) {
        UpstreamRequest call = request("/chat/completions", false);
        call.decisionId = DecisionId::make(Timestamp(std::chrono::seconds(1'764'400'000 + i)), random);
        failed += ask(faulty, std::move(call)).failure.has_value() ? 1 : 0;
    }
    QVERIFY2(failed > 70 && failed < 130, qPrintable(QString::number(failed)));
}

QTEST_APPLESS_MAIN(TestSimulated)
#include "tst_simulated.moc"
