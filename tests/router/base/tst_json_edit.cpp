// SPDX-License-Identifier: MIT
#include "router/base/json_edit.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;

/// Changes to a JSON text take over the layout that they find and leave every other byte.
class JsonEdit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changes_data();
    void changes();
    void refusals();
};

using Change = std::function<Result<std::string>(const JsonDocument&)>;
Q_DECLARE_METATYPE(Change)

static QString q(const std::string& text) { return QString::fromStdString(text); }

static Change insert(const std::string& array, std::size_t index, const OrderedJson& value) {
    return [=](const JsonDocument& d) { return insertElement(d, array, index, value); };
}
static Change remove(const std::string& array, std::size_t index) {
    return [=](const JsonDocument& d) { return removeElement(d, array, index); };
}
static Change move(std::size_t from, std::size_t to) {
    return [=](const JsonDocument& d) { return moveElement(d, "", from, to); };
}
static Change set(const std::string& object, const std::string& key, const OrderedJson& value) {
    return [=](const JsonDocument& d) { return setMember(d, object, key, value); };
}
static Change drop(const std::string& object, const std::string& key) {
    return [=](const JsonDocument& d) { return removeMember(d, object, key); };
}

void JsonEdit::changes_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* tag, const char* before, const Change& change, const char* after) {
        QTest::newRow(tag) << before << change << after;
    };
    row("insert in the middle of a line", "[1, 2]", insert("", 1, 9), "[1, 9, 2]");
    row("insert in front, no spaces", "[1,2]", insert("", 0, 9), "[9,1,2]");
    row("insert behind the last", "[1, 2 ]\n", insert("", 2, 9), "[1, 2, 9 ]\n");
    row("insert on lines", "[\n\t1,\n\t2\n]\n", insert("", 2, 9), "[\n\t1,\n\t2,\n\t9\n]\n");
    row("insert on lines in front", "[\n\t1,\n\t2\n]\n", insert("", 0, 9), "[\n\t9,\n\t1,\n\t2\n]\n");
    row("insert with CRLF", "{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n", insert("/a", 1, {{"k", 2}}),
        "{\r\n  \"a\": [\r\n    1,\r\n    {\"k\": 2}\r\n  ]\r\n}\r\n");
    row("an object like its neighbour on one line", "[\n  {\"k\": 1}\n]", insert("", 1, {{"k", {1, 2}}}),
        "[\n  {\"k\": 1},\n  {\"k\": [1, 2]}\n]");
    row("an object like its neighbour on several lines", "[\n    {\n        \"k\": 1\n    }\n]", insert("", 1, {{"k", {1, 2}}}),
        "[\n    {\n        \"k\": 1\n    },\n    {\n        \"k\": [\n            1,\n            2\n        ]\n    }\n]");
    row("lists on one line in open objects", "[\n  {\n    \"k\": [1]\n  }\n]", insert("", 0, {{"k", {1, 2}}}),
        "[\n  {\n    \"k\": [1, 2]\n  },\n  {\n    \"k\": [1]\n  }\n]");
    row("into an empty list", "{\n  \"a\": [],\n  \"b\": {\n    \"c\": 1\n  }\n}\n", insert("/a", 0, {{"k", 1}}),
        "{\n  \"a\": [\n    {\n      \"k\": 1\n    }\n  ],\n  \"b\": {\n    \"c\": 1\n  }\n}\n");
    row("into an empty list of a compact text", R"({"a":[],"b":{"c":1}})", insert("/a", 0, {{"k", 1}}),
        R"({"a":[{"k":1}],"b":{"c":1}})");
    row("into an empty list with space in it", "{\"a\": [ ]}", insert("/a", 0, 1), "{\"a\": [1]}");
    row("remove the first", "[1, 2, 3]", remove("", 0), "[2, 3]");
    row("remove the last", "[1, 2 , 3 ]", remove("", 2), "[1, 2 ]");
    row("remove on lines", "[\n  1,\n  2,\n  3\n]", remove("", 1), "[\n  1,\n  3\n]");
    row("remove the last on lines", "[\n  1,\n  2\n]", remove("", 1), "[\n  1\n]");
    row("remove the only one", "{\"a\": [\n  1\n]}", remove("/a", 0), "{\"a\": []}");
    row("move forward keeps what stands between", "[1,  2,\n   3]", move(0, 2), "[2,  3,\n   1]");
    row("move back", "[{\"a\": 1}, 2, \"x,y\"]", move(2, 0), "[\"x,y\", {\"a\": 1}, 2]");
    row("move to its own place", "[1 ,2]", move(1, 1), "[1 ,2]");
    row("replace a member", "{\"a\" : 1.50, \"b\": 2}", set("", "b", "x"), "{\"a\" : 1.50, \"b\": \"x\"}");
    row("replace a list, on lines as it was", "{\n  \"a\": [\n    1\n  ]\n}", set("", "a", {1, 2}),
        "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    row("replace a list, on one line as it was", "{\n  \"a\": [ 1 ]\n}", set("", "a", {1, 2}), "{\n  \"a\": [1, 2]\n}");
    row("add a member", "{\n  \"a\": 1\n}\n", set("", "b", nullptr), "{\n  \"a\": 1,\n  \"b\": null\n}\n");
    row("add a member to a line", "[\n  {\"a\":1}\n]", set("/0", "b", {1, 2}), "[\n  {\"a\":1,\"b\":[1,2]}\n]");
    row("add a member to an empty object in a line", "{\n  \"x\": {\"a\": {}}\n}", set("/x/a", "b", 1),
        "{\n  \"x\": {\"a\": {\"b\": 1}}\n}");
    row("remove a member", "{\"a\": 1, \"b\\\"\": 2, \"c\": 3}", drop("", "b\""), "{\"a\": 1, \"c\": 3}");
    row("remove the last member", "{\n  \"a\": 1,\n  \"b\": \"{\"\n}", drop("", "b"), "{\n  \"a\": 1\n}");
    row("letters are escaped where they were", R"({"a": "\u00e4"})", set("", "b", "ö"), R"({"a": "\u00e4", "b": "\u00f6"})");
    row("letters stand as they are where they did", R"({"a": "ä"})", set("", "b", "ö"), R"({"a": "ä", "b": "ö"})");
    row("a byte order mark stays", "\xef\xbb\xbf[1]", insert("", 0, 2), "\xef\xbb\xbf[2, 1]");
    row("a key with a slash and a tilde", R"({"a/b~": {"c": [1]}})", insert("/a~1b~0/c", 1, 2), R"({"a/b~": {"c": [1, 2]}})");
}

void JsonEdit::changes() {
    QFETCH(QString, before);
    QFETCH(Change, change);
    QFETCH(QString, after);
    const auto document = JsonDocument::parse(before.toStdString());
    QVERIFY(document.has_value());
    const auto changed = change(*document);
    QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
    QCOMPARE(q(*changed), after);
    QVERIFY(JsonDocument::parse(*changed).has_value());
}

void JsonEdit::refusals() {
    const auto document = *JsonDocument::parse(R"({"a": [1], "b": {}})");
    const auto refused = [](const Result<std::string>& result, ErrorKind kind) { return !result && result.error().kind == kind; };
    QVERIFY(refused(insertElement(document, "/a", 2, 1), ErrorKind::notFound));
    QVERIFY(refused(insertElement(document, "/b", 0, 1), ErrorKind::badInput));
    QVERIFY(refused(insertElement(document, "/c", 0, 1), ErrorKind::notFound));
    QVERIFY(refused(removeElement(document, "/a", 1), ErrorKind::notFound));
    QVERIFY(refused(moveElement(document, "/a", 0, 1), ErrorKind::notFound));
    QVERIFY(refused(setMember(document, "/a", "k", 1), ErrorKind::badInput));
    QVERIFY(refused(removeMember(document, "/b", "k"), ErrorKind::notFound));
}

QTEST_APPLESS_MAIN(JsonEdit)
#include "tst_json_edit.moc"
