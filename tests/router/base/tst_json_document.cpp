// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/base/json_document.h"
#include "router/base/json_reader.h"
#include "router/base/random.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <cmath>
#include <simdjson.h>

using namespace signalbox;

class JsonDocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusals_data();
    void refusals();
    void limits();
    void valuesAreBounded();
    void numbers();
    void texts();
    void byteOrderMark();
    void rangesAndPositions();
    void pointers();
    void withValue();
    void manyKeysTakeLinearTime();
    void agreesWithTheLibrariesOnVectors();
    void agreesWithTheLibrariesOnDamage();
};

static QString q(const std::string& text) { return QString::fromStdString(text); }
static QString at(const TextPosition& position) {
    return QStringLiteral("%1:%2").arg(position.line).arg(position.column);
}

void JsonDocumentTest::refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");  // code position pointer
    const auto row = [](const char* name, QByteArray text, const char* expected) {
        QTest::newRow(name) << text << QString::fromUtf8(expected);
    };
    row("empty", "", "empty_document 1:1 ");
    row("white space only", " \r\n\t", "empty_document 2:2 ");
    row("mark only", "\xef\xbb\xbf", "empty_document 1:1 ");
    row("bad byte", "{\"a\":\n \"ö\xff\"}", "not_utf8 2:4 ");
    row("Latin-1", "[\"caf\xe9\"]", "not_utf8 1:6 ");
    row("encoded surrogate", "[\"\xed\xa0\x80\"]", "not_utf8 1:3 ");
    row("overlong", "[\"\xc0\x80\"]", "not_utf8 1:3 ");
    row("UTF-16", QByteArray("\xff\xfe{\0}\0", 6), "not_utf8 1:1 ");
    row("one brace too many", "{}\n}", "trailing_data 2:1 ");
    row("second value", "1 2", "trailing_data 1:3 ");
    row("NUL after the end", QByteArray("{}\0", 3), "trailing_data 1:3 ");
    row("cut in an object", "{\"a\": {\"b\": 1", "json_syntax 1:14 /a");
    row("cut in a list", "[1, [2", "json_syntax 1:7 /1");
    row("cut in a text", "{\"a\": \"b", "json_syntax 1:7 /a");
    row("cut in a word", "[tru", "json_syntax 1:2 /0");
    row("comment", "{\"a\": 1 // no\n}", "json_syntax 1:9 ");
    row("comma at the end of an object", "{\"a\": 1,}", "json_syntax 1:9 ");
    row("comma at the end of a list", "[1,\n]", "json_syntax 2:1 ");
    row("comma first", "{,}", "json_syntax 1:2 ");
    row("single quotes", "{'a': 1}", "json_syntax 1:2 ");
    row("no colon", "{\"a\" 1}", "json_syntax 1:6 ");
    row("no comma", "{\"a\": 1 \"b\": 2}", "json_syntax 1:9 ");
    row("wrong bracket", "[1}", "json_syntax 1:3 ");
    row("control character", "{\"a\": \"x\x01\"}", "json_syntax 1:9 /a");
    row("line break in a text", "[\"x\ny\"]", "json_syntax 1:4 /0");
    row("unknown escape", "[\"\\x41\"]", "json_syntax 1:3 /0");
    row("short escape", "[\"\\u12\"]", "json_syntax 1:3 /0");
    row("lone high surrogate", "{\"é\": \"\\ud800\"}", "lone_surrogate 1:8 /é");
    row("lone low surrogate", "[\"\\udc00\"]", "lone_surrogate 1:3 /0");
    row("two high surrogates", "[\"\\ud800\\ud800\"]", "lone_surrogate 1:3 /0");
    row("surrogate in a key", "{\"\\ud800\": 1}", "lone_surrogate 1:3 ");
    row("NaN", "{\"a\": [NaN]}", "non_finite_literal 1:8 /a/0");
    row("Infinity", "[Infinity]", "non_finite_literal 1:2 /0");
    row("-Infinity", "[-Infinity]", "non_finite_literal 1:2 /0");
    row("leading zero", "[007]", "json_syntax 1:2 /0");
    row("plus sign", "[+1]", "json_syntax 1:2 /0");
    row("no digit after the point", "[1.]", "json_syntax 1:2 /0");
    row("no digit before the point", "[.5]", "json_syntax 1:2 /0");
    row("no digit in the exponent", "[1e+]", "json_syntax 1:2 /0");
    row("minus alone", "[-]", "json_syntax 1:2 /0");
    row("duplicate key", "{\"a\": {\"b\": 1,\n\"b\": 2}}", "duplicate_json_key 2:1 /a/b");
    row("duplicate key, written in two ways", "{\"a/b\": 1, \"\\u0061/b\": 2}", "duplicate_json_key 1:12 /a~1b");
}

void JsonDocumentTest::refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto document = JsonDocument::parse(text.toStdString());
    QVERIFY(!document.has_value());
    const Finding& finding = document.error();
    QCOMPARE(q(finding.code) + u' ' + at(finding.position) + u' ' + q(finding.pointer), expected);
    QVERIFY(finding.severity == Severity::error && !finding.message.empty() && !finding.hint.empty());
}

void JsonDocumentTest::valuesAreBounded() {
    QVERIFY(detail::readJson("[1,2,3]", 0, 8, 4));
    const auto fault = detail::readJson("[1,2,3]", 0, 8, 3);
    QVERIFY(!fault);
    QCOMPARE(fault.error().code, std::string("too_many_values"));
    QCOMPARE(fault.error().byte, std::size_t{5});
}

void JsonDocumentTest::limits() {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    QVERIFY(JsonDocument::parse(nested(256)).has_value());
    QCOMPARE(q(JsonDocument::parse(nested(257)).error().code), QStringLiteral("nesting_too_deep"));
    // Far too deep must neither exhaust the stack nor be read to its end.
    QCOMPARE(at(JsonDocument::parse(nested(1'000'000)).error().position), QStringLiteral("1:257"));
    const auto large = JsonDocument::parse("[1,2]", {.maxBytes = 4});
    QCOMPARE(q(large.error().code), QStringLiteral("document_too_large"));
    QVERIFY(JsonDocument::parse("[1,2]", {.maxBytes = 5}).has_value());
}

void JsonDocumentTest::numbers() {
    const auto document = JsonDocument::parse(
        "[9223372036854775807, -9223372036854775808, 18446744073709551615, 18446744073709551616, 1.0, -0, 1e400, -1E+400,"
        " 1e-400, 0.1, 123456789012345678901234567890e-400]");
    QVERIFY(document.has_value());
    const OrderedJson& root = document->root();
    QVERIFY(root[0].is_number_integer() && root[0].get<std::int64_t>() == INT64_MAX);
    QVERIFY(root[1].is_number_integer() && root[1].get<std::int64_t>() == INT64_MIN);
    QVERIFY(root[2].is_number_unsigned() && root[2].get<std::uint64_t>() == UINT64_MAX);
    QVERIFY(root[3].is_number_float() && root[3].get<double>() == 0x1p64);
    QVERIFY(root[4].is_number_float() && root[4].get<double>() == 1.0);
    QVERIFY(root[5].is_number_integer());
    QVERIFY(std::isinf(root[6].get<double>()) && std::isinf(root[7].get<double>()));
    QVERIFY(root[8].get<double>() >= 0 && root[8].get<double>() < 1e-300);
    QCOMPARE(root[9].get<double>(), 0.1);
    QVERIFY(root[10].get<double>() < 1e-300);
}

void JsonDocumentTest::texts() {
    const auto document = JsonDocument::parse(R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20ac\ud83d\ude82", "\u0000", "é€🚂"])");
    QVERIFY(document.has_value());
    QCOMPARE(q(document->root()[0]), QStringLiteral("\"\\/\b\f\n\r\t"));
    QCOMPARE(q(document->root()[1]), QStringLiteral("Aé€🚂"));
    QCOMPARE(document->root()[2].get<std::string>(), std::string(1, '\0'));
    QCOMPARE(q(document->root()[3]), QStringLiteral("é€🚂"));
}

void JsonDocumentTest::byteOrderMark() {
    const auto document = JsonDocument::parse("\xef\xbb\xbf[1]");
    QVERIFY(document.has_value() && document->hadByteOrderMark());
    QVERIFY((document->rangeOf("/0") == ByteRange{4, 5}));
    QCOMPARE(at(document->positionOf("/0")), QStringLiteral("1:2"));
    QVERIFY(!JsonDocument::parse("[1]")->hadByteOrderMark());
}

void JsonDocumentTest::rangesAndPositions() {
    const std::string text = "{\r\n  \"ö\" : [ 1.5e3 , \"x\\\"y\" ],\r\n  \"b\":{ }\r\n}\r\n";
    const auto document = JsonDocument::parse(text);
    QVERIFY(document.has_value());
    const auto slice = [&](const char* pointer) {
        const auto range = document->rangeOf(pointer);
        return range ? q(text.substr(range->begin, range->end - range->begin)) : QStringLiteral("(none)");
    };
    QCOMPARE(slice(""), q(text.substr(0, text.size() - 2)));
    QCOMPARE(slice("/ö"), QStringLiteral("[ 1.5e3 , \"x\\\"y\" ]"));
    QCOMPARE(slice("/ö/0"), QStringLiteral("1.5e3"));
    QCOMPARE(slice("/ö/1"), QStringLiteral("\"x\\\"y\""));
    QCOMPARE(slice("/b"), QStringLiteral("{ }"));
    QCOMPARE(slice("/ö/2"), QStringLiteral("(none)"));
    QCOMPARE(at(document->positionOf("/ö/1")), QStringLiteral("2:19"));
    QCOMPARE(at(document->positionOf("/ö/7")), QStringLiteral("2:9"));   // the nearest parent
    QCOMPARE(at(document->positionOf("/b")), QStringLiteral("3:7"));
    QCOMPARE(at(document->positionAt(text.size() + 100)), QStringLiteral("5:1"));
}

void JsonDocumentTest::pointers() {
    const auto document = JsonDocument::parse(R"({"a/b": 1, "c~d": {"": [10, 11, 12]}, "0": 3})");
    QVERIFY(document->rangeOf("/a~1b") && document->rangeOf("/c~0d//2") && document->rangeOf("/0"));
    for (const char* pointer : {"a", "/a/b", "/c~0d//3", "/c~0d//01", "/c~0d//-", "/c~0d//+1", "/c~2d", "/c~"})
        QVERIFY2(!document->rangeOf(pointer), pointer);
}

void JsonDocumentTest::withValue() {
    const std::string text = "{\n\t\"a\" : 1.0,\n\t\"b\": {\"c\":\"\\u00e9\"} // \n}";
    const auto document = JsonDocument::parse(text.substr(0, text.find(" //")) + "\n}\n");
    QVERIFY(document.has_value());
    QCOMPARE(q(*document->withValue("/a", "é")),
             QStringLiteral("{\n\t\"a\" : \"\\u00e9\",\n\t\"b\": {\"c\":\"\\u00e9\"}\n}\n"));
    QCOMPARE(q(*document->withValue("/b/c", {1, 2})),
             QStringLiteral("{\n\t\"a\" : 1.0,\n\t\"b\": {\"c\":[\n\t  1,\n\t  2\n\t]}\n}\n"));
    const auto missing = document->withValue("/z", 1);
    QVERIFY(!missing && missing.error().kind == ErrorKind::notFound);
    QCOMPARE(q(missing.error().where), QStringLiteral("/z"));
}

/// An object with very many keys must not take quadratic time.
void JsonDocumentTest::manyKeysTakeLinearTime() {
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
    text.back() = '}';
    const auto begin = std::chrono::steady_clock::now();
    const auto document = JsonDocument::parse(text);
    QVERIFY(document.has_value());
    QCOMPARE(document->root().size(), std::size_t{200'000});
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

/// What we accept, both libraries accept and understand alike; what a library refuses, we refuse.
static QString disagreement(const std::string& text) {
    const auto ours = JsonDocument::parse(text);
    // nlohmann's own reader overflows the stack when an ordered object that holds such a value grows.
    if (!ours && ours.error().code == "nesting_too_deep") return {};
    const auto theirs = OrderedJson::parse(text, nullptr, false);
    simdjson::dom::parser parser;
    const std::string unmarked = text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
    const bool fast = parser.parse(unmarked).error() == simdjson::SUCCESS;
    if (ours) {
        if (theirs.is_discarded()) return QStringLiteral("nlohmann refuses what we accept");
        if (!fast) return QStringLiteral("simdjson refuses what we accept");
        return theirs == ours->root() ? QString() : QStringLiteral("nlohmann reads other values");
    }
    static const std::vector<std::string> kStricter{"duplicate_json_key", "lone_surrogate"};
    const bool stricter = std::find(kStricter.begin(), kStricter.end(), ours.error().code) != kStricter.end();
    if (!theirs.is_discarded() && !stricter) return QStringLiteral("nlohmann accepts, we say ") + q(ours.error().code);
    return {};
}

void JsonDocumentTest::agreesWithTheLibrariesOnVectors() {
    for (const auto& entry : std::filesystem::directory_iterator(test::vectorsFolder() / "tables-bad")) {
        const auto text = readFile(entry.path(), std::size_t{32} << 20);
        QVERIFY(text.has_value());
        if (text->find("e400") != std::string::npos || text->find("e999") != std::string::npos) continue;  // see numbers()
        const QString problem = disagreement(*text);
        QVERIFY2(problem.isEmpty(), (entry.path().filename().string() + ": " + problem.toStdString()).c_str());
    }
}

void JsonDocumentTest::agreesWithTheLibrariesOnDamage() {
    const std::string good = R"({"a": [1, -2.5e3, true, null, "x\u00e9\ud83d\ude82\n"], "b": {"c": {}, "d": []}, "ü": "€"})";
    static constexpr std::string_view kBytes("{}[]\",:\\ueE+-.019aF \n\0\x7f\x80\xc3\xff", 27);
    FastRandom random(20261129);
    for (int round = 0; round < 20'000; ++round) {
        std::string text = good;
        for (std::uint64_t changes = 1 + random.next() % 3; changes > 0; --changes) {
            const std::size_t where = random.next() % text.size();
            const char byte = kBytes[random.next() % kBytes.size()];
            switch (random.next() % 3) {
            case 0: text[where] = byte; break;
            case 1: text.insert(where, 1, byte); break;
            default: text.erase(where, 1);
            }
        }
        const QString problem = disagreement(text);
        QVERIFY2(problem.isEmpty(), (problem.toStdString() + ": " + text).c_str());
    }
}

QTEST_APPLESS_MAIN(JsonDocumentTest)
#include "tst_json_document.moc"
