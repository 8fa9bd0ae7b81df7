// SPDX-License-Identifier: MIT
#include "app/shared/request_line.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace signalbox;

class TestRequestLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textNamesWhatHappened();
    void failuresNameTheEndpointAndFallbacksWhatWentBefore();
    void objectHoldsTheSame();
    void callsOfTheAdminApi();
    void whatWasTurnedAwayHasTheSameNames();
    void noNameCanForgeALine_data();
    void noNameCanForgeALine();
    void troubleIsTold();
};

static evidence::DecisionRecord lineRecord() {
    evidence::DecisionRecord record;
    record.id = *DecisionId::parse("rtd_0000000000000000000000000000002a");
    record.clientRequestId = "their-id";
    record.requestedModel = "auto";
    record.endpointId = "lab:model";
    record.totalMs = 1234.4;
    record.firstContentMs = 99.6;
    record.inputTokens = 10;
    record.outputTokens = 20;
    return record;
}

void TestRequestLine::textNamesWhatHappened() {
    QCOMPARE(app::requestLine(lineRecord()),
             std::string("request rtd_0000000000000000000000000000002a request_id=their-id edge=openai model=auto endpoint=lab:model "
                         "outcome=served status=200 ms=1234 first_content_ms=100 input_tokens=10 output_tokens=20"));
    auto refused = lineRecord();
    refused.endpointId.clear();
    refused.firstContentMs.reset();
    refused.inputTokens.reset();
    refused.outputTokens.reset();
    refused.outcome = evidence::Outcome::refused;
    refused.status = 503;
    refused.errorCode = "no_free_slot";
    QCOMPARE(app::requestLine(refused),
             std::string("request rtd_0000000000000000000000000000002a request_id=their-id edge=openai model=auto outcome=refused "
                         "status=503 error=no_free_slot ms=1234"));
}

void TestRequestLine::failuresNameTheEndpointAndFallbacksWhatWentBefore() {
    evidence::Attempt failed;
    failed.endpointId = "oai:gpt-x";
    failed.status = 500;
    failed.reason = "status_500";
    auto served = lineRecord();
    served.attempts = {failed};
    QVERIFY2(app::requestLine(served).find(" endpoint=lab:model outcome=served status=200 after=\"oai:gpt-x 500\" ms=") != std::string::npos,
             app::requestLine(served).c_str());
    QCOMPARE(nlohmann::json::parse(app::requestObject(served)).at("after").get<std::string>(), std::string("oai:gpt-x 500"));
    auto lost = lineRecord();
    lost.endpointId.clear();
    lost.outcome = evidence::Outcome::failed;
    lost.status = 500;
    lost.errorCode = "status_500";
    lost.attempts = {failed};
    QVERIFY2(app::requestLine(lost).find(" endpoint=oai:gpt-x outcome=failed status=500 error=status_500 ms=") != std::string::npos,
             app::requestLine(lost).c_str());
    failed.endpointId = "lab:model";
    failed.status = 0;
    failed.reason = "timeout_first_byte";
    failed.startedMs = 7;
    lost.attempts.push_back(failed);
    QVERIFY2(app::requestLine(lost).find(" endpoint=lab:model outcome=failed status=500 error=status_500 tried=\"oai:gpt-x 500, lab:model timeout_first_byte\" ms=") !=
                 std::string::npos,
             app::requestLine(lost).c_str());
    const auto object = nlohmann::json::parse(app::requestObject(lost));
    QCOMPARE(object.at("endpoint").get<std::string>(), std::string("lab:model"));
    QCOMPARE(object.at("tried").get<std::string>(), std::string("oai:gpt-x 500, lab:model timeout_first_byte"));
    QVERIFY(!object.contains("after"));
}

void TestRequestLine::objectHoldsTheSame() {
    const auto object = nlohmann::json::parse(app::requestObject(lineRecord()));
    QCOMPARE(object.at("message").get<std::string>(), std::string("request"));
    QCOMPARE(object.at("decision_id").get<std::string>(), std::string("rtd_0000000000000000000000000000002a"));
    QCOMPARE(object.at("request_id").get<std::string>(), std::string("their-id"));
    QCOMPARE(object.at("model").get<std::string>(), std::string("auto"));
    QCOMPARE(object.at("ms").get<double>(), 1234.4);
    QCOMPARE(object.at("status").get<int>(), 200);
    QCOMPARE(object.at("level").get<std::string>(), std::string("info"));
    QVERIFY(!object.contains("error") && !object.contains("preset"));
}

void TestRequestLine::callsOfTheAdminApi() {
    gateway::AdminEntry entry{Timestamp(std::chrono::seconds(1'764'400'000)), "drain", "up:m", "operator:ada", "192.0.2.7", gateway::AdminEntry::Outcome::done, "h7", 0, {}, {}};
    QCOMPARE(app::adminLine(entry), std::string("admin action=drain subject=up:m outcome=done actor=operator:ada peer=192.0.2.7 policy=h7"));
    QVERIFY(!app::isTrouble(entry));
    entry.outcome = gateway::AdminEntry::Outcome::refused;
    entry.policyHash.clear();
    entry.subject = "a\nadmin action=off";
    entry.status = 404;
    entry.code = "not_found";
    entry.message = "There is no endpoint like that.";
    QVERIFY(app::isTrouble(entry));
    QCOMPARE(app::adminLine(entry), std::string("admin action=drain subject=\"a\\nadmin action=off\" outcome=refused actor=operator:ada peer=192.0.2.7 status=404 "
                                                "error=not_found reason=\"There is no endpoint like that.\""));
    const auto object = nlohmann::json::parse(app::adminObject(entry));
    QCOMPARE(object.at("message").get<std::string>(), std::string("admin"));
    QCOMPARE(object.at("level").get<std::string>(), std::string("warning"));
    QCOMPARE(object.at("subject").get<std::string>(), entry.subject);
    QCOMPARE(object.at("outcome").get<std::string>(), std::string("refused"));
    QCOMPARE(object.at("status").get<int>(), 404);
    QVERIFY(!object.contains("policy"));
}

void TestRequestLine::whatWasTurnedAwayHasTheSameNames() {
    gateway::TurnedAway refused{Timestamp(std::chrono::seconds(1'764'400'000)), evidence::Edge::anthropic, 401, "invalid_token", "This token is not known. Look again.", "192.0.2.7", "rtd_7"};
    QCOMPARE(app::turnedAwayLine(refused),
             std::string("request outcome=refused request_id=rtd_7 edge=anthropic status=401 error=invalid_token peer=192.0.2.7 reason=\"This token is not known. Look again.\""));
    refused.more = 41;
    refused.requestId = "a=b\"c";
    refused.message = "There is nothing at /a\nrequest outcome=served sk-ant-REDACTED-" + std::string(1'000, 'x');
    const std::string line = app::turnedAwayLine(refused);
    QVERIFY2(line.find(" peer=192.0.2.7 more=41 reason=") != std::string::npos, line.c_str());
    QVERIFY2(line.find('\n') == std::string::npos && line.size() < 600, line.c_str());
    const auto object = nlohmann::json::parse(app::turnedAwayObject(refused));
    QCOMPARE(object.at("level").get<std::string>(), std::string("warning"));
    QCOMPARE(object.at("message").get<std::string>(), std::string("request"));
    QCOMPARE(object.at("outcome").get<std::string>(), std::string("refused"));
    QCOMPARE(object.at("status").get<int>(), 401);
    QCOMPARE(object.at("error").get<std::string>(), std::string("invalid_token"));
    QCOMPARE(object.at("peer").get<std::string>(), std::string("192.0.2.7"));
    QCOMPARE(object.at("more").get<int>(), 41);
    QCOMPARE(object.at("request_id").get<std::string>(), std::string("a=b\"c"));
    QVERIFY2(line.find(R"( request_id="a=b\"c" edge=)") != std::string::npos, line.c_str());
    refused.requestId.clear();
    QVERIFY(app::turnedAwayLine(refused).find("request_id") == std::string::npos);
    QVERIFY(!nlohmann::json::parse(app::turnedAwayObject(refused)).contains("request_id"));
    QVERIFY(app::turnedAwayObject(refused).size() < 800);
}

void TestRequestLine::noNameCanForgeALine_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::newRow("line end") << QByteArray("a\nrequest rtd_forged outcome=served");
    QTest::newRow("space and equals sign") << QByteArray("a outcome=failed");
    QTest::newRow("quote") << QByteArray("a\" b=\"c");
    QTest::newRow("a secret with a quote in it") << QByteArray("password=x\"y");
    QTest::newRow("escape sequence of a terminal") << QByteArray("a\x1b[2Jb");
    QTest::newRow("not UTF-8") << QByteArray("a\xff");
    QTest::newRow("very long") << QByteArray(100'000, 'x');
}

void TestRequestLine::noNameCanForgeALine() {
    QFETCH(QByteArray, model);
    auto record = lineRecord();
    record.requestedModel = model.toStdString();
    const std::string line = app::requestLine(record);
    QVERIFY(line.find('\n') == std::string::npos && line.find('\x1b') == std::string::npos);
    QCOMPARE(QString::fromStdString(line).count(QStringLiteral(" outcome=served ")), 1);
    QVERIFY(line.size() < 800);
    const auto object = nlohmann::json::parse(app::requestObject(record));
    QCOMPARE(object.at("outcome").get<std::string>(), std::string("served"));
    QVERIFY(app::requestObject(record).size() < 1200);
}

void TestRequestLine::troubleIsTold() {
    auto record = lineRecord();
    for (const auto outcome : {evidence::Outcome::served, evidence::Outcome::cancelled, evidence::Outcome::failed, evidence::Outcome::refused}) {
        record.outcome = outcome;
        const bool trouble = outcome == evidence::Outcome::failed || outcome == evidence::Outcome::refused;
        QCOMPARE(app::isTrouble(record), trouble);
        QCOMPARE(nlohmann::json::parse(app::requestObject(record)).at("level").get<std::string>(), std::string(trouble ? "warning" : "info"));
    }
}

QTEST_GUILESS_MAIN(TestRequestLine)
#include "tst_request_line.moc"
