// SPDX-License-Identifier: MIT
// A request that goes to the other protocol and comes back says the same, and no way further changes it.
#include "router/upstream/translate/request_translation.h"
#include "tests/router/upstream/translation_rows.h"

using namespace signalbox;
using namespace signalbox::test;

class TestRequestRoundTrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void openAiAndBack_data();
    void openAiAndBack();
    void anthropicAndBack_data();
    void anthropicAndBack();
};

void TestRequestRoundTrip::openAiAndBack_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("an agent's") << QByteArray(R"({"model":"m","messages":[{"role":"system","content":"s"},
        {"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},
          {"type":"image_url","image_url":{"url":"https://h/a"}}]},
        {"role":"assistant","content":"wait","tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{\"x\": [1, 2.50]}"}},
          {"id":"b","type":"function","function":{"name":"u","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"b","content":""},
        {"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"t","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c","content":"1 2"},{"role":"user","content":"so?"}],
        "tools":[{"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object","properties":{"x":{"type":"array","items":{"type":"number"}}},"required":["x"],"additionalProperties":false},"strict":true}},
          {"type":"function","function":{"name":"u","parameters":{"type":"object","properties":{}}}}],
        "tool_choice":{"type":"function","function":{"name":"t"}},"parallel_tool_calls":false,"max_tokens":50,"temperature":0.7,"top_p":0.9,
        "stop":["x"],"user":"u","reasoning_effort":"high",
        "response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","additionalProperties":false},"strict":true}},"stream":true})");
    QTest::newRow("the least") << QByteArray(R"({"model":"m","messages":[{"role":"user","content":"q"}],"max_tokens":4096})");
}

void TestRequestRoundTrip::openAiAndBack() {
    QFETCH(QByteArray, body);
    const auto there = upstream::anthropicRequest(body.toStdString(), {"m"});
    QVERIFY2(there, there ? "" : there.error().text().c_str());
    compareJson(upstream::openAiRequest(*there, {"m"}), body);
}

void TestRequestRoundTrip::anthropicAndBack_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("an agent's") << QByteArray(R"({"model":"m","max_tokens":50,"system":"s","messages":[
        {"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},
          {"type":"image","source":{"type":"url","url":"https://h/a"}}]},
        {"role":"assistant","content":[{"type":"text","text":"wait"},{"type":"tool_use","id":"a","name":"t","input":{"x": [1, 2.50]}},
          {"type":"tool_use","id":"b","name":"u","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"tool_result","tool_use_id":"b"},{"type":"text","text":"so?"}]}],
        "tools":[{"name":"t","description":"d","input_schema":{"type":"object","properties":{"x":{"type":"array","items":{"type":"number"}}},"required":["x"],"additionalProperties":false},"strict":true},
          {"name":"u","input_schema":{"type":"object","properties":{}}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true},
        "temperature":0.7,"top_p":0.9,"stop_sequences":["x"],"metadata":{"user_id":"u"},
        "output_config":{"effort":"high","format":{"type":"json_schema","schema":{"type":"object"}}},"stream":true})");
    QTest::newRow("the least") << QByteArray(R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":"q"}]})");
}

void TestRequestRoundTrip::anthropicAndBack() {
    QFETCH(QByteArray, body);
    const auto there = upstream::openAiRequest(body.toStdString(), {"m"});
    QVERIFY2(there, there ? "" : there.error().text().c_str());
    compareJson(upstream::anthropicRequest(*there, {"m"}), body);
}

QTEST_APPLESS_MAIN(TestRequestRoundTrip)
#include "tst_request_round_trip.moc"
