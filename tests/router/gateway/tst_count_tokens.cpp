// SPDX-License-Identifier: MIT
// F20: /v1/messages/count_tokens works for every model.
#include "tests/router/gateway/messages_script.h"

#include "router/base/json_document.h"

#include <nlohmann/json.hpp>
#include <algorithm>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

namespace {

std::optional<RawResponse> countTokens(const GatewayFixture& gateway, const std::string& body) {
    return fetch(gateway.port(), {"POST", kMessagesPath + "/count_tokens", {kApiKey, kVersion}, body});
}

std::uint64_t numberOf(const std::optional<RawResponse>& response) {
    const auto body = OrderedJson::parse(response->body, nullptr, false);
    return body.is_object() && body.size() == 1 ? body.value("input_tokens", std::uint64_t{0}) : 0;
}

} // namespace

class CountTokensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void F20_everyModelIsCounted_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"model-a", "a-k4", "model-b", "elsewhere", "other:elsewhere", "auto", "fast"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    void F20_everyModelIsCounted() {
        QFETCH(QString, model);
        FixtureOptions options;
        options.more = "\n[aliases]\nfast = \"other:elsewhere\"\n\n[routing.groups.g]\naliases = [\"auto\"]\n"
                       "\n[[routing.groups.g.candidates]]\nprovider = \"other\"\nmodel = \"elsewhere\"\n";
        GatewayFixture gateway(options);
        const auto response = countTokens(gateway, "{\"model\":\"" + model.toStdString() +
                                                       "\",\"messages\":[{\"role\":\"user\",\"content\":\"" +
                                                       std::string(4000, 'x') + "\"}]}");
        QCOMPARE(response->status, 200);
        QVERIFY(numberOf(response) >= 1000 && numberOf(response) < 1100);
        QCOMPARE(response->header("x-signalbox-token-count"), std::string("estimate"));
        QVERIFY(!response->header("request-id").empty());
        QVERIFY2(gateway.upstream().requests().empty() && gateway.other().requests().empty(), "nobody was asked");
        QVERIFY2(gateway.records().empty(), "counting is no decision");
        QCOMPARE(gateway.server().counters().decided, std::uint64_t{0});
    }

    void F20_toolsCount() {
        GatewayFixture gateway;
        const std::string tools = ",\"tools\":[{\"name\":\"n\",\"description\":\"" + std::string(4000, 'd') + "\",\"input_schema\":{}}]";
        const std::string plain = R"({"model":"model-a","messages":[])";
        QVERIFY(numberOf(countTokens(gateway, plain + tools + "}")) >= numberOf(countTokens(gateway, plain + "}")) + 1000);
    }

    // A picture's bytes are no tokens, and it takes nothing from what else there is.
    void F20_toolsCountBesideAPicture() {
        GatewayFixture gateway;
        const std::string tools = ",\"tools\":[{\"name\":\"n\",\"description\":\"" + std::string(4000, 'd') + "\",\"input_schema\":{}}]";
        const auto counted = [&](std::size_t bytes) {
            const std::string source = "{\"type\":\"base64\",\"data\":\"" + std::string(bytes, 'A') + "\"}";
            return numberOf(countTokens(gateway, "{\"model\":\"model-a\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\","
                                                 "\"source\":" + source + "}]}]" + tools + "}"));
        };
        QVERIFY2(counted(400'000) >= 1000 && counted(400'000) < 1200, std::to_string(counted(400'000)).c_str());
        QCOMPARE(counted(400'000), counted(0));
    }

    // What the client said of it wins, as everywhere.
    void aHintWins() {
        GatewayFixture gateway;
        QCOMPARE(numberOf(countTokens(gateway, R"({"model":"model-a","metadata":{"input_tokens":"77"},"messages":[]})")),
                 std::uint64_t{77});
    }

    // A message with top_k could not be sent there, but its size is a fair question.
    void countedWhereItCannotBeCarried() {
        GatewayFixture gateway;
        QCOMPARE(countTokens(gateway, R"({"model":"model-a","top_k":5,"messages":[]})")->status, 200);
    }

    void anthropicUpstreamIsAsked() {
        GatewayFixture gateway(anthropicUpstream());
        gateway.upstream().setScript([](const auto&) { return FakeReply::whole(R"({"input_tokens":4321})"); });
        const auto response = countTokens(gateway, R"({"model":"a-k1","messages":[{"role":"user","content":"x"}]})");
        QCOMPARE(numberOf(response), std::uint64_t{4321});
        QCOMPARE(response->header("x-signalbox-token-count"), std::string("upstream"));
        const auto sent = gateway.upstream().requests().at(0);
        QCOMPARE(sent.path, std::string("/messages/count_tokens"));
        QCOMPARE(sent.body, std::string(R"({"model":"model-a","messages":[{"role":"user","content":"x"}]})"));
        QVERIFY(!sent.stream && sent.dialect == classify::Dialect::anthropic);
        QVERIFY(gateway.records().empty());
        QCOMPARE(gateway.server().counters().dispatched, std::uint64_t{0});
    }

    void estimateWhereTheUpstreamFails_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("status");
        QTest::newRow("an error") << QString() << 500;
        QTest::newRow("no such path") << QString() << 404;
        QTest::newRow("no number") << QStringLiteral("{\"input_tokens\":\"many\"}") << 0;
        QTest::newRow("no JSON") << QStringLiteral("<html>") << 0;
    }
    void estimateWhereTheUpstreamFails() {
        QFETCH(QString, body);
        QFETCH(int, status);
        GatewayFixture gateway(anthropicUpstream());
        gateway.upstream().setScript([&](const auto&) {
            return status != 0 ? FakeReply{.failure = upstreamStatus(status)} : FakeReply::whole(body.toStdString());
        });
        const auto response = countTokens(gateway, kMessage);
        QCOMPARE(response->status, 200);
        QVERIFY(numberOf(response) > 0);
        QCOMPARE(response->header("x-signalbox-token-count"), std::string("estimate"));
    }

    // F44: its own patience is five seconds, but no wait is longer than the request's time.
    void F44_theRequestsTimeHoldsToo() {
        for (const int budget : {300, 60'000}) {
            FixtureOptions options = anthropicUpstream();
            options.server = "request_budget_ms = " + std::to_string(budget);
            GatewayFixture gateway(options);
            gateway.upstream().setScript([](const auto&) { return FakeReply::whole(R"({"input_tokens":4321})"); });
            const Steady before = std::chrono::steady_clock::now();
            QCOMPARE(countTokens(gateway, kMessage)->status, 200);
            const auto endsBy = gateway.upstream().requests().at(0).endsBy;
            QVERIFY(endsBy.has_value());
            const auto most = std::chrono::milliseconds(std::min(budget, 5000));
            QVERIFY(*endsBy >= before + most && *endsBy <= std::chrono::steady_clock::now() + most);
        }
    }

    void unknownModelIsA404() {
        GatewayFixture gateway;
        QCOMPARE(countTokens(gateway, R"({"model":"nothing","messages":[]})")->status, 404);
        QCOMPARE(gateway.refusals("model_not_found"), std::uint64_t{1});
    }
};

QTEST_APPLESS_MAIN(CountTokensTest)
#include "tst_count_tokens.moc"
