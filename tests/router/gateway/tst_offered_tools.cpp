// SPDX-License-Identifier: MIT
#include "router/gateway/offered_tools.h"

#include <QTest>
#include <thread>

using namespace signalbox;
using gateway::BodyTools;
using gateway::ToolSchema;
using Verdict = dispatch::OfferedTools::Verdict;

Q_DECLARE_METATYPE(signalbox::dispatch::OfferedTools::Verdict)

namespace {

constexpr const char* kWeather =
    R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1}},"required":["city"],"additionalProperties":false})";

std::string openAi(const std::string& schema) {
    return R"({"model":"m","messages":[{"role":"user","content":"tools"}],"tools":[{"type":"function","function":{"name":"weather","description":"d","parameters":)" +
           schema + "}}]}";
}

std::string nested(int depth) {
    std::string out;
    for (int i = 0; i < depth; ++i)
        out += R"({"properties":{"a":)";
    out += "{}";
    for (int i = 0; i < depth; ++i)
        out += "}}";
    return out;
}

} // namespace

class OfferedToolsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWayOfOffering_data();
    void everyWayOfOffering();
    void argumentsAreJudged_data();
    void argumentsAreJudged();
    void whatCannotBeReadIsUnchecked_data();
    void whatCannotBeReadIsUnchecked();
    void forgettingLeavesNothingToRead();
    void aLongTextMeetsNoRegularExpression();
    void workIsBounded();
    void severalThreads();
};

void OfferedToolsTest::everyWayOfOffering_data() {
    QTest::addColumn<QByteArray>("body");
    const QByteArray schema(kWeather);
    QTest::newRow("OpenAI") << QByteArray::fromStdString(openAi(kWeather));
    QTest::newRow("OpenAI, flat") << R"({"tools":[{"type":"function","name":"weather","parameters":)" + schema + "}]}";
    QTest::newRow("Anthropic") << R"({"tools":[{"name":"weather","input_schema":)" + schema + "}]}";
    QTest::newRow("older functions") << R"({"functions":[{"name":"weather","parameters":)" + schema + "}]}";
    QTest::newRow("among others") << R"({"tools":[{"type":"web_search"},7,{"type":"function","function":{"name":"x"}},{"name":"weather","input_schema":)" +
                                         schema + R"(}],"model":"m"})";
}

void OfferedToolsTest::everyWayOfOffering() {
    QFETCH(QByteArray, body);
    const std::string text = body.toStdString();
    const BodyTools tools(text);
    QCOMPARE(tools.check("weather", R"({"city":"Berlin"})"), Verdict::fits);
    QCOMPARE(tools.check("weather", R"({"town":"Berlin"})"), Verdict::violates);
    QCOMPARE(tools.check("invented", R"({"city":"Berlin"})"), Verdict::unknownTool);
}

void OfferedToolsTest::argumentsAreJudged_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<Verdict>("verdict");
    const auto row = [](const char* name, const char* schema, const char* arguments, Verdict verdict) {
        QTest::newRow(name) << QByteArray(schema) << QByteArray(arguments) << verdict;
    };
    row("required", kWeather, R"({"days":2})", Verdict::violates);
    row("type", kWeather, R"({"city":"B","days":"2"})", Verdict::violates);
    row("minimum", kWeather, R"({"city":"B","days":0})", Verdict::violates);
    row("more members than allowed", kWeather, R"({"city":"B","x":1})", Verdict::violates);
    row("not an object", kWeather, "[1]", Verdict::violates);
    row("any object", R"({"type":"object"})", R"({"a":[1,{"b":null}]})", Verdict::fits);
    row("an empty schema", "{}", "7", Verdict::fits);
    row("enum", R"({"properties":{"u":{"enum":["c","f"]}}})", R"({"u":"k"})", Verdict::violates);
    row("const, one of", R"({"oneOf":[{"properties":{"k":{"const":1}}},{"properties":{"k":{"const":2}}}]})", R"({"k":2})", Verdict::fits);
    row("nullable", R"({"properties":{"u":{"type":["string","null"]}}})", R"({"u":null})", Verdict::fits);
    row("any of", R"({"properties":{"u":{"anyOf":[{"type":"string"},{"type":"null"}]}}})", R"({"u":1})", Verdict::violates);
    row("items", R"({"properties":{"l":{"type":"array","items":{"type":"integer"},"maxItems":2}}})", R"({"l":[1,2,3]})", Verdict::violates);
    row("exclusive maximum", R"({"properties":{"n":{"exclusiveMaximum":5}}})", R"({"n":5})", Verdict::violates);
    row("reference inside", R"({"$defs":{"p":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/p"}}})", R"({"n":"x"})", Verdict::violates);
    row("reference inside that fits", R"({"definitions":{"p":{"type":"integer"}},"properties":{"n":{"$ref":"#/definitions/p"},"m":{"$ref":"#/definitions/p"}}})",
        R"({"n":1,"m":2})", Verdict::fits);
    row("a member named like a keyword", R"({"properties":{"pattern":{"type":"string"},"format":{"type":"integer"}}})",
        R"({"pattern":"x","format":"y"})", Verdict::violates);
    row("a pattern is not run, so nobody can say", R"({"properties":{"z":{"type":"string","pattern":"^a+$"}}})", R"({"z":"aaa"})", Verdict::unchecked);
    row("but the rest is", R"({"properties":{"z":{"type":"string","pattern":"^a+$"}}})", R"({"z":1})", Verdict::violates);
    row("a multiple", R"({"properties":{"n":{"multipleOf":5}}})", R"({"n":7})", Verdict::violates);
    row("an id moves nothing", R"({"definitions":{"a":{"id":"/definitions/a","b":{"type":"integer"}}},"properties":{"n":{"type":"integer"}}})", R"({"n":1})", Verdict::fits);
    row("names are not judged", R"({"propertyNames":{"maxLength":1}})", R"({"city":1})", Verdict::unchecked);
    row("format says nothing", R"({"properties":{"d":{"type":"string","format":"date"}}})", R"({"d":"yesterday"})", Verdict::fits);
}

void OfferedToolsTest::argumentsAreJudged() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, arguments);
    QFETCH(Verdict, verdict);
    const std::string body = openAi(schema.toStdString());
    QCOMPARE(BodyTools(body).check("weather", arguments.toStdString()), verdict);
}

void OfferedToolsTest::whatCannotBeReadIsUnchecked_data() {
    QTest::addColumn<QByteArray>("body");
    const auto schema = [](const char* name, const std::string& text) { QTest::newRow(name) << QByteArray::fromStdString(openAi(text)); };
    schema("reference to elsewhere", R"({"properties":{"n":{"$ref":"https://example.com/schema.json"}}})");
    schema("reference to a file", R"({"$ref":"file:///etc/passwd"})");
    schema("reference to nothing", R"({"properties":{"n":{"$ref":"#/$defs/none"}}})");
    schema("reference to itself", R"({"$ref":"#"})");
    schema("reference in a circle", R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"})");
    schema("a schema that holds itself", R"({"allOf":[{"$ref":"#"}]})");
    schema("a tree, which no bound is known for", R"({"$defs":{"t":{"properties":{"l":{"$ref":"#/$defs/t"}}}},"properties":{"t":{"$ref":"#/$defs/t"}}})");
    schema("too deep", nested(40));
    schema("far too deep", nested(50'000));
    schema("patterns for names", R"({"patternProperties":{"^a":{"type":"string"}}})");
    schema("a keyword with a wrong value", R"({"properties":{"a":{"minimum":"one"}}})");
    // valijson divides by it, reads references its own way and runs the patterns that it finds behind one.
    schema("multiple of nothing", R"({"properties":{"city":{},"n":{"multipleOf":0}}})");
    schema("multiple of less than nothing", R"({"multipleOf":-1})");
    schema("multiple of a text", R"({"properties":{"n":{"multipleOf":"0"}}})");
    schema("multiple of what wraps", R"({"properties":{"n":{"multipleOf":18446744073709551615}}})");
    schema("a circle through an empty key", R"({"":{},"allOf":[{"$ref":"#/"}]})");
    schema("a circle through empty keys", R"({"x":{"allOf":[{"$ref":"#//x"}]},"$ref":"#/x"})");
    schema("a pattern in a value", R"({"default":{"pattern":"(a+)+$"},"properties":{"x":{"$ref":"#/default"}}})");
    schema("a pattern among names", R"({"definitions":{"pattern":"(a+)+$"},"properties":{"x":{"$ref":"#/definitions"}}})");
    schema("no schema", "null");
    schema("a text as a schema", "\"object\"");
    QTest::newRow("no parameters") << QByteArray(R"({"tools":[{"type":"function","function":{"name":"weather"}}]})");
    QTest::newRow("no tools") << QByteArray(R"({"model":"m"})");
    QTest::newRow("not JSON") << QByteArray("{");
    std::string many = R"({"$defs":{"d0":{"type":"string"})";
    for (int i = 1; i < 24; ++i) {
        const std::string before = "{\"$ref\":\"#/$defs/d" + std::to_string(i - 1) + "\"}";
        many += ",\"d" + std::to_string(i) + "\":{\"allOf\":[" + before + "," + before + "]}";
    }
    schema("references that double with every step", many + R"(},"properties":{"a":{"$ref":"#/$defs/d23"}}})");
    schema("too large", R"({"description":")" + std::string(300'000, 'x') + "\"}");
    QTest::newRow("too many") << QByteArray::fromStdString(openAi(R"({"description":")" + std::string(1'200'000, 'x') + "\"}"));
}

void OfferedToolsTest::whatCannotBeReadIsUnchecked() {
    QFETCH(QByteArray, body);
    const std::string text = body.toStdString();
    QCOMPARE(BodyTools(text).check("weather", R"({"city":"Berlin"})"), Verdict::unchecked);
}

void OfferedToolsTest::forgettingLeavesNothingToRead() {
    auto body = std::make_unique<std::string>(openAi(kWeather));
    BodyTools early(*body), late(*body);
    QCOMPARE(early.check("weather", "{}"), Verdict::violates);
    early.forget();
    late.forget();
    body.reset();
    QCOMPARE(early.check("weather", R"({"city":"Berlin"})"), Verdict::fits);
    QCOMPARE(late.check("weather", "{}"), Verdict::unchecked);
}

// The standard library's expressions call themselves for each character.
void OfferedToolsTest::aLongTextMeetsNoRegularExpression() {
    const std::string body = openAi(R"({"properties":{"d":{"type":"string","format":"date-time","pattern":"^(a|b)*$"}}})");
    const std::string arguments = R"({"d":")" + std::string(250'000, '1') + "\"}";
    QCOMPARE(BodyTools(body).check("weather", arguments), Verdict::unchecked);
}

void OfferedToolsTest::workIsBounded() {
    const auto unique = ToolSchema::read(R"({"properties":{"l":{"uniqueItems":true}}})");
    QVERIFY(unique);
    QCOMPARE(unique->check(R"({"l":[1,2,1]})"), ToolSchema::Verdict::violates);
    std::string list = R"({"l":[0)";
    for (int i = 1; i < 50'000; ++i)
        list += "," + std::to_string(i);
    QCOMPARE(unique->check(list + "]}"), ToolSchema::Verdict::unknown);
}

void OfferedToolsTest::severalThreads() {
    const std::string body = openAi(kWeather);
    const BodyTools tools(body);
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i)
                right += tools.check("weather", R"({"city":"B"})") == Verdict::fits && tools.check("weather", "{}") == Verdict::violates;
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(right.load(), 200);
}

QTEST_GUILESS_MAIN(OfferedToolsTest)
#include "tst_offered_tools.moc"
