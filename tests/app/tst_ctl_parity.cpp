// SPDX-License-Identifier: MIT
// `signalboxctl decide` answers as the gateway does for the same request.
#include "tests/app/gateway_process.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

using namespace signalbox::test;

namespace {

QByteArray header(const QByteArray& answer, const QByteArray& name) {
    for (const QByteArray& line : answer.left(answer.indexOf("\r\n\r\n")).split('\n'))
        if (line.toLower().startsWith(name + ":")) return line.mid(name.size() + 1).trimmed();
    return {};
}

}  // namespace

class TestCtlParity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_home.writeGoodWorkspace();
        // Every preset has an endpoint of its own, so that the route header tells them apart.
        QByteArray config("[server]\nlisten = \"127.0.0.1:0\"\n[providers.lab]\nprotocol = \"simulated\"\n"
                          "passthrough_unknown_models = false\nmodels = [\"amber-26b\", \"basalt-31b\"]\n"
                          "[aliases]\nquick = \"lab:amber-26b\"\n");
        for (const char* preset : {"amber-base", "amber-k4", "amber-wide", "basalt-base"})
            config += QByteArray("[presets.") + preset + "]\nprovider = \"lab\"\nmodel = \"served-as-" + preset + "\"\n";
        // The first candidate has the worst prior: whoever is in the half that follows the scores gets the second, and its
        // table's answer.
        config += "[routing]\nmode = \"active\"\nactivation_percent = 50\n[routing.groups.general]\naliases = [\"auto\"]\n"
                  "default_profile = \"economy\"\n"
                  "[[routing.groups.general.candidates]]\nprovider = \"lab\"\nmodel = \"basalt-31b\"\nquality = 0.1\n"
                  "[[routing.groups.general.candidates]]\nprovider = \"lab\"\nmodel = \"amber-26b\"\nquality = 0.9\n";
        m_home.write("ws/gateway.toml", config);
        m_gateway = std::make_unique<Gateway>(m_home, QStringList{QStringLiteral("ws"), QStringLiteral("--no-evidence")});
        m_address = m_gateway->address();
        QVERIFY2(!m_address.isEmpty(), m_gateway->log().constData());
    }
    void cleanupTestCase() { m_gateway.reset(); }
    void sameAnswer_data();
    void sameAnswer();
    void aSessionIsInTheSameShare();
    void sameAnswerOnTheAnthropicEdge_data();
    void sameAnswerOnTheAnthropicEdge();

private:
    CtlHome m_home;
    std::unique_ptr<Gateway> m_gateway;
    QByteArray m_address;
};

void TestCtlParity::sameAnswer_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("hint");
    QTest::addColumn<bool>("served");
    const auto row = [](const char* tag, const QByteArray& body, const char* hint = "", bool served = true) {
        QTest::newRow(tag) << body << QByteArray(hint) << served;
    };
    const char* user = R"("messages":[{"role":"user","content":"hi"}])";
    const auto with = [&](const char* rest) { return QByteArray("{") + rest + "," + user + "}"; };
    row("default", with(R"("model":"amber-26b")"));
    row("rule by tool call", with(R"("model":"amber-26b","max_tokens":64,"tools":[{"type":"function","function":{"name":"f"}}])"));
    row("rule by JSON and hint", with(R"("model":"amber-26b","response_format":{"type":"json_object"})"), "X-Signalbox-Expected-Length: short");
    row("rule by JSON and metadata", with(R"("model":"amber-26b","response_format":{"type":"json_object"},"metadata":{"expected_length":"short"})"));
    row("preset key as model", with(R"("model":"amber-wide")"));
    row("other family", with(R"("model":"basalt-31b-it")"));
    row("explicit endpoint", with(R"("model":"lab:basalt-31b")"));
    row("alias", with(R"("model":"quick")"));
    row("unknown model", with(R"("model":"granite-1b")"), "", false);
}

void TestCtlParity::sameAnswer() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, hint);
    QFETCH(bool, served);
    QStringList arguments{QStringLiteral("-i"), QStringLiteral("-d"), QString::fromUtf8(body), QString::fromUtf8("http://" + m_address + "/v1/chat/completions")};
    if (!hint.isEmpty()) arguments << QStringLiteral("-H") << QString::fromUtf8(hint);
    const auto answer = curl(m_home, arguments);

    // One request at a time: the gateway counts one in flight.
    QStringList decide{QStringLiteral("decide"), QStringLiteral("ws"), QStringLiteral("--json"), QStringLiteral("--in-flight"), QStringLiteral("1")};
    if (!hint.isEmpty()) decide << QStringLiteral("--hint") << QString::fromUtf8(QByteArray(hint).replace(": ", "="));
    const auto decided = m_home.run(decide, body);
    QCOMPARE(decided.code == 0, served);
    QCOMPARE(answer.out.startsWith("HTTP/1.1 200"), served);
    if (!served) return;
    const auto plan = QJsonDocument::fromJson(decided.out).object()[QStringLiteral("plan")].toObject();
    const auto target = plan[QStringLiteral("targets")].toArray()[0].toObject();
    QVERIFY2(!target.isEmpty(), decided.out.constData());
    QCOMPARE(header(answer.out, "x-signalbox-coverage"), plan[QStringLiteral("coverage")].toString().toUtf8());
    QCOMPARE(header(answer.out, "x-signalbox-route"), target[QStringLiteral("endpoint")].toString().toUtf8());
    const QString preset = target[QStringLiteral("preset_key")].toString();
    QCOMPARE(preset.isEmpty(), !target[QStringLiteral("endpoint")].toString().contains(QStringLiteral("served-as-")));
}

// Alias, profile, session, bucket and table: the command line tells where the gateway sends each of these sessions.
void TestCtlParity::aSessionIsInTheSameShare() {
    const QByteArray body(R"({"model":"auto","max_tokens":64,"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]})");
    QSet<QByteArray> routes;
    for (int n = 0; n < 12; ++n) {
        const QString session = QStringLiteral("session-%1").arg(n);
        const auto answer = curl(m_home, {QStringLiteral("-i"), QStringLiteral("-d"), QString::fromUtf8(body), QStringLiteral("-H"),
                                          QStringLiteral("X-Signalbox-Session-Id: ") + session, QStringLiteral("-H"),
                                          QStringLiteral("X-Signalbox-Routing-Profile: quality"),
                                          QString::fromUtf8("http://" + m_address + "/v1/chat/completions")});
        const auto decided = m_home.run({QStringLiteral("decide"), QStringLiteral("ws"), QStringLiteral("--json"), QStringLiteral("--in-flight"), QStringLiteral("1"),
                                         QStringLiteral("--session"), session, QStringLiteral("--profile"), QStringLiteral("quality")},
                                        body);
        const auto json = QJsonDocument::fromJson(decided.out).object();
        const auto plan = json[QStringLiteral("plan")].toObject();
        const QByteArray route = header(answer.out, "x-signalbox-route");
        QCOMPARE(route, plan[QStringLiteral("targets")].toArray()[0].toObject()[QStringLiteral("endpoint")].toString().toUtf8());
        QCOMPARE(header(answer.out, "x-signalbox-coverage"), plan[QStringLiteral("coverage")].toString().toUtf8());
        QCOMPARE(json[QStringLiteral("group")].toObject()[QStringLiteral("profile")].toString(), QStringLiteral("quality"));
        routes << route;
    }
    // Both halves were there.
    QCOMPARE(routes, (QSet<QByteArray>{"lab:served-as-basalt-base", "lab:served-as-amber-k4"}));
}

void TestCtlParity::sameAnswerOnTheAnthropicEdge_data() {
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* tag, const char* members) {
        QTest::newRow(tag) << QByteArray(R"({"max_tokens":64,"messages":[{"role":"user","content":"hi"}],)") + members + "}";
    };
    row("free chat", R"("model":"amber-26b")");
    row("tools", R"("model":"amber-26b","tools":[{"name":"f","input_schema":{"type":"object"}}])");
    row("F26 empty tools are none", R"("model":"amber-26b","tools":[],"tool_choice":{"type":"auto"})");
    row("a schema", R"("model":"amber-26b","output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}})");
    row("a hint in the metadata", R"("model":"amber-26b","metadata":{"user_id":"u","expected_length":"long"})");
    row("explicit endpoint", R"("model":"lab:basalt-31b")");
}

void TestCtlParity::sameAnswerOnTheAnthropicEdge() {
    QFETCH(QByteArray, body);
    const auto answer = curl(m_home, {QStringLiteral("-i"), QStringLiteral("-d"), QString::fromUtf8(body), QString::fromUtf8("http://" + m_address + "/v1/messages")});
    QVERIFY2(answer.out.startsWith("HTTP/1.1 200"), answer.out.constData());
    QVERIFY2(answer.out.contains("\"type\":\"message\""), answer.out.constData());
    const auto decided = m_home.run({QStringLiteral("decide"), QStringLiteral("ws"), QStringLiteral("--edge"), QStringLiteral("anthropic"),
                                     QStringLiteral("--json"), QStringLiteral("--in-flight"), QStringLiteral("1")}, body);
    QVERIFY2(decided.code == 0, decided.err.constData());
    const auto plan = QJsonDocument::fromJson(decided.out).object()[QStringLiteral("plan")].toObject();
    const auto target = plan[QStringLiteral("targets")].toArray()[0].toObject();
    QCOMPARE(header(answer.out, "x-signalbox-coverage"), plan[QStringLiteral("coverage")].toString().toUtf8());
    QCOMPARE(header(answer.out, "x-signalbox-route"), target[QStringLiteral("endpoint")].toString().toUtf8());
}

QTEST_APPLESS_MAIN(TestCtlParity)
#include "tst_ctl_parity.moc"
