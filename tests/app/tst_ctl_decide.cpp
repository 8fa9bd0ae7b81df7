// SPDX-License-Identifier: MIT
#include "tests/app/ctl_process.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace signalbox::test;

class TestCtlDecide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
    }
    void decisions_data();
    void decisions();
    void shortAnswer();
    void explanationNamesTheRules();
    void tableAlone();
    void workspaceWithoutConfigurationIsATableAlone();
    void requestFromFile();
    void pin();
    void badInput_data();
    void badInput();
    void unknownModelListsNearNames();
    void brokenPolicyDecidesNothing();
    void aHintThatCountsAsNoneIsTold();
    void namesCannotSteerTheTerminal();
    void groupFlags_data();
    void groupFlags();
    void theSessionIsNeverPrinted();
    void anthropicBody();
    void whoLacksItsKeyHereIsPassedOver();
    void whoLacksItsKeyHereIsNotJudged();
    void anAddressThatIsWrongIsNotRepeated_data();
    void anAddressThatIsWrongIsNotRepeated();
    void nobodyHasItsKeyHere();
    void oneThatIsMeantAloneAndLacksItsKey();

private:
    [[nodiscard]] CtlHome::Run decide(const QStringList& arguments, const QByteArray& body) const {
        return m_home->run(QStringList{QStringLiteral("decide")} + arguments, body);
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlDecide::decisions_data() {
    QTest::addColumn<QString>("more");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("coverage");
    const QByteArray tools(R"({"model":"amber-26b","max_tokens":64,"messages":[{"role":"user","content":"hi"}],)"
                           R"("tools":[{"type":"function","function":{"name":"f"}}]})");
    const QByteArray chat(R"({"model":"amber-26b","messages":[{"role":"user","content":"hi"}]})");
    const QByteArray json(R"({"model":"amber-26b","response_format":{"type":"json_object"},"messages":[]})");
    const QByteArray basalt(R"({"model":"basalt-31b","messages":[]})");
    QTest::newRow("tool call, one in flight") << QStringLiteral("--in-flight 1") << tools << QStringLiteral("amber-k4") << QStringLiteral("rule");
    QTest::newRow("tool call, two in flight") << QStringLiteral("--in-flight 2") << tools << QStringLiteral("amber-wide") << QStringLiteral("rule");
    QTest::newRow("unknown concurrency is a single stream") << QString() << tools << QStringLiteral("amber-k4") << QStringLiteral("rule");
    QTest::newRow("free chat takes the default") << QString() << chat << QStringLiteral("amber-base") << QStringLiteral("default");
    QTest::newRow("hint as in metadata") << QStringLiteral("--hint expected_length=short --in-flight 3") << json << QStringLiteral("amber-wide") << QStringLiteral("rule");
    QTest::newRow("hint as in the header") << QStringLiteral("--hint X-Signalbox-Expected-Length=short") << json << QStringLiteral("amber-k4") << QStringLiteral("rule");
    QTest::newRow("malformed hint counts as none") << QStringLiteral("--hint expected_length=tiny") << json << QStringLiteral("amber-base") << QStringLiteral("default");
    QTest::newRow("another family") << QString() << basalt << QStringLiteral("basalt-base") << QStringLiteral("default");
}

void TestCtlDecide::decisions() {
    QFETCH(QString, more);
    QFETCH(QByteArray, body);
    QFETCH(QString, preset);
    QFETCH(QString, coverage);
    const auto run = decide(QStringList{QStringLiteral("ws"), QStringLiteral("--json")} + more.split(QLatin1Char(' '), Qt::SkipEmptyParts), body);
    QVERIFY2(run.code == 0, run.err.constData());
    const auto json = QJsonDocument::fromJson(run.out).object();
    QVERIFY2(run.out.contains("\"preset_key\": \"" + preset.toUtf8() + "\""), run.out.constData());
    QVERIFY2(run.out.contains("\"coverage\": \"" + coverage.toUtf8() + "\""), run.out.constData());
    QCOMPARE(json[QStringLiteral("configured")].toBool(false), true);
}

void TestCtlDecide::shortAnswer() {
    const auto run = decide({QStringLiteral("ws")}, R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("preset    amber-base\n"), run.out.constData());
    QVERIFY2(run.out.contains("endpoint  lab:amber-26b\n"), run.out.constData());
    QVERIFY2(run.out.contains("coverage  default\n"), run.out.constData());
}

void TestCtlDecide::explanationNamesTheRules() {
    const auto run = decide({QStringLiteral("ws"), QStringLiteral("--explain")}, R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("Rule 1") && run.out.contains("Rule 2"), run.out.constData());
}

void TestCtlDecide::tableAlone() {
    const auto run = decide({QStringLiteral("--table"), QStringLiteral("ws/routing-table.json"), QStringLiteral("--json")},
                            R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(run.code == 0, run.err.constData());
    const auto json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json[QStringLiteral("configured")].toBool(true), false);
    QVERIFY2(run.out.contains("\"preset_key\": \"amber-base\""), run.out.constData());
}

void TestCtlDecide::workspaceWithoutConfigurationIsATableAlone() {
    QFile::remove(m_home->path("ws/gateway.toml"));
    const auto run = decide({QStringLiteral("ws")}, R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("preset    amber-base\n") && !run.out.contains("endpoint"), run.out.constData());
}

void TestCtlDecide::requestFromFile() {
    m_home->write("body.json", R"({"model":"basalt-31b","messages":[]})");
    const auto run = decide({QStringLiteral("ws"), QStringLiteral("--request"), QStringLiteral("body.json")}, {});
    QVERIFY2(run.out.contains("basalt-base"), (run.out + run.err).constData());
}

void TestCtlDecide::pin() {
    const auto run = decide({QStringLiteral("ws"), QStringLiteral("--pin"), QStringLiteral("preset/amber-wide")},
                            R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("preset    amber-wide\n"), run.out.constData());
}

void TestCtlDecide::badInput_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("not JSON") << QStringLiteral("ws") << QByteArray("hello") << QByteArray("<stdin>");
    QTest::newRow("an array") << QStringLiteral("ws") << QByteArray("[]") << QByteArray("<stdin>");
    QTest::newRow("empty") << QStringLiteral("ws") << QByteArray() << QByteArray("<stdin>");
    QTest::newRow("model twice") << QStringLiteral("ws") << QByteArray(R"({"model":"a","model":"b"})") << QByteArray("model");
    QTest::newRow("missing request") << QStringLiteral("ws --request nowhere.json") << QByteArray() << QByteArray("nowhere.json: no such file");
    QTest::newRow("folder as request") << QStringLiteral("ws --request ws") << QByteArray() << QByteArray("ws: this is a folder");
    QTest::newRow("missing workspace") << QStringLiteral("nowhere") << QByteArray("{}") << QByteArray("nowhere: there is no such workspace");
    QTest::newRow("named configuration is missing") << QStringLiteral("ws --config nowhere.toml") << QByteArray("{}") << QByteArray("nowhere.toml: no such file");
    QTest::newRow("configuration alone") << QStringLiteral("--config ws/gateway.toml") << QByteArray("{}") << QByteArray("routing table is needed");
}

void TestCtlDecide::badInput() {
    QFETCH(QString, arguments);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, says);
    VERIFY_ONE_MESSAGE(decide(arguments.split(QLatin1Char(' ')), body), 1, "signalboxctl: ", says);
}

void TestCtlDecide::unknownModelListsNearNames() {
    const auto run = decide({QStringLiteral("ws")}, R"({"model":"amber-27b","messages":[]})");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("amber-27b") && run.err.contains("amber-26b"), run.err.constData());
}

void TestCtlDecide::brokenPolicyDecidesNothing() {
    m_home->write("ws/routing-table.json", "{}");
    const auto run = decide({QStringLiteral("ws")}, R"({"model":"amber-26b"})");
    QCOMPARE(run.code, 1);
    QVERIFY(run.out.isEmpty());
    QVERIFY2(run.err.contains("ws/routing-table.json:1:1: error: "), run.err.constData());
    QVERIFY2(run.err.contains("signalboxctl: ws/routing-table.json: "), run.err.constData());
}

void TestCtlDecide::aHintThatCountsAsNoneIsTold() {
    for (const char* hint : {"expected_length=tiny", "category=banana", "input_tokens=-3"}) {
        const auto run = decide({QStringLiteral("ws"), QStringLiteral("--hint"), QString::fromLatin1(hint)}, R"({"model":"amber-26b","messages":[]})");
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains(QByteArray("note: --hint ") + hint + " counts as none"), run.err.constData());
    }
    const auto good = decide({QStringLiteral("ws"), QStringLiteral("--hint"), QStringLiteral("expected_length= Short ")}, R"({"model":"amber-26b","messages":[]})");
    QVERIFY2(good.err.isEmpty(), good.err.constData());
}

void TestCtlDecide::namesCannotSteerTheTerminal() {
    const QByteArray body(R"({"model":"a\u001b[31mRED\u0007\nRule 1 matches","messages":[]})");
    const auto text = decide({QStringLiteral("ws"), QStringLiteral("--explain")}, body);
    for (const char control : {'\x1b', '\x07', '\r'}) QVERIFY2(!(text.out + text.err).contains(control), text.out.constData());
    QVERIFY2(!text.out.contains("\nRule 1 matches") && !text.err.contains("\nRule 1 matches"), text.out.constData());
    const auto json = QJsonDocument::fromJson(decide({QStringLiteral("ws"), QStringLiteral("--json")}, body).out).object();
    QCOMPARE(json[QStringLiteral("features")].toObject()[QStringLiteral("model")].toString(), QStringLiteral("a\u001b[31mRED\u0007\nRule 1 matches"));
}

namespace {

/// The group "general" at 50 %, a dear first candidate and a local one, and a principal that may do little.
QByteArray smartConfig() {
    return goodConfig() +
           "[providers.cloud]\nprotocol = \"simulated\"\nmodels = [\"big\"]\n"
           "[providers.cloud.pricing]\ninput_per_million = 9.0\noutput_per_million = 30.0\n"
           "[routing]\nmode = \"active\"\nactivation_percent = 50\n"
           "[routing.groups.general]\naliases = [\"auto\"]\n"
           "[[routing.groups.general.candidates]]\nprovider = \"cloud\"\nmodel = \"big\"\nquality = 0.85\n"
           "[[routing.groups.general.candidates]]\nprovider = \"lab\"\nmodel = \"amber-26b\"\nquality = 0.75\n"
           "[principals.bot]\ntoken_env = \"BOT_TOKEN\"\nallowed_models = [\"amber-26b\"]\nhints = { expected_length = \"short\" }\n";
}

}  // namespace

void TestCtlDecide::groupFlags_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* tag, const char* arguments, int code, const char* says) {
        QTest::newRow(tag) << QString::fromUtf8(arguments) << code << QByteArray(says);
    };
    row("profile", "--json --profile quality", 0, "\"profile\": \"quality\"");
    row("profile in any case", "--json --profile Economy", 0, "\"profile\": \"economy\"");
    row("profile that does not exist", "--profile cheap", 1, "quality, balanced, economy or latency");
    row("bucket of a session", "--json --session s-1 --request-id r1", 0, "\"affinity_favourite\": \"");
    row("no session", "--json --request-id r1", 0, "\"affinity\": \"no_session\"");
    row("session that is too long", "--session xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        1, "--session");
    row("principal's lists", "--json --principal bot", 0, "\"cut\": \"policy\"");
    row("principal's default hint", "--json --principal bot", 0, "\"length_found_by\": \"principal\"");
    row("principal may not pin", "--principal bot --pin preset/amber-k4", 1, "may not pin");
    row("unknown principal", "--principal bob", 1, "Did you mean \"bot\"?");
    row("explanation", "--explain", 0, "Other profiles would recommend:");
    row("what was measured", "--explain", 0, "Nothing was measured here");
}

void TestCtlDecide::groupFlags() {
    QFETCH(QString, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    m_home->write("ws/gateway.toml", smartConfig());
    const auto run = decide(QStringList{QStringLiteral("ws")} + arguments.split(QLatin1Char(' ')), R"({"model":"auto","messages":[]})");
    QCOMPARE(run.code, code);
    QVERIFY2((run.out + run.err).contains(says), (run.out + run.err).constData());
}

void TestCtlDecide::theSessionIsNeverPrinted() {
    m_home->write("ws/gateway.toml", smartConfig());
    for (const char* form : {"--json", "--explain"}) {
        const auto run = decide({QStringLiteral("ws"), QString::fromLatin1(form), QStringLiteral("--session"), QStringLiteral("planted-7f3a")},
                                R"({"model":"auto","messages":[]})");
        QCOMPARE(run.code, 0);
        QVERIFY2(!(run.out + run.err).contains("planted-7f3a"), run.out.constData());
    }
}

// A provider that speaks the other protocol is refused with the field, as at the gateway.
void TestCtlDecide::anthropicBody() {
    const QByteArray tools(R"({"model":"amber-26b","max_tokens":64,"messages":[{"role":"user","content":"hi"}],)"
                           R"("tools":[{"name":"f","input_schema":{"type":"object"}}]})");
    const QStringList edge{QStringLiteral("ws"), QStringLiteral("--edge"), QStringLiteral("anthropic")};
    const auto run = decide(edge, tools);
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("preset    amber-k4\n"), run.out.constData());
    m_home->write("ws/gateway.toml", "[providers.lab]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodels = [\"amber-26b\"]\n");
    const auto refused = decide(edge, R"({"model":"amber-26b","max_tokens":1,"top_k":5,"messages":[]})");
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("top_k") && refused.err.contains("\"lab\""), refused.err.constData());
    QCOMPARE(decide({QStringLiteral("ws"), QStringLiteral("--edge"), QStringLiteral("gemini")}, tools).code, 2);
}

namespace {

/// Two providers that offer the model "shared", of which the first needs a key, and an alias that means the first alone.
QByteArray keyedConfig(const QByteArray& more = {}) {
    return goodConfig() +
           "[providers.cloud]\nbase_url = \"https://cloud.example/v1\"\napi_key_env = \"CLOUD_KEY\"\nmodels = [\"shared\"]\n" + more +
           "[providers.spare]\nprotocol = \"simulated\"\nmodels = [\"shared\"]\n"
           "[aliases]\nnick = \"cloud:shared\"\n";
}

const QByteArray kShared(R"({"model":"shared","messages":[]})");

}  // namespace

// Named is who would be called by a gateway in the same environment, as the gateway names it; whose key is missing here is told.
void TestCtlDecide::whoLacksItsKeyHereIsPassedOver() {
    m_home->write("ws/gateway.toml", keyedConfig());
    const auto run = decide({QStringLiteral("ws")}, kShared);
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("endpoint  spare:shared\n"), run.out.constData());
    QVERIFY2(run.err.contains("note: ") && run.err.contains("cloud:shared") && run.err.contains("CLOUD_KEY"), run.err.constData());
    const auto json = decide({QStringLiteral("ws"), QStringLiteral("--json")}, kShared);
    const auto lacking = QJsonDocument::fromJson(json.out).object()[QStringLiteral("not_callable_here")].toArray();
    QCOMPARE(lacking.size(), 1);
    QCOMPARE(lacking[0].toObject()[QStringLiteral("endpoint")].toString(), QStringLiteral("cloud:shared"));
    QVERIFY(lacking[0].toObject()[QStringLiteral("why")].toString().contains(QStringLiteral("CLOUD_KEY")));
    QVERIFY2(json.out.contains("\"endpoint\": \"spare:shared\"") && json.err.isEmpty(), (json.out + json.err).constData());
    const auto text = decide({QStringLiteral("ws"), QStringLiteral("--explain")}, kShared);
    QVERIFY2(text.out.contains("Then to endpoint \"spare:shared\"") && text.out.contains("would not call cloud:shared"), text.out.constData());

    m_home->set("CLOUD_KEY", QStringLiteral("planted-key-0815"));
    const auto ready = decide({QStringLiteral("ws")}, kShared);
    QVERIFY2(ready.out.contains("endpoint  cloud:shared\n") && ready.err.isEmpty(), (ready.out + ready.err).constData());
    const auto full = decide({QStringLiteral("ws"), QStringLiteral("--json")}, kShared);
    QVERIFY(QJsonDocument::fromJson(full.out).object()[QStringLiteral("not_callable_here")].toArray().isEmpty());
    QVERIFY2(!(ready.out + full.out).contains("planted-key-0815"), full.out.constData());
}

// What it may not be asked or cannot carry is no reason to refuse what another one serves.
void TestCtlDecide::whoLacksItsKeyHereIsNotJudged() {
    m_home->write("ws/gateway.toml", keyedConfig("protocol = \"anthropic\"\n"));
    const QByteArray seeded(R"({"model":"shared","seed":7,"messages":[]})");
    const auto run = decide({QStringLiteral("ws")}, seeded);
    QVERIFY2(run.code == 0 && run.out.contains("endpoint  spare:shared\n"), (run.out + run.err).constData());
    // Told as well is what the name means first, and lacks.
    QVERIFY2(run.err.contains("note: ") && run.err.contains("would not call cloud:shared") && run.err.contains("CLOUD_KEY"), run.err.constData());
    const auto json = decide({QStringLiteral("ws"), QStringLiteral("--json")}, seeded);
    const auto lacking = QJsonDocument::fromJson(json.out).object()[QStringLiteral("not_callable_here")].toArray();
    QCOMPARE(lacking.size(), 1);
    QCOMPARE(lacking[0].toObject()[QStringLiteral("endpoint")].toString(), QStringLiteral("cloud:shared"));
    const auto text = decide({QStringLiteral("ws"), QStringLiteral("--explain")}, seeded);
    QVERIFY2(text.out.contains("would not call cloud:shared"), text.out.constData());
    m_home->set("CLOUD_KEY", QStringLiteral("k"));
    const auto ready = decide({QStringLiteral("ws"), QStringLiteral("--json")}, seeded);
    QCOMPARE(ready.code, 1);
    QVERIFY2(!ready.out.contains("not_callable_here"), ready.out.constData());
}

// What is wrong with an address is told without it, for a part of it may be a password.
void TestCtlDecide::anAddressThatIsWrongIsNotRepeated_data() {
    QTest::addColumn<QString>("address");
    for (const char* address : {"https://ada:planted/x@cloud.example", "https://ada:planted%40cloud.example", "https://ada:planted@cloud.example"})
        QTest::newRow(address) << QString::fromLatin1(address);
}

void TestCtlDecide::anAddressThatIsWrongIsNotRepeated() {
    QFETCH(const QString, address);
    m_home->write("ws/gateway.toml", goodConfig() + "[providers.cloud]\nprotocol = \"openai_compat\"\nbase_url_env = \"CLOUD_URL\"\nmodels = [\"shared\"]\n");
    m_home->set("CLOUD_URL", address);
    for (const QStringList& form : {QStringList{}, QStringList{QStringLiteral("--explain")}, QStringList{QStringLiteral("--json")}}) {
        const auto run = decide(QStringList{QStringLiteral("ws")} + form, kShared);
        QVERIFY2((run.out + run.err).contains("would not call cloud:shared") || run.out.contains("not_callable_here"), (run.out + run.err).constData());
        QVERIFY2(!(run.out + run.err).contains("planted"), (run.out + run.err).constData());
    }
}

void TestCtlDecide::nobodyHasItsKeyHere() {
    m_home->write("ws/gateway.toml", goodConfig() + "[providers.cloud]\nbase_url = \"http://127.0.0.1:9/v1\"\napi_key_env = \"CLOUD_KEY\"\n"
                                                    "models = [\"shared\"]\n");
    const auto run = decide({QStringLiteral("ws")}, kShared);
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("endpoint  cloud:shared\n"), run.out.constData());
    QVERIFY2(run.err.contains("would not call cloud:shared") && run.err.contains("CLOUD_KEY"), run.err.constData());
}

void TestCtlDecide::oneThatIsMeantAloneAndLacksItsKey() {
    m_home->write("ws/gateway.toml", keyedConfig());
    const auto run = decide({QStringLiteral("ws")}, R"({"model":"nick","messages":[]})");
    QVERIFY2(run.out.contains("endpoint  cloud:shared\n") && run.err.contains("CLOUD_KEY"), (run.out + run.err).constData());
}

QTEST_APPLESS_MAIN(TestCtlDecide)
#include "tst_ctl_decide.moc"
